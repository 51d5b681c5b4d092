/* SPDX-License-Identifier: Apache-2.0 */
/* An open desktop: the seam between the tools and the back end. Its parts (screen, pointer,
 * keyboard, windows, clipboard, session) have a header each, with the functions that tools call and
 * the small table of functions that a back end fills in. */
#pragma once

#include "hand/safety/brake.h"
#include "shared/base/geometry.h"
#include "shared/base/types.h"

typedef struct HfScreenOps HfScreenOps;
typedef struct HfPointerOps HfPointerOps;
typedef struct HfKeyboardOps HfKeyboardOps;
typedef struct HfWindowOps HfWindowOps;
typedef struct HfClipboardOps HfClipboardOps;
typedef struct HfSessionOps HfSessionOps;
typedef struct HfImageSpaces HfImageSpaces;
typedef struct HfLockWatch HfLockWatch;
typedef struct HfPasswordMask HfPasswordMask;
typedef struct HfPrivacyMask HfPrivacyMask;
typedef struct HfNewWindows HfNewWindows;
typedef struct HfLaunchNamespace HfLaunchNamespace;
typedef struct HfInputWatchOps HfInputWatchOps;

/* A missing table, or a missing function in one, gives UNSUPPORTED. */
struct HfBackend {
    const char *name; /* "x11" */
    const HfScreenOps *screen;
    const HfPointerOps *pointer;
    const HfKeyboardOps *keyboard;
    const HfWindowOps *windows;
    const HfClipboardOps *clipboard;
    const HfSessionOps *session;
    const HfInputWatchOps *watch;
    gboolean (*alive)(HfDesktop *desktop);
    void (*trim_memory)(HfDesktop *desktop);
    void (*close)(HfDesktop *desktop);
};

typedef struct HfDesktopOptions {
    const char *display;   /* ":7" */
    const char *state_dir; /* 0700; records what must be restored after a crash */
    double scale;          /* 0: read it from the display */
    guint16 proxy_port;    /* on loopback, the only way to the network; 0: it is open, or none */
    gboolean namespace;    /* programs are started in a namespace (launch-namespace.h) */
} HfDesktopOptions;

/* The body is for back ends and the files of this folder only. */
struct HfDesktop {
    const HfBackend *backend;
    char *state_dir;
    guint16 proxy_port;
    HfImageSpaces *spaces;   /* pictures given out, for coordinates in their space */
    HfInputJournal *journal; /* held keys and buttons, and changed keys of the keymap */
    HfLockWatch *lock_watch;
    HfPasswordMask *password_mask; /* hides password fields in pictures */
    HfPrivacyMask *privacy_mask;   /* hides what the owner blocks or lists in privacy.blur */
    HfNewWindows *new_windows;     /* windows that may not have painted themselves yet */
    HfLaunchNamespace *launches;   /* or NULL */
    HfBrake *brake;                /* asked before anything is pressed, moved or begun */
    /* The accessibility session (hand/atspi/bus/atspi-session.h) and its functions. Set once, by
     * any thread, atomically and after the functions. */
    gpointer atspi;
    GDestroyNotify free_atspi;
    gboolean (*pause_atspi)(gpointer atspi, gboolean typing);
    /* The same for browsers that run on it (hand/browser/browsers.h). */
    gpointer browsers;
    GDestroyNotify free_browsers;
};

/* Connects. Changes nothing in the session, except to restore what an earlier hand left. */
HfDesktop *hf_desktop_open(const HfDesktopOptions *options, GError **error);
/* FALSE once the connection to the display is lost; it stays lost. */
gboolean hf_desktop_alive(HfDesktop *desktop);
/* Frees caches after a while without calls. FALSE: not all of them could be freed now. */
gboolean hf_desktop_trim_memory(HfDesktop *desktop);
/* Stops the accessibility listeners, which slow down every key of a program, if nobody needs them;
 * with `typing`, for a while in any case. Keys may be pressed when it returns. FALSE: they go on.
 * Any thread may call it. */
gboolean hf_desktop_pause_event_listeners(HfDesktop *desktop, gboolean typing);
/* NULL: programs run beside us. */
HfLaunchNamespace *hf_desktop_get_launch_namespace(const HfDesktop *desktop);
/* Restores everything, then disconnects. */
void hf_desktop_close(HfDesktop *desktop);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDesktop, hf_desktop_close)

/* For a function that the back end lacks: "this desktop (x11) cannot WHAT". Returns FALSE. */
gboolean hf_desktop_fail_unsupported(const HfDesktop *desktop, const char *what, GError **error);
