/* SPDX-License-Identifier: Apache-2.0 */
/* The description of `computer`, in the terms that models know. */
#include "shared/tool/computer-tool.h"

#include "shared/base/limits.h"
#include "shared/image/vision-tokens.h"

static const char *const actions[] = {"screenshot",
                                      "zoom",
                                      "left_click",
                                      "right_click",
                                      "middle_click",
                                      "double_click",
                                      "triple_click",
                                      "left_click_drag",
                                      "left_mouse_down",
                                      "left_mouse_up",
                                      "mouse_move",
                                      "scroll",
                                      "type",
                                      "key",
                                      "hold_key",
                                      "wait",
                                      "cursor_position",
                                      NULL};
static const char *const directions[] = {"up", "down", "left", "right", NULL};
static const HfParam coordinate = {.type = HF_TYPE_NUMBER, .min = 0, .max = HF_LIMIT_SCREEN_EDGE};

#define POINT(NAME, ABOUT) HF_ARRAY(NAME, ABOUT, .items = &coordinate, .min = 2, .max = 2)

static const HfParam params[] = {
    HF_STRING("action", "What to do", .required = TRUE, .choices = actions),
    POINT("coordinate", "[x, y] in pixels of the last screenshot (default: where the pointer is)"),
    POINT("start_coordinate", "left_click_drag: where the drag begins"),
    HF_ARRAY("region", "zoom: [x0, y0, x1, y1] in pixels of the last screenshot",
             .items = &coordinate, .min = 4, .max = 4),
    HF_STRING("text",
              "type: the text; key and hold_key: keys such as ctrl+s; clicks and scroll: modifiers "
              "held",
              .means = HF_MEANS_TYPED, .secret = TRUE, .max = HF_LIMIT_TYPE_CHARS),
    {.name = "scroll_direction", .type = HF_TYPE_STRING, .choices = directions},
    HF_INTEGER("scroll_amount", "Clicks of the wheel", .min = 0, .max = HF_LIMIT_SCROLL_CLICKS),
    HF_NUMBER("duration", "hold_key and wait: seconds", .min = 0, .max = HF_LIMIT_WAIT_SECONDS),
    HF_INTEGER("repeat", "key: how often", .min = 1, .max = 100),
    {0},
};

const HfTool hf_computer_tool = {
    .name = "computer",
    .title = "Use the computer",
    .summary = "Look at the screen and use mouse and keyboard. Coordinates are pixels of the last "
               "screenshot. screenshot and zoom return a picture, all other actions a short text: "
               "take a screenshot to see what an action did",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_POINT,
    .verifies = HF_VERIFY_NOTHING,
    .pace = HF_PACE_FREE,
    .timeout_ms = HF_LIMIT_WAIT_SECONDS * 1000,
    .params = params,
};

void hf_computer_tool_fit_screen(int width, int height, int *ret_width, int *ret_height)
{
    HfSize size = {width, height};
    hf_vision_fit(HF_VISION_ANTHROPIC_STANDARD, size, HF_COMPUTER_TOKENS, &size);
    *ret_width = size.width;
    *ret_height = size.height;
}
