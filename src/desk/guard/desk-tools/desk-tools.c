/* SPDX-License-Identifier: Apache-2.0 */
/* Sends each tool of the desk to its implementation. */
#include "desk/guard/desk-tools/desk-tools.h"

#include "desk/guard/background/operations.h"
#include "desk/guard/desk-tools/env-summary.h"
#include "desk/guard/desk-tools/undo.h"
#include "desk/guard/flow/flow.h"

HfResult *hf_desk_tool_run(HfPassage *passage, GError **error)
{
    switch (passage->tool->service) {
    case HF_SERVICE_MACRO:
    case HF_SERVICE_WORKFLOW:
        return hf_flow_run(passage, error);
    case HF_SERVICE_OPERATION_STATUS:
        return hf_operations_status(passage->guard->operations, passage, error);
    case HF_SERVICE_OPERATION_CANCEL:
        return hf_operations_cancel(passage->guard->operations, passage, error);
    case HF_SERVICE_UNDO_LAST:
    case HF_SERVICE_UNDO_TO:
        return hf_undo_run(passage, error);
    case HF_SERVICE_ENVIRONMENT:
        return hf_env_summary_run(passage, error);
    case HF_SERVICE_NONE:
        break;
    }
    g_return_val_if_reached(NULL);
}

static json_t *preview_target(HfPassage *passage, GError **error)
{
    switch (passage->tool->service) {
    case HF_SERVICE_UNDO_LAST:
    case HF_SERVICE_UNDO_TO:
        return hf_undo_preview(passage, error);
    case HF_SERVICE_OPERATION_CANCEL:
        return json_pack("{s:s, s:s}", "kind", "operation", "id",
                         hf_json_string(passage->params, "id", ""));
    default:
        return json_pack("{s:s}", "kind", "nothing");
    }
}

HfResult *hf_desk_tool_preview(HfPassage *passage, GError **error)
{
    if (passage->flow)
        return hf_flow_preview(passage, error);
    json_t *target = preview_target(passage, error);
    return target ? hf_result_new(json_pack("{s:o}", "target", target)) : NULL;
}
