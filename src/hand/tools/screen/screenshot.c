/* SPDX-License-Identifier: Apache-2.0 */
/* screenshot: a picture of the screen, a monitor, a window or a region, as large as vision models
 * accept; or of what changed since an earlier one, or the answer that nothing did. It changes
 * nothing. */
#include <string.h>

#include "hand/tools/resolve.h"
#include "hand/tools/screen/picture-change.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* What the picture should show. */
typedef struct Target {
    HfCaptureRequest request;
    HfWindow *window;  /* NULL: the screen */
    const char *since; /* image_id; NULL: none */
    GArray *ignore;    /* of HfRect; NULL: nothing */
} Target;

static void target_clear(Target *target)
{
    g_clear_pointer(&target->window, hf_window_free);
    g_clear_pointer(&target->ignore, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Target, target_clear)

static const char *const modes[] = {"fullscreen", "window", "region", NULL};

/* `mode` may be left out: the other parameters imply it. */
static const char *get_screenshot_mode(const HfCall *call)
{
    const char *mode = hf_call_string(call, "mode");
    if (mode)
        return mode;
    if (hf_call_has(call, "region") || hf_call_has(call, "target"))
        return "region";
    return hf_call_names_window(call) ? "window" : "fullscreen";
}

static gboolean check_screenshot_mode(const HfCall *call, const char *mode, GError **error)
{
    static const char *const only_for[][2] = {{"region", "region"},    {"target", "region"},
                                              {"window_id", "window"}, {"window_title", "window"},
                                              {"match", "window"},     {"display", "fullscreen"}};
    for (gsize i = 0; i < G_N_ELEMENTS(only_for); i++)
        if (hf_call_has(call, only_for[i][0]) && strcmp(mode, only_for[i][1]) != 0)
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: only goes with mode '%s', not '%s'",
                           only_for[i][0], only_for[i][1], mode);
    if (strcmp(mode, "region") == 0 && !hf_call_has(call, "region") && !hf_call_has(call, "target"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "region or target: is required with mode 'region'");
    return TRUE;
}

static gboolean find_screenshot_target(HfCall *call, Target *target, GError **error)
{
    const char *mode = get_screenshot_mode(call);
    target->since = hf_call_string(call, "if_changed_since");
    target->request.cursor = hf_call_bool(call, "cursor");
    target->request.only_describe = !hf_call_bool(call, "image");
    if (!check_screenshot_mode(call, mode, error))
        return FALSE;
    if (strcmp(mode, "window") == 0) {
        if (!hf_call_get_window(call, &target->window, error))
            return FALSE;
        target->request.window = target->window->id;
        return TRUE;
    }
    if (strcmp(mode, "region") == 0)
        return hf_picture_get_region(call, &target->request, &target->window, error);
    return !hf_call_has(call, "display") || hf_call_get_display(call, &target->request.area, error);
}

static HfResult *screenshot_to_result(HfCall *call, Target *target, HfCapture *capture,
                                      GError **error)
{
    HfPicture picture;
    HfImageSpace space;
    g_auto(HfPictureChange) change = {0};
    hf_picture_init(&picture, call, capture, target->window);
    picture.withheld = !hf_call_bool(call, "image");
    hf_picture_compare(hf_call_desktop(call), target->since, &picture, target->ignore, &change);
    if (hf_picture_is_unchanged(call, target->since, &target->request, &picture, &change, &space))
        return hf_result_new(
            hf_picture_unchanged_to_json(call, target->since, &space, target->window));
    if (strcmp(hf_call_string(call, "crop"), "changed") == 0)
        hf_picture_crop_to_change(&picture, &change);
    HfSize size = hf_picture_size(call, capture->area);
    HfResult *result = hf_picture_result(call, &picture, size, change.hash, error);
    if (!result)
        return NULL;
    json_object_set_new(result->json, "unchanged", json_false());
    hf_picture_report_change(&change, result->json);
    return result;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(Target) target = {0};
    HfImageSpace space;
    GError *failed = NULL;
    if (!hf_picture_check_since(call, "if_changed_since", error) ||
        !hf_picture_check_size(call, error) || !find_screenshot_target(call, &target, error) ||
        !hf_picture_get_ignored(call, &target.ignore, error))
        return NULL;
    if (target.since &&
        hf_picture_find_current(call, target.since, &target.request, &space, &failed))
        return hf_result_new(
            hf_picture_unchanged_to_json(call, target.since, &space, target.window));
    if (failed) {
        g_propagate_error(error, failed);
        return NULL;
    }
    /* Finding what changed takes the pixels, even if the caller does not want them. */
    target.request.only_describe &= !target.since;
    g_autoptr(HfCapture) capture =
        hf_screen_capture(hf_call_context(call), &target.request, hf_call_deadline(call), error);
    return capture ? screenshot_to_result(call, &target, capture, error) : NULL;
}

static const HfParam params[] = {
    HF_OPTIONAL("mode", HF_TYPE_STRING,
                "Default: region when region or target is given, window when a window is named, "
                "else fullscreen",
                .choices = modes),
    HF_PARAM_WINDOW,
    HF_PARAM_WINDOW_MATCH,
    HF_PARAM_AREA("region", "Only this part: [left, top, right, bottom], or {x, y, width, height}"),
    HF_PARAM_TARGET("target", "Element to show, instead of region"),
    HF_PARAM_SPACE,
    HF_PARAM_DISPLAY,
    HF_PARAM_IMAGE,
    HF_PARAM_PICTURE,
    HF_OPTIONAL("if_changed_since", HF_TYPE_STRING,
                "An image_id: no picture if nothing changed since that one, else also a report of "
                "what changed",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_PARAM_CROP,
    HF_PARAM_IGNORE,
    {0},
};

static const HfParam result[] = {
    HF_RESULT_PICTURE,
    HF_REQUIRED(
        "unchanged", HF_TYPE_BOOLEAN,
        "Nothing that counts has changed since if_changed_since; that picture is still valid"),
    HF_RESULT_CHANGED,
    HF_RESULT_ELEMENT("element"),
    {0},
};

const HfTool hf_tool_screenshot = {
    .name = "screenshot",
    .title = "Take a screenshot",
    .summary = "Take a picture of the screen, a window (even a covered one) or a region. It may be "
               "smaller than the screen: give its image_id to other tools to use coordinates in "
               "its pixels",
    .category = HF_CATEGORY_SCREEN,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_SCREEN,
    .channel = HF_CHANNEL_PIXELS,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};
