/* SPDX-License-Identifier: Apache-2.0 */
/* One call's work in one tab: the state of the page when the call began, and the outcome when it
 * ends. */
#pragma once

#include "hand/browser/browser.h"
#include "hand/browser/page/page-frames.h"

typedef struct HfTabSession {
    const HfCallContext *context;
    const json_t *walls; /* borrowed */
    HfBrowser *browser;
    HfTab *tab;
    HfDeadline deadline;
    HfTabConnection page;     /* cdp, tab and deadline together */
    const char *download_dir; /* borrowed; NULL: any that is allowed */
    int dialog;               /* answer to dialogs: 1 accept, -1 dismiss, 0 leave them open */
    const char *dialog_text;  /* for a prompt; NULL: its default */
    gboolean expects;         /* the action leads to another page or a file: wait for it */
    /* Counters when the call began. */
    guint navigations, moves, begun, dialogs, opened, downloads;
    gint64 began_us;
    json_t *answered; /* dialogs answered since; NULL: none */
} HfTabSession;

typedef enum HfTabSessionKind {
    HF_TAB_SESSION_READS,
    HF_TAB_SESSION_GOES,    /* to another page: where the tab is now does not matter */
    HF_TAB_SESSION_RETURNS, /* the same, within the tab's history: back, forward, reload */
    HF_TAB_SESSION_ANSWERS, /* a dialog */
} HfTabSessionKind;

/* Starts the browser if needed, after checking download_dir. `tab` 0: the active one. FORBIDDEN if
 * the walls do not allow the tab's page, DESKTOP_MODAL_BLOCKING while it shows a dialog,
 * DESKTOP_UNAVAILABLE if its page has crashed (the next call finds it reloaded), or if the browser
 * has ended since the last call, unless this one goes to another page in any tab. */
gboolean hf_tab_session_begin(HfTabSession *session, HfTabSessionKind kind, guint tab,
                              GError **error);
void hf_tab_session_clear(HfTabSession *session);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfTabSession, hf_tab_session_clear)

/* Call before pressing or writing anything: STOPPED, PAUSED. */
gboolean hf_tab_session_may_act(const HfTabSession *session, GError **error);
/* Whether a dialog has opened since the call began and is still open. */
gboolean hf_tab_session_has_dialog(const HfTabSession *session);
/* DESKTOP_MODAL_BLOCKING, with the dialog in details, while one is open. */
gboolean hf_tab_session_check_dialog(const HfTabSession *session, GError **error);
/* Answers the open dialog as `dialog` says. PRECONDITION_FAILED if there is none. */
gboolean hf_tab_session_answer_dialog(HfTabSession *session, GError **error);
/* Waits for what an action has set off: the next document, downloads; answers dialogs if `dialog`
 * says how. Never fails: the report says what is unfinished. */
void hf_tab_session_await_outcome(HfTabSession *session);
/* Adds the tab's state and the outcome of the call: tab, url, title, navigated, loading, dialog,
 * dialogs, opened, downloads, blocked. */
void hf_tab_session_report(HfTabSession *session, json_t *result);
/* Whether there is any such outcome. */
gboolean hf_tab_session_has_outcome(HfTabSession *session);
/* {"type", "message", "preset"} of the open dialog; NULL: none. */
json_t *hf_tab_session_dialog_to_json(const HfTabSession *session);
