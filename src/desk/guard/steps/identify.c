/* SPDX-License-Identifier: Apache-2.0 */
/* Who is calling? The door has authenticated its callers. Of local processes, only those of
 * the desk's own user get further. From here on the call keeps one configuration, whatever changes
 * meanwhile. */
#include <unistd.h>

#include "desk/guard/policy/program-pin.h"
#include "desk/guard/steps/steps.h"

gboolean hf_step_identify(HfPassage *passage, GError **error)
{
    const HfCaller *caller = passage->request->caller;
    const HfPassage *within = passage->request->within;
    passage->config =
        within ? hf_config_ref(within->config) : hf_live_config_get(passage->guard->live_config);
    if (caller->kind != HF_CALLER_NONE &&
        caller->uid == geteuid()) /* a process may end meanwhile */
        return passage->request->operation || hf_program_pin_check(passage->config, caller, error);
    return hf_fail(error, HF_ERROR_UNAUTHENTICATED, "user %u does not own this desk",
                   (unsigned)caller->uid);
}
