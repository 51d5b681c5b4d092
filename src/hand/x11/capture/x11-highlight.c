/* SPDX-License-Identifier: Apache-2.0 */
/* A frame of our own on top of everything: a window in the shape of a frame that takes no input and
 * that no window manager knows. It has a connection of its own, and lives no longer than that: when
 * its time is over, or when this process is gone, however it went. */
#include "hand/x11/capture/x11-highlight.h"

#include <xcb/xfixes.h>

#include "hand/x11/core/connection.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/deadline.h"
#include "shared/base/error.h"

/* How thick it is; around the area, so that nothing of it is hidden. */
#define FRAME_PX 4
#define COLOUR   0xff3b30u
/* Of the shape extension, which XFixes speaks of by its numbers. */
#define SHAPE_BOUNDING 0
#define SHAPE_INPUT    2

static int shown;

typedef struct Shown {
    HfX11Connection *connection;
    HfDeadline until;
} Shown;

/* Nothing is waited for but the time. */
static gpointer hide_later(gpointer data)
{
    Shown *frame = data;
    hf_deadline_pause(&frame->until, hf_deadline_left_ms(&frame->until) * 1000, NULL);
    hf_x11_disconnect(frame->connection);
    g_free(frame);
    g_atomic_int_add(&shown, -1);
    return NULL;
}

static void set_shape(xcb_connection_t *xcb, xcb_window_t window, guint8 kind,
                      const xcb_rectangle_t *rects, guint32 count)
{
    xcb_xfixes_region_t region = xcb_generate_id(xcb);
    xcb_xfixes_create_region(xcb, region, count, rects);
    xcb_xfixes_set_window_shape_region(xcb, window, kind, 0, 0, region);
    xcb_xfixes_destroy_region(xcb, region);
}

/* The inside is the area itself. */
static void draw_highlight_frame(HfX11Connection *connection, HfRect area)
{
    guint16 width = (guint16)(area.width + 2 * FRAME_PX);
    guint16 height = (guint16)(area.height + 2 * FRAME_PX);
    xcb_rectangle_t sides[] = {
        {0, 0, width, FRAME_PX},
        {0, (gint16)(height - FRAME_PX), width, FRAME_PX},
        {0, 0, FRAME_PX, height},
        {(gint16)(width - FRAME_PX), 0, FRAME_PX, height},
    };
    guint32 values[] = {COLOUR, 1};
    xcb_window_t window = xcb_generate_id(connection->xcb);
    xcb_create_window(connection->xcb, XCB_COPY_FROM_PARENT, window, connection->root,
                      (gint16)(area.x - FRAME_PX), (gint16)(area.y - FRAME_PX), width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
    set_shape(connection->xcb, window, SHAPE_BOUNDING, sides, G_N_ELEMENTS(sides));
    set_shape(connection->xcb, window, SHAPE_INPUT, NULL, 0);
    xcb_map_window(connection->xcb, window);
}

gboolean hf_x11_highlight(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error)
{
    if (g_atomic_int_add(&shown, 1) >= HF_LIMIT_HIGHLIGHTS) {
        g_atomic_int_add(&shown, -1);
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "at most %d frames at a time",
                       HF_LIMIT_HIGHLIGHTS);
    }
    g_autoptr(HfX11Connection) connection =
        hf_x11_connect(hf_x11(desktop)->connection->display, error);
    gboolean ready = connection && hf_x11_extension(connection, &xcb_xfixes_id);
    if (ready) {
        xcb_xfixes_query_version_reply_t *version = xcb_xfixes_query_version_reply(
            connection->xcb, xcb_xfixes_query_version(connection->xcb, 5, 0), NULL);
        free(version);
        draw_highlight_frame(connection, area);
    } else if (connection) {
        hf_desktop_fail_unsupported(desktop, "draw on its screen", error);
    }
    if (!ready || !hf_x11_sync(connection, error)) {
        g_atomic_int_add(&shown, -1);
        return FALSE;
    }
    Shown *frame = g_new(Shown, 1);
    *frame = (Shown){g_steal_pointer(&connection), hf_deadline_in_ms(milliseconds, NULL)};
    g_thread_unref(g_thread_new("highlight", hide_later, frame));
    return TRUE;
}
