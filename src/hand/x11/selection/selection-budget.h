/* SPDX-License-Identifier: Apache-2.0 */
/* How much each program may ask of us: enough for any honest one, bounded for all others. Pure, and
 * of fixed size. */
#pragma once

#include <glib.h>

typedef struct HfSelectionBudget HfSelectionBudget;

HfSelectionBudget *hf_selection_budget_new(void);
void hf_selection_budget_free(HfSelectionBudget *budget);

/* TRUE: `client` may have something of this cost at the time `now_us` (monotonic), and it is paid.
 * FALSE: it has asked for too much lately. */
gboolean hf_selection_budget_spend(HfSelectionBudget *budget, guint32 client, guint cost,
                                   gint64 now_us);
