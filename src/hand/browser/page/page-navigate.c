/* SPDX-License-Identifier: Apache-2.0 */
/* The browser tells why it did not get there in its own words; our way to the network knows better
 * (socks-proxy.h), and is believed first. */
#include "hand/browser/page/page-navigate.h"

#include <string.h>

#include "shared/base/error.h"

/* Of the call's time, what is kept for telling how far it came. */
#define TELL_MS 300

typedef struct Waiting {
    HfTabSession *visit;
    const char *loader; /* of the document that is to come; NULL: any */
    HfLoadState until;
} Waiting;

void hf_navigation_clear(HfNavigation *journey)
{
    g_clear_pointer(&journey->redirects, json_decref);
}

static gboolean is_navigation_done(gpointer data)
{
    const Waiting *waiting = data;
    const HfTab *tab = waiting->visit->tab;
    if (tab->gone || tab->crashed || tab->dialog.kind || tab->forbidden)
        return TRUE;
    /* A page that leads on at once, before it was loaded, never will be: the next one counts. */
    guint before = waiting->visit->navigations;
    gboolean arrived = waiting->loader ? g_strcmp0(tab->loader, waiting->loader) == 0 ||
                                             tab->navigations > before + 1
                                       : tab->navigations > before;
    return (arrived && tab->state >= waiting->until) ||
           (!waiting->loader && tab->moves > waiting->visit->moves && !tab->loading);
}

/* ---- why not ---- */

static gboolean explain_by_notes(HfTabSession *visit, GError **error)
{
    g_autoptr(GPtrArray) notes = hf_socks_dup_notes(visit->browser->socks, visit->began_us);
    const HfSocksNote *last = notes->len > 0 ? notes->pdata[notes->len - 1] : NULL;
    if (!last)
        return FALSE;
    switch (last->problem) {
    case HF_SOCKS_REFUSED:
        hf_fail(error, HF_ERROR_FORBIDDEN, "%s", last->reason);
        hf_error_suggest(error, "go elsewhere, or ask the owner to allow it");
        break;
    case HF_SOCKS_UNKNOWN:
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "nobody knows the host '%s'", last->host);
        hf_error_suggest(error, "check the name, and whether this machine is on the network");
        break;
    case HF_SOCKS_UNREACHABLE:
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "%s, port %u: %s", last->host, last->port,
                last->reason);
        hf_error_suggest(error, "check that the server runs, then try again");
        break;
    }
    hf_error_take_details(
        error, json_pack("{s:o, s:i}", "host", hf_json_text(last->host), "port", (int)last->port));
    return TRUE;
}

static gboolean fail_to_load(HfTabSession *visit, const char *url, const char *problem,
                             GError **error)
{
    if (explain_by_notes(visit, error))
        return FALSE;
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the page did not load: %s: %s", url, problem);
    hf_error_suggest(error, "check the address, then try again");
    hf_error_take_details(error, json_pack("{s:o}", "problem", hf_json_text(problem)));
    return FALSE;
}

/* ---- setting off ---- */

static void listen_to_network(HfTabSession *visit, gboolean on)
{
    HfCdp *cdp = visit->browser->cdp;
    hf_cdp_lock(cdp);
    json_decref(visit->tab->responses);
    visit->tab->responses = on ? json_array() : NULL;
    hf_cdp_unlock(cdp);
    if (on)
        hf_cdp_send(cdp, visit->tab->session, "Network.enable",
                    json_pack("{s:i, s:i}", "maxTotalBufferSize", 0, "maxResourceBufferSize", 0));
    else
        hf_cdp_send(cdp, visit->tab->session, "Network.disable", NULL);
}

/* A question of the page whether to leave it (beforeunload) comes in the middle. */
static json_t *call_with_dialog_answer(HfTabSession *visit, const char *method, json_t *take_params,
                                       GError **error)
{
    HfCdp *cdp = visit->browser->cdp;
    gint64 id = hf_cdp_begin(cdp, visit->tab->session, method, json_incref(take_params));
    g_autoptr(GError) problem = NULL;
    json_t *answer = hf_cdp_finish(cdp, id, &visit->deadline, &problem);
    if (!answer && hf_error_code(problem) == HF_ERROR_DESKTOP_MODAL_BLOCKING && visit->dialog > 0 &&
        hf_tab_session_answer_dialog(visit, NULL)) {
        g_clear_error(&problem);
        answer = json_object(); /* the first one goes on by itself */
    }
    json_decref(take_params);
    if (problem && !hf_tab_session_check_dialog(visit, error))
        return NULL;
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return answer;
}

static json_t *find_history_entry(HfTabSession *visit, int step, GError **error)
{
    g_autoptr(json_t) history =
        hf_cdp_call(visit->browser->cdp, visit->tab->session, "Page.getNavigationHistory", NULL,
                    &visit->deadline, error);
    if (!history)
        return NULL;
    json_int_t at = hf_json_int(history, "currentIndex", 0) + step;
    const json_t *entries = json_object_get(history, "entries");
    const json_t *entry = at >= 0 ? json_array_get(entries, (size_t)at) : NULL;
    if (!entry) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "there is no page to go %s to",
                step < 0 ? "back" : "forward");
        hf_error_suggest(error, "give an address: url");
        return NULL;
    }
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(json_object_get(visit->walls, "domains"));
    if (!hf_page_policy_check_page(policy, hf_json_string(entry, "url", ""), error))
        return NULL;
    return json_pack("{s:O}", "entryId", json_object_get(entry, "id"));
}

static json_t *begin_navigation(HfTabSession *visit, const HfNavigation *journey, GError **error)
{
    if (journey->go == HF_NAVIGATE_TO) {
        g_autoptr(HfPagePolicy) policy =
            hf_page_policy_new(json_object_get(visit->walls, "domains"));
        if (!hf_page_policy_check_address(policy, journey->url, error))
            return NULL;
        return call_with_dialog_answer(visit, "Page.navigate",
                                       json_pack("{s:s}", "url", journey->url), error);
    }
    if (journey->go == HF_NAVIGATE_RELOAD)
        return call_with_dialog_answer(visit, "Page.reload", json_object(), error);
    json_t *entry = find_history_entry(visit, journey->go == HF_NAVIGATE_BACK ? -1 : 1, error);
    return entry ? call_with_dialog_answer(visit, "Page.navigateToHistoryEntry", entry, error)
                 : NULL;
}

/* ---- arriving ---- */

static void take_responses(HfTabSession *visit, HfNavigation *journey)
{
    size_t index;
    json_t *response;
    hf_cdp_lock(visit->browser->cdp);
    json_array_foreach (visit->tab->responses, index, response) {
        journey->status = (int)hf_json_int(response, "status", 0);
        if (hf_json_bool(response, "last", FALSE))
            continue;
        if (!journey->redirects)
            journey->redirects = json_array();
        json_array_append(journey->redirects, json_object_get(response, "url"));
    }
    hf_cdp_unlock(visit->browser->cdp);
}

static gboolean wait_for_navigation(HfTabSession *visit, HfNavigation *journey,
                                    const json_t *answer, GError **error)
{
    Waiting waiting = {visit, hf_json_string(answer, "loaderId", NULL), journey->until};
    gint64 left = hf_deadline_left_ms(&visit->deadline);
    HfDeadline limit = hf_deadline_within_ms(&visit->deadline, MAX(left - TELL_MS, left / 2));
    g_autoptr(GError) problem = NULL;
    journey->reached =
        hf_cdp_wait_for(visit->browser->cdp, is_navigation_done, &waiting, &limit, &problem);
    if (problem && hf_error_code(problem) != HF_ERROR_DESKTOP_TIMEOUT) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    hf_cdp_lock(visit->browser->cdp);
    gboolean arrived = visit->tab->moves > visit->moves || visit->tab->dialog.kind;
    g_autofree char *forbidden = g_strdup(visit->tab->forbidden);
    gboolean crashed = visit->tab->crashed;
    hf_cdp_unlock(visit->browser->cdp);
    if (forbidden)
        return hf_fail(error, HF_ERROR_FORBIDDEN, "the browser may not show %s", forbidden);
    if (crashed)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the page crashed while it was loaded");
    return arrived || hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "nothing came from %s in time",
                              journey->url ? journey->url : "there");
}

static gboolean navigate_and_wait(HfTabSession *visit, HfNavigation *journey, GError **error)
{
    g_autoptr(json_t) answer = begin_navigation(visit, journey, error);
    if (!answer)
        return FALSE;
    const char *problem = hf_json_string(answer, "errorText", NULL);
    journey->download = hf_json_bool(answer, "isDownload", FALSE) ||
                        hf_downloads_count(visit->browser->downloads) > visit->downloads;
    if (problem && !journey->download)
        return fail_to_load(visit, journey->url ? journey->url : "the page", problem, error);
    if (journey->download)
        return TRUE;
    journey->moved = journey->go == HF_NAVIGATE_TO && !json_object_get(answer, "loaderId") &&
                     json_object_get(answer, "frameId");
    journey->reached = journey->moved;
    return journey->moved || wait_for_navigation(visit, journey, answer, error);
}

gboolean hf_tab_session_navigate(HfTabSession *visit, HfNavigation *journey, GError **error)
{
    listen_to_network(visit, TRUE);
    gboolean done = navigate_and_wait(visit, journey, error);
    take_responses(visit, journey);
    listen_to_network(visit, FALSE);
    return done;
}
