/* SPDX-License-Identifier: Apache-2.0 */
/* Who is calling? The front end has checked its callers already. Of the processes on this machine,
 * only those of the user who runs the desk get any further. From here on one agreement holds for
 * this call, whatever changes meanwhile. */
#include <unistd.h>

#include "desk/guard/policy/program-pin.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_identify(HfPassage *passage, GError **error)
{
    const HfCaller *caller = passage->request->caller;
    const HfPassage *within = passage->request->within;
    passage->config =
        within ? hf_config_ref(within->config) : hf_live_config_get(passage->guard->agreement);
    if (caller->kind != HF_CALLER_NONE &&
        caller->uid == geteuid()) /* a process may end meanwhile */
        return passage->request->operation || hf_program_pin_check(passage->config, caller, error);
    return hf_fail(error, HF_ERROR_UNAUTHENTICATED, "user %u does not own this desk",
                   (unsigned)caller->uid);
}
