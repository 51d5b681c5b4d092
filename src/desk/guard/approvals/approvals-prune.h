/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of questions that were answered, and for how long. */
#pragma once

#include "desk/records/store/store.h"

/* Forgets old questions, answers that hold no more, and pictures in `directory` whose question is
 * gone. A picture whose question is being written now stays. */
gboolean hf_approvals_prune_all(HfStore *store, const char *directory, gint64 now_ms, int keep_days,
                                GError **error);
