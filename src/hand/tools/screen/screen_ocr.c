/* SPDX-License-Identifier: Apache-2.0 */
/* screen_ocr: the text that is to be seen on the screen, in a window, a region or a picture that
 * the caller gives, and where it stands. Password fields and windows that the owner has blocked are
 * covered before anything is read. It changes nothing. */
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

/* What is left of the call's time for everything but reading. */
#define SPARE_MS 300

static const char *const details[] = {"blocks", "lines", "words", NULL};

static HfOcrPageDetail detail_of(const HfCall *call)
{
    const char *wanted = hf_call_string(call, "detail");
    return strcmp(wanted, "words") == 0    ? HF_OCR_PAGE_WORDS
           : strcmp(wanted, "blocks") == 0 ? HF_OCR_PAGE_BLOCKS
                                           : HF_OCR_PAGE_LINES;
}

/* How it is found, where it stands on the screen, and what more is told of it. */
typedef struct Source {
    HfOcrPage *page;
    HfRect area;
    json_t *extras;
} Source;

static gboolean check_given(const HfCall *call, GError **error)
{
    static const char *const others[] = {"target",  "window_id", "window_title", "match",
                                         "display", "space",     "image_id"};
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        if (hf_call_has(call, others[i]))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                           "%s: says what to read on the screen; it does not go with image",
                           others[i]);
    return TRUE;
}

/* The part of a given picture that `region` says, as a view into it. */
static gboolean cut_region(const HfCall *call, const HfImage *image, HfRect *ret_area,
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

static gboolean take_given(const HfCall *call, const char *language, Source *source, GError **error)
{
    if (!check_given(call, error))
        return FALSE;
    g_autoptr(HfImage) image = hf_call_decode_image(call, "image", error);
    if (!image || !cut_region(call, image, &source->area, error))
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
                                "give one of region, target, a window and display, not several");
}

static gboolean find_request(HfCall *call, HfCaptureRequest *request, HfWindow **ret_window,
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

/* The text of a screen on which nothing was drawn is known without a picture of it, to those who
 * may see the same of it; titles, which nobody has to draw, may decide that. A window's own picture
 * shows more than the screen counts, and what the owner covers is looked at each time. */
static HfOcrPageView view_of(const HfCall *call, const HfCaptureRequest *request,
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
    HfOcrPageView view = view_of(call, request, described);
    if ((*ret_page = hf_ocr_page_find_recent(&view, language)))
        return g_steal_pointer(&described);
    g_autoptr(HfCapture) picture =
        hf_screen_capture(hf_call_context(call), request, hf_call_deadline(call), error);
    if (!picture)
        return NULL;
    view = view_of(call, request, picture);
    *ret_page = hf_ocr_page_new(picture->image, language);
    hf_ocr_page_set_view(*ret_page, &view);
    return g_steal_pointer(&picture);
}

static gboolean read_screen_source(HfCall *call, const char *language, Source *source,
                                   GError **error)
{
    HfCaptureRequest request = {0};
    g_autoptr(HfWindow) window = NULL;
    if (!find_request(call, &request, &window, error))
        return FALSE;
    g_autoptr(HfCapture) capture =
        capture_or_reuse_page(call, &request, language, &source->page, error);
    if (!capture)
        return FALSE;
    source->area = capture->area;
    source->extras = json_pack("{s:I, s:b}", "timestamp", (json_int_t)capture->time_ms, "clipped",
                               capture->clipped);
    if (window)
        json_object_set_new(source->extras, "window",
                            json_pack("{s:I, s:o, s:o}", "id", (json_int_t)window->id, "title",
                                      hf_json_text(window->title), "frame",
                                      hf_json_rect(window->frame)));
    if (window)
        json_object_set_new(source->extras, "occluded", json_boolean(capture->occluded));
    return TRUE;
}

/* By max_ms, and a little before the call itself would fail. */
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
                         ? take_given(call, language, &source, error)
                         : read_screen_source(call, language, &source, error);
    g_autoptr(HfOcrPage) page = source.page;
    g_autoptr(json_t) extras = source.extras;
    HfDeadline deadline = reading_deadline(call);
    if (!taken || !hf_ocr_page_read(page, &deadline, error))
        return NULL;
    json_t *json =
        hf_ocr_page_to_json(page, (HfPoint){source.area.x, source.area.y}, detail_of(call));
    json_object_set_new(json, "region", hf_json_rect(source.area));
    json_object_set_new(json, "took_ms", json_integer((g_get_monotonic_time() - started) / 1000));
    if (extras)
        json_object_update(json, extras);
    hf_call_add_found(call, json);
    return hf_result_new(json);
}

static const HfParam params[] = {
    {.name = "image",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_IMAGE_TEXT_BYTES,
     .about = "A PNG or JPEG picture (base64) to read instead of the screen"},
    {.name = "language",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"auto\"",
     .about = "auto: English and Simplified Chinese, line by line; or eng, chi_sim, or another "
              "that is installed"},
    HF_PARAM_AREA("region", FALSE,
                  "Only this part: [left, top, right, bottom], or {x, y, width, height}"),
    HF_PARAM_TARGET("target", "Element to read, instead of region"),
    HF_PARAM_SPACE,
    HF_PARAM_WINDOW,
    HF_PARAM_WINDOW_MATCH,
    HF_PARAM_DISPLAY,
    {.name = "detail",
     .type = HF_TYPE_STRING,
     .choices = details,
     .fallback = "\"lines\"",
     .about = "How finely the places are told: blocks, their lines, or also the words of each"},
    {.name = "max_ms",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_TIMEOUT_MS,
     .fallback = "8000",
     .about = "Read for at most so long; what was read until then is returned, marked truncated"},
    {0},
};

#define RESULT_PLACE                                                                               \
    {.name = "text",                                                                               \
     .type = HF_TYPE_STRING,                                                                       \
     .required = TRUE,                                                                             \
     .others = TRUE,                                                                               \
     .about = "Its text"},                                                                         \
        {.name = "bounds",                                                                         \
         .type = HF_TYPE_OBJECT,                                                                   \
         .required = TRUE,                                                                         \
         .fields = hf_picture_region_fields,                                                       \
         .about = "Where it stands, in pixels of the screen (or of the picture that was given)"},  \
    {                                                                                              \
        .name = "confidence", .type = HF_TYPE_NUMBER, .required = TRUE, .about = "0 to 1"          \
    }

static const HfParam word_fields[] = {RESULT_PLACE, {0}};
static const HfParam word_item = {.type = HF_TYPE_OBJECT, .fields = word_fields};

static const HfParam line_fields[] = {
    RESULT_PLACE,
    {.name = "language",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "In which most of it was read"},
    {.name = "cached",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "It looks like a line that was read before, so it was not read again; never said "
              "of a given picture"},
    {.name = "words", .type = HF_TYPE_ARRAY, .items = &word_item, .about = "With detail words"},
    {0},
};
static const HfParam line_item = {.type = HF_TYPE_OBJECT, .fields = line_fields};

static const HfParam block_fields[] = {
    RESULT_PLACE,
    {.name = "lines",
     .type = HF_TYPE_ARRAY,
     .items = &line_item,
     .about = "Unless detail is blocks"},
    {0},
};
static const HfParam block_item = {.type = HF_TYPE_OBJECT, .fields = block_fields};

static const char *const reasons[] = {"time", "rows", "engine", NULL};

static const HfParam result[] = {
    {.name = "text",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "All of it, a line for each line"},
    {.name = "blocks",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &block_item,
     .about = "Lines that stand together, from top to bottom"},
    {.name = "region",
     .type = HF_TYPE_OBJECT,
     .required = TRUE,
     .fields = hf_picture_region_fields,
     .about = "What was read, in pixels of the screen (or of the picture that was given)"},
    {.name = "lines_read",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Lines that were read for this call"},
    {.name = "lines_by_shape",
     .type = HF_TYPE_INTEGER,
     .about = "Of lines_read, those whose letters were all known by their looks"},
    {.name = "lines_cached",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Lines that were read before"},
    {.name = "lines_unread",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Lines that are there and were not read"},
    {.name = "unchanged",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Every pixel is as it was when this was read before"},
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There is more text than is told here"},
    {.name = "truncated_by",
     .type = HF_TYPE_STRING,
     .choices = reasons,
     .about = "Why: max_ms was over, there are too many rows, or the engine failed on a line"},
    {.name = "took_ms", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "How long it took"},
    {.name = "timestamp",
     .type = HF_TYPE_INTEGER,
     .about = "When the screen looked like that, milliseconds since 1970"},
    {.name = "clipped",
     .type = HF_TYPE_BOOLEAN,
     .about = "A part of what was asked for lies outside of the screen"},
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .fields = hf_picture_window_fields,
     .about = "The window that was read"},
    {.name = "occluded",
     .type = HF_TYPE_BOOLEAN,
     .about = "Parts of the window are covered and could not be seen"},
    HF_RESULT_ELEMENT("element"),
    {0},
};

const HfTool hf_tool_screen_ocr = {
    .name = "screen_ocr",
    .title = "Read the text on the screen",
    .summary = "Read the text that is to be seen on the screen, in a window (also a covered one), "
               "a region or a given picture, in English and Chinese, with the place of each block, "
               "line and word. For programs whose elements tell no text: read_text and find are "
               "exact and quicker where they work",
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
