/* SPDX-License-Identifier: Apache-2.0 */
/* The browser's error texts are vague. The proxy knows better (socks-proxy.h) and comes first. */
#include "hand/browser/page/page-navigate.h"

#include <string.h>

#include "shared/base/error.h"

/* Reserved from the call's time for the report. */
#define REPORT_MS 300

typedef struct Waiting {
    HfTabSession *session;
    const char *loader; /* of the expected document; NULL: any */
    HfLoadState until;
} Waiting;

void hf_navigation_clear(HfNavigation *navigation)
{
    g_clear_pointer(&navigation->redirects, json_decref);
}

static gboolean is_navigation_done(gpointer data)
{
    const Waiting *waiting = data;
    const HfTab *tab = waiting->session->tab;
    if (tab->gone || tab->crashed || tab->dialog.kind || tab->forbidden)
        return TRUE;
    /* A page that redirects before it was loaded never will be: the next one counts. */
    guint before = waiting->session->navigations;
    gboolean arrived = waiting->loader ? g_strcmp0(tab->loader, waiting->loader) == 0 ||
                                             tab->navigations > before + 1
                                       : tab->navigations > before;
    return (arrived && tab->state >= waiting->until) ||
           (!waiting->loader && tab->moves > waiting->session->moves && !tab->loading);
}

/* ---- errors ---- */

static gboolean explain_by_notes(HfTabSession *session, GError **error)
{
    g_autoptr(GPtrArray) notes = hf_socks_dup_notes(session->browser->socks, session->began_us);
    const HfSocksNote *last = notes->len > 0 ? notes->pdata[notes->len - 1] : NULL;
    if (!last)
        return FALSE;
    switch (last->problem) {
    case HF_SOCKS_REFUSED:
        hf_fail(error, HF_ERROR_FORBIDDEN, "%s", last->reason);
        hf_error_suggest(error, "use another site, or ask the owner to allow it");
        break;
    case HF_SOCKS_UNKNOWN:
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the host '%s' cannot be resolved",
                last->host);
        hf_error_suggest(error, "check the name and the machine's network connection");
        break;
    case HF_SOCKS_UNREACHABLE:
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "%s, port %u: %s", last->host, last->port,
                last->reason);
        hf_error_suggest(error, "check that the server is running, then try again");
        break;
    }
    hf_error_take_details(
        error, json_pack("{s:o, s:i}", "host", hf_json_text(last->host), "port", (int)last->port));
    return TRUE;
}

static gboolean fail_to_load(HfTabSession *session, const char *url, const char *problem,
                             GError **error)
{
    if (explain_by_notes(session, error))
        return FALSE;
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the page did not load: %s: %s", url, problem);
    hf_error_suggest(error, "check the address, then try again");
    hf_error_take_details(error, json_pack("{s:o}", "problem", hf_json_text(problem)));
    return FALSE;
}

/* ---- starting ---- */

static void listen_to_network(HfTabSession *session, gboolean on)
{
    HfCdp *cdp = session->browser->cdp;
    hf_cdp_lock(cdp);
    json_decref(session->tab->responses);
    session->tab->responses = on ? json_array() : NULL;
    hf_cdp_unlock(cdp);
    if (on)
        hf_cdp_send(cdp, session->tab->session, "Network.enable",
                    json_pack("{s:i, s:i}", "maxTotalBufferSize", 0, "maxResourceBufferSize", 0));
    else
        hf_cdp_send(cdp, session->tab->session, "Network.disable", NULL);
}

/* The page may ask whether to leave it (beforeunload) in the middle. */
static json_t *call_with_dialog_answer(HfTabSession *session, const char *method,
                                       json_t *take_params, GError **error)
{
    HfCdp *cdp = session->browser->cdp;
    gint64 id = hf_cdp_begin(cdp, session->tab->session, method, json_incref(take_params));
    g_autoptr(GError) problem = NULL;
    json_t *answer = hf_cdp_finish(cdp, id, &session->deadline, &problem);
    if (!answer && hf_error_code(problem) == HF_ERROR_DESKTOP_MODAL_BLOCKING &&
        session->dialog > 0 && hf_tab_session_answer_dialog(session, NULL)) {
        g_clear_error(&problem);
        answer = json_object(); /* the first navigation continues by itself */
    }
    json_decref(take_params);
    if (problem && !hf_tab_session_check_dialog(session, error))
        return NULL;
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return answer;
}

static json_t *find_history_entry(HfTabSession *session, int step, GError **error)
{
    g_autoptr(json_t) history =
        hf_cdp_call(session->browser->cdp, session->tab->session, "Page.getNavigationHistory", NULL,
                    &session->deadline, error);
    if (!history)
        return NULL;
    json_int_t at = hf_json_int(history, "currentIndex", 0) + step;
    const json_t *entries = json_object_get(history, "entries");
    const json_t *entry = at >= 0 ? json_array_get(entries, (size_t)at) : NULL;
    if (!entry) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the tab has no page to go %s to",
                step < 0 ? "back" : "forward");
        hf_error_suggest(error, "give an address in url");
        return NULL;
    }
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(json_object_get(session->walls, "domains"));
    if (!hf_page_policy_check_page(policy, hf_json_string(entry, "url", ""), error))
        return NULL;
    return json_pack("{s:O}", "entryId", json_object_get(entry, "id"));
}

static json_t *begin_navigation(HfTabSession *session, const HfNavigation *navigation,
                                GError **error)
{
    if (navigation->go == HF_NAVIGATE_TO) {
        g_autoptr(HfPagePolicy) policy =
            hf_page_policy_new(json_object_get(session->walls, "domains"));
        if (!hf_page_policy_check_address(policy, navigation->url, error))
            return NULL;
        return call_with_dialog_answer(session, "Page.navigate",
                                       json_pack("{s:s}", "url", navigation->url), error);
    }
    if (navigation->go == HF_NAVIGATE_RELOAD)
        return call_with_dialog_answer(session, "Page.reload", json_object(), error);
    json_t *entry = find_history_entry(session, navigation->go == HF_NAVIGATE_BACK ? -1 : 1, error);
    return entry ? call_with_dialog_answer(session, "Page.navigateToHistoryEntry", entry, error)
                 : NULL;
}

/* ---- waiting ---- */

static void take_responses(HfTabSession *session, HfNavigation *navigation)
{
    hf_cdp_lock(session->browser->cdp);
    hf_json_each (response, session->tab->responses) {
        navigation->status = (int)hf_json_int(response, "status", 0);
        if (hf_json_bool(response, "last", FALSE))
            continue;
        if (!navigation->redirects)
            navigation->redirects = json_array();
        json_array_append(navigation->redirects, json_object_get(response, "url"));
    }
    hf_cdp_unlock(session->browser->cdp);
}

static gboolean wait_for_navigation(HfTabSession *session, HfNavigation *navigation,
                                    const json_t *answer, GError **error)
{
    Waiting waiting = {session, hf_json_string(answer, "loaderId", NULL), navigation->until};
    gint64 left = hf_deadline_left_ms(&session->deadline);
    HfDeadline limit = hf_deadline_within_ms(&session->deadline, MAX(left - REPORT_MS, left / 2));
    g_autoptr(GError) problem = NULL;
    navigation->reached =
        hf_cdp_wait_for(session->browser->cdp, is_navigation_done, &waiting, &limit, &problem);
    if (problem && hf_error_code(problem) != HF_ERROR_DESKTOP_TIMEOUT) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    hf_cdp_lock(session->browser->cdp);
    gboolean arrived = session->tab->moves > session->moves || session->tab->dialog.kind;
    g_autofree char *forbidden = g_strdup(session->tab->forbidden);
    gboolean crashed = session->tab->crashed;
    hf_cdp_unlock(session->browser->cdp);
    if (forbidden)
        return hf_fail(error, HF_ERROR_FORBIDDEN, "the browser may not show %s", forbidden);
    if (crashed)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the page crashed while loading");
    return arrived || hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "no response from %s in time",
                              navigation->url ? navigation->url : "the server");
}

static gboolean navigate_and_wait(HfTabSession *session, HfNavigation *navigation, GError **error)
{
    g_autoptr(json_t) answer = begin_navigation(session, navigation, error);
    if (!answer)
        return FALSE;
    const char *problem = hf_json_string(answer, "errorText", NULL);
    navigation->download = hf_json_bool(answer, "isDownload", FALSE) ||
                           hf_downloads_count(session->browser->downloads) > session->downloads;
    if (problem && !navigation->download)
        return fail_to_load(session, navigation->url ? navigation->url : "the page", problem,
                            error);
    if (navigation->download)
        return TRUE;
    navigation->moved = navigation->go == HF_NAVIGATE_TO && !json_object_get(answer, "loaderId") &&
                        json_object_get(answer, "frameId");
    navigation->reached = navigation->moved;
    return navigation->moved || wait_for_navigation(session, navigation, answer, error);
}

gboolean hf_tab_session_navigate(HfTabSession *session, HfNavigation *navigation, GError **error)
{
    listen_to_network(session, TRUE);
    gboolean done = navigate_and_wait(session, navigation, error);
    take_responses(session, navigation);
    listen_to_network(session, FALSE);
    return done;
}
