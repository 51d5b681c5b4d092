/* SPDX-License-Identifier: Apache-2.0 */
/* How long may the call take? The caller's limit counts, else the tool's. Waiting for the turn is
 * included. perform restarts the clock after it has asked the owner about a password field. */
#include "desk/guard/steps/steps.h"

gboolean hf_step_time_limit(HfPassage *passage, GError **error)
{
    gint64 limit = hf_json_int(passage->request->params, "timeout_ms", passage->tool->timeout_ms);
    passage->deadline = hf_deadline_in_ms(limit, passage->cancellable);
    return hf_deadline_check(&passage->deadline, error);
}
