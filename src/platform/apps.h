/* Applications that run: windows, put together by the process that shows them. */
#pragma once

#include "platform/windows.h"

typedef struct HfApp {
    char *name;          /* as installed ("Mousepad"), else its class or process */
    char *desktop_id;    /* NULL: not an installed application */
    int pid;             /* 0 when unknown */
    const char *process; /* borrowed from its first window; may be NULL */
    GPtrArray *windows;  /* of HfWindow, borrowed from the list; topmost first, at least one */
    gboolean focused;
} HfApp;

typedef struct HfApps {
    GPtrArray *windows; /* all of them */
    GPtrArray *apps;    /* of HfApp, the one with the topmost window first */
} HfApps;

HfApps *hf_apps_list(HfDesktop *desktop, GError **error);
/* Of windows that were listed (hf_windows_list). */
HfApps *hf_apps_new(GPtrArray *take_windows);
void hf_apps_free(HfApps *apps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfApps, hf_apps_free)

/* What is known of the wanted one: a pid, or a name in any case (of the application, its class or
 * its executable; a part of the application's name will do). */
typedef struct HfAppQuery {
    const char *name;
    int pid;         /* 0: any */
    gboolean single; /* several processes of one program are several: WINDOW_AMBIGUOUS */
} HfAppQuery;

/* Borrowed. APP_NOT_FOUND, or WINDOW_AMBIGUOUS with candidates. Without `single`, the topmost of
 * several processes of one program. */
const HfApp *hf_apps_find(const HfApps *apps, const HfAppQuery *query, GError **error);

typedef struct HfAppClosed {
    guint windows;    /* how many were closed */
    gboolean running; /* its process goes on without windows */
} HfAppClosed;

/* Asks each window to close and waits until all are gone. DESKTOP_MODAL_BLOCKING when the program
 * asks something first; VERIFY_FAILED when a window stays. */
gboolean hf_apps_close(HfDesktop *desktop, const HfApp *app, HfAppClosed *ret_closed,
                       const HfDeadline *deadline, GError **error);
/* Ends its process: SIGTERM, and SIGKILL when that is not heeded. FORBIDDEN for processes of other
 * users and for our own. */
gboolean hf_apps_kill(HfDesktop *desktop, const HfApp *app, HfAppClosed *ret_closed,
                      const HfDeadline *deadline, GError **error);
