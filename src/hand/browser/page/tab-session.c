/* SPDX-License-Identifier: Apache-2.0 */
/* Marks before, differences after. */
#include "hand/browser/page/tab-session.h"

#include "hand/browser/active-tab.h"
#include "hand/browser/browser-limits.h"
#include "hand/browser/browsers.h"
#include "hand/browser/network/page-files.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

/* How long a page may take to begin something after what it was sent, before that counts as none.
 */
#define BEGIN_MS 50
/* The same when it surely will, and for an answer that turns out to be a file. */
#define EXPECT_MS 2000
/* Of the call's time, what is kept for telling. */
#define TELL_MS 300
/* A page may ask without end. */
#define MOST_TOLD 20

json_t *hf_tab_session_dialog_to_json(const HfTabSession *visit)
{
    json_t *told = NULL;
    hf_cdp_lock(visit->browser->cdp);
    const HfPageDialog *dialog = &visit->tab->dialog;
    if (dialog->kind)
        told = json_pack("{s:o, s:o}", "type", hf_json_text(dialog->kind), "message",
                         hf_json_text(dialog->message));
    if (dialog->kind && g_str_equal(dialog->kind, "prompt"))
        json_object_set_new(told, "preset", hf_json_text(dialog->preset));
    hf_cdp_unlock(visit->browser->cdp);
    return told;
}

gboolean hf_tab_session_check_dialog(const HfTabSession *visit, GError **error)
{
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(visit);
    if (!dialog)
        return TRUE;
    hf_fail(error, HF_ERROR_DESKTOP_MODAL_BLOCKING, "the page shows a dialog (%s): %s",
            hf_json_string(dialog, "type", ""), hf_json_string(dialog, "message", ""));
    hf_error_suggest(error,
                     "answer it first: browser_interact with action dialog and dialog accept "
                     "or dismiss");
    hf_error_take_details(error, json_pack("{s:O}", "dialog", dialog));
    return FALSE;
}

static gboolean leaves_page(HfTabSessionKind kind)
{
    return kind == HF_TAB_SESSION_GOES || kind == HF_TAB_SESSION_RETURNS;
}

/* A page that has crashed is loaded again, but by whoever asked for it: what was in it is lost. */
static gboolean check_crash(HfTabSession *visit, HfTabSessionKind kind, GError **error)
{
    hf_cdp_lock(visit->browser->cdp);
    gboolean crashed = visit->tab->crashed;
    visit->tab->crashed = FALSE;
    hf_cdp_unlock(visit->browser->cdp);
    if (!crashed || leaves_page(kind))
        return TRUE;
    hf_cdp_send(visit->browser->cdp, visit->tab->session, "Page.reload", NULL);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
            "the page in tab t%u has crashed; it is being loaded again", visit->tab->number);
    hf_error_suggest(error, "look at the page before going on: what was in it is lost");
    return FALSE;
}

static gboolean check_page_allowed(const HfTabSession *visit, HfTabSessionKind kind, GError **error)
{
    if (leaves_page(kind))
        return TRUE;
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(json_object_get(visit->walls, "domains"));
    hf_cdp_lock(visit->browser->cdp);
    g_autofree char *url = g_strdup(visit->tab->url);
    hf_cdp_unlock(visit->browser->cdp);
    return hf_page_policy_check_page(policy, url, error);
}

static void take_marks(HfTabSession *visit)
{
    hf_cdp_lock(visit->browser->cdp);
    HfTab *tab = visit->tab;
    visit->navigations = tab->navigations;
    visit->moves = tab->moves;
    visit->begun = tab->begun;
    visit->dialogs = tab->dialogs;
    visit->opened = visit->browser->opened;
    g_clear_pointer(&tab->forbidden, g_free);
    json_array_clear(visit->browser->closed);
    hf_cdp_unlock(visit->browser->cdp);
    visit->downloads = hf_downloads_count(visit->browser->downloads);
    visit->began_us = g_get_monotonic_time();
}

/* What is not in front is drawn late or never. */
static gboolean select_session_tab(HfTabSession *visit, GError **error)
{
    hf_cdp_lock(visit->browser->cdp);
    gboolean front = visit->browser->current == visit->tab;
    hf_cdp_unlock(visit->browser->cdp);
    return front || hf_browser_select(visit->browser, visit->tab, &visit->deadline, error);
}

/* Nobody is given an empty page for one that was there before. */
static gboolean find_session_tab(HfTabSession *visit, HfTabSessionKind kind, guint number,
                                 GError **error)
{
    gboolean fresh = kind == HF_TAB_SESSION_GOES && number == 0;
    visit->browser = hf_browsers_acquire(hf_call_context_desktop(visit->context), visit->walls,
                                         fresh, &visit->deadline, error);
    if (!visit->browser || (kind == HF_TAB_SESSION_READS && number == 0 &&
                            !hf_browser_check_open(visit->browser, error)))
        return FALSE;
    hf_browser_find_active_tab(visit->browser, &visit->deadline);
    visit->tab = hf_browser_get_tab(visit->browser, number, &visit->deadline, error);
    return visit->tab != NULL;
}

gboolean hf_tab_session_begin(HfTabSession *visit, HfTabSessionKind kind, guint tab, GError **error)
{
    /* A file that has no place to go to is not even asked for. */
    if (visit->download_dir && !hf_page_file_check_dir(visit->walls, visit->download_dir, error))
        return FALSE;
    if (!find_session_tab(visit, kind, tab, error))
        return FALSE;
    visit->page = (HfTabConnection){visit->browser->cdp, visit->tab, &visit->deadline};
    if ((kind != HF_TAB_SESSION_ANSWERS && !hf_tab_session_check_dialog(visit, error)) ||
        !check_crash(visit, kind, error) || !check_page_allowed(visit, kind, error) ||
        (kind != HF_TAB_SESSION_ANSWERS && !select_session_tab(visit, error)))
        return FALSE;
    take_marks(visit);
    return TRUE;
}

void hf_tab_session_clear(HfTabSession *visit)
{
    g_clear_pointer(&visit->answered, json_decref);
    g_clear_pointer(&visit->tab, hf_tab_unref);
    g_clear_pointer(&visit->browser, hf_browser_unref);
}

gboolean hf_tab_session_may_act(const HfTabSession *visit, GError **error)
{
    return hf_deadline_check(&visit->deadline, error) &&
           hf_call_context_check_input(visit->context, error);
}

gboolean hf_tab_session_has_dialog(const HfTabSession *visit)
{
    hf_cdp_lock(visit->browser->cdp);
    gboolean open = visit->tab->dialog.kind && visit->tab->dialogs > visit->dialogs;
    hf_cdp_unlock(visit->browser->cdp);
    return open;
}

/* ---- dialogs ---- */

static gboolean is_dialog_answered(gpointer data)
{
    const HfTab *tab = data;
    return !tab->dialog.kind || tab->gone;
}

static void keep_answered(HfTabSession *visit, json_t *dialog)
{
    if (!visit->answered)
        visit->answered = json_array();
    if (json_array_size(visit->answered) >= MOST_TOLD)
        return;
    json_object_set_new(dialog, "answered", json_string(visit->dialog > 0 ? "accept" : "dismiss"));
    json_array_append(visit->answered, dialog);
}

gboolean hf_tab_session_answer_dialog(HfTabSession *visit, GError **error)
{
    g_autoptr(json_t) dialog = hf_tab_session_dialog_to_json(visit);
    hf_cdp_lock(visit->browser->cdp);
    g_autofree char *session = g_strdup(visit->tab->dialog.session);
    g_autofree char *preset = g_strdup(visit->tab->dialog.preset);
    hf_cdp_unlock(visit->browser->cdp);
    if (!session)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the page shows no dialog");
    const char *text = visit->dialog_text ? visit->dialog_text : preset;
    g_autoptr(json_t) done = hf_cdp_call_despite_dialog(
        visit->browser->cdp, session, "Page.handleJavaScriptDialog",
        json_pack("{s:b, s:o}", "accept", visit->dialog > 0, "promptText", hf_json_text(text)),
        &visit->deadline, error);
    if (done && dialog)
        keep_answered(visit, dialog);
    return done && hf_cdp_wait_for(visit->browser->cdp, is_dialog_answered, visit->tab,
                                   &visit->deadline, error);
}

static void answer_dialogs(HfTabSession *visit)
{
    while (visit->dialog != 0 && hf_tab_session_has_dialog(visit) &&
           hf_tab_session_answer_dialog(visit, NULL))
        continue;
}

/* ---- what follows ---- */

static gboolean has_action_begun(gpointer data)
{
    const HfTabSession *visit = data;
    const HfTab *tab = visit->tab;
    return tab->gone || tab->crashed || tab->loading || tab->begun > visit->begun ||
           tab->navigations > visit->navigations || tab->dialog.kind ||
           visit->browser->opened > visit->opened ||
           hf_downloads_count(visit->browser->downloads) > visit->downloads;
}

static gboolean has_arrived(gpointer data)
{
    const HfTabSession *visit = data;
    const HfTab *tab = visit->tab;
    if (tab->gone || tab->crashed || (tab->dialog.kind && visit->dialog == 0))
        return TRUE;
    if (tab->dialog.kind)
        return TRUE;
    return tab->navigations > visit->navigations ? tab->state >= HF_LOAD_LOADED : !tab->loading;
}

/* Something has come of what was begun. */
static gboolean has_outcome(gpointer data)
{
    const HfTabSession *visit = data;
    const HfTab *tab = visit->tab;
    return tab->gone || tab->crashed || tab->dialog.kind || tab->moves > visit->moves ||
           visit->browser->opened > visit->opened ||
           hf_downloads_count(visit->browser->downloads) > visit->downloads;
}

static gboolean are_fetched(gpointer data)
{
    HfTabSession *visit = data;
    return hf_downloads_are_done(visit->browser->downloads);
}

static gboolean is_loading(HfTabSession *visit)
{
    hf_cdp_lock(visit->browser->cdp);
    const HfTab *tab = visit->tab;
    gboolean loading =
        tab->loading || (tab->begun > visit->begun && tab->navigations == visit->navigations &&
                         tab->moves == visit->moves);
    hf_cdp_unlock(visit->browser->cdp);
    return loading && !tab->gone;
}

void hf_tab_session_await_outcome(HfTabSession *visit)
{
    HfCdp *cdp = visit->browser->cdp;
    gint64 left = hf_deadline_left_ms(&visit->deadline);
    HfDeadline soon = hf_deadline_within_ms(&visit->deadline,
                                            MIN(visit->expects ? EXPECT_MS : BEGIN_MS, left / 2));
    HfDeadline later =
        hf_deadline_within_ms(&visit->deadline, CLAMP(left - TELL_MS, 0, HF_PAGE_FOLLOW_MS));
    answer_dialogs(visit);
    if (visit->expects || is_loading(visit)) {
        hf_cdp_wait_for(cdp, has_action_begun, visit, &soon, NULL);
        hf_cdp_wait_for(cdp, has_arrived, visit, &later, NULL);
    }
    if (visit->expects) {
        hf_cdp_wait_for(cdp, has_outcome, visit, &soon, NULL);
        hf_cdp_wait_for(cdp, has_arrived, visit, &later, NULL);
    }
    answer_dialogs(visit);
    if (hf_downloads_count(visit->browser->downloads) > visit->downloads) {
        HfDeadline fetched = hf_deadline_within_ms(&visit->deadline, MAX(0, left - TELL_MS));
        hf_cdp_wait_for(cdp, are_fetched, visit, &fetched, NULL);
    }
}

/* ---- telling ---- */

static void tell_blocked(HfTabSession *visit, json_t *result)
{
    g_autoptr(GPtrArray) notes = hf_socks_dup_notes(visit->browser->socks, visit->began_us);
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
    hf_cdp_lock(visit->browser->cdp);
    if (visit->tab->forbidden)
        json_array_append_new(list, hf_json_text(visit->tab->forbidden));
    hf_cdp_unlock(visit->browser->cdp);
    if (json_array_size(list) > 0)
        json_object_set(result, "blocked", list);
    json_decref(list);
}

static void tell_tab(HfTabSession *visit, json_t *result)
{
    hf_cdp_lock(visit->browser->cdp);
    const HfTab *tab = visit->tab;
    g_autofree char *name = g_strdup_printf("t%u", tab->number);
    json_object_set_new(result, "tab", json_string(name));
    json_object_set_new(result, "url", hf_json_text(tab->url));
    json_object_set_new(result, "title", hf_json_text(tab->title));
    if (tab->moves > visit->moves)
        json_object_set_new(result, "navigated", json_true());
    if (tab->gone)
        json_object_set_new(result, "closed", json_true());
    if (tab->crashed)
        json_object_set_new(result, "crashed", json_true());
    hf_cdp_unlock(visit->browser->cdp);
    if (is_loading(visit))
        json_object_set_new(result, "loading", json_true());
}

static void tell_opened(HfTabSession *visit, json_t *result)
{
    g_autoptr(HfTab) opened = hf_browser_find_opened(visit->browser, visit->opened);
    if (!opened || opened == visit->tab)
        return;
    g_autofree char *name = g_strdup_printf("t%u", opened->number);
    hf_browser_find_active_tab(visit->browser, &visit->deadline);
    hf_cdp_lock(visit->browser->cdp);
    json_object_set_new(result, "opened",
                        json_pack("{s:s, s:o, s:b}", "tab", name, "url", hf_json_text(opened->url),
                                  "front", opened == visit->browser->current));
    hf_cdp_unlock(visit->browser->cdp);
}

void hf_tab_session_report(HfTabSession *visit, json_t *result)
{
    tell_tab(visit, result);
    tell_opened(visit, result);
    json_t *dialog = hf_tab_session_dialog_to_json(visit);
    if (dialog)
        json_object_set_new(result, "dialog", dialog);
    if (visit->answered)
        json_object_set(result, "dialogs", visit->answered);
    json_t *downloads =
        hf_downloads_collect(visit->browser->downloads, visit->walls, visit->download_dir);
    if (downloads)
        json_object_set_new(result, "downloads", downloads);
    tell_blocked(visit, result);
}

gboolean hf_tab_session_has_outcome(HfTabSession *visit)
{
    gboolean fetched = hf_downloads_count(visit->browser->downloads) > visit->downloads;
    hf_cdp_lock(visit->browser->cdp);
    const HfTab *tab = visit->tab;
    gboolean seen = tab->moves > visit->moves || tab->dialogs > visit->dialogs || tab->gone ||
                    visit->browser->opened > visit->opened;
    hf_cdp_unlock(visit->browser->cdp);
    return seen || fetched;
}
