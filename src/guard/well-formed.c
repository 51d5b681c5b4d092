/* Step 3: a tool that exists, with parameters that fit its description. */
#include "guard/macro.h"
#include "tool/check.h"
#include "tool/registry.h"

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
    return passage->params != NULL &&
           (passage->tool->service != HF_SERVICE_MACRO || hf_macro_read(passage, error));
}

/* The caller's own limit, else the tool's; waiting for the turn counts. */
gboolean hf_step_limit_time(HfPassage *passage, GError **error)
{
    gint64 limit = hf_json_int(passage->request->params, "timeout_ms", passage->tool->timeout_ms);
    passage->deadline = hf_deadline_in_ms(limit, passage->cancellable);
    return hf_deadline_check(&passage->deadline, error);
}
