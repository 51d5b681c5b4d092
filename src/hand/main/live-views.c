/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps hashes of the tiles that each view was sent. A view that is new or was forgotten, or whose
 * viewer missed the last frame, starts with a whole picture. */
#include "hand/main/live-views.h"

#include "hand/desktop/screen.h"
#include "hand/pixels/compare/tile-changes.h"
#include "hand/pixels/image/blend.h"
#include "hand/pixels/image/jpeg.h"
#include "shared/base/limits.h"

/* A flag of a batch: it has the whole picture. */
#define FLAG_WHOLE 1

typedef struct View {
    char *id;
    HfTiles *tiles;
    guint frame;    /* the last one sent */
    guint64 serial; /* of the screen then; 0: not known */
    gint64 used_us;
} View;

struct HfLiveViews {
    GMutex lock; /* guards all of it; held while a picture is taken */
    GPtrArray *list;
};

static void view_free(gpointer data)
{
    View *view = data;
    g_free(view->id);
    hf_tiles_free(view->tiles);
    g_free(view);
}

HfLiveViews *hf_live_views_new(void)
{
    HfLiveViews *views = g_new0(HfLiveViews, 1);
    g_mutex_init(&views->lock);
    views->list = g_ptr_array_new_with_free_func(view_free);
    return views;
}

void hf_live_views_free(HfLiveViews *views)
{
    g_ptr_array_unref(views->list);
    g_mutex_clear(&views->lock);
    g_free(views);
}

static void forget_oldest_view(HfLiveViews *views)
{
    guint oldest = 0;
    for (guint i = 1; i < views->list->len; i++)
        if (((View *)views->list->pdata[i])->used_us <
            ((View *)views->list->pdata[oldest])->used_us)
            oldest = i;
    g_ptr_array_remove_index_fast(views->list, oldest);
}

static View *ensure_view(HfLiveViews *views, const char *id)
{
    View *view = NULL;
    for (guint i = 0; i < views->list->len && !view; i++)
        if (g_str_equal(((View *)views->list->pdata[i])->id, id))
            view = views->list->pdata[i];
    if (!view) {
        if (views->list->len >= HF_LIMIT_STREAMS)
            forget_oldest_view(views);
        view = g_new0(View, 1);
        view->id = g_strdup(id);
        view->tiles = hf_tiles_new();
        g_ptr_array_add(views->list, view);
    }
    view->used_us = g_get_monotonic_time();
    return view;
}

static void append_uint16_be(GByteArray *batch, int value)
{
    guint16 bytes = GUINT16_TO_BE((guint16)value);
    g_byte_array_append(batch, (const guint8 *)&bytes, sizeof bytes);
}

static void append_uint32_be(GByteArray *batch, guint32 value)
{
    guint32 bytes = GUINT32_TO_BE(value);
    g_byte_array_append(batch, (const guint8 *)&bytes, sizeof bytes);
}

static gboolean put_part(GByteArray *batch, const HfImage *image, HfRect part, int quality,
                         GError **error)
{
    guint8 *first = (guint8 *)hf_image_row(image, part.y) + (gsize)part.x * 4;
    g_autoptr(HfImage) view =
        hf_image_new_view(part.width, part.height, image->stride, first, NULL, NULL);
    g_autoptr(GBytes) jpeg =
        hf_jpeg_encode(view, (HfSize){part.width, part.height}, quality, error);
    if (!jpeg)
        return FALSE;
    gsize length;
    const guint8 *bytes = g_bytes_get_data(jpeg, &length);
    append_uint16_be(batch, part.x);
    append_uint16_be(batch, part.y);
    append_uint16_be(batch, part.width);
    append_uint16_be(batch, part.height);
    append_uint32_be(batch, (guint32)length);
    g_byte_array_append(batch, bytes, (guint)length);
    return TRUE;
}

static GBytes *pack_view_frame(const HfImage *image, const GArray *parts, guint frame, int quality,
                               GError **error)
{
    g_autoptr(GByteArray) batch = g_byte_array_new();
    HfRect first = g_array_index(parts, HfRect, 0);
    gboolean whole = first.width == image->width && first.height == image->height;
    g_byte_array_append(batch, (const guint8 *)"HFS1", 4);
    append_uint32_be(batch, frame);
    append_uint16_be(batch, image->width);
    append_uint16_be(batch, image->height);
    append_uint16_be(batch, (int)parts->len);
    append_uint16_be(batch, whole ? FLAG_WHOLE : 0);
    for (guint i = 0; i < parts->len; i++)
        if (!put_part(batch, image, g_array_index(parts, HfRect, i), quality, error))
            return NULL;
    return g_byte_array_free_to_bytes(g_steal_pointer(&batch));
}

static HfResult *new_result(const View *view, HfSize size, GBytes *take_batch)
{
    HfResult *result = hf_result_new(
        json_pack("{s:I, s:i, s:i, s:b}", "frame", (json_int_t)view->frame, "width", size.width,
                  "height", size.height, "unchanged", take_batch == NULL));
    if (take_batch)
        hf_result_add_attachment(result, "tiles", "application/octet-stream", take_batch);
    return result;
}

static HfResult *capture_view_frame(View *view, const HfCall *call, GError **error)
{
    HfCaptureRequest request = {.cursor = hf_call_bool(call, "cursor")};
    g_autoptr(HfCapture) capture =
        hf_screen_capture(hf_call_context(call), &request, hf_call_deadline(call), error);
    if (!capture)
        return NULL;
    if (capture->cursor)
        hf_image_blend(capture->image, capture->cursor, capture->cursor_at);
    g_autoptr(GArray) parts = hf_tiles_compare(view->tiles, capture->image);
    view->serial = capture->change_serial;
    if (parts->len == 0)
        return new_result(view, capture->screen, NULL);
    GBytes *batch = pack_view_frame(capture->image, parts, view->frame + 1,
                                    (int)hf_call_int(call, "quality"), error);
    if (!batch) {
        view->frame = 0;
        return NULL;
    }
    view->frame++;
    return new_result(view, capture->screen, batch);
}

/* Nothing was drawn since the last picture. */
static gboolean is_current(const View *view, const HfCall *call)
{
    guint64 serial = 0;
    return view->frame && view->serial &&
           hf_screen_get_change_serial(hf_call_context(call), hf_call_bool(call, "cursor"), &serial,
                                       NULL) &&
           serial == view->serial;
}

HfResult *hf_live_views_next(HfLiveViews *views, const HfCall *call, const char *id, guint frame,
                             GError **error)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&views->lock);
    View *view = ensure_view(views, id);
    if (frame == 0 || frame != view->frame) {
        hf_tiles_forget(view->tiles);
        view->frame = frame;
        view->serial = 0;
    }
    HfSize size = {0, 0};
    return is_current(view, call) && hf_screen_get_size(hf_call_desktop(call), &size, NULL)
               ? new_result(view, size, NULL)
               : capture_view_frame(view, call, error);
}
