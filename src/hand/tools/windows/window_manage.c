/* SPDX-License-Identifier: Apache-2.0 */
/* window_manage: maximises, minimises, restores, moves or resizes one window. Bounds are those of
 * its content. What a window does not allow is an error or `clamped`, never a silent success. */
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

/* How a member of `bounds` becomes physical pixels: origin + value * scale. */
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
                       "image_id: is required with space 'image', to say which picture is meant");
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
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "bounds: is for move and resize, not for %s",
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

/* The action that undoes the change; NULL, with the reason, when there is none. */
static const char *find_inverse_action(const HfWindowChange *change, const HfWindow *before,
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
        *ret_why = "a window cannot be returned to full screen";
    else if (before->minimized)
        return "minimize";
    return before->maximized && !before->fullscreen ? "maximize" : NULL;
}

static void note_window_undo(HfCall *call, const HfWindowChange *change, const HfWindow *before,
                             const HfWindow *after)
{
    const char *why, *inverse = find_inverse_action(change, before, &why);
    if (!hf_call_wants_undo(call))
        return;
    if (!inverse) {
        hf_call_refuse_undo(call, why);
        return;
    }
    g_autoptr(json_t) params =
        json_pack("{s:I, s:s}", "window_id", (json_int_t)before->id, "action", inverse);
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

static const HfParam bounds_fields[] = {
    HF_NUMBER("x", "Left edge of the window's content", .min = -32768, .max = 32767),
    HF_NUMBER("y", "Top edge of the window's content", .min = -32768, .max = 32767),
    HF_NUMBER("width", "Width of the window's content", .min = 1, .max = HF_LIMIT_SCREEN_EDGE),
    HF_NUMBER("height", "Height of the window's content", .min = 1, .max = HF_LIMIT_SCREEN_EDGE),
    {0},
};

static const HfParam params[] = {
    HF_PARAM_WINDOW,
    HF_PARAM_WINDOW_MATCH,
    HF_STRING("action", "restore undoes minimize, else maximize and full screen", .required = TRUE,
              .choices = actions),
    HF_OBJECT("bounds", "New position and size; members that are left out stay as they are",
              .fields = bounds_fields),
    HF_PARAM_SPACE,
    {0},
};

static const HfParam result[] = {
    HF_OBJECT("window", "The window after the call", .required = TRUE, .fields = hf_window_fields),
    HF_OBJECT("bounds_before", "Position and size of its content before the call", .required = TRUE,
              .fields = hf_rect_fields),
    HF_BOOLEAN("clamped", "The window allows only certain sizes and took the nearest one",
               .required = TRUE),
    {0},
};

const HfTool hf_tool_window_manage = {
    .name = "window_manage",
    .title = "Move, resize, maximise or minimise a window",
    .summary = "Maximize, minimize, restore, move or resize a window; returns its bounds before "
               "and after. Choose the window by window_id, window_title or match",
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
