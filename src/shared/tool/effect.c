/* SPDX-License-Identifier: Apache-2.0 */
/* The schema of an effect. The hand finds out its content. */
#include "shared/tool/effect.h"

#include "shared/base/json.h"

static const char *const verdicts[] = {
    [HF_VERDICT_UNVERIFIED] = "unverified",
    [HF_VERDICT_CONFIRMED] = "confirmed",
    [HF_VERDICT_NO_EFFECT] = "no_effect",
    [HF_VERDICT_REFUSED] = "refused",
    [HF_VERDICT_COUNT] = NULL,
};
static const char *const changes[] = {"title",    "place",      "minimized", "maximized",
                                      "restored", "fullscreen", NULL};

static const HfParam change_name = {.type = HF_TYPE_STRING, .choices = changes};
static const HfParam rect_fields[] = {
    {.name = "x", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Left edge, pixels"},
    {.name = "y", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Top edge, pixels"},
    {.name = "width", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Pixels"},
    {.name = "height", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Pixels"},
    {0},
};
static const HfParam window_fields[] = {
    {.name = "window_id",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Names the window in other calls"},
    {.name = "title", .type = HF_TYPE_STRING, .about = "Its title, or its last title"},
    {.name = "process", .type = HF_TYPE_STRING, .about = "Name of the executable, when known"},
    {.name = "popup", .type = HF_TYPE_BOOLEAN, .about = "A menu or similar, not a window"},
    {.name = "modal", .type = HF_TYPE_BOOLEAN, .about = "A dialog that must be answered first"},
    {.name = "what",
     .type = HF_TYPE_ARRAY,
     .items = &change_name,
     .about = "For a changed window: what is different"},
    {.name = "title_before",
     .type = HF_TYPE_STRING,
     .about = "For a changed title: the earlier one"},
    {0},
};
static const HfParam window = {.type = HF_TYPE_OBJECT, .fields = window_fields};
static const HfParam rect = {.type = HF_TYPE_OBJECT, .fields = rect_fields};
static const HfParam element = {.type = HF_TYPE_OBJECT, .about = "As in the answer of ui_describe"};

static const HfParam windows_fields[] = {
    {.name = "opened", .type = HF_TYPE_ARRAY, .items = &window, .about = "That were not there"},
    {.name = "closed", .type = HF_TYPE_ARRAY, .items = &window, .about = "That are gone"},
    {.name = "changed", .type = HF_TYPE_ARRAY, .items = &window, .about = "That are different"},
    {0},
};
static const HfParam elements_fields[] = {
    {.name = "new", .type = HF_TYPE_ARRAY, .items = &element, .about = "That were not there"},
    {.name = "gone", .type = HF_TYPE_ARRAY, .items = &element, .about = "That are gone"},
    {.name = "altered", .type = HF_TYPE_ARRAY, .items = &element, .about = "That are different"},
    {.name = "more",
     .type = HF_TYPE_INTEGER,
     .about = "How many more there are that are not listed"},
    {0},
};

const HfParam hf_effect_fields[] = {
    {.name = "verdict",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = verdicts,
     .about = "confirmed: a consequence was seen; no_effect: nothing changed; unverified: "
              "something was drawn, which proves nothing; refused: the action was not done"},
    {.name = "why", .type = HF_TYPE_STRING, .required = TRUE, .about = "The evidence for it"},
    {.name = "waited_ms",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "How long the effect was looked for after the action"},
    {.name = "windows",
     .type = HF_TYPE_OBJECT,
     .fields = windows_fields,
     .about = "Windows that appeared, disappeared or changed"},
    {.name = "focus",
     .type = HF_TYPE_OBJECT,
     .fields = window_fields,
     .about = "The window that got the keyboard focus"},
    {.name = "elements",
     .type = HF_TYPE_OBJECT,
     .fields = elements_fields,
     .about = "Elements of the program that appeared, disappeared or changed"},
    {.name = "rects",
     .type = HF_TYPE_ARRAY,
     .items = &rect,
     .about = "Where something was drawn, except what redraws itself all the time"},
    {.name = "suggested_next", .type = HF_TYPE_STRING, .about = "What to do next"},
    {0},
};

const char *hf_verdict_name(HfVerdict verdict)
{
    return verdicts[verdict];
}

gboolean hf_tool_verifies(const HfTool *tool)
{
    return tool->verifies > HF_VERIFY_NOTHING;
}

json_t *hf_effect_new(HfVerdict verdict, const char *why)
{
    return json_pack("{s:s, s:o, s:i}", "verdict", hf_verdict_name(verdict), "why",
                     hf_json_text(why), "waited_ms", 0);
}

gboolean hf_effect_names_others(const json_t *effect)
{
    return json_object_get(effect, "windows") || json_object_get(effect, "focus") ||
           json_object_get(effect, "elements");
}
