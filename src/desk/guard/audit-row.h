/* SPDX-License-Identifier: Apache-2.0 */
/* What the audit row of a call says: who asked for what, how the guard judged it, and how it ended.
 */
#pragma once

#include "desk/guard/passage.h"

/* Starts a row of a call: intent, result or refusal. */
json_t *hf_audit_row_new_call(const HfPassage *passage, const char *kind);
/* Adds the request and the guard's judgement. */
void hf_audit_row_set_request(json_t *body, const HfPassage *passage);
/* Adds the outcome and, if the call failed, the step of the guard at which it did. */
void hf_audit_row_set_outcome(json_t *body, const HfPassage *passage);

/* Whether the owner has switched rows of calls off. */
gboolean hf_audit_row_is_off(const HfPassage *passage);
/* Runs `work` in a transaction of its own when no row is written. `work` may be NULL. */
gboolean hf_audit_write_work(const HfPassage *passage, HfStoreWork work, gpointer data,
                             GError **error);
