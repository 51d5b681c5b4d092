/* SPDX-License-Identifier: Apache-2.0 */
/* An ear on the screen while an action takes effect: what is drawn, which windows come and go,
 * which menus pop up. Between `begin` and `end` its descriptor wakes whoever waits; before and
 * after, only what is drawn is gathered, by the display, so that nothing runs and nothing piles up.
 */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/geometry.h"

typedef enum HfPopupKind {
    HF_POPUP_OTHER,
    HF_POPUP_MENU, /* menus, and lists that drop down */
    HF_POPUP_TIP,  /* comes and goes by itself: tooltips, notices */
} HfPopupKind;

/* A window that no window manager has to do with. */
typedef struct HfPopup {
    guint32 id;
    int pid; /* 0 when unknown */
    HfPopupKind kind;
    gboolean shown; /* it came; FALSE: it went */
} HfPopup;

typedef struct HfScreenChanges {
    GArray *drawn;    /* of HfRect: where something was drawn, whether or not it looks different */
    GArray *popups;   /* of HfPopup */
    gboolean windows; /* some have come, gone, moved or changed places, or the focus has */
} HfScreenChanges;

void hf_screen_changes_init(HfScreenChanges *news);
void hf_screen_changes_clear(HfScreenChanges *news);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfScreenChanges, hf_screen_changes_clear)

/* Back ends put their own body after it. */
typedef struct HfScreenWatch {
    const HfScreenOps *ops;
    int fd;
} HfScreenWatch;

/* UNSUPPORTED where the display cannot tell what is drawn. */
HfScreenWatch *hf_screen_watch_new(HfDesktop *desktop, GError **error);
void hf_screen_watch_free(HfScreenWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfScreenWatch, hf_screen_watch_free)

/* Begins to listen. `idle` gets where something was drawn since the last `end`. */
gboolean hf_screen_watch_begin(HfScreenWatch *watch, HfScreenChanges *idle, GError **error);
/* Adds what has happened since, without blocking. */
gboolean hf_screen_watch_read(HfScreenWatch *watch, HfScreenChanges *news, GError **error);
/* Stops listening. `rest` gets what was drawn and not read yet. */
void hf_screen_watch_end(HfScreenWatch *watch, HfScreenChanges *rest);
