/* SPDX-License-Identifier: Apache-2.0 */
/* Windows as a person knows them: which are open, where they are, and what can be done with them.
 */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"
#include "shared/base/json.h"

typedef enum HfWindowKind {
    HF_WINDOW_NORMAL,
    HF_WINDOW_DIALOG,
    HF_WINDOW_UTILITY, /* tool boxes, torn-off menus */
    HF_WINDOW_SPLASH,
    HF_WINDOW_DOCK, /* panels and docks */
    HF_WINDOW_DESKTOP,
    HF_WINDOW_KIND_COUNT,
} HfWindowKind;

struct HfWindow {
    guint32 id;
    char *title;      /* valid UTF-8 without control characters; "" when there is none */
    char *class_name; /* WM_CLASS class: "Mousepad" */
    char *instance;   /* WM_CLASS instance: "mousepad" */
    int pid;          /* 0 when unknown */
    char *process;    /* name of the executable; NULL when unknown */
    char *machine;    /* the other machine that its program claims to run on; else NULL */
    char *startup_id; /* of the launch that it belongs to; mostly NULL */
    HfRect bounds;    /* the client area on the screen, physical pixels */
    HfRect frame;     /* its visible part: with the window manager's decoration, without the
                         invisible margin of windows that draw their own */
    int workspace;    /* -1: on all */
    HfWindowKind kind;
    guint32 transient_for; /* the window that this dialog belongs to; 0: none */
    gboolean focused, visible, minimized, maximized, fullscreen, modal, above;
};

void hf_window_free(HfWindow *window);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWindow, hf_window_free)
const char *hf_window_kind_name(HfWindowKind kind);
/* A window that a result only mentions: {window_id, title, process?, modal?}. */
json_t *hf_window_to_brief_json(const HfWindow *window);

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

/* Reports windows that come, go or get the focus. Back ends put their own members after it. */
typedef struct HfWindowWatch {
    const HfWindowOps *ops;
    int fd; /* readable when there may be events */
} HfWindowWatch;

struct HfWindowOps {
    /* `ret_scale` may be NULL. */
    GPtrArray *(*list)(HfDesktop *desktop, double *ret_scale, GError **error);
    /* The windows that an event would reach, for the fence: those at the point, or those with the
     * focus. */
    GPtrArray *(*identify)(HfDesktop *desktop, const HfPoint *point, GError **error);
    GPtrArray *(*popups)(HfDesktop *desktop, GError **error);
    HfWindow *(*get)(HfDesktop *desktop, guint32 id, GError **error);
    gboolean (*change)(HfDesktop *desktop, guint32 window, const HfWindowChange *change,
                       const HfDeadline *deadline, GError **error);
    /* See new-windows.h. */
    void (*await_paint)(HfDesktop *desktop, guint32 window, const HfDeadline *deadline);
    HfWindowWatch *(*watch_new)(HfDesktop *desktop, GError **error);
    /* Reads the waiting events without blocking. */
    gboolean (*watch_read)(HfWindowWatch *watch, gboolean *ret_changed, GError **error);
    guint32 (*watch_time)(HfWindowWatch *watch);
    void (*watch_free)(HfWindowWatch *watch);
};

/* All windows (HfWindow, freed with the array), topmost first. */
GPtrArray *hf_windows_list(HfDesktop *desktop, GError **error);
/* The same with the scale of the screen (see HfScreen), which costs no extra round trip. */
GPtrArray *hf_windows_list_scaled(HfDesktop *desktop, double *ret_scale, GError **error);
/* Menus, lists and tooltips outside of the listed windows (HfWindow with only id, pid and bounds
 * set), topmost first. */
GPtrArray *hf_windows_list_popups(HfDesktop *desktop, GError **error);
/* One window by its id; WINDOW_NOT_FOUND. */
HfWindow *hf_windows_get(HfDesktop *desktop, guint32 id, GError **error);
/* The window with the focus; NULL when none has it. Borrowed from the list. */
HfWindow *hf_windows_find_focused(const GPtrArray *windows);
HfWindow *hf_windows_find(const GPtrArray *windows, guint32 id);
/* WINDOW_NOT_FOUND for this id. Returns FALSE. */
gboolean hf_windows_fail_missing(guint32 id, GError **error);
/* TRUE when `window` is a dialog of `parent`, or of one of its dialogs. */
gboolean hf_windows_is_dialog_of(const GPtrArray *windows, const HfWindow *window,
                                 const HfWindow *parent);
/* The modal dialog that blocks `window`; NULL when there is none. */
HfWindow *hf_windows_find_modal(const GPtrArray *windows, const HfWindow *window);

/* Requests the change and waits until it is visible; VERIFY_FAILED, with the actual state, when it
 * is not. A window may allow only some sizes (a terminal: whole characters). The nearest allowed
 * size then counts as done, so compare the bounds afterwards. DESKTOP_MODAL_BLOCKING when a dialog
 * of the window prevents focusing or closing it. */
gboolean hf_windows_change(const HfCallContext *context, guint32 window,
                           const HfWindowChange *change, const HfDeadline *deadline,
                           GError **error);

/* The watch begins here: no event between this and the first wait is lost. */
HfWindowWatch *hf_window_watch_new(HfDesktop *desktop, GError **error);
void hf_window_watch_free(HfWindowWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWindowWatch, hf_window_watch_free)
/* Returns TRUE when windows have changed, or when `other_fd` (-1: none) is readable. */
gboolean hf_window_watch_wait(HfWindowWatch *watch, int other_fd, const HfDeadline *deadline,
                              GError **error);
/* The display's own clock, in its units; 0 when it cannot be read. */
guint32 hf_window_watch_time(HfWindowWatch *watch);
