/* SPDX-License-Identifier: Apache-2.0 */
/* The result of ui_act and ui_focus. `confirmed` is true only when what was asked for was seen. */
#include "hand/tools/structure/element-action-report.h"

#include "hand/atspi/act/modal-dialog.h"
#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/painted-toggle.h"
#include "hand/tools/mouse/call-mouse.h"
#include "shared/base/error.h"

static const char *const ways[] = {"structure", "pixels", NULL};

const HfParam hf_element_action_result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "action", .type = HF_TYPE_STRING, .required = TRUE, .about = "What was done"},
    {.name = "channel",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = ways,
     .about = "structure: its program was told; pixels: by pointer or keys on it"},
    {.name = "changed",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "False: it was so already, and nothing was done"},
    {.name = "confirmed",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "What was asked for was seen afterwards. False after press and show_menu, which can "
              "mean anything: look at the effect"},
    {.name = "seen", .type = HF_TYPE_STRING, .about = "What that rests on"},
    {.name = "position",
     .type = HF_TYPE_OBJECT,
     .fields = hf_mouse_position_fields,
     .about = "Where the pointer was used, in physical pixels of the screen"},
    {.name = "element",
     .type = HF_TYPE_OBJECT,
     .fields = hf_element_fields,
     .about = "The element as it was found"},
    {.name = "states",
     .type = HF_TYPE_ARRAY,
     .items = &(const HfParam){.type = HF_TYPE_STRING},
     .required = TRUE,
     .about = "How it is now"},
    {0},
};

static json_t *tell_element(const HfElement *element)
{
    HfElementStyle style = {0};
    return hf_element_to_json(element->tree, element->index, &style);
}

static json_t *element_action_to_json(const HfElementAction *deed)
{
    json_t *result = json_pack("{s:b, s:s, s:s, s:b, s:b, s:o}", "success", TRUE, "action",
                               hf_act_name(deed->act), "channel", hf_act_method_name(deed->way),
                               "changed", deed->way != HF_ACT_METHOD_NONE, "confirmed",
                               deed->confirmed, "states", hf_states_to_json(deed->element->states));
    if (deed->seen)
        json_object_set_new(result, "seen", json_string(deed->seen));
    if (deed->pointed)
        json_object_set_new(result, "position", hf_json_point(deed->point));
    return result;
}

HfResult *hf_element_action_run_and_report(HfElementAction *deed, GError **error)
{
    g_autoptr(json_t) element = tell_element(deed->element);
    if (!hf_modal_check(deed->element->desktop, deed->element->window, error) ||
        !(hf_painted_toggle_applies(deed) ? hf_painted_toggle_do(deed, error)
                                          : hf_element_action_run(deed, error))) {
        if (error && hf_error_code(*error) == HF_ERROR_VERIFY_FAILED)
            hf_error_take_details(error, json_pack("{s:O, s:o}", "element", element, "states",
                                                   hf_states_to_json(deed->element->states)));
        return NULL;
    }
    json_t *result = element_action_to_json(deed);
    json_object_set(result, "element", element);
    return hf_result_new(result);
}
