/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parameters that the mouse tools share, and clicks for all of them. */
#include "hand/tools/mouse/call-mouse.h"

#include "hand/desktop/keyboard.h"
#include "shared/base/error.h"

#define JITTER_DEFAULT_PX 2
#define JITTER_MAX_PX     50
#define DELAY_MIN_MS      40
#define DELAY_MAX_MS      120
#define DELAY_LIMIT_MS    5000

static const char *const modifiers[] = {"shift", "ctrl", "alt", "cmd", "super", NULL};
const HfParam hf_mouse_modifier = {
    .name = "modifier", .type = HF_TYPE_STRING, .choices = modifiers, .about = "A modifier key"};

static const HfParam delay =
    HF_OPTIONAL("milliseconds", HF_TYPE_NUMBER, "Milliseconds", .min = 0, .max = DELAY_LIMIT_MS);
static const char *const curves[] = {"arc", "line", NULL};

const HfParam hf_mouse_humanize_fields[] = {
    HF_OPTIONAL("jitter_px", HF_TYPE_NUMBER,
                "How far off the path and the point may be (default 2)", .min = 0,
                .max = JITTER_MAX_PX),
    HF_OPTIONAL(
        "delay_ms", HF_TYPE_ARRAY,
        "Shortest and longest pause between arriving, pressing and releasing (default [40, 120])",
        .min = 2, .max = 2, .items = &delay),
    HF_OPTIONAL("curve", HF_TYPE_STRING, "Shape of the path (default arc)", .choices = curves),
    {0},
};

const char *const hf_mouse_buttons[] = {"left", "middle", "right", NULL};

const HfParam hf_point_fields[] = {
    HF_REQUIRED("x", HF_TYPE_INTEGER, "From the left edge"),
    HF_REQUIRED("y", HF_TYPE_INTEGER, "From the top edge"),
    {0},
};
const HfParam hf_mouse_result[] = {HF_RESULT_POSITION, {0}};

const HfParam hf_mouse_click_params[] = {
    HF_PARAM_POINT,
    HF_PARAM_MODIFIERS,
    HF_PARAM_HUMANIZE,
    {0},
};

HfResult *hf_mouse_result_new(const HfCall *call, HfPoint point)
{
    json_t *json = json_pack("{s:b, s:o}", "success", TRUE, "position", hf_json_point(point));
    hf_call_add_found(call, json);
    return hf_result_new(json);
}

HfButton hf_mouse_button(const HfCall *call)
{
    const char *name = hf_call_string(call, "button");
    if (g_strcmp0(name, "middle") == 0)
        return HF_BUTTON_MIDDLE;
    return g_strcmp0(name, "right") == 0 ? HF_BUTTON_RIGHT : HF_BUTTON_LEFT;
}

static gboolean keysyms_contain(const GArray *keysyms, guint32 keysym)
{
    for (guint i = 0; i < keysyms->len; i++)
        if (g_array_index(keysyms, guint32, i) == keysym)
            return TRUE;
    return FALSE;
}

GArray *hf_mouse_dup_modifiers(const HfCall *call, GError **error)
{
    g_auto(GStrv) names = hf_call_dup_strings(call, "modifiers");
    g_autoptr(GArray) keysyms = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (char **name = names; *name; name++) {
        guint32 keysym;
        if (!hf_key_parse(*name, &keysym, error))
            return NULL;
        if (!keysyms_contain(keysyms, keysym))
            g_array_append_val(keysyms, keysym);
    }
    return g_steal_pointer(&keysyms);
}

gboolean hf_mouse_get_movement(const HfCall *call, HfMovement *ret_movement, GError **error)
{
    const json_t *humanize = hf_call_json(call, "humanize");
    HfMovement movement = {0};
    if (humanize) {
        const json_t *delays = json_object_get(humanize, "delay_ms");
        const char *curve = hf_json_string(humanize, "curve", "arc");
        movement.human = TRUE;
        movement.shape.curve = g_str_equal(curve, "line") ? HF_CURVE_LINE : HF_CURVE_ARC;
        movement.shape.jitter_px = (int)hf_json_number(humanize, "jitter_px", JITTER_DEFAULT_PX);
        movement.pause_min_ms = DELAY_MIN_MS;
        movement.pause_max_ms = DELAY_MAX_MS;
        if (delays) {
            movement.pause_min_ms = (guint)json_number_value(json_array_get(delays, 0));
            movement.pause_max_ms = (guint)json_number_value(json_array_get(delays, 1));
        }
    }
    if (movement.pause_min_ms > movement.pause_max_ms)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "humanize.delay_ms: the shortest pause (%u) is longer than the longest (%u)",
                       movement.pause_min_ms, movement.pause_max_ms);
    *ret_movement = movement;
    return TRUE;
}

HfResult *hf_mouse_click(HfCall *call, HfButton button, int count, GError **error)
{
    HfClick click = {.button = button, .count = count};
    if (!hf_call_get_point(call, &click.point, error) ||
        !hf_mouse_get_movement(call, &click.movement, error))
        return NULL;
    g_autoptr(GArray) keysyms = hf_mouse_dup_modifiers(call, error);
    if (!keysyms)
        return NULL;
    click.modifiers = keysyms;
    HfPoint at;
    if (!hf_pointer_click(hf_call_context(call), &click, &at, hf_call_deadline(call), error))
        return NULL;
    return hf_mouse_result_new(call, at);
}
