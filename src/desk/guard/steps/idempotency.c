/* SPDX-License-Identifier: Apache-2.0 */
/* Was this call done before? A call that carries an `idempotency_key` is done at most once. Sent
 * again, it ends here with the first answer, after waiting for it if need be. */
#include "desk/guard/background/operations.h"
#include "desk/guard/idempotency-keys.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_idempotency(HfPassage *passage, GError **error)
{
    const char *key = hf_json_string(passage->request->params, "idempotency_key", NULL);
    if (passage->to_background) /* the background call claims the key */
        return hf_operations_replay(passage->guard->operations, passage, error);
    return !key || hf_idempotency_begin(passage, key, error);
}
