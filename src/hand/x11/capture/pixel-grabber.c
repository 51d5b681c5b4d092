/* SPDX-License-Identifier: Apache-2.0 */
/* Copies pixels from the server. A new shared segment costs several times the copy itself (every
 * page has to be found and cleared), so one is kept until the hand is idle. The image lies in the
 * segment, which comes back when the image is freed; another grab meanwhile gets a new segment.
 * A segment has no name and no key: when either side dies, nothing is left behind. */
#include "hand/x11/capture/pixel-grabber.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xcb/shm.h>

#include "shared/base/error.h"

/* See hf_image_new: vector code may read this far past the end. */
#define TAIL_PADDING 64

typedef struct Segment {
    guint32 id;
    guint8 *bytes;
    gsize size;
} Segment;

struct HfX11Grabber {
    gboolean shared_memory;
    GMutex lock;                 /* guards the members below */
    HfX11Connection *connection; /* NULL after the grabber was freed */
    Segment *kept;
};

typedef struct Loan {
    HfX11Grabber *grabber;
    Segment *segment;
} Loan;

static const xcb_visualtype_t *find_visual(HfX11Connection *connection, xcb_visualid_t id,
                                           int *ret_depth)
{
    xcb_depth_iterator_t depths = xcb_screen_allowed_depths_iterator(connection->screen);
    for (; depths.rem; xcb_depth_next(&depths)) {
        xcb_visualtype_iterator_t visuals = xcb_depth_visuals_iterator(depths.data);
        for (; visuals.rem; xcb_visualtype_next(&visuals))
            if (visuals.data->visual_id == id) {
                *ret_depth = depths.data->depth;
                return visuals.data;
            }
    }
    return NULL;
}

static xcb_visualid_t find_visual_id(HfX11Connection *connection, xcb_window_t window)
{
    if (!window)
        return connection->screen->root_visual;
    g_autofree xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
        connection->xcb, xcb_get_window_attributes(connection->xcb, window), NULL);
    return reply ? reply->visual : 0;
}

static const xcb_format_t *find_format(HfX11Connection *connection, int depth)
{
    xcb_format_iterator_t formats =
        xcb_setup_pixmap_formats_iterator(xcb_get_setup(connection->xcb));
    for (; formats.rem; xcb_format_next(&formats))
        if (formats.data->depth == depth)
            return formats.data;
    return NULL;
}

gboolean hf_x11_pixel_format_find(HfX11Connection *connection, xcb_window_t window,
                                  HfX11PixelFormat *ret_format, GError **error)
{
    int depth = 0;
    const xcb_visualtype_t *type =
        find_visual(connection, find_visual_id(connection, window), &depth);
    const xcb_format_t *format = find_format(connection, depth);
    gboolean direct = type && (type->_class == XCB_VISUAL_CLASS_TRUE_COLOR ||
                               type->_class == XCB_VISUAL_CLASS_DIRECT_COLOR);
    if (!direct || !format || format->bits_per_pixel < 16 || format->bits_per_pixel % 8)
        return hf_fail(error, HF_ERROR_UNSUPPORTED,
                       "a screen with a depth of %d bits cannot be captured", depth);
    *ret_format = (HfX11PixelFormat){
        .bits = format->bits_per_pixel,
        .pad = format->scanline_pad,
        .big = xcb_get_setup(connection->xcb)->image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST,
        .masks = {type->red_mask, type->green_mask, type->blue_mask},
    };
    return TRUE;
}

gsize hf_x11_pixel_format_stride(const HfX11PixelFormat *format, int width)
{
    gsize pad = (gsize)MAX(format->pad, 8), bits = (gsize)width * (gsize)format->bits;
    return (bits + pad - 1) / pad * pad / 8;
}

gboolean hf_x11_pixel_format_is_native(const HfX11PixelFormat *format)
{
    return format->bits == 32 && !format->big && format->masks[0] == 0xff0000 &&
           format->masks[1] == 0xff00 && format->masks[2] == 0xff;
}

static guint32 read_pixel(const HfX11PixelFormat *format, const guint8 *at)
{
    int bytes = format->bits / 8;
    guint32 pixel = 0;
    for (int i = 0; i < bytes; i++)
        pixel |= (guint32)at[i] << 8 * (format->big ? bytes - 1 - i : i);
    return pixel;
}

/* One colour channel of a pixel, 0 to 255. */
static guint32 read_colour(guint32 pixel, guint32 mask)
{
    if (!mask)
        return 0;
    int shift = __builtin_ctz(mask);
    guint64 most = mask >> shift;
    return (guint32)((((pixel & mask) >> shift) * G_GUINT64_CONSTANT(255) + most / 2) / most);
}

/* By the masks of the visual, any depth and order. For unusual screens: simple before fast. */
HfImage *hf_x11_pixels_convert(const HfX11PixelFormat *format, const guint8 *pixels, int width,
                               int height)
{
    HfImage *image = hf_image_new(width, height);
    gsize stride = hf_x11_pixel_format_stride(format, width);
    for (int y = 0; y < height; y++) {
        guint32 *to = hf_image_row(image, y);
        const guint8 *from = pixels + stride * (gsize)y;
        for (int x = 0; x < width; x++, from += format->bits / 8) {
            guint32 pixel = read_pixel(format, from);
            to[x] = read_colour(pixel, format->masks[0]) << 16 |
                    read_colour(pixel, format->masks[1]) << 8 |
                    read_colour(pixel, format->masks[2]);
        }
    }
    return image;
}

/* Segments need a UNIX socket to pass a descriptor; trying it on another kind ends the connection.
 */
static gboolean supports_segments(HfX11Connection *connection)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    int fd = xcb_get_file_descriptor(connection->xcb);
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0 ||
        address.ss_family != AF_UNIX || !hf_x11_extension(connection, &xcb_shm_id))
        return FALSE;
    g_autofree xcb_shm_query_version_reply_t *version =
        xcb_shm_query_version_reply(connection->xcb, xcb_shm_query_version(connection->xcb), NULL);
    /* Version 1.2 added descriptors. */
    return version && (version->major_version > 1 || version->minor_version >= 2);
}

/* NULL when the server refuses; then the pixels have to come through the socket. */
static Segment *segment_new(HfX11Connection *connection, gsize size)
{
    int fd = memfd_create("handfast-screen", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *bytes = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0)
        bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) {
        close(fd);
        return NULL;
    }
    guint32 id = xcb_generate_id(connection->xcb);
    /* The library closes the descriptor when it has sent it. */
    xcb_void_cookie_t attach = xcb_shm_attach_fd_checked(connection->xcb, id, fd, FALSE);
    g_autofree xcb_generic_error_t *refused = xcb_request_check(connection->xcb, attach);
    if (refused || xcb_connection_has_error(connection->xcb)) {
        munmap(bytes, size);
        return NULL;
    }
    Segment *segment = g_new(Segment, 1);
    *segment = (Segment){id, bytes, size};
    return segment;
}

/* `connection` NULL: it was closed, which has ended the server's part. */
static void segment_free(HfX11Connection *connection, Segment *segment)
{
    if (!segment)
        return;
    if (connection) {
        xcb_shm_detach(connection->xcb, segment->id);
        xcb_flush(connection->xcb);
    }
    munmap(segment->bytes, segment->size);
    g_free(segment);
}

HfX11Grabber *hf_x11_grabber_new(HfX11Connection *connection)
{
    HfX11Grabber *grabber = g_atomic_rc_box_new0(HfX11Grabber);
    grabber->connection = connection;
    grabber->shared_memory = supports_segments(connection);
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
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&grabber->lock);
    segment_free(grabber->connection, g_steal_pointer(&grabber->kept));
}

static void return_segment(gpointer data)
{
    Loan *loan = data;
    HfX11Grabber *grabber = loan->grabber;
    g_mutex_lock(&grabber->lock);
    if (grabber->connection && !grabber->kept)
        grabber->kept = loan->segment;
    else
        segment_free(grabber->connection, loan->segment);
    g_mutex_unlock(&grabber->lock);
    grabber_unref(grabber);
    g_free(loan);
}

/* The kept segment if it is free and large enough, or a new one; NULL without shared memory. */
static Segment *take_segment(HfX11Grabber *grabber, gsize size)
{
    if (!grabber->shared_memory)
        return NULL;
    g_mutex_lock(&grabber->lock);
    Segment *segment = g_steal_pointer(&grabber->kept);
    g_mutex_unlock(&grabber->lock);
    if (segment && segment->size >= size)
        return segment;
    segment_free(grabber->connection, segment);
    return segment_new(grabber->connection, size);
}

static HfImage *grab_shared(HfX11Grabber *grabber, Segment *take_segment, xcb_drawable_t drawable,
                            HfRect area, const HfX11PixelFormat *format)
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
    g_autofree xcb_shm_get_image_reply_t *reply = xcb_shm_get_image_reply(xcb, cookie, NULL);
    if (!reply)
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
    g_autofree xcb_get_image_reply_t *reply = xcb_get_image_reply(connection->xcb, cookie, NULL);
    gsize bytes = hf_x11_pixel_format_stride(format, area.width) * (gsize)area.height;
    if (!reply || (gsize)xcb_get_image_data_length(reply) < bytes)
        return NULL;
    return hf_x11_pixels_convert(format, xcb_get_image_data(reply), area.width, area.height);
}

HfImage *hf_x11_grabber_grab(HfX11Grabber *grabber, xcb_drawable_t drawable, HfRect area,
                             const HfX11PixelFormat *format, GError **error)
{
    gsize size = hf_x11_pixel_format_stride(format, area.width) * (gsize)area.height;
    Segment *segment = take_segment(grabber, size + TAIL_PADDING);
    HfImage *image = segment ? grab_shared(grabber, segment, drawable, area, format)
                             : grab_by_socket(grabber->connection, drawable, area, format);
    if (!image)
        hf_x11_check(grabber->connection, error);
    return image;
}
