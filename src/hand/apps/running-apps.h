/* SPDX-License-Identifier: Apache-2.0 */
/* Running applications: windows grouped by the process that shows them. */
#pragma once

#include "hand/desktop/windows.h"

typedef struct HfRunningApp {
    char *name;          /* as installed ("Mousepad"), else its class or process */
    char *desktop_id;    /* NULL: not an installed application */
    int pid;             /* 0 when unknown */
    const char *process; /* borrowed from its first window; may be NULL */
    GPtrArray *windows;  /* of HfWindow, borrowed from the list; topmost first, at least one */
    gboolean focused;
} HfRunningApp;

typedef struct HfRunningApps {
    GPtrArray *windows; /* all of them */
    GPtrArray *apps;    /* of HfRunningApp, the one with the topmost window first */
} HfRunningApps;

HfRunningApps *hf_running_apps_list(HfDesktop *desktop, GError **error);
/* From a list of windows (hf_windows_list). */
HfRunningApps *hf_running_apps_new(GPtrArray *take_windows);
void hf_running_apps_free(HfRunningApps *apps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRunningApps, hf_running_apps_free)

/* Which one is meant: a pid, or a name in any case (of the application, its class or its
 * executable, or a part of the application's name). */
typedef struct HfAppQuery {
    const char *name;
    int pid;         /* 0: any */
    gboolean single; /* WINDOW_AMBIGUOUS for several processes of one program */
} HfAppQuery;

/* Borrowed. APP_NOT_FOUND, or WINDOW_AMBIGUOUS with candidates. Without `single`, the topmost of
 * several processes of one program. */
const HfRunningApp *hf_running_apps_find(const HfRunningApps *apps, const HfAppQuery *query,
                                         GError **error);

typedef struct HfAppClosed {
    guint windows;    /* how many were closed */
    gboolean running; /* its process still runs, without windows */
} HfAppClosed;

/* Asks each window to close and waits until all are closed. DESKTOP_MODAL_BLOCKING when the program
 * asks something first; VERIFY_FAILED when a window stays open. */
gboolean hf_running_apps_close(const HfCallContext *context, const HfRunningApp *app,
                               HfAppClosed *ret_closed, const HfDeadline *deadline, GError **error);
/* Ends its process with SIGTERM, then SIGKILL. FORBIDDEN for processes of other users and for our
 * own. */
gboolean hf_running_apps_kill(const HfCallContext *context, const HfRunningApp *app,
                              HfAppClosed *ret_closed, const HfDeadline *deadline, GError **error);
