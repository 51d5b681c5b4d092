/* SPDX-License-Identifier: Apache-2.0 */
/* Was this call done before? A call that carries an `idempotency_key` is done at most once; asked
 * again, it ends here with the answer that it had. It waits while the same call is being done. */
#include "desk/guard/background/operations.h"
#include "desk/guard/idempotency-keys.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_idempotency(HfPassage *passage, GError **error)
{
    const char *key = hf_json_string(passage->request->params, "idempotency_key", NULL);
    if (passage->sets_off) /* the key is claimed by the call in the background */
        return hf_operations_replay(passage->guard->operations, passage, error);
    return !key || hf_idempotency_begin(passage, key, error);
}
