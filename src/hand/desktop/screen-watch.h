/* SPDX-License-Identifier: Apache-2.0 */
/* Watches the screen while an action takes effect: what is drawn, which windows come and go, which
 * menus pop up. Between `begin` and `end` its descriptor becomes readable with each event. At other
 * times the display only collects what is drawn, so that nothing runs and no events pile up. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/geometry.h"

typedef enum HfPopupKind {
    HF_POPUP_OTHER,
    HF_POPUP_MENU, /* menus, and lists that drop down */
    HF_POPUP_TIP,  /* comes and goes by itself: tooltips, notifications */
} HfPopupKind;

/* A window that no window manager manages. */
typedef struct HfPopup {
    guint32 id;
    int pid; /* 0 when unknown */
    HfPopupKind kind;
    gboolean shown; /* FALSE: it went away */
} HfPopup;

typedef struct HfScreenChanges {
    GArray *drawn;    /* of HfRect: where something was drawn, whether or not it looks different */
    GArray *popups;   /* of HfPopup */
    gboolean windows; /* some have come, gone, moved or been restacked, or the focus has moved */
} HfScreenChanges;

void hf_screen_changes_init(HfScreenChanges *changes);
void hf_screen_changes_clear(HfScreenChanges *changes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfScreenChanges, hf_screen_changes_clear)

/* Back ends put their own members after it. */
typedef struct HfScreenWatch {
    const HfScreenOps *ops;
    int fd;
} HfScreenWatch;

/* UNSUPPORTED where the display does not report what is drawn. */
HfScreenWatch *hf_screen_watch_new(HfDesktop *desktop, GError **error);
void hf_screen_watch_free(HfScreenWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScreenWatch, hf_screen_watch_free)

/* Starts listening. `idle` gets what was drawn since the last `end`. */
gboolean hf_screen_watch_begin(HfScreenWatch *watch, HfScreenChanges *idle, GError **error);
/* Adds what has happened since then, without blocking. */
gboolean hf_screen_watch_read(HfScreenWatch *watch, HfScreenChanges *changes, GError **error);
/* Stops listening. `unread` gets what was drawn and not read yet. */
void hf_screen_watch_end(HfScreenWatch *watch, HfScreenChanges *unread);
