/* SPDX-License-Identifier: Apache-2.0 */
/* Takes pictures of pages. Password fields are located before and after the capture, and both
 * places are covered: a field may move meanwhile. */
#include "hand/tools/browser/page-picture.h"

#include <math.h>

#include "hand/desktop/windows.h"
#include "hand/pixels/image/decode.h"
#include "hand/pixels/image/draw.h"
#include "hand/pixels/image/jpeg.h"
#include "hand/pixels/image/mark.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

#define QUALITY    80
#define EDGE_PX    960
#define COVER      0x00606060u
#define ROUND_OFF  4.0
#define MAX_PIXELS (40.0 * 1000 * 1000)

/* ---- what must not be shown ---- */

static gboolean is_blurred_page(const HfTabSession *session)
{
    const HfPrivacyList *blurred = hf_fence_get_privacy_list(session->context);
    g_autoptr(GPtrArray) windows =
        blurred ? hf_windows_list(hf_call_context_desktop(session->context), NULL) : NULL;
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; windows && i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->pid == hf_chromium_get_pid(session->browser->chromium))
            hf_privacy_list_add_window(blurred, window, rects);
    }
    return rects->len > 0;
}

/* Adds the password fields (HfPageClip), in pixels of the view. */
static void add_password_fields(HfTabSession *session, GArray *fields)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(&session->page, NULL);
    for (guint i = 0; frames && i < frames->len; i++) {
        HfPagePoint offset = {0, 0};
        g_autoptr(json_t) reply =
            hf_page_frame_ask(&session->page, frames->pdata[i], "secrets", NULL, NULL);
        if (json_array_size(reply) == 0 ||
            (i > 0 &&
             !hf_page_frame_get_offset(&session->page, frames->pdata[i], NULL, &offset, NULL)))
            continue;
        hf_json_each (box, reply) {
            HfPageClip place = {hf_json_number(box, "x", 0) + offset.x,
                                hf_json_number(box, "y", 0) + offset.y,
                                hf_json_number(box, "width", 0), hf_json_number(box, "height", 0)};
            g_array_append_val(fields, place);
        }
    }
}

/* ---- taking ---- */

typedef struct Viewport {
    double width, height, x, y;
} Viewport;

static gboolean get_page_viewport(HfTabSession *session, Viewport *ret_view, GError **error)
{
    g_autoptr(HfPageFrame) main = hf_page_frame_new_main(&session->page);
    g_autoptr(json_t) reply = hf_page_frame_ask(&session->page, main, "view", NULL, error);
    if (!reply)
        return FALSE;
    *ret_view = (Viewport){hf_json_number(reply, "width", 1), hf_json_number(reply, "height", 1),
                           hf_json_number(reply, "x", 0), hf_json_number(reply, "y", 0)};
    return TRUE;
}

static guchar *capture_screenshot(HfTabSession *session, const HfPageClip *clip, double scale,
                                  const char *format, gsize *ret_size, GError **error)
{
    json_t *params =
        json_pack("{s:s, s:b, s:b, s:{s:f, s:f, s:f, s:f, s:f}}", "format", format,
                  "captureBeyondViewport", 1, "optimizeForSpeed", 1, "clip", "x", clip->x, "y",
                  clip->y, "width", clip->width, "height", clip->height, "scale", scale);
    if (g_str_equal(format, "jpeg"))
        json_object_set_new(params, "quality", json_integer(QUALITY));
    g_autoptr(json_t) answer =
        hf_cdp_call(session->browser->cdp, session->tab->session, "Page.captureScreenshot", params,
                    &session->deadline, error);
    const char *data = answer ? hf_json_string(answer, "data", "") : NULL;
    return data ? g_base64_decode(data, ret_size) : NULL;
}

static void cover_password_fields(HfImage *image, const GArray *fields, const HfPageClip *clip,
                                  const Viewport *view, double scale)
{
    for (guint i = 0; i < fields->len; i++) {
        const HfPageClip *place = &g_array_index(fields, HfPageClip, i);
        double x = place->x + view->x - clip->x, y = place->y + view->y - clip->y;
        HfRect rect = {(int)floor(x * scale - 1), (int)floor(y * scale - 1),
                       (int)ceil(place->width * scale + 2), (int)ceil(place->height * scale + 2)};
        hf_image_fill(image, hf_rect_intersect(rect, (HfRect){0, 0, image->width, image->height}),
                      COVER);
    }
}

/* An image of the page with its password fields covered. If there are none, `ret_plain` is the
 * browser's own JPEG. */
static HfImage *take_covered_image(HfTabSession *session, const HfPageClip *clip, double scale,
                                   GBytes **ret_plain, GError **error)
{
    Viewport view;
    g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(HfPageClip));
    add_password_fields(session, fields);
    gsize size = 0;
    gboolean plain = fields->len == 0;
    g_autofree guchar *bytes =
        capture_screenshot(session, clip, scale, plain ? "jpeg" : "png", &size, error);
    if (!bytes || !get_page_viewport(session, &view, error))
        return NULL;
    add_password_fields(session, fields);
    HfImage *image = hf_image_decode(bytes, size, error);
    if (image && plain && fields->len == 0)
        *ret_plain = g_bytes_new_take(g_steal_pointer(&bytes), size);
    if (image)
        cover_password_fields(image, fields, clip, &view, scale);
    return image;
}

gboolean hf_page_picture_take(HfTabSession *session, const HfPageClip *clip, int edge,
                              HfPagePicture *ret_picture, GError **error)
{
    Viewport view;
    HfPageClip whole = *clip;
    if (is_blurred_page(session))
        return hf_fail(error, HF_ERROR_FORBIDDEN,
                       "the owner blurs this window in pictures (privacy.blur)");
    if (!get_page_viewport(session, &view, error))
        return FALSE;
    if (whole.width <= 0)
        whole = (HfPageClip){view.x, view.y, view.width, view.height};
    whole.width = MAX(1, whole.width);
    whole.height = MAX(1, whole.height);
    double longer = MAX(whole.width, whole.height);
    double scale = edge > 0 && longer > edge ? edge / longer : 1;
    if (whole.width * scale * whole.height * scale > MAX_PIXELS)
        return hf_fail(
            error, HF_ERROR_LIMIT_EXCEEDED,
            "the picture would be too large: %.0f x %.0f pixels; give a smaller max_dimension",
            whole.width * scale, whole.height * scale);
    g_autoptr(GBytes) plain = NULL;
    g_autoptr(HfImage) image = take_covered_image(session, &whole, scale, &plain, error);
    if (!image)
        return FALSE;
    HfSize size = {image->width, image->height};
    GBytes *bytes = plain ? g_steal_pointer(&plain) : hf_jpeg_encode(image, size, QUALITY, error);
    *ret_picture = (HfPagePicture){bytes, size, scale};
    return bytes != NULL;
}

GBytes *hf_page_picture_marked(HfTabSession *session, const json_t *element,
                               const HfPagePoint *offset)
{
    Viewport view;
    const json_t *box = json_object_get(element, "box");
    if (is_blurred_page(session) || !get_page_viewport(session, &view, NULL))
        return NULL;
    HfPageClip clip = {view.x, view.y, view.width, view.height};
    double longer = MAX(MAX(view.width, view.height), 1);
    double scale = MIN(1, EDGE_PX / longer);
    g_autoptr(GBytes) plain = NULL;
    g_autoptr(HfImage) image = take_covered_image(session, &clip, scale, &plain, NULL);
    if (!image)
        return NULL;
    HfRect area = {(int)((hf_json_number(box, "x", 0) + offset->x) * scale - ROUND_OFF),
                   (int)((hf_json_number(box, "y", 0) + offset->y) * scale - ROUND_OFF),
                   (int)(hf_json_number(box, "width", 0) * scale + 2 * ROUND_OFF),
                   (int)(hf_json_number(box, "height", 0) * scale + 2 * ROUND_OFF)};
    hf_image_mark_area(image, hf_rect_intersect(area, (HfRect){0, 0, image->width, image->height}));
    return hf_jpeg_encode(image, (HfSize){image->width, image->height}, QUALITY, NULL);
}
