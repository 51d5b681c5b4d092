/* SPDX-License-Identifier: Apache-2.0 */
/* What a row of the audit says: of an event its caller, of a call what was asked, how it was judged
 * and how it ended. */
#pragma once

#include "desk/guard/passage.h"

/* The beginning of every row. `caller` may be NULL. */
json_t *hf_audit_row_new(const char *kind, const HfCaller *caller);
/* The beginning of every row of a call: intent, result or refusal. */
json_t *hf_audit_row_new_call(const HfPassage *passage, const char *kind);
/* What was asked and how it was judged. */
void hf_audit_row_set_request(json_t *body, const HfPassage *passage);
/* How it ended, and at which step of the guard when it failed. */
void hf_audit_row_set_outcome(json_t *body, const HfPassage *passage);

/* Whether the owner has switched rows of calls off. */
gboolean hf_audit_row_is_off(const HfPassage *passage);
/* For when they are off: writes what must last besides the row. `work` may be NULL. */
gboolean hf_audit_write_work(const HfPassage *passage, HfStoreWork work, gpointer data,
                             GError **error);
