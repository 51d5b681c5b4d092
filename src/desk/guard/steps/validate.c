/* SPDX-License-Identifier: Apache-2.0 */
/* Step 3: a tool that exists, with parameters that fit its description. */
#include "desk/guard/background/operations.h"
#include "desk/guard/flow/flow.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

static gboolean is_flow(const HfTool *tool)
{
    return tool->service == HF_SERVICE_MACRO || tool->service == HF_SERVICE_WORKFLOW;
}

/* Whether it is to be done in the background. What does nothing, or only tells, is answered at once
 * all the same. */
static gboolean goes_on_alone(const HfPassage *passage)
{
    const HfRequest *request = passage->request;
    HfService service = passage->tool->service;
    return hf_json_bool(request->params, "async", FALSE) && !request->operation &&
           !request->within && !request->human && !passage->dry_run &&
           !g_str_equal(hf_json_string(request->params, "phase", ""), "prepare") &&
           service != HF_SERVICE_OPERATION_STATUS && service != HF_SERVICE_OPERATION_CANCEL;
}

gboolean hf_step_well_formed(HfPassage *passage, GError **error)
{
    const HfRequest *request = passage->request;
    passage->tool = hf_registry_find(request->tool);
    if (!passage->tool)
        return hf_fail(error, HF_ERROR_UNKNOWN_TOOL, "there is no tool '%s'",
                       passage->answer->tool);
    passage->effects = passage->tool->effects;
    passage->params = hf_check_params(passage->tool->params, request->params, error);
    passage->dry_run = hf_json_bool(request->params, "dry_run", FALSE);
    passage->answer->dry_run = passage->dry_run;
    passage->desktop = hf_json_string(request->params, "desktop", "main");
    passage->needs = passage->tool->needs;
    passage->sets_off = goes_on_alone(passage);
    return passage->params != NULL && (!is_flow(passage->tool) || hf_flow_read(passage, error));
}

/* The caller's own limit, else the tool's; waiting for the turn counts. */
gboolean hf_step_limit_time(HfPassage *passage, GError **error)
{
    gint64 limit = hf_json_int(passage->request->params, "timeout_ms", passage->tool->timeout_ms);
    passage->deadline = hf_deadline_in_ms(limit, passage->cancellable);
    return hf_deadline_check(&passage->deadline, error);
}

/* The last step on the caller's own thread: from here on it may wait for persons and turns. FALSE
 * ends the passage, with the operation's name as its answer. */
gboolean hf_step_set_off(HfPassage *passage, GError **error)
{
    if (!passage->sets_off)
        return TRUE;
    hf_operations_begin(passage->guard->operations, passage, error);
    return FALSE;
}
