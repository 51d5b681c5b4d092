/* SPDX-License-Identifier: Apache-2.0 */
/* The result of ui_act and ui_focus. `confirmed` is true only when the requested outcome was seen.
 */
#include "hand/tools/structure/element-action-report.h"

#include "hand/atspi/act/modal-dialog.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/painted-toggle.h"
#include "hand/tools/mouse/call-mouse.h"
#include "shared/base/error.h"

static const char *const ways[] = {"structure", "pixels", NULL};

const HfParam hf_element_action_result[] = {
    HF_RESULT_SUCCESS,
    HF_REQUIRED("action", HF_TYPE_STRING, "What was done"),
    HF_REQUIRED("channel", HF_TYPE_STRING,
                "structure: by an accessibility call; pixels: by pointer or keys", .choices = ways),
    HF_REQUIRED("changed", HF_TYPE_BOOLEAN,
                "False: it was in the requested state already, so nothing was done"),
    HF_REQUIRED("confirmed", HF_TYPE_BOOLEAN,
                "The requested outcome was seen. False after press and show_menu, which can do "
                "anything: see effect"),
    HF_OPTIONAL("seen", HF_TYPE_STRING, "What confirmed it"),
    HF_OPTIONAL("position", HF_TYPE_OBJECT,
                "Where the pointer was used, in physical pixels of the screen",
                .fields = hf_point_fields),
    HF_OPTIONAL("element", HF_TYPE_OBJECT, "The element as it was found",
                .fields = hf_element_fields),
    HF_ARRAY("states", "Its states now", .items = &hf_text_item, .required = TRUE),
    {0},
};

static json_t *element_action_to_json(const HfElementAction *action)
{
    json_t *result = json_pack(
        "{s:b, s:s, s:s, s:b, s:b, s:o}", "success", TRUE, "action", hf_act_name(action->act),
        "channel", hf_act_method_name(action->way), "changed", action->way != HF_ACT_METHOD_NONE,
        "confirmed", action->confirmed, "states", hf_states_to_json(action->element->states));
    if (action->seen)
        json_object_set_new(result, "seen", json_string(action->seen));
    if (action->pointed)
        json_object_set_new(result, "position", hf_json_point(action->point));
    return result;
}

HfResult *hf_element_action_run_and_report(HfElementAction *action, GError **error)
{
    HfElementStyle style = {0};
    g_autoptr(json_t) element =
        hf_element_to_json(action->element->tree, action->element->index, &style);
    if (!hf_modal_check(action->element->desktop, action->element->window, error) ||
        !(hf_painted_toggle_applies(action) ? hf_painted_toggle_do(action, error)
                                            : hf_element_action_run(action, error))) {
        if (error && hf_error_code(*error) == HF_ERROR_VERIFY_FAILED)
            hf_error_take_details(error, json_pack("{s:O, s:o}", "element", element, "states",
                                                   hf_states_to_json(action->element->states)));
        return NULL;
    }
    json_t *result = element_action_to_json(action);
    json_object_set(result, "element", element);
    return hf_result_new(result);
}
