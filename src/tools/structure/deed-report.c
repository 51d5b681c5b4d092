/* The result of ui_act and ui_focus. `confirmed` is true only when what was asked for was seen. */
#include "tools/structure/deed-report.h"

#include "access/element-json.h"
#include "access/modal.h"
#include "access/states.h"
#include "base/error.h"
#include "fusion/tick.h"
#include "tools/mouse/mouse.h"

static const char *const ways[] = {"structure", "pixels", NULL};

const HfParam hf_deed_result[] = {
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

static json_t *tell(const HfDeed *deed)
{
    json_t *result = json_pack("{s:b, s:s, s:s, s:b, s:b, s:o}", "success", TRUE, "action",
                               hf_act_name(deed->act), "channel", hf_way_name(deed->way), "changed",
                               deed->way != HF_WAY_NONE, "confirmed", deed->confirmed, "states",
                               hf_states_to_json(deed->element->states));
    if (deed->seen)
        json_object_set_new(result, "seen", json_string(deed->seen));
    if (deed->pointed)
        json_object_set_new(result, "position", hf_json_point(deed->point));
    return result;
}

HfResult *hf_deed_run(HfDeed *deed, GError **error)
{
    g_autoptr(json_t) element = tell_element(deed->element);
    if (!hf_modal_check(deed->element->desktop, deed->element->window, error) ||
        !(hf_tick_takes(deed) ? hf_tick_do(deed, error) : hf_act(deed, error))) {
        if (error && hf_error_code(*error) == HF_ERROR_VERIFY_FAILED)
            hf_error_take_details(error, json_pack("{s:O, s:o}", "element", element, "states",
                                                   hf_states_to_json(deed->element->states)));
        return NULL;
    }
    json_t *result = tell(deed);
    json_object_set(result, "element", element);
    return hf_result_new(result);
}
