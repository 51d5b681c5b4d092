/* Windows as a person knows them: what is open, where it is, and what can be done with it. */
#pragma once

#include "base/deadline.h"
#include "platform/desktop.h"

struct HfWindow {
    guint32 id;
    char *title;
    char *class_name; /* WM_CLASS class: "Mousepad" */
    char *instance;   /* WM_CLASS instance: "mousepad" */
    int pid;          /* 0 when unknown */
    char *process;    /* name of the executable; NULL when unknown */
    HfRect bounds;    /* the client area on the screen, physical pixels */
    HfRect frame;     /* with the window manager's decoration */
    int workspace;    /* -1: on all */
    gboolean focused, visible, minimized, maximized, fullscreen, modal;
};

void hf_window_free(HfWindow *window);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWindow, hf_window_free)

typedef enum HfWindowAction {
    HF_WINDOW_FOCUS,
    HF_WINDOW_CLOSE,
    HF_WINDOW_MAXIMIZE,
    HF_WINDOW_MINIMIZE,
    HF_WINDOW_RESTORE,
    HF_WINDOW_MOVE_RESIZE,
} HfWindowAction;

typedef struct HfWindowChange {
    HfWindowAction action;
    /* For MOVE_RESIZE: where the client area should be; members not in `set` stay. */
    HfRect bounds;
    enum { HF_SET_X = 1, HF_SET_Y = 2, HF_SET_WIDTH = 4, HF_SET_HEIGHT = 8 } set;
} HfWindowChange;

struct HfWindowOps {
    GPtrArray *(*list)(HfDesktop *desktop, GError **error);
    gboolean (*change)(HfDesktop *desktop, guint32 window, const HfWindowChange *change,
                       const HfDeadline *deadline, GError **error);
};

/* All windows (HfWindow, freed with the array), topmost first. */
GPtrArray *hf_windows_list(HfDesktop *desktop, GError **error);
/* One window by its id; WINDOW_NOT_FOUND. */
HfWindow *hf_windows_get(HfDesktop *desktop, guint32 id, GError **error);
/* Asks for the change and waits until it is seen; VERIFY_FAILED when it is not. */
gboolean hf_windows_change(HfDesktop *desktop, guint32 window, const HfWindowChange *change,
                           const HfDeadline *deadline, GError **error);
