/* SPDX-License-Identifier: Apache-2.0 */
/* screen_ocr: reads the text on the screen, in a window, in a region or in a given picture, with
 * its positions. Password fields and windows that the owner has blocked are masked before anything
 * is read. It changes nothing. */
#include <string.h>

#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-page-json.h"
#include "hand/pixels/ocr/ocr-page.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/safety/fence.h"
#include "hand/tools/resolve.h"
#include "hand/tools/screen/caller-image.h"
#include "hand/tools/screen/picture.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* The part of the call's time that is reserved for everything but reading. */
#define SPARE_MS 300

static const char *const details[] = {"blocks", "lines", "words", NULL};

static HfOcrPageDetail get_detail(const HfCall *call)
{
    const char *wanted = hf_call_string(call, "detail");
    return strcmp(wanted, "words") == 0    ? HF_OCR_PAGE_WORDS
           : strcmp(wanted, "blocks") == 0 ? HF_OCR_PAGE_BLOCKS
                                           : HF_OCR_PAGE_LINES;
}

/* What to read, where it is on the screen, and further members of the result. */
typedef struct Source {
    HfOcrPage *page;
    HfRect area;
    json_t *extras;
} Source;

static gboolean check_given_image(const HfCall *call, GError **error)
{
    static const char *const others[] = {"target",  "window_id", "window_title", "match",
                                         "display", "space",     "image_id"};
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        if (hf_call_has(call, others[i]))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                           "%s: selects a part of the screen, so it does not go with image",
                           others[i]);
    return TRUE;
}

/* The area of `region` in a given picture. */
static gboolean get_region_of_image(const HfCall *call, const HfImage *image, HfRect *ret_area,
                                    GError **error)
{
    HfRect all = {0, 0, image->width, image->height};
    guint32 window;
    *ret_area = all;
    if (!hf_call_has(call, "region"))
        return TRUE;
    if (!hf_call_get_area(call, "region", ret_area, &window, error))
        return FALSE;
    *ret_area = hf_rect_intersect(*ret_area, all);
    if (!hf_rect_is_empty(*ret_area))
        return TRUE;
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "region: lies outside of the %dx%d picture",
                   image->width, image->height);
}

static gboolean take_given_image(const HfCall *call, const char *language, Source *source,
                                 GError **error)
{
    if (!check_given_image(call, error))
        return FALSE;
    g_autoptr(HfImage) image = hf_call_decode_image(call, "image", error);
    if (!image || !get_region_of_image(call, image, &source->area, error))
        return FALSE;
    g_autoptr(HfImage) part = hf_image_new_view(
        source->area.width, source->area.height, image->stride,
        (guint8 *)(hf_image_row(image, source->area.y) + source->area.x), NULL, NULL);
    source->page = hf_ocr_page_new_from_caller(part, language);
    return TRUE;
}

static gboolean check_one_area_param(const HfCall *call, GError **error)
{
    gboolean region = hf_call_has(call, "region") || hf_call_has(call, "target");
    int ways = region + hf_call_names_window(call) + hf_call_has(call, "display");
    return ways <= 1 || hf_fail(error, HF_ERROR_INVALID_PARAMS,
                                "give only one of region, target, a window and display");
}

static gboolean get_capture_request(HfCall *call, HfCaptureRequest *request, HfWindow **ret_window,
                                    GError **error)
{
    if (!check_one_area_param(call, error))
        return FALSE;
    if (hf_call_has(call, "region") || hf_call_has(call, "target"))
        return hf_picture_get_region(call, request, ret_window, error);
    if (hf_call_names_window(call)) {
        if (!hf_call_get_window(call, ret_window, error))
            return FALSE;
        request->window = (*ret_window)->id;
    }
    return !hf_call_has(call, "display") || hf_call_get_display(call, &request->area, error);
}

/* The key of a cached page. If nothing was drawn, no title changed and the fence is the same, the
 * text is known without a picture. Empty (not cached) for a window, whose picture shows more than
 * the change serial of the screen covers, and where the owner blurs something. */
static HfOcrPageView get_page_view(const HfCall *call, const HfCaptureRequest *request,
                                   const HfCapture *capture)
{
    if (request->window || hf_fence_get_privacy_list(hf_call_context(call)))
        return (HfOcrPageView){0};
    return (HfOcrPageView){capture->change_serial, capture->windows_serial,
                           hf_fence_number(hf_call_context(call)), capture->area};
}

static HfCapture *capture_or_reuse_page(HfCall *call, const HfCaptureRequest *request,
                                        const char *language, HfOcrPage **ret_page, GError **error)
{
    HfCaptureRequest description = *request;
    description.only_describe = TRUE;
    g_autoptr(HfCapture) described =
        hf_screen_capture(hf_call_context(call), &description, hf_call_deadline(call), error);
    if (!described)
        return NULL;
    HfOcrPageView view = get_page_view(call, request, described);
    if ((*ret_page = hf_ocr_page_find_recent(&view, language)))
        return g_steal_pointer(&described);
    g_autoptr(HfCapture) picture =
        hf_screen_capture(hf_call_context(call), request, hf_call_deadline(call), error);
    if (!picture)
        return NULL;
    view = get_page_view(call, request, picture);
    *ret_page = hf_ocr_page_new(picture->image, language);
    hf_ocr_page_set_view(*ret_page, &view);
    return g_steal_pointer(&picture);
}

static gboolean read_screen_source(HfCall *call, const char *language, Source *source,
                                   GError **error)
{
    HfCaptureRequest request = {0};
    g_autoptr(HfWindow) window = NULL;
    if (!get_capture_request(call, &request, &window, error))
        return FALSE;
    g_autoptr(HfCapture) capture =
        capture_or_reuse_page(call, &request, language, &source->page, error);
    if (!capture)
        return FALSE;
    source->area = capture->area;
    source->extras = json_pack("{s:I, s:b}", "timestamp", (json_int_t)capture->time_ms, "clipped",
                               capture->clipped);
    if (window)
        json_object_update_new(source->extras,
                               json_pack("{s:o, s:b}", "window", hf_picture_window_to_json(window),
                                         "occluded", capture->occluded));
    return TRUE;
}

/* Within max_ms, and before the call itself times out. */
static HfDeadline reading_deadline(const HfCall *call)
{
    const HfDeadline *whole = hf_call_deadline(call);
    gint64 left = MAX(1, hf_deadline_left_ms(whole) - SPARE_MS);
    return hf_deadline_within_ms(whole, MIN(left, hf_call_int(call, "max_ms")));
}

static HfResult *run(HfCall *call, GError **error)
{
    gint64 started = g_get_monotonic_time();
    Source source = {0};
    g_autofree char *language = hf_ocr_language_dup(hf_call_string(call, "language"), error);
    if (!language)
        return NULL;
    gboolean taken = hf_call_has(call, "image")
                         ? take_given_image(call, language, &source, error)
                         : read_screen_source(call, language, &source, error);
    g_autoptr(HfOcrPage) page = source.page;
    g_autoptr(json_t) extras = source.extras;
    HfDeadline deadline = reading_deadline(call);
    if (!taken || !hf_ocr_page_read(page, &deadline, error))
        return NULL;
    json_t *json =
        hf_ocr_page_to_json(page, (HfPoint){source.area.x, source.area.y}, get_detail(call));
    json_object_set_new(json, "region", hf_json_rect(source.area));
    json_object_set_new(json, "took_ms", json_integer((g_get_monotonic_time() - started) / 1000));
    if (extras)
        json_object_update(json, extras);
    hf_call_add_found(call, json);
    return hf_result_new(json);
}

static const HfParam params[] = {
    HF_OPTIONAL("image", HF_TYPE_STRING,
                "A PNG or JPEG picture (base64) to read instead of the screen",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_IMAGE_TEXT_BYTES),
    HF_OPTIONAL("language", HF_TYPE_STRING,
                "auto: English and Simplified Chinese, line by line; or eng, chi_sim, or another "
                "installed language",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES,
                .fallback = "\"auto\""),
    HF_PARAM_AREA("region", "Only this part: [left, top, right, bottom], or {x, y, width, height}"),
    HF_PARAM_TARGET("target", "Element to read, instead of region"),
    HF_PARAM_SPACE,
    HF_PARAM_WINDOW,
    HF_PARAM_WINDOW_MATCH,
    HF_PARAM_DISPLAY,
    HF_OPTIONAL("detail", HF_TYPE_STRING,
                "How detailed the positions are: blocks, their lines, or also the words of each",
                .choices = details, .fallback = "\"lines\""),
    HF_OPTIONAL("max_ms", HF_TYPE_INTEGER,
                "Read for at most this long; what was read by then is returned as truncated",
                .min = 1, .max = HF_LIMIT_TIMEOUT_MS, .fallback = "8000"),
    {0},
};

#define RESULT_PLACE                                                                               \
    HF_REQUIRED("text", HF_TYPE_STRING, "Its text", .others = TRUE),                               \
        HF_REQUIRED("bounds", HF_TYPE_OBJECT,                                                      \
                    "Its bounds, in pixels of the screen (or of the given picture)",               \
                    .fields = hf_rect_fields),                                                     \
        HF_REQUIRED("confidence", HF_TYPE_NUMBER, "0 to 1")

static const HfParam word_fields[] = {RESULT_PLACE, {0}};
static const HfParam word_item = {.type = HF_TYPE_OBJECT, .fields = word_fields};

static const HfParam line_fields[] = {
    RESULT_PLACE,
    HF_REQUIRED("language", HF_TYPE_STRING, "The language in which most of it was read"),
    HF_REQUIRED("cached", HF_TYPE_BOOLEAN,
                "It looks like a line that was read before, so it was not read again; never true "
                "for a given picture"),
    HF_OPTIONAL("words", HF_TYPE_ARRAY, "With detail words", .items = &word_item),
    {0},
};
static const HfParam line_item = {.type = HF_TYPE_OBJECT, .fields = line_fields};

static const HfParam block_fields[] = {
    RESULT_PLACE,
    HF_OPTIONAL("lines", HF_TYPE_ARRAY, "Unless detail is blocks", .items = &line_item),
    {0},
};
static const HfParam block_item = {.type = HF_TYPE_OBJECT, .fields = block_fields};

static const char *const reasons[] = {"time", "rows", "engine", NULL};

static const HfParam result[] = {
    HF_REQUIRED("text", HF_TYPE_STRING, "The whole text, line by line", .others = TRUE),
    HF_REQUIRED("blocks", HF_TYPE_ARRAY, "Groups of lines, from top to bottom",
                .items = &block_item),
    HF_REQUIRED("region", HF_TYPE_OBJECT,
                "The area that was read, in pixels of the screen (or of the given picture)",
                .fields = hf_rect_fields),
    HF_REQUIRED("lines_read", HF_TYPE_INTEGER, "Lines that were read for this call"),
    HF_OPTIONAL("lines_by_shape", HF_TYPE_INTEGER,
                "How many of lines_read were recognised by the shapes of their letters alone"),
    HF_REQUIRED("lines_cached", HF_TYPE_INTEGER, "Lines that were read before"),
    HF_REQUIRED("lines_unread", HF_TYPE_INTEGER, "Lines that were not read"),
    HF_REQUIRED("unchanged", HF_TYPE_BOOLEAN,
                "Every pixel is as it was when the area was last read"),
    HF_REQUIRED("truncated", HF_TYPE_BOOLEAN, "There is more text than this"),
    HF_OPTIONAL("truncated_by", HF_TYPE_STRING,
                "Why: max_ms was reached, there are too many rows, or the engine failed on a line",
                .choices = reasons),
    HF_REQUIRED("took_ms", HF_TYPE_INTEGER, "How long it took"),
    HF_OPTIONAL("timestamp", HF_TYPE_INTEGER,
                "When the screen was captured, milliseconds since 1970"),
    HF_OPTIONAL("clipped", HF_TYPE_BOOLEAN,
                "A part of the requested area is outside of the screen"),
    HF_OPTIONAL("window", HF_TYPE_OBJECT, "The window that was read",
                .fields = hf_picture_window_fields),
    HF_OPTIONAL("occluded", HF_TYPE_BOOLEAN, "Parts of the window are covered and missing"),
    HF_RESULT_ELEMENT("element"),
    {0},
};

const HfTool hf_tool_screen_ocr = {
    .name = "screen_ocr",
    .title = "Read the text on the screen",
    .summary =
        "Read the text on the screen, in a window (even a covered one), a region or a given "
        "picture, in English and Chinese, with the position of each block, line and word. For "
        "programs that report no text: read_text and find are exact and faster where they work",
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
    .timeout_ms = 15000,
    .params = params,
    .result = result,
    .run = run,
};
