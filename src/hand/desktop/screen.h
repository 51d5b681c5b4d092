/* SPDX-License-Identifier: Apache-2.0 */
/* The screen: its size, pictures of it, and whether it has changed. */
#pragma once

#include "hand/desktop/desktop.h"
#include "hand/desktop/screen-watch.h"
#include "shared/base/deadline.h"
#include "shared/image/image.h"

typedef struct HfMonitor {
    char *name;
    HfRect area; /* physical pixels within the whole screen */
    gboolean primary;
} HfMonitor;

typedef struct HfScreen {
    HfSize size;
    double scale; /* how much larger than at 96 dpi programs draw: 1, 1.25, 2 */
    int depth;
    GArray *monitors; /* of HfMonitor; at least one */
} HfScreen;

void hf_screen_free(HfScreen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScreen, hf_screen_free)

typedef struct HfCaptureRequest {
    guint32 window;         /* 0: the screen */
    HfRect area;            /* of the screen, clipped to it and to the window; empty: all */
    gboolean cursor;        /* also return the pointer's picture */
    gboolean only_describe; /* everything but the image */
} HfCaptureRequest;

struct HfCapture {
    HfImage *image;         /* NULL with `only_describe` */
    HfRect area;            /* what the picture shows, in physical pixels of the screen */
    HfRect window_area;     /* all of the window, also what lies outside of the screen */
    HfSize screen;          /* the size of the whole screen at that time */
    double scale;           /* as in HfScreen */
    gboolean clipped;       /* a part of the requested area lies outside of the screen */
    gboolean occluded;      /* covered parts of the window are missing */
    guint64 change_serial;  /* of the screen, read before the picture; 0: unknown */
    guint64 drawn_serial;   /* the same, but it never counts the pointer */
    guint64 windows_serial; /* see hf_screen_watch_windows, as of the picture; 0: unknown */
    gint64 time_ms;         /* wall clock */
    HfImage *cursor;        /* A R G B, premultiplied; NULL when not requested or not shown */
    HfPoint cursor_at;      /* its top left corner in `image` */
};

void hf_capture_free(HfCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCapture, hf_capture_free)

struct HfScreenOps {
    HfScreen *(*get)(HfDesktop *desktop, GError **error);
    gboolean (*get_size)(HfDesktop *desktop, HfSize *ret_size, GError **error);
    gboolean (*get_window_area)(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                GError **error);
    HfCapture *(*capture)(HfDesktop *desktop, const HfCaptureRequest *request,
                          const HfDeadline *deadline, GError **error);
    gboolean (*watch_windows)(HfDesktop *desktop, const guint32 *windows, gsize count);
    gboolean (*get_change_serial)(HfDesktop *desktop, gboolean cursor, guint64 *ret_serial,
                                  GError **error);
    gboolean (*highlight)(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error);
    /* See screen-watch.h. */
    HfScreenWatch *(*watch_new)(HfDesktop *desktop, GError **error);
    void (*watch_free)(HfScreenWatch *watch);
    gboolean (*watch_begin)(HfScreenWatch *watch, HfScreenChanges *idle, GError **error);
    gboolean (*watch_read)(HfScreenWatch *watch, HfScreenChanges *changes, GError **error);
    void (*watch_end)(HfScreenWatch *watch, HfScreenChanges *unread);
};

HfScreen *hf_screen_get(HfDesktop *desktop, GError **error);
/* The size alone, in one round trip. */
gboolean hf_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error);
/* The area that a picture of the window would show: with its decoration, without its shadow, also
 * beyond the screen. WINDOW_NOT_FOUND, or PRECONDITION_FAILED when it is not shown. */
gboolean hf_screen_get_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                   GError **error);
/* The image may lie in shared memory that the next capture needs: free the capture soon. */
HfCapture *hf_screen_capture(const HfCallContext *context, const HfCaptureRequest *request,
                             const HfDeadline *deadline, GError **error);
/* Until the next hf_desktop_trim_memory, the `windows_serial` of captures grows when these windows,
 * or the list of windows, may have changed. FALSE when they were not watched already. */
gboolean hf_screen_watch_windows(HfDesktop *desktop, const guint32 *windows, gsize count);
/* A number that grows whenever something was drawn, the size of the screen or the owner's list of
 * things to blur has changed; with `cursor` also when the pointer has moved or changed. Compare
 * only numbers with the same `cursor`. Never decreases while the desktop is open. 0: unknown, so
 * treat it as changed. */
gboolean hf_screen_get_change_serial(const HfCallContext *context, gboolean cursor,
                                     guint64 *ret_serial, GError **error);
/* Shows a frame around the area, which takes no input, for this long. Returns when it is visible.
 * It vanishes when this process ends. */
gboolean hf_screen_highlight(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error);
