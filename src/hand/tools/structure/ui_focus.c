/* SPDX-License-Identifier: Apache-2.0 */
/* ui_focus: focuses one element, after its window. */
#include "hand/tools/call-undo.h"
#include "hand/tools/structure/call-element.h"
#include "hand/tools/structure/element-action-report.h"

static HfResult *run(HfCall *call, GError **error)
{
    guint32 before = hf_call_note_focus(call);
    g_autoptr(HfElement) element = hf_call_get_element(call, FALSE, error);
    if (!element)
        return NULL;
    g_auto(HfElementAction) action = {.element = element, .act = HF_ACT_FOCUS};
    HfResult *result = hf_element_action_run_and_report(&action, error);
    if (result && element->window)
        hf_call_undo_focus(call, before, element->window);
    return result;
}

static const HfParam params[] = {HF_PARAM_ELEMENT, HF_PARAM_WHERE, {0}};

const HfTool hf_tool_ui_focus = {
    .name = "ui_focus",
    .title = "Focus an element",
    .summary = "Focus a field, button or other element, so that the next typed text goes there. "
               "Brings its window to the front. VERIFY_FAILED if it did not get the focus",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_ELEMENT,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = hf_element_action_result,
    .run = run,
};
