/* SPDX-License-Identifier: Apache-2.0 */
/* One desktop that was opened: the seam between the tools and what draws and listens. Its parts
 * (screen, pointer, keyboard, windows, clipboard, session) have a header each, with the words
 * that tools use and the small table of functions that a back end fills in. */
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
typedef struct HfBlockedWindowMask HfBlockedWindowMask;
typedef struct HfNewWindows HfNewWindows;
typedef struct HfWatchOps HfWatchOps;

/* A missing table, or a missing slot in one, answers UNSUPPORTED. */
struct HfBackend {
    const char *name; /* "x11" */
    const HfScreenOps *screen;
    const HfPointerOps *pointer;
    const HfKeyboardOps *keyboard;
    const HfWindowOps *windows;
    const HfClipboardOps *clipboard;
    const HfSessionOps *session;
    const HfWatchOps *watch;
    gboolean (*alive)(HfDesktop *desktop);
    void (*rest)(HfDesktop *desktop);
    void (*close)(HfDesktop *desktop);
};

typedef struct HfDesktopOptions {
    const char *display;   /* ":7" */
    const char *state_dir; /* 0700; where it is written down what must be put back */
    double scale;          /* 0: ask the display */
} HfDesktopOptions;

/* The body is public to back ends and to the platform's own files only. */
struct HfDesktop {
    const HfBackend *backend;
    char *state_dir;
    HfImageSpaces *spaces;   /* pictures given out, for coordinates in their space */
    HfInputJournal *journal; /* held keys and buttons, keys of the map that were changed */
    HfLockWatch *lock_watch;
    HfPasswordMask *secure;     /* parts of the screen that no picture may show */
    HfBlockedWindowMask *cover; /* and windows that none may show */
    HfNewWindows *newcomers;    /* windows that may not have painted themselves yet */
    HfBrake *brake;             /* asked before anything is pressed, moved or begun */
    /* What a layer above keeps with the desktop (hand/atspi/bus/atspi-session.h), and how it is
     * freed. Set once, by any thread, atomically and after the functions. */
    gpointer above;
    GDestroyNotify free_above;
    gboolean (*hush_above)(gpointer above,
                           gboolean typing); /* see hf_desktop_pause_event_listeners */
    /* The same for browsers that run on it (hand/browser/browsers.h). */
    gpointer browsers;
    GDestroyNotify free_browsers;
};

/* Connects; touches nothing of the session, except to put back what an earlier hand left. */
HfDesktop *hf_desktop_open(const HfDesktopOptions *options, GError **error);
/* FALSE once the connection to the display is lost; it stays lost. */
gboolean hf_desktop_alive(HfDesktop *desktop);
/* Gives back memory that is kept to be quick, when nothing was asked for a while. FALSE: not all of
 * it could be given back now. */
gboolean hf_desktop_trim_memory(HfDesktop *desktop);
/* Whoever listens to programs, and so makes their keys slower, stops if that harms nobody; when we
 * are about to type, for a while. When it returns, keys may be pressed. FALSE: it goes on. On any
 * thread. */
gboolean hf_desktop_pause_event_listeners(HfDesktop *desktop, gboolean typing);
/* Puts everything back, then disconnects. */
void hf_desktop_close(HfDesktop *desktop);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDesktop, hf_desktop_close)

/* For a slot that the back end leaves empty: "this desktop (x11) cannot WHAT". Returns FALSE. */
gboolean hf_desktop_fail_unsupported(const HfDesktop *desktop, const char *what, GError **error);
