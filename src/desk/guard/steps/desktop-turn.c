/* SPDX-License-Identifier: Apache-2.0 */
/* Is the desktop free? One call at a time has it; the others queue (desktop-turns.h). stop-recheck
 * and perform give the turn back and repeat this step. */
#include "desk/guard/flow/flow.h"
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/desktop-turns.h"
#include "shared/base/error.h"

/* The recipient or application that the call names. */
static const char *queue_target_of(const HfPassage *passage)
{
    for (const HfParam *param = passage->tool->params; param->name; param++)
        if (param->means == HF_MEANS_RECIPIENT || param->means == HF_MEANS_APP)
            return hf_json_string(passage->params, param->name, NULL);
    return NULL;
}

static void audit_queue_overflow(HfPassage *passage, const GError *error)
{
    if (g_error_matches(error, HF_ERROR, HF_ERROR_QUEUE_OVERFLOW))
        hf_audit_event(passage->guard->audit, "queue-overflow", passage->request->caller,
                       json_pack("{s:s, s:o}", "step", passage->answer->step_id, "error",
                                 hf_error_to_json(error)));
}

gboolean hf_step_desktop_turn(HfPassage *passage, GError **error)
{
    const HfPassage *within = passage->request->within;
    if (passage->needs == HF_NEEDS_NEITHER || (within && within->flow->exclusive))
        return TRUE;
    HfDesktopTurnLimits limits = {(guint)hf_config_int(passage->config, "limits.queue.total"),
                                  (guint)hf_config_int(passage->config, "limits.queue.per_target")};
    g_autoptr(GError) problem = NULL;
    passage->turn =
        hf_desktop_turns_take(passage->guard->turns, passage->desktop, queue_target_of(passage),
                              &limits, &passage->deadline, &problem);
    if (passage->turn)
        return TRUE;
    audit_queue_overflow(passage, problem);
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}
