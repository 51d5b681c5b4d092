/* SPDX-License-Identifier: Apache-2.0 */
/* window_manage: maximise, minimise, restore, move or resize one window. Bounds are those of its
 * content. What a window does not allow is an error or `clamped`, never a silent success. */
#include <math.h>

#include "hand/desktop/image-spaces.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/resolve.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const actions[] = {"maximize", "minimize", "restore", "resize", "move", NULL};
static const HfWindowAction action_codes[] = {HF_WINDOW_MAXIMIZE, HF_WINDOW_MINIMIZE,
                                              HF_WINDOW_RESTORE, HF_WINDOW_MOVE_RESIZE,
                                              HF_WINDOW_MOVE_RESIZE};

/* What a member of `bounds` means in physical pixels: origin + value * scale. */
typedef struct Edge {
    const char *name;
    int set;
    gsize offset;
    double origin, scale;
    int least;
} Edge;

static gboolean get_space(const HfCall *call, HfImageSpace *ret_space, GError **error)
{
    *ret_space = (HfImageSpace){.area = {0, 0, 1, 1}, .size = {1, 1}};
    if (!hf_call_in_image_space(call))
        return TRUE;
    const char *image_id = hf_call_string(call, "image_id");
    if (!image_id)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "image_id: is required with space 'image', to know which picture is meant");
    return hf_image_spaces_find(hf_call_desktop(call), image_id, ret_space, error);
}

static gboolean read_bounds(const HfCall *call, HfWindowChange *change, GError **error)
{
    HfImageSpace space;
    if (!get_space(call, &space, error))
        return FALSE;
    double across = (double)space.area.width / space.size.width;
    double down = (double)space.area.height / space.size.height;
    const Edge edges[] = {
        {"x", HF_SET_X, G_STRUCT_OFFSET(HfRect, x), space.area.x, across, G_MININT16},
        {"y", HF_SET_Y, G_STRUCT_OFFSET(HfRect, y), space.area.y, down, G_MININT16},
        {"width", HF_SET_WIDTH, G_STRUCT_OFFSET(HfRect, width), 0, across, 1},
        {"height", HF_SET_HEIGHT, G_STRUCT_OFFSET(HfRect, height), 0, down, 1},
    };
    const json_t *bounds = hf_call_json(call, "bounds");
    for (gsize i = 0; i < G_N_ELEMENTS(edges); i++) {
        const json_t *value = json_object_get(bounds, edges[i].name);
        if (!value)
            continue;
        double pixels = edges[i].origin + json_number_value(value) * edges[i].scale;
        G_STRUCT_MEMBER(int, &change->bounds, edges[i].offset) =
            MAX(edges[i].least, (int)lround(pixels));
        change->set |= edges[i].set;
    }
    return TRUE;
}

static gboolean check_bounds(const HfCall *call, const HfWindowChange *change, GError **error)
{
    const char *action = hf_call_string(call, "action");
    if (change->action != HF_WINDOW_MOVE_RESIZE && hf_call_has(call, "bounds"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "bounds: goes with move and resize, not %s",
                       action);
    if (g_str_equal(action, "move") && !(change->set & (HF_SET_X | HF_SET_Y)))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "bounds: x or y is required to move");
    if (g_str_equal(action, "resize") && !(change->set & (HF_SET_WIDTH | HF_SET_HEIGHT)))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "bounds: width or height is required to resize");
    return TRUE;
}

static gboolean is_clamped(const HfWindowChange *change, HfRect now)
{
    return ((change->set & HF_SET_X) && now.x != change->bounds.x) ||
           ((change->set & HF_SET_Y) && now.y != change->bounds.y) ||
           ((change->set & HF_SET_WIDTH) && now.width != change->bounds.width) ||
           ((change->set & HF_SET_HEIGHT) && now.height != change->bounds.height);
}

/* The action that leads back; NULL, with the reason, when there is none. */
static const char *action_back(const HfWindowChange *change, const HfWindow *before,
                               const char **ret_why)
{
    *ret_why = HF_UNDO_NOTHING;
    switch (change->action) {
    case HF_WINDOW_MOVE_RESIZE:
        return "move";
    case HF_WINDOW_MAXIMIZE:
        return before->maximized ? NULL : "restore";
    case HF_WINDOW_MINIMIZE:
        return before->minimized ? NULL : "restore";
    default:
        break;
    }
    if (before->fullscreen && !before->minimized)
        *ret_why = "a window cannot be put back to full screen";
    else if (before->minimized)
        return "minimize";
    return before->maximized && !before->fullscreen ? "maximize" : NULL;
}

static void note_window_undo(HfCall *call, const HfWindowChange *change, const HfWindow *before,
                             const HfWindow *after)
{
    const char *why, *back = action_back(change, before, &why);
    if (!hf_call_wants_undo(call))
        return;
    if (!back) {
        hf_call_refuse_undo(call, why);
        return;
    }
    g_autoptr(json_t) params =
        json_pack("{s:I, s:s}", "window_id", (json_int_t)before->id, "action", back);
    if (change->action == HF_WINDOW_MOVE_RESIZE)
        json_object_set_new(params, "bounds", hf_json_rect(before->bounds));
    hf_call_take_undo(call,
                      json_pack("{s:s, s:O, s:{s:{s:I, s:o, s:b, s:b}}}", "tool", "window_manage",
                                "params", params, "expect", "window", "window_id",
                                (json_int_t)after->id, "bounds", hf_json_rect(after->bounds),
                                "maximized", after->maximized, "minimized", after->minimized));
}

static HfResult *run(HfCall *call, GError **error)
{
    const HfCallContext *context = hf_call_context(call);
    HfWindowChange change = {0};
    for (gsize i = 0; actions[i]; i++)
        if (g_str_equal(actions[i], hf_call_string(call, "action")))
            change.action = action_codes[i];
    if (!read_bounds(call, &change, error) || !check_bounds(call, &change, error))
        return NULL;
    g_autoptr(HfWindow) before = NULL;
    if (!hf_call_get_window(call, &before, error))
        return NULL;
    if (!hf_windows_change(context, before->id, &change, hf_call_deadline(call), error))
        return NULL;
    g_autoptr(HfWindow) after = hf_windows_get(hf_call_desktop(call), before->id, error);
    if (!after)
        return NULL;
    note_window_undo(call, &change, before, after);
    return hf_result_new(json_pack("{s:o, s:o, s:b}", "window", hf_window_to_json(after),
                                   "bounds_before", hf_json_rect(before->bounds), "clamped",
                                   is_clamped(&change, after->bounds)));
}

#define EDGE(edge, low, high, words)                                                               \
    {                                                                                              \
        .name = edge, .type = HF_TYPE_NUMBER, .min = low, .max = high, .about = words              \
    }

static const HfParam bounds_fields[] = {
    EDGE("x", -32768, 32767, "Left edge of the window's content"),
    EDGE("y", -32768, 32767, "Top edge of the window's content"),
    EDGE("width", 1, HF_LIMIT_SCREEN_EDGE, "Width of the window's content"),
    EDGE("height", 1, HF_LIMIT_SCREEN_EDGE, "Height of the window's content"),
    {0},
};

static const HfParam params[] = {
    HF_PARAM_WINDOW,
    HF_PARAM_WINDOW_MATCH,
    {.name = "action",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = actions,
     .about = "restore undoes minimize, else maximize and full screen"},
    {.name = "bounds",
     .type = HF_TYPE_OBJECT,
     .fields = bounds_fields,
     .about = "Where to move and how large to make it; what is not given stays"},
    HF_PARAM_SPACE,
    {0},
};

static const HfParam result[] = {
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_window_fields,
     .about = "The window as it is now"},
    {.name = "bounds_before",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_rect_fields,
     .about = "Where its content was"},
    {.name = "clamped",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "The window allows only certain sizes and took the nearest one"},
    {0},
};

const HfTool hf_tool_window_manage = {
    .name = "window_manage",
    .title = "Move, resize, maximise or minimise a window",
    .summary = "Maximize, minimize, restore, move or resize a window; returns its bounds before "
               "and after. Say which by window_id, window_title or match",
    .category = HF_CATEGORY_WINDOWS,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_WINDOW,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};
