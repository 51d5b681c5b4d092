/* SPDX-License-Identifier: Apache-2.0 */
/* Does the call go on in the background? Later steps may wait for people and turns, so this is the
 * last step on the caller's thread. The passage ends here with the id of the operation, and the
 * same call runs the whole table on a thread of its own. */
#include "desk/guard/background/operations.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_background(HfPassage *passage, GError **error)
{
    if (!passage->to_background)
        return TRUE;
    hf_operations_begin(passage->guard->operations, passage, error);
    return FALSE;
}
