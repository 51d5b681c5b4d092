/* SPDX-License-Identifier: Apache-2.0 */
/* Grabbing pixels. A fresh segment costs several times the copy itself (every page has to be
 * found and cleared), so one is kept until there is a time of rest.
 * The picture given out lies in the segment, which comes back when the picture is freed; whoever
 * grabs meanwhile gets another one. */
#include "hand/x11/capture/pixel-grabber.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/shm.h>

#include "hand/x11/capture/shm-segment.h"
#include "shared/base/error.h"

/* See hf_image_new: vector code may read so far past the end. */
#define TAIL_PADDING 64

struct HfX11Grabber {
    gboolean shares;
    GMutex lock;                 /* guards what follows */
    HfX11Connection *connection; /* NULL once the grabber was freed */
    HfX11Segment *kept;
};

typedef struct Loan {
    HfX11Grabber *grabber;
    HfX11Segment *segment;
} Loan;

HfX11Grabber *hf_x11_grabber_new(HfX11Connection *connection)
{
    HfX11Grabber *grabber = g_atomic_rc_box_new0(HfX11Grabber);
    grabber->connection = connection;
    grabber->shares = hf_x11_segment_supported(connection);
    g_mutex_init(&grabber->lock);
    return grabber;
}

static void grabber_clear(gpointer data)
{
    HfX11Grabber *grabber = data;
    g_mutex_clear(&grabber->lock);
}

static void grabber_unref(gpointer grabber)
{
    g_atomic_rc_box_release_full(grabber, grabber_clear);
}

void hf_x11_grabber_free(HfX11Grabber *grabber)
{
    hf_x11_grabber_trim(grabber);
    g_mutex_lock(&grabber->lock);
    grabber->connection = NULL;
    g_mutex_unlock(&grabber->lock);
    grabber_unref(grabber);
}

void hf_x11_grabber_trim(HfX11Grabber *grabber)
{
    g_mutex_lock(&grabber->lock);
    hf_x11_segment_free(grabber->connection, g_steal_pointer(&grabber->kept));
    g_mutex_unlock(&grabber->lock);
}

static void return_segment(gpointer data)
{
    Loan *loan = data;
    HfX11Grabber *grabber = loan->grabber;
    g_mutex_lock(&grabber->lock);
    if (grabber->connection && !grabber->kept)
        grabber->kept = loan->segment;
    else
        hf_x11_segment_free(grabber->connection, loan->segment);
    g_mutex_unlock(&grabber->lock);
    grabber_unref(grabber);
    g_free(loan);
}

/* The kept segment if it is free and large enough, or a new one; NULL when there is none. */
static HfX11Segment *take_segment(HfX11Grabber *grabber, gsize size)
{
    if (!grabber->shares)
        return NULL;
    g_mutex_lock(&grabber->lock);
    HfX11Segment *segment = g_steal_pointer(&grabber->kept);
    g_mutex_unlock(&grabber->lock);
    if (segment && segment->size >= size)
        return segment;
    hf_x11_segment_free(grabber->connection, segment);
    return hf_x11_segment_new(grabber->connection, size);
}

static HfImage *grab_shared(HfX11Grabber *grabber, HfX11Segment *take_segment,
                            xcb_drawable_t drawable, HfRect area, const HfX11PixelFormat *format)
{
    xcb_connection_t *xcb = grabber->connection->xcb;
    gsize stride = hf_x11_pixel_format_stride(format, area.width);
    Loan *loan = g_new(Loan, 1);
    *loan = (Loan){g_atomic_rc_box_acquire(grabber), take_segment};
    g_autoptr(HfImage) view = hf_image_new_view(area.width, area.height, (int)stride,
                                                take_segment->bytes, return_segment, loan);
    xcb_shm_get_image_cookie_t cookie = xcb_shm_get_image(
        xcb, drawable, (int16_t)area.x, (int16_t)area.y, (uint16_t)area.width,
        (uint16_t)area.height, ~0u, XCB_IMAGE_FORMAT_Z_PIXMAP, take_segment->id, 0);
    xcb_generic_error_t *refused = NULL;
    xcb_shm_get_image_reply_t *reply = xcb_shm_get_image_reply(xcb, cookie, &refused);
    gboolean got = reply != NULL;
    free(reply);
    free(refused);
    if (!got)
        return NULL;
    if (hf_x11_pixel_format_is_native(format))
        return g_steal_pointer(&view);
    return hf_x11_pixels_convert(format, view->pixels, area.width, area.height);
}

static HfImage *grab_by_socket(HfX11Connection *connection, xcb_drawable_t drawable, HfRect area,
                               const HfX11PixelFormat *format)
{
    xcb_get_image_cookie_t cookie =
        xcb_get_image(connection->xcb, XCB_IMAGE_FORMAT_Z_PIXMAP, drawable, (int16_t)area.x,
                      (int16_t)area.y, (uint16_t)area.width, (uint16_t)area.height, ~0u);
    xcb_generic_error_t *refused = NULL;
    xcb_get_image_reply_t *reply = xcb_get_image_reply(connection->xcb, cookie, &refused);
    free(refused);
    if (!reply)
        return NULL;
    gsize bytes = hf_x11_pixel_format_stride(format, area.width) * (gsize)area.height;
    HfImage *image = NULL;
    if ((gsize)xcb_get_image_data_length(reply) >= bytes)
        image = hf_x11_pixels_convert(format, xcb_get_image_data(reply), area.width, area.height);
    free(reply);
    return image;
}

HfImage *hf_x11_grabber_grab(HfX11Grabber *grabber, xcb_drawable_t drawable, HfRect area,
                             const HfX11PixelFormat *format, GError **error)
{
    gsize size = hf_x11_pixel_format_stride(format, area.width) * (gsize)area.height;
    HfX11Segment *segment = take_segment(grabber, size + TAIL_PADDING);
    HfImage *image = segment ? grab_shared(grabber, segment, drawable, area, format)
                             : grab_by_socket(grabber->connection, drawable, area, format);
    if (!image)
        hf_x11_check(grabber->connection, error);
    return image;
}
