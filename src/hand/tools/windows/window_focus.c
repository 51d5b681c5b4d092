/* SPDX-License-Identifier: Apache-2.0 */
/* window_focus: brings one window to the front and gives it the keyboard focus. Succeeds only when
 * the window was seen to have the focus. */
#include "hand/tools/call-undo.h"
#include "hand/tools/resolve.h"
#include "hand/tools/windows/window-report.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfWindow) window = NULL;
    if (!hf_call_get_window(call, &window, error))
        return NULL;
    guint32 before = hf_call_note_focus(call);
    HfWindowChange change = {.action = HF_WINDOW_FOCUS};
    if (!hf_windows_change(hf_call_context(call), window->id, &change, hf_call_deadline(call),
                           error))
        return NULL;
    g_autoptr(HfWindow) after = hf_windows_get(hf_call_desktop(call), window->id, error);
    if (!after)
        return NULL;
    hf_call_undo_focus(call, before, after->id);
    return hf_result_new(json_pack("{s:o}", "window", hf_window_to_json(after)));
}

static const HfParam params[] = {
    HF_PARAM_WINDOW,
    HF_PARAM_WINDOW_MATCH,
    {0},
};

static const HfParam result[] = {
    HF_OBJECT("window", "The window after the call", .required = TRUE, .fields = hf_window_fields),
    {0},
};

const HfTool hf_tool_window_focus = {
    .name = "window_focus",
    .title = "Focus a window",
    .summary = "Bring a window to the front and give it the keyboard focus; a minimised window is "
               "restored",
    .category = HF_CATEGORY_WINDOWS,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_WINDOW,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};
