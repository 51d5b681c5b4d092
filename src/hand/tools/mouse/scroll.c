/* SPDX-License-Identifier: Apache-2.0 */
/* scroll: turns the wheel over a point. A wheel counts clicks, callers think in pixels, and
 * programs differ in how far one click moves them. The result has the number of clicks, so that a
 * caller can see how far it got and continue. */
#include "hand/tools/mouse/call-mouse.h"

#include <math.h>

/* Measured for one click: GTK 3 and 4 page^(2/3), so 45 px in a 300 px view and 79 in one of 700;
 * Qt 5 three lines, 45 to 60 px; Chromium 120 px. This is their middle. */
#define PIXELS_PER_CLICK 75

static const char *const directions[] = {"up", "down", "left", "right", NULL};

static HfButton get_wheel(const char *direction)
{
    for (guint i = 0; directions[i]; i++)
        if (g_str_equal(direction, directions[i]))
            return (HfButton)(HF_BUTTON_WHEEL_UP + i);
    g_return_val_if_reached(HF_BUTTON_WHEEL_DOWN);
}

static HfResult *run(HfCall *call, GError **error)
{
    HfScroll scroll = {.wheel = get_wheel(hf_call_string(call, "direction"))};
    if (!hf_call_get_point(call, &scroll.point, error) ||
        !hf_mouse_get_movement(call, &scroll.movement, error))
        return NULL;
    g_autoptr(GArray) modifiers = hf_mouse_dup_modifiers(call, error);
    if (!modifiers)
        return NULL;
    scroll.modifiers = modifiers;
    scroll.clicks = hf_call_has(call, "clicks")
                        ? (int)hf_call_int(call, "clicks")
                        : MAX(1, (int)lround(hf_call_number(call, "amount") / PIXELS_PER_CLICK));
    HfPoint at;
    if (!hf_pointer_scroll(hf_call_context(call), &scroll, &at, hf_call_deadline(call), error))
        return NULL;
    HfResult *result = hf_mouse_result_new(call, at);
    json_object_set_new(result->json, "clicks", json_integer(scroll.clicks));
    json_object_set_new(result->json, "amount", json_integer(scroll.clicks * PIXELS_PER_CLICK));
    return result;
}

static const HfParam params[] = {
    HF_PARAM_POINT,
    HF_REQUIRED("direction", HF_TYPE_STRING,
                "Where the view moves: down shows what is further below", .choices = directions),
    HF_OPTIONAL(
        "amount", HF_TYPE_NUMBER,
        "Approximate distance in pixels: one wheel click counts as 75, programs move by 45 to 120",
        .min = 1, .max = HF_LIMIT_SCROLL_CLICKS * PIXELS_PER_CLICK, .fallback = "300"),
    HF_OPTIONAL("clicks", HF_TYPE_INTEGER, "Distance in wheel clicks", .min = 1,
                .max = HF_LIMIT_SCROLL_CLICKS),
    HF_PARAM_MODIFIERS,
    HF_PARAM_HUMANIZE,
    {0},
};

static const HfParam result[] = {
    HF_RESULT_POSITION,
    HF_REQUIRED("clicks", HF_TYPE_INTEGER, "How many wheel clicks were made"),
    HF_REQUIRED("amount", HF_TYPE_INTEGER,
                "Their approximate distance in pixels; the program decides how far the view moves"),
    {0},
};

const HfTool hf_tool_scroll = {
    .name = "scroll",
    .title = "Scroll",
    .summary = "Turn the mouse wheel over x, y, or where the pointer is. How far a view moves is "
               "up to its program, so look at the screen afterwards. Returns the clicks made.",
    .category = HF_CATEGORY_MOUSE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_POINT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_EFFECT,
    .timeout_ms = HF_MOUSE_TIMEOUT_MS,
    .params = params,
    .result = result,
    .run = run,
};
