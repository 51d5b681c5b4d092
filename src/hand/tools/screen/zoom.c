/* SPDX-License-Identifier: Apache-2.0 */
/* zoom: a part of the screen, enlarged so that small things are readable. It is captured anew at
 * full resolution: a picture that was shrunk before is never enlarged. */
#include <math.h>

#include "hand/tools/resolve.h"
#include "hand/tools/screen/picture.h"
#include "hand/tools/tools-limits.h"
#include "shared/base/error.h"

/* The longer edge becomes `edge`; the aspect ratio stays. */
static HfSize size_to_fill_edge(HfRect area, int edge)
{
    if (edge <= 0)
        return (HfSize){area.width, area.height};
    double scale = (double)edge / MAX(area.width, area.height);
    return (HfSize){MAX(1, (int)lround(area.width * scale)),
                    MAX(1, (int)lround(area.height * scale))};
}

static HfResult *run(HfCall *call, GError **error)
{
    HfCaptureRequest request = {.cursor = hf_call_bool(call, "cursor")};
    g_autoptr(HfWindow) window = NULL;
    if (!hf_call_has(call, "region") && !hf_call_has(call, "target")) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "no part given: give region or target");
        hf_error_take_details(
            error, json_pack("{s:s, s:s}", "path", "region", "expected", "a region or an element"));
        return NULL;
    }
    if (!hf_picture_check_size(call, error) ||
        !hf_picture_get_region(call, &request, &window, error))
        return NULL;
    g_autoptr(HfCapture) capture =
        hf_screen_capture(hf_call_context(call), &request, hf_call_deadline(call), error);
    if (!capture)
        return NULL;
    HfSize size = hf_picture_fit(
        call, size_to_fill_edge(capture->area, (int)hf_call_int(call, "max_dimension")));
    HfPicture picture;
    hf_picture_init(&picture, call, capture, window);
    return hf_picture_result(call, &picture, size, NULL, error);
}

static const HfParam params[] = {
    HF_PARAM_AREA("region",
                  "The part to enlarge: [left, top, right, bottom], or {x, y, width, height}"),
    HF_PARAM_TARGET("target", "Element instead of region: e12, button \"Save\", or its text"),
    HF_PARAM_SPACE,
    HF_OPTIONAL("max_dimension", HF_TYPE_INTEGER, "Longer edge of the picture; 0: not enlarged",
                .min = 0, .max = HF_LIMIT_ZOOM_EDGE, .fallback = HF_PICTURE_EDGE),
    HF_PARAM_PICTURE,
    {0},
};

static const HfParam result[] = {HF_RESULT_PICTURE, HF_RESULT_ELEMENT("element"), {0}};

const HfTool hf_tool_zoom = {
    .name = "zoom",
    .title = "Zoom in",
    .summary =
        "Show a part of the screen or an element enlarged, to read small text or to point "
        "precisely. The picture has its own image_id, so that coordinates in it can be clicked",
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
