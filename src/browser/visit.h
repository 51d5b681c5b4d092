/* What one call does with one tab: the page as it was when the call began, and what has come of it
 * when it ends. */
#pragma once

#include "browser/browser.h"
#include "browser/frames.h"

typedef struct HfVisit {
    HfDesktop *desktop;
    const json_t *walls; /* borrowed */
    HfBrowser *browser;
    HfTab *tab;
    HfDeadline deadline;
    HfTabLine page;           /* the three of them */
    const char *download_dir; /* borrowed; NULL: any that is allowed */
    int dialog;               /* what to do with dialogs: 1 accept, -1 dismiss, 0 leave them open */
    const char *dialog_text;  /* for a prompt; NULL: what it offers */
    gboolean expects; /* what was done leads to another page or a file: that is waited for */
    /* As it was. */
    guint navigations, moves, begun, dialogs, opened, downloads;
    gint64 began_us;
    json_t *answered; /* dialogs that were answered since; NULL: none */
} HfVisit;

typedef enum HfVisitKind {
    HF_VISIT_READS,
    HF_VISIT_GOES,    /* elsewhere: wherever the tab is now does not matter */
    HF_VISIT_RETURNS, /* the same, within what the tab has shown: back, forward, again */
    HF_VISIT_ANSWERS, /* a dialog */
} HfVisitKind;

/* The browser is started if need be, once it is known that download_dir would do. `tab` 0: the one
 * in front. FORBIDDEN when the tab is where these walls do not allow to be, DESKTOP_MODAL_BLOCKING
 * while it shows a dialog, DESKTOP_UNAVAILABLE when its page has crashed: the next call finds it
 * loaded again; also when the browser has ended since the last call, unless the visit goes
 * elsewhere in any tab. */
gboolean hf_visit_begin(HfVisit *visit, HfVisitKind kind, guint tab, GError **error);
void hf_visit_clear(HfVisit *visit);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfVisit, hf_visit_clear)

/* Before anything is pressed or written: STOPPED, PAUSED. */
gboolean hf_visit_may_act(const HfVisit *visit, GError **error);
/* Whether a dialog has opened since the visit began and is open. */
gboolean hf_visit_has_dialog(const HfVisit *visit);
/* DESKTOP_MODAL_BLOCKING, with the dialog in details, while one is open. */
gboolean hf_visit_check_dialog(const HfVisit *visit, GError **error);
/* Answers the dialog that is open, as the visit says. FALSE with PRECONDITION_FAILED when there is
 * none. */
gboolean hf_visit_answer(HfVisit *visit, GError **error);
/* Waits for what an action has set off: the next document, files that are being fetched; answers
 * dialogs if the visit says how. Never fails: what was not waited for is told. */
void hf_visit_follow(HfVisit *visit);
/* Where the tab is and what has come of the visit: tab, url, title, navigated, loading, dialog,
 * dialogs, opened, downloads, blocked. */
void hf_visit_tell(HfVisit *visit, json_t *result);
/* Whether anything of that has come. */
gboolean hf_visit_is_seen(HfVisit *visit);
/* {"type", "message", "preset"} of the open dialog; NULL: none. */
json_t *hf_visit_dialog_to_json(const HfVisit *visit);
