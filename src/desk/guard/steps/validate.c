/* SPDX-License-Identifier: Apache-2.0 */
/* Does the tool exist, and do the parameters fit its schema? This step also finds out whether the
 * call is a dry run and whether it goes to the background. */
#include "desk/guard/flow/flow.h"
#include "desk/guard/steps/steps.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

/* Dry runs, prepared calls and questions about operations are answered at once. */
static gboolean goes_to_background(const HfPassage *passage)
{
    const HfRequest *request = passage->request;
    HfService service = passage->tool->service;
    return hf_json_bool(request->params, "async", FALSE) && !request->operation &&
           !request->within && !request->human && !passage->dry_run &&
           !g_str_equal(hf_json_string(request->params, "phase", ""), "prepare") &&
           service != HF_SERVICE_OPERATION_STATUS && service != HF_SERVICE_OPERATION_CANCEL;
}

static void look_at_walls(HfPassage *passage)
{
    const HfGuard *guard = passage->guard;
    HfWalls walls = guard->hands && guard->hands->walls
                        ? guard->hands->walls(passage->desktop, guard->data)
                        : HF_WALLS_NONE;
    passage->contained = walls == HF_WALLS_HOLD;
    passage->walls_missing = walls == HF_WALLS_MISSING;
}

gboolean hf_step_validate(HfPassage *passage, GError **error)
{
    const HfRequest *request = passage->request;
    passage->tool = hf_registry_find(request->tool);
    if (!passage->tool)
        return hf_fail(error, HF_ERROR_UNKNOWN_TOOL, "there is no tool '%s'; see: handfast tools",
                       passage->answer->tool);
    passage->judgement.effects = passage->tool->effects;
    passage->params = hf_check_params(passage->tool->params, request->params, error);
    passage->dry_run = hf_json_bool(request->params, "dry_run", FALSE);
    passage->answer->dry_run = passage->dry_run;
    passage->desktop = hf_json_string(request->params, "desktop", "main");
    look_at_walls(passage);
    passage->needs = passage->tool->needs;
    passage->to_background = goes_to_background(passage);
    HfService service = passage->tool->service;
    gboolean flow = service == HF_SERVICE_MACRO || service == HF_SERVICE_WORKFLOW;
    return passage->params != NULL && (!flow || hf_flow_read(passage, error));
}
