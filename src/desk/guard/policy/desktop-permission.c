/* SPDX-License-Identifier: Apache-2.0 */
/* Creating a desktop starts programs, and removing one ends all that run there. So a client needs a
 * level that may act, and nothing happens during a stop. A grant lists tools, so a caller that is
 * bound to one may not. */
#include "desk/guard/policy/desktop-permission.h"

#include "desk/guard/passage.h"
#include "desk/guard/policy/caller-rights.h"
#include "desk/guard/stop/stop-gate.h"
#include "shared/base/error.h"

static gboolean check_desktop_rights(const HfConfig *config, const HfCaller *caller, HfLevel needed,
                                     GError **error)
{
    HfLevel has = hf_caller_rights_level(config, caller);
    const char *grant = hf_caller_rights_grant(config, caller);
    if (caller->kind == HF_CALLER_HEAD || grant)
        hf_fail(error, HF_ERROR_FORBIDDEN, "the grant '%s' does not allow to manage desktops",
                grant ? grant : "none");
    else if (has < needed)
        hf_fail(error, HF_ERROR_FORBIDDEN, "managing desktops needs level %s, and %s has %s",
                hf_level_name(needed), caller->name ? caller->name : "the caller",
                hf_level_name(has));
    else
        return TRUE;
    hf_error_suggest(error, "the owner can do it: handfast desktop");
    return FALSE;
}

gboolean hf_guard_check_desktop_permission(HfGuard *guard, const HfCaller *caller,
                                           const char *desktop, gboolean display, GError **error)
{
    g_autoptr(HfConfig) config = hf_live_config_get(guard->live_config);
    if (caller->kind == HF_CALLER_OWNER)
        return !display || hf_caller_check_owner_in_person(caller, error);
    HfLevel needed = display ? HF_LEVEL_FULL : HF_LEVEL_STANDARD;
    if (!hf_caller_rights_check_program(config, caller, error) ||
        !check_desktop_rights(config, caller, needed, error))
        return FALSE;
    HfStopGatePass *pass = hf_stop_gate_enter(guard->gate, desktop, NULL, NULL, error);
    hf_stop_gate_leave(pass, NULL);
    return pass != NULL;
}
