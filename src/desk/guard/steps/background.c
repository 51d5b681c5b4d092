/* SPDX-License-Identifier: Apache-2.0 */
/* Does the call go on in the background? This is the last step on the caller's own thread: from
 * here on a call may wait for persons and turns. The passage ends here with the operation's name as
 * its answer, and the same call then takes the whole way on a thread of its own. */
#include "desk/guard/background/operations.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_background(HfPassage *passage, GError **error)
{
    if (!passage->sets_off)
        return TRUE;
    hf_operations_begin(passage->guard->operations, passage, error);
    return FALSE;
}
