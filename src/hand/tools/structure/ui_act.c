/* SPDX-License-Identifier: Apache-2.0 */
/* ui_act: acts on one element, by an accessibility call where its program supports it, else by
 * pointer and keys. Reports as done only what was seen. */
#include <string.h>

#include "hand/tools/call-undo.h"
#include "hand/tools/structure/call-element.h"
#include "hand/tools/structure/element-action-report.h"
#include "hand/tools/tools-limits.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const actions[] = {
    "press",    "toggle",           "check",     "uncheck",   "set_value", "select", "expand",
    "collapse", "scroll_into_view", "increment", "decrement", "show_menu", NULL};

static HfAct get_act(const char *name)
{
    HfAct act = HF_ACT_PRESS;
    while (act < HF_ACT_COUNT && strcmp(hf_act_name(act), name) != 0)
        act++;
    return act;
}

/* NULL: this action has no opposite. */
static const char *opposite_action(const HfElementAction *done)
{
    switch (done->act) {
    case HF_ACT_TOGGLE:
        return done->wanted ? "uncheck" : "check";
    case HF_ACT_CHECK:
        return "uncheck";
    case HF_ACT_UNCHECK:
        return "check";
    case HF_ACT_EXPAND:
        return "collapse";
    case HF_ACT_COLLAPSE:
        return "expand";
    case HF_ACT_INCREMENT:
        return "decrement";
    case HF_ACT_DECREMENT:
        return "increment";
    default:
        return NULL;
    }
}

/* The undo call names the element as the caller did. It is refused if that means another element
 * by then, or none. */
static void take_ui_act_undo(HfCall *call, const HfElementAction *done, const char *inverse)
{
    json_int_t window = (json_int_t)done->element->window;
    json_t *params = json_pack("{s:O, s:s, s:I}", "target", hf_call_json(call, "target"), "action",
                               inverse, "window_id", window);
    if (done->act == HF_ACT_SET_VALUE) {
        json_object_set_new(params, "value", hf_json_text(done->before));
        json_object_set_new(params, "expected_value", hf_json_text(done->value));
    }
    hf_call_take_undo(call, json_pack("{s:s, s:o, s:{s:{s:I}}}", "tool", "ui_act", "params", params,
                                      "expect", "window", "window_id", window));
}

static void note_ui_act_undo(HfCall *call, const HfElementAction *done)
{
    const char *opposite = opposite_action(done);
    if (!hf_call_wants_undo(call))
        return;
    if (done->way == HF_ACT_METHOD_NONE || done->act == HF_ACT_SCROLL_INTO_VIEW)
        hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    else if (opposite)
        take_ui_act_undo(call, done, opposite);
    else if (done->act == HF_ACT_SET_VALUE && done->before &&
             strlen(done->before) <= HF_LIMIT_UNDO_TEXT_BYTES)
        take_ui_act_undo(call, done, "set_value");
    else
        hf_call_refuse_undo(call, "its effect on the program is not known");
}

static gboolean is_number_value(const HfElement *element, const char *wanted)
{
    char *end;
    double now, number = g_ascii_strtod(wanted, &end);
    return end != wanted && !*end && hf_element_get_number(element, "CurrentValue", &now, NULL) &&
           ABS(now - number) < 1e-9;
}

/* Somebody may have changed it since. */
static gboolean check_expected_value(const HfCall *call, const HfElement *element, GError **error)
{
    const char *wanted = hf_call_string(call, "expected_value");
    if (!wanted)
        return TRUE;
    g_autofree char *text = hf_element_dup_text(element, NULL);
    return (text && strcmp(text, wanted) == 0) || is_number_value(element, wanted) ||
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "the element holds another value than expected_value; nothing was changed");
}

static HfResult *run(HfCall *call, GError **error)
{
    HfAct act = get_act(hf_call_string(call, "action"));
    g_autoptr(HfElement) element = hf_call_get_element(call, act == HF_ACT_SCROLL_INTO_VIEW, error);
    if (!element || !check_expected_value(call, element, error))
        return NULL;
    g_auto(HfElementAction) action = {
        .element = element,
        .act = act,
        .value = hf_call_string(call, "value"),
    };
    HfResult *result = hf_element_action_run_and_report(&action, error);
    if (result)
        note_ui_act_undo(call, &action);
    return result;
}

static const HfParam params[] = {
    HF_PARAM_ELEMENT,
    HF_OPTIONAL("action", HF_TYPE_STRING,
                "press: what a click does. toggle, check, uncheck: boxes and switches. set_value: "
                "texts, numbers, drop-down lists. select: entries and page tabs. expand, collapse: "
                "whatever folds. increment, decrement: one step. show_menu: its context menu",
                .choices = actions, .fallback = "\"press\""),
    HF_OPTIONAL(
        "value", HF_TYPE_STRING,
        "For set_value: the whole text, or the number. For select on a list: the entry's name",
        .max = HF_LIMIT_TYPE_CHARS * 4.0, .secret = TRUE, .means = HF_MEANS_TYPED),
    HF_OPTIONAL("expected_value", HF_TYPE_STRING,
                "Do nothing unless the element holds this text or number now",
                .max = HF_LIMIT_TYPE_CHARS * 4.0, .secret = TRUE, .means = HF_MEANS_PLAIN),
    HF_PARAM_WHERE,
    {0},
};

const HfTool hf_tool_ui_act = {
    .name = "ui_act",
    .title = "Act on an element",
    .summary = "Press, check, fill in, select, expand or scroll to an element of a program's user "
               "interface, named by a selector instead of a position. Uses an accessibility call "
               "if the program supports it, else pointer and keys (see channel). Reads the outcome "
               "back: VERIFY_FAILED if it was not seen",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_ELEMENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = 30000,
    .params = params,
    .result = hf_element_action_result,
    .run = run,
};
