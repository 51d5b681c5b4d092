/* SPDX-License-Identifier: Apache-2.0 */
/* The rate limit of each program that requests our content: enough for any honest program. Pure,
 * and of fixed size. */
#pragma once

#include <glib.h>

typedef struct HfSelectionBudget HfSelectionBudget;

HfSelectionBudget *hf_selection_budget_new(void);
void hf_selection_budget_free(HfSelectionBudget *budget);

/* Takes `cost` units from the client's budget at the time `now_us` (monotonic). FALSE: it has too
 * few left. */
gboolean hf_selection_budget_spend(HfSelectionBudget *budget, guint32 client, guint cost,
                                   gint64 now_us);
