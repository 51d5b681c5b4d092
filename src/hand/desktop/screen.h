/* SPDX-License-Identifier: Apache-2.0 */
/* Eyes: the size of the screen, pictures of it, and whether it has changed. */
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
    HfRect area;            /* of the screen, cut to it and to the window; empty: all */
    gboolean cursor;        /* also bring the pointer's picture */
    gboolean only_describe; /* everything but the image */
} HfCaptureRequest;

struct HfCapture {
    HfImage *image;         /* NULL when it was only described */
    HfRect area;            /* what the picture shows, in physical pixels of the screen */
    HfRect window_area;     /* of a window: all of it, also what lies outside of the screen */
    HfSize screen;          /* the size of the whole screen at that time */
    double scale;           /* as in HfScreen */
    gboolean clipped;       /* a part of what was asked for lies outside of the screen */
    gboolean occluded;      /* a covered window of which covered parts could not be seen */
    guint64 change_serial;  /* of the screen, taken before the picture; 0: cannot be known */
    guint64 windows_serial; /* see hf_screen_watch_windows, as of the picture; 0: cannot be known */
    gint64 time_ms;         /* wall clock */
    HfImage *cursor;        /* A R G B, premultiplied; NULL when not asked for or not there */
    HfPoint cursor_at;      /* its top left corner in `image` */
};

void hf_capture_free(HfCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCapture, hf_capture_free)

struct HfScreenOps {
    HfScreen *(*get)(HfDesktop *desktop, GError **error);
    gboolean (*get_size)(HfDesktop *desktop, HfSize *ret_size, GError **error);
    gboolean (*get_scale)(HfDesktop *desktop, double *ret_scale, GError **error);
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
    gboolean (*watch_read)(HfScreenWatch *watch, HfScreenChanges *news, GError **error);
    void (*watch_end)(HfScreenWatch *watch, HfScreenChanges *rest);
};

HfScreen *hf_screen_get(HfDesktop *desktop, GError **error);
/* The size alone, in one round trip. */
gboolean hf_screen_get_size(HfDesktop *desktop, HfSize *ret_size, GError **error);
/* The same for the scale. */
gboolean hf_screen_get_scale(HfDesktop *desktop, double *ret_scale, GError **error);
/* Where a picture of the window would be taken: with its decoration, without its shadow, also
 * beyond the screen. WINDOW_NOT_FOUND, or PRECONDITION_FAILED when it is not shown. */
gboolean hf_screen_get_window_area(HfDesktop *desktop, guint32 window, HfRect *ret_area,
                                   GError **error);
/* The image may lie in shared memory that the next capture needs: free the capture soon. */
HfCapture *hf_screen_capture(const HfCallContext *context, const HfCaptureRequest *request,
                             const HfDeadline *deadline, GError **error);
/* From now until a time of rest, captures tell by `windows_serial` whether these windows, or which
 * windows there are, may have changed. FALSE when it was not so already. */
gboolean hf_screen_watch_windows(HfDesktop *desktop, const guint32 *windows, gsize count);
/* A number that grows whenever something was drawn on the screen, its size has changed or the owner
 * lists something else to be blurred; with `cursor` also when the pointer has moved or looks
 * different. Compare only numbers that were asked for with the same `cursor`. Never decreases while
 * the desktop is open. 0: cannot be known, so take it as changed. */
gboolean hf_screen_get_change_serial(const HfCallContext *context, gboolean cursor,
                                     guint64 *ret_serial, GError **error);
/* A frame around the area that takes no input, for so long; returns when it is there. It goes with
 * this process, should that end before. */
gboolean hf_screen_highlight(HfDesktop *desktop, HfRect area, guint milliseconds, GError **error);
