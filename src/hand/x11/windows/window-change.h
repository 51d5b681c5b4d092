/* SPDX-License-Identifier: Apache-2.0 */
/* Changing a window: send the request, then wait until the change is visible. */
#pragma once

#include "hand/desktop/windows.h"
#include "hand/x11/windows/ewmh.h"
#include "hand/x11/windows/window-watch.h"

typedef struct HfX11Change {
    HfX11Connection *connection;
    HfX11Watch *watch;
    const HfWindowChange *request;
    const HfDeadline *deadline;
    guint32 id;
    guint32 time;      /* the server's, when the change began */
    GHashTable *known; /* ids of the windows that existed when it began */
    /* As last read: */
    HfX11Ewmh ewmh;
    GPtrArray *windows; /* topmost first */
    HfWindow *window;   /* in `windows`; NULL when it is gone */
    /* For moving: */
    HfRect before, wanted, allowed, last;
} HfX11Change;

typedef enum HfX11Outcome {
    HF_X11_BROKEN, /* the error is set */
    HF_X11_SEEN,
    HF_X11_NOT_SEEN, /* the time limit has passed */
} HfX11Outcome;

/* Reads the windows after each event until `seen` is true. WINDOW_NOT_FOUND when the window goes
 * away. */
HfX11Outcome hf_x11_change_wait(HfX11Change *change, gboolean (*seen)(const HfX11Change *change),
                                guint limit_ms, GError **error);
/* Waits until the window manager has handled all requests, then reads the windows again. One that
 * cannot confirm that gets until `seen`, or some time. NOT_SEEN: it hangs. */
HfX11Outcome hf_x11_change_settle(HfX11Change *change, gboolean (*seen)(const HfX11Change *change),
                                  GError **error);
/* VERIFY_FAILED, with the state of the window in the details. */
gboolean hf_x11_change_fail(const HfX11Change *change, const char *missing, GError **error);
/* UNSUPPORTED when the window manager does not offer that action for the window. */
gboolean hf_x11_change_allowed(const HfX11Change *change, const char *action, GError **error);
/* Takes the window out of the maximised and full-screen states. */
gboolean hf_x11_change_unmaximize(HfX11Change *change, GError **error);

gboolean hf_x11_change_place(HfX11Change *change, GError **error); /* window-move-resize.c */

gboolean hf_x11_window_change(HfDesktop *desktop, guint32 window, const HfWindowChange *request,
                              const HfDeadline *deadline, GError **error);
