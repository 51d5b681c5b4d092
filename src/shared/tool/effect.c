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
    HF_INTEGER("x", "Left edge, pixels", .required = TRUE),
    HF_INTEGER("y", "Top edge, pixels", .required = TRUE),
    HF_INTEGER("width", "Pixels", .required = TRUE),
    HF_INTEGER("height", "Pixels", .required = TRUE),
    {0},
};
static const HfParam window_fields[] = {
    HF_INTEGER("window_id", "Names the window in other calls", .required = TRUE),
    HF_STRING("title", "Its title, or its last title"),
    HF_STRING("process", "Name of the executable, when known"),
    HF_BOOLEAN("popup", "A menu or similar, not a window"),
    HF_BOOLEAN("modal", "A dialog that must be answered first"),
    HF_ARRAY("what", "For a changed window: what is different", .items = &change_name),
    HF_STRING("title_before", "For a changed title: the earlier one"),
    {0},
};
static const HfParam window = {.type = HF_TYPE_OBJECT, .fields = window_fields};
static const HfParam rect = {.type = HF_TYPE_OBJECT, .fields = rect_fields};
static const HfParam element = {.type = HF_TYPE_OBJECT, .about = "As in the answer of ui_describe"};

static const HfParam windows_fields[] = {
    HF_ARRAY("opened", "That were not there", .items = &window),
    HF_ARRAY("closed", "That are gone", .items = &window),
    HF_ARRAY("changed", "That are different", .items = &window),
    {0},
};
static const HfParam elements_fields[] = {
    HF_ARRAY("new", "That were not there", .items = &element),
    HF_ARRAY("gone", "That are gone", .items = &element),
    HF_ARRAY("altered", "That are different", .items = &element),
    HF_INTEGER("more", "How many more there are that are not listed"),
    {0},
};

const HfParam hf_effect_fields[] = {
    HF_STRING("verdict",
              "confirmed: a consequence was seen; no_effect: nothing changed; unverified: "
              "something was drawn, which proves nothing; refused: the action was not done",
              .required = TRUE, .choices = verdicts),
    HF_STRING("why", "The evidence for it", .required = TRUE),
    HF_INTEGER("waited_ms", "How long the effect was looked for after the action",
               .required = TRUE),
    HF_OBJECT("windows", "Windows that appeared, disappeared or changed", .fields = windows_fields),
    HF_OBJECT("focus", "The window that got the keyboard focus", .fields = window_fields),
    HF_OBJECT("elements", "Elements of the program that appeared, disappeared or changed",
              .fields = elements_fields),
    HF_ARRAY("rects", "Where something was drawn, except what redraws itself all the time",
             .items = &rect),
    HF_STRING("suggested_next", "What to do next"),
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
