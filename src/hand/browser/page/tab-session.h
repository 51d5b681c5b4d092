/* SPDX-License-Identifier: Apache-2.0 */
/* What one call does with one tab: the page as it was when the call began, and what has come of it
 * when it ends. */
#pragma once

#include "hand/browser/browser.h"
#include "hand/browser/page/page-frames.h"

typedef struct HfTabSession {
    const HfCallContext *context;
    const json_t *walls; /* borrowed */
    HfBrowser *browser;
    HfTab *tab;
    HfDeadline deadline;
    HfTabConnection page;     /* the three of them */
    const char *download_dir; /* borrowed; NULL: any that is allowed */
    int dialog;               /* what to do with dialogs: 1 accept, -1 dismiss, 0 leave them open */
    const char *dialog_text;  /* for a prompt; NULL: what it offers */
    gboolean expects; /* what was done leads to another page or a file: that is waited for */
    /* As it was. */
    guint navigations, moves, begun, dialogs, opened, downloads;
    gint64 began_us;
    json_t *answered; /* dialogs that were answered since; NULL: none */
} HfTabSession;

typedef enum HfTabSessionKind {
    HF_TAB_SESSION_READS,
    HF_TAB_SESSION_GOES,    /* elsewhere: wherever the tab is now does not matter */
    HF_TAB_SESSION_RETURNS, /* the same, within what the tab has shown: back, forward, again */
    HF_TAB_SESSION_ANSWERS, /* a dialog */
} HfTabSessionKind;

/* The browser is started if need be, once it is known that download_dir would do. `tab` 0: the one
 * in front. FORBIDDEN when the tab is where these walls do not allow to be, DESKTOP_MODAL_BLOCKING
 * while it shows a dialog, DESKTOP_UNAVAILABLE when its page has crashed: the next call finds it
 * loaded again; also when the browser has ended since the last call, unless the visit goes
 * elsewhere in any tab. */
gboolean hf_tab_session_begin(HfTabSession *visit, HfTabSessionKind kind, guint tab,
                              GError **error);
void hf_tab_session_clear(HfTabSession *visit);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTabSession, hf_tab_session_clear)

/* Before anything is pressed or written: STOPPED, PAUSED. */
gboolean hf_tab_session_may_act(const HfTabSession *visit, GError **error);
/* Whether a dialog has opened since the visit began and is open. */
gboolean hf_tab_session_has_dialog(const HfTabSession *visit);
/* DESKTOP_MODAL_BLOCKING, with the dialog in details, while one is open. */
gboolean hf_tab_session_check_dialog(const HfTabSession *visit, GError **error);
/* Answers the dialog that is open, as the visit says. FALSE with PRECONDITION_FAILED when there is
 * none. */
gboolean hf_tab_session_answer_dialog(HfTabSession *visit, GError **error);
/* Waits for what an action has set off: the next document, files that are being fetched; answers
 * dialogs if the visit says how. Never fails: what was not waited for is told. */
void hf_tab_session_await_outcome(HfTabSession *visit);
/* Where the tab is and what has come of the visit: tab, url, title, navigated, loading, dialog,
 * dialogs, opened, downloads, blocked. */
void hf_tab_session_report(HfTabSession *visit, json_t *result);
/* Whether anything of that has come. */
gboolean hf_tab_session_has_outcome(HfTabSession *visit);
/* {"type", "message", "preset"} of the open dialog; NULL: none. */
json_t *hf_tab_session_dialog_to_json(const HfTabSession *visit);
