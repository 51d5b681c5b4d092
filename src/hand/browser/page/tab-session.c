/* SPDX-License-Identifier: Apache-2.0 */
/* Counters before, differences after. */
#include "hand/browser/page/tab-session.h"

#include "hand/browser/browser-limits.h"
#include "hand/browser/browser.h"
#include "hand/browser/browsers.h"
#include "hand/browser/network/page-files.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

/* Time limit for a page to start something after an action. */
#define BEGIN_MS 50
/* The same if it surely will, and for a response that turns out to be a file. */
#define EXPECT_MS 2000
/* Reserved from the call's time for the report. */
#define REPORT_MS 300
/* A page may open dialogs without end. */
#define MAX_DIALOGS 20

json_t *hf_tab_session_dialog_to_json(const HfTabSession *session)
{
    json_t *reply = NULL;
    hf_cdp_lock(session->browser->cdp);
    const HfPageDialog *dialog = &session->tab->dialog;
    if (dialog->kind)
        reply = json_pack("{s:o, s:o}", "type", hf_json_text(dialog->kind), "message",
                          hf_json_text(dialog->message));
    if (dialog->kind && g_str_equal(dialog->kind, "prompt"))
        json_object_set_new(reply, "preset", hf_json_text(dialog->preset));
    hf_cdp_unlock(session->browser->cdp);
    return reply;
}

gboolean hf_tab_session_check_dialog(const HfTabSession *session, GError **error)
{
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(session);
    if (!dialog)
        return TRUE;
    hf_fail(error, HF_ERROR_DESKTOP_MODAL_BLOCKING, "the page shows a dialog (%s): %s",
            hf_json_string(dialog, "type", ""), hf_json_string(dialog, "message", ""));
    hf_error_suggest(error, "answer it first: browser_interact with action dialog, and accept or "
                            "dismiss in dialog");
    hf_error_take_details(error, json_pack("{s:O}", "dialog", dialog));
    return FALSE;
}

static gboolean leaves_page(HfTabSessionKind kind)
{
    return kind == HF_TAB_SESSION_GOES || kind == HF_TAB_SESSION_RETURNS;
}

/* Reloads a crashed page, but not silently: the caller has to know that its content is lost. */
static gboolean check_crash(HfTabSession *session, HfTabSessionKind kind, GError **error)
{
    hf_cdp_lock(session->browser->cdp);
    gboolean crashed = session->tab->crashed;
    session->tab->crashed = FALSE;
    hf_cdp_unlock(session->browser->cdp);
    if (!crashed || leaves_page(kind))
        return TRUE;
    hf_cdp_send(session->browser->cdp, session->tab->session, "Page.reload", NULL);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
            "the page in tab t%u has crashed; it is being reloaded", session->tab->number);
    hf_error_suggest(error, "look at the page before you continue: what was in it is lost");
    return FALSE;
}

static gboolean check_page_allowed(const HfTabSession *session, HfTabSessionKind kind,
                                   GError **error)
{
    if (leaves_page(kind))
        return TRUE;
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(json_object_get(session->walls, "domains"));
    hf_cdp_lock(session->browser->cdp);
    g_autofree char *url = g_strdup(session->tab->url);
    hf_cdp_unlock(session->browser->cdp);
    return hf_page_policy_check_page(policy, url, error);
}

static void take_marks(HfTabSession *session)
{
    hf_cdp_lock(session->browser->cdp);
    HfTab *tab = session->tab;
    session->navigations = tab->navigations;
    session->moves = tab->moves;
    session->begun = tab->begun;
    session->dialogs = tab->dialogs;
    session->opened = session->browser->opened;
    g_clear_pointer(&tab->forbidden, g_free);
    json_array_clear(session->browser->closed);
    hf_cdp_unlock(session->browser->cdp);
    session->downloads = hf_downloads_count(session->browser->downloads);
    session->began_us = g_get_monotonic_time();
}

/* A caller must not get an empty page in place of one that was there before. */
static gboolean find_session_tab(HfTabSession *session, HfTabSessionKind kind, guint number,
                                 GError **error)
{
    gboolean fresh = kind == HF_TAB_SESSION_GOES && number == 0;
    session->browser = hf_browsers_acquire(hf_call_context_desktop(session->context),
                                           session->walls, fresh, &session->deadline, error);
    if (!session->browser || (kind == HF_TAB_SESSION_READS && number == 0 &&
                              !hf_browser_check_open(session->browser, error)))
        return FALSE;
    hf_browser_find_active_tab(session->browser, &session->deadline);
    session->tab = hf_browser_get_tab(session->browser, number, &session->deadline, error);
    return session->tab != NULL;
}

gboolean hf_tab_session_begin(HfTabSession *session, HfTabSessionKind kind, guint tab,
                              GError **error)
{
    /* Checked first: a download without a destination is not even requested. */
    if (session->download_dir &&
        !hf_page_file_check_dir(session->walls, session->download_dir, error))
        return FALSE;
    if (!find_session_tab(session, kind, tab, error))
        return FALSE;
    session->page = (HfTabConnection){session->browser->cdp, session->tab, &session->deadline};
    if ((kind != HF_TAB_SESSION_ANSWERS && !hf_tab_session_check_dialog(session, error)) ||
        !check_crash(session, kind, error) || !check_page_allowed(session, kind, error))
        return FALSE;
    hf_cdp_lock(session->browser->cdp);
    gboolean active = session->browser->current == session->tab;
    hf_cdp_unlock(session->browser->cdp);
    /* Background tabs draw late or never. */
    if (kind != HF_TAB_SESSION_ANSWERS && !active &&
        !hf_browser_select(session->browser, session->tab, &session->deadline, error))
        return FALSE;
    take_marks(session);
    return TRUE;
}

void hf_tab_session_clear(HfTabSession *session)
{
    g_clear_pointer(&session->answered, json_decref);
    g_clear_pointer(&session->tab, hf_tab_unref);
    g_clear_pointer(&session->browser, hf_browser_unref);
}

gboolean hf_tab_session_may_act(const HfTabSession *session, GError **error)
{
    return hf_deadline_check(&session->deadline, error) &&
           hf_call_context_check_input(session->context, error);
}

gboolean hf_tab_session_has_dialog(const HfTabSession *session)
{
    hf_cdp_lock(session->browser->cdp);
    gboolean open = session->tab->dialog.kind && session->tab->dialogs > session->dialogs;
    hf_cdp_unlock(session->browser->cdp);
    return open;
}

/* ---- dialogs ---- */

static gboolean is_dialog_answered(gpointer data)
{
    const HfTab *tab = data;
    return !tab->dialog.kind || tab->gone;
}

static void keep_answered(HfTabSession *session, json_t *dialog)
{
    if (!session->answered)
        session->answered = json_array();
    if (json_array_size(session->answered) >= MAX_DIALOGS)
        return;
    json_object_set_new(dialog, "answered",
                        json_string(session->dialog > 0 ? "accept" : "dismiss"));
    json_array_append(session->answered, dialog);
}

gboolean hf_tab_session_answer_dialog(HfTabSession *session, GError **error)
{
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(session);
    hf_cdp_lock(session->browser->cdp);
    g_autofree char *cdp_session = g_strdup(session->tab->dialog.session);
    g_autofree char *preset = g_strdup(session->tab->dialog.preset);
    hf_cdp_unlock(session->browser->cdp);
    if (!cdp_session)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the page shows no dialog");
    const char *text = session->dialog_text ? session->dialog_text : preset;
    g_autoptr(json_t) done = hf_cdp_call_despite_dialog(
        session->browser->cdp, cdp_session, "Page.handleJavaScriptDialog",
        json_pack("{s:b, s:o}", "accept", session->dialog > 0, "promptText", hf_json_text(text)),
        &session->deadline, error);
    if (done && dialog)
        keep_answered(session, dialog);
    return done && hf_cdp_wait_for(session->browser->cdp, is_dialog_answered, session->tab,
                                   &session->deadline, error);
}

static void answer_dialogs(HfTabSession *session)
{
    while (session->dialog != 0 && hf_tab_session_has_dialog(session) &&
           hf_tab_session_answer_dialog(session, NULL))
        continue;
}

/* ---- outcome ---- */

static gboolean has_action_begun(gpointer data)
{
    const HfTabSession *session = data;
    const HfTab *tab = session->tab;
    return tab->gone || tab->crashed || tab->loading || tab->begun > session->begun ||
           tab->navigations > session->navigations || tab->dialog.kind ||
           session->browser->opened > session->opened ||
           hf_downloads_count(session->browser->downloads) > session->downloads;
}

static gboolean has_arrived(gpointer data)
{
    const HfTabSession *session = data;
    const HfTab *tab = session->tab;
    if (tab->gone || tab->crashed || tab->dialog.kind)
        return TRUE;
    return tab->navigations > session->navigations ? tab->state >= HF_LOAD_LOADED : !tab->loading;
}

/* Whether what was started has had an effect. */
static gboolean has_outcome(gpointer data)
{
    const HfTabSession *session = data;
    const HfTab *tab = session->tab;
    return tab->gone || tab->crashed || tab->dialog.kind || tab->moves > session->moves ||
           session->browser->opened > session->opened ||
           hf_downloads_count(session->browser->downloads) > session->downloads;
}

static gboolean are_fetched(gpointer data)
{
    HfTabSession *session = data;
    return hf_downloads_are_done(session->browser->downloads);
}

static gboolean is_loading(HfTabSession *session)
{
    hf_cdp_lock(session->browser->cdp);
    const HfTab *tab = session->tab;
    gboolean loading =
        tab->loading || (tab->begun > session->begun && tab->navigations == session->navigations &&
                         tab->moves == session->moves);
    hf_cdp_unlock(session->browser->cdp);
    return loading && !tab->gone;
}

void hf_tab_session_await_outcome(HfTabSession *session)
{
    HfCdp *cdp = session->browser->cdp;
    gint64 left = hf_deadline_left_ms(&session->deadline);
    HfDeadline soon = hf_deadline_within_ms(&session->deadline,
                                            MIN(session->expects ? EXPECT_MS : BEGIN_MS, left / 2));
    HfDeadline later =
        hf_deadline_within_ms(&session->deadline, CLAMP(left - REPORT_MS, 0, HF_PAGE_FOLLOW_MS));
    answer_dialogs(session);
    if (session->expects || is_loading(session)) {
        hf_cdp_wait_for(cdp, has_action_begun, session, &soon, NULL);
        hf_cdp_wait_for(cdp, has_arrived, session, &later, NULL);
    }
    if (session->expects) {
        hf_cdp_wait_for(cdp, has_outcome, session, &soon, NULL);
        hf_cdp_wait_for(cdp, has_arrived, session, &later, NULL);
    }
    answer_dialogs(session);
    if (hf_downloads_count(session->browser->downloads) > session->downloads) {
        HfDeadline fetched = hf_deadline_within_ms(&session->deadline, MAX(0, left - REPORT_MS));
        hf_cdp_wait_for(cdp, are_fetched, session, &fetched, NULL);
    }
}

/* ---- report ---- */

static void report_blocked(HfTabSession *session, json_t *result)
{
    g_autoptr(GPtrArray) notes = hf_socks_dup_notes(session->browser->socks, session->began_us);
    g_autoptr(json_t) hosts = json_object();
    for (guint i = 0; i < notes->len; i++) {
        const HfSocksNote *note = notes->pdata[i];
        if (note->problem == HF_SOCKS_REFUSED)
            json_object_set_new(hosts, note->host, json_true());
    }
    json_t *list = json_array();
    const char *host;
    json_t *unused;
    json_object_foreach (hosts, host, unused)
        json_array_append_new(list, json_string(host));
    hf_cdp_lock(session->browser->cdp);
    if (session->tab->forbidden)
        json_array_append_new(list, hf_json_text(session->tab->forbidden));
    hf_cdp_unlock(session->browser->cdp);
    if (json_array_size(list) > 0)
        json_object_set(result, "blocked", list);
    json_decref(list);
}

static void report_tab(HfTabSession *session, json_t *result)
{
    hf_cdp_lock(session->browser->cdp);
    const HfTab *tab = session->tab;
    g_autofree char *name = g_strdup_printf("t%u", tab->number);
    json_object_set_new(result, "tab", json_string(name));
    json_object_set_new(result, "url", hf_json_text(tab->url));
    json_object_set_new(result, "title", hf_json_text(tab->title));
    if (tab->moves > session->moves)
        json_object_set_new(result, "navigated", json_true());
    if (tab->gone)
        json_object_set_new(result, "closed", json_true());
    if (tab->crashed)
        json_object_set_new(result, "crashed", json_true());
    hf_cdp_unlock(session->browser->cdp);
    if (is_loading(session))
        json_object_set_new(result, "loading", json_true());
}

static void report_opened(HfTabSession *session, json_t *result)
{
    g_autoptr(HfTab) opened = hf_browser_find_opened(session->browser, session->opened);
    if (!opened || opened == session->tab)
        return;
    g_autofree char *name = g_strdup_printf("t%u", opened->number);
    hf_browser_find_active_tab(session->browser, &session->deadline);
    hf_cdp_lock(session->browser->cdp);
    json_object_set_new(result, "opened",
                        json_pack("{s:s, s:o, s:b}", "tab", name, "url", hf_json_text(opened->url),
                                  "front", opened == session->browser->current));
    hf_cdp_unlock(session->browser->cdp);
}

void hf_tab_session_report(HfTabSession *session, json_t *result)
{
    report_tab(session, result);
    report_opened(session, result);
    json_t *dialog = hf_tab_session_dialog_to_json(session);
    if (dialog)
        json_object_set_new(result, "dialog", dialog);
    if (session->answered)
        json_object_set(result, "dialogs", session->answered);
    json_t *downloads =
        hf_downloads_collect(session->browser->downloads, session->walls, session->download_dir);
    if (downloads)
        json_object_set_new(result, "downloads", downloads);
    report_blocked(session, result);
}

gboolean hf_tab_session_has_outcome(HfTabSession *session)
{
    gboolean fetched = hf_downloads_count(session->browser->downloads) > session->downloads;
    hf_cdp_lock(session->browser->cdp);
    const HfTab *tab = session->tab;
    gboolean seen = tab->moves > session->moves || tab->dialogs > session->dialogs || tab->gone ||
                    session->browser->opened > session->opened;
    hf_cdp_unlock(session->browser->cdp);
    return seen || fetched;
}
