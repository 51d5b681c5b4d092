/* SPDX-License-Identifier: Apache-2.0 */
/* app_close: closes all windows of one application as a person would, or ends its process by force.
 * When several processes match, it touches none. */
#include "hand/tools/apps/call-app.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfRunningApps) apps = hf_running_apps_list(hf_call_desktop(call), error);
    const HfRunningApp *app = apps ? hf_call_get_app(call, apps, TRUE, error) : NULL;
    if (!app)
        return NULL;
    gboolean force = hf_call_bool(call, "force");
    HfAppClosed closed;
    if (!(force ? hf_running_apps_kill : hf_running_apps_close)(hf_call_context(call), app, &closed,
                                                                hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(json_pack("{s:o, s:i, s:i, s:b, s:b}", "name", hf_json_text(app->name),
                                   "pid", app->pid, "windows_closed", (int)closed.windows,
                                   "running", closed.running, "forced", force));
}

static const HfParam params[] = {
    HF_PARAM_APP,
    HF_BOOLEAN("force",
               "End its process without asking; unsaved work is lost. Not for programs on other "
               "machines (ssh -X): the local process only forwards their windows",
               .fallback = "false"),
    {0},
};

static const HfParam result[] = {
    HF_STRING("name", "Name of the application", .required = TRUE),
    HF_INTEGER("pid", "Process id; 0 when unknown", .required = TRUE),
    HF_INTEGER("windows_closed", "How many", .required = TRUE),
    HF_BOOLEAN("running", "Its process still runs, without windows", .required = TRUE),
    HF_BOOLEAN("forced", "Whether force was used", .required = TRUE),
    {0},
};

const HfTool hf_tool_app_close = {
    .name = "app_close",
    .title = "Close an application",
    .summary = "Close all windows of an application. If it asks something first (save changes?), "
               "fails with DESKTOP_MODAL_BLOCKING and names the dialog",
    .category = HF_CATEGORY_APPS,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_DELETES,
    .target = HF_TARGET_APP,
    .pace = HF_PACE_TASK,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
};
