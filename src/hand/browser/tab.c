/* SPDX-License-Identifier: Apache-2.0 */
/* Turns events into state. Nothing here waits or asks. */
#include "hand/browser/tab.h"

#include <string.h>

#include "shared/text/text.h"

static void dialog_clear(HfPageDialog *dialog)
{
    g_clear_pointer(&dialog->kind, g_free);
    g_clear_pointer(&dialog->message, g_free);
    g_clear_pointer(&dialog->preset, g_free);
    g_clear_pointer(&dialog->session, g_free);
}

static void replace_text(char **place, const char *text)
{
    char *copy = g_strdup(text);
    g_free(*place);
    *place = copy;
}

HfTab *hf_tab_new(guint number, const char *session, const json_t *target_info)
{
    HfTab *tab = g_new0(HfTab, 1);
    g_atomic_ref_count_init(&tab->refs);
    tab->number = number;
    tab->unseen = TRUE;
    tab->session = g_strdup(session);
    tab->target = g_strdup(hf_json_string(target_info, "targetId", ""));
    tab->main_frame = g_strdup(tab->target);
    tab->opener = g_strdup(hf_json_string(target_info, "openerId", NULL));
    tab->frames = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    tab->worlds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    hf_tab_take_info(tab, target_info);
    return tab;
}

HfTab *hf_tab_ref(HfTab *tab)
{
    g_atomic_ref_count_inc(&tab->refs);
    return tab;
}

void hf_tab_unref(HfTab *tab)
{
    if (!tab || !g_atomic_ref_count_dec(&tab->refs))
        return;
    dialog_clear(&tab->dialog);
    char *texts[] = {tab->target, tab->session, tab->opener, tab->main_frame,
                     tab->url,    tab->title,   tab->loader, tab->forbidden};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_hash_table_unref(tab->frames);
    g_hash_table_unref(tab->worlds);
    json_decref(tab->responses);
    json_decref(tab->drag);
    json_decref(tab->chooser);
    g_free(tab);
}

void hf_tab_take_info(HfTab *tab, const json_t *target_info)
{
    replace_text(&tab->url, hf_json_string(target_info, "url", ""));
    if (!tab->title || !tab->loader)
        replace_text(&tab->title, hf_json_string(target_info, "title", ""));
}

void hf_tab_remove_frame(HfTab *tab, const char *session)
{
    const char *target = g_hash_table_lookup(tab->frames, session);
    if (target)
        g_hash_table_remove(tab->worlds, target);
    g_hash_table_remove(tab->frames, session);
}

static void set_blocked(HfTab *tab, HfCdp *cdp, gboolean blocked)
{
    GHashTableIter iter;
    gpointer session;
    hf_cdp_set_blocked(cdp, tab->session, blocked);
    g_hash_table_iter_init(&iter, tab->frames);
    while (g_hash_table_iter_next(&iter, &session, NULL))
        hf_cdp_set_blocked(cdp, session, blocked);
}

void hf_tab_end(HfTab *tab, HfCdp *cdp)
{
    set_blocked(tab, cdp, FALSE);
    dialog_clear(&tab->dialog);
    tab->gone = TRUE;
    tab->loading = FALSE;
}

void hf_tab_prepare(HfCdp *cdp, const char *session)
{
    hf_cdp_send(cdp, session, "Page.enable", NULL);
    hf_cdp_send(cdp, session, "Page.setLifecycleEventsEnabled", json_pack("{s:b}", "enabled", 1));
    /* Targets do not wait for us: workers, which we do not attach to, would wait for ever. */
    hf_cdp_send(cdp, session, "Target.setAutoAttach",
                json_pack("{s:b, s:b, s:b, s:[{s:s}]}", "autoAttach", 1, "waitForDebuggerOnStart",
                          0, "flatten", 1, "filter", "type", "iframe"));
    hf_cdp_send(cdp, session, "Runtime.runIfWaitingForDebugger", NULL);
}

/* ---- events ---- */

static gboolean is_main(const HfTab *tab, const json_t *params)
{
    return g_strcmp0(hf_json_string(params, "frameId", ""), tab->main_frame) == 0;
}

static void on_navigated(HfTab *tab, HfCdp *cdp, const char *session, const json_t *params,
                         const HfPagePolicy *policy)
{
    const json_t *frame = json_object_get(params, "frame");
    const char *id = hf_json_string(frame, "id", "");
    g_hash_table_remove(tab->worlds, id);
    if (hf_json_string(frame, "parentId", NULL) || g_strcmp0(session, tab->session) != 0)
        return;
    g_autofree char *url = g_strconcat(hf_json_string(frame, "url", ""),
                                       hf_json_string(frame, "urlFragment", ""), NULL);
    const char *unreachable = hf_json_string(frame, "unreachableUrl", NULL);
    replace_text(&tab->main_frame, id);
    replace_text(&tab->url, unreachable ? unreachable : url);
    replace_text(&tab->loader, hf_json_string(frame, "loaderId", ""));
    replace_text(&tab->title, "");
    tab->state = HF_LOAD_BEGUN;
    tab->navigations++;
    tab->moves++;
    /* The proxy cannot keep out what needs no network: such a page is left at once. The browser's
     * error page about an unreachable address reveals nothing new. */
    if (unreachable || !policy || hf_page_policy_check_page(policy, tab->url, NULL))
        return;
    replace_text(&tab->forbidden, tab->url);
    hf_cdp_send(cdp, tab->session, "Page.navigate", json_pack("{s:s}", "url", "about:blank"));
}

static void on_lifecycle(HfTab *tab, const json_t *params)
{
    static const struct {
        const char *name;
        HfLoadState state;
    } names[] = {
        {"DOMContentLoaded", HF_LOAD_PARSED},
        {"load", HF_LOAD_LOADED},
        {"networkIdle", HF_LOAD_IDLE},
    };
    /* For a document that existed before we listened, this is the first event. */
    if (is_main(tab, params) && !tab->loader)
        replace_text(&tab->loader, hf_json_string(params, "loaderId", ""));
    if (!is_main(tab, params) ||
        g_strcmp0(hf_json_string(params, "loaderId", ""), tab->loader) != 0)
        return;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(hf_json_string(params, "name", ""), names[i].name))
            tab->state = MAX(tab->state, names[i].state);
}

static void on_dialog(HfTab *tab, HfCdp *cdp, const char *session, const json_t *params)
{
    dialog_clear(&tab->dialog);
    const char *message = hf_json_string(params, "message", "");
    tab->dialog.kind = g_strdup(hf_json_string(params, "type", "alert"));
    tab->dialog.message = hf_text_shorten(message, 2000);
    tab->dialog.preset = hf_text_shorten(hf_json_string(params, "defaultPrompt", ""), 2000);
    tab->dialog.session = g_strdup(session);
    tab->dialogs++;
    set_blocked(tab, cdp, TRUE);
}

static void on_dialog_closed(HfTab *tab, HfCdp *cdp)
{
    dialog_clear(&tab->dialog);
    set_blocked(tab, cdp, FALSE);
}

static void on_request(HfTab *tab, const json_t *params)
{
    const json_t *redirect = json_object_get(params, "redirectResponse");
    if (!tab->responses || !redirect || !is_main(tab, params) ||
        g_strcmp0(hf_json_string(params, "type", ""), "Document") != 0)
        return;
    json_array_append_new(tab->responses,
                          json_pack("{s:O, s:I}", "url", json_object_get(redirect, "url"), "status",
                                    (json_int_t)hf_json_int(redirect, "status", 0)));
}

static void on_response(HfTab *tab, const json_t *params)
{
    const json_t *response = json_object_get(params, "response");
    if (!tab->responses || !is_main(tab, params) ||
        g_strcmp0(hf_json_string(params, "type", ""), "Document") != 0)
        return;
    json_array_append_new(tab->responses,
                          json_pack("{s:O, s:I, s:b}", "url", json_object_get(response, "url"),
                                    "status", (json_int_t)hf_json_int(response, "status", 0),
                                    "last", 1));
}

static void replace_json(json_t **place, const json_t *params)
{
    json_decref(*place);
    *place = json_deep_copy(params);
}

static void on_page_event(HfTab *tab, HfCdp *cdp, const char *session, const char *name,
                          const json_t *params)
{
    if (g_str_equal(name, "lifecycleEvent"))
        on_lifecycle(tab, params);
    else if (g_str_equal(name, "navigatedWithinDocument")) {
        if (!is_main(tab, params))
            return;
        replace_text(&tab->url, hf_json_string(params, "url", ""));
        tab->moves++;
    } else if (g_str_equal(name, "frameStartedNavigating") ||
               g_str_equal(name, "frameRequestedNavigation"))
        tab->begun += is_main(tab, params);
    else if (g_str_equal(name, "frameStartedLoading") && is_main(tab, params))
        tab->loading = TRUE;
    else if (g_str_equal(name, "frameStoppedLoading") && is_main(tab, params))
        tab->loading = FALSE;
    else if (g_str_equal(name, "javascriptDialogOpening"))
        on_dialog(tab, cdp, session, params);
    else if (g_str_equal(name, "javascriptDialogClosed"))
        on_dialog_closed(tab, cdp);
    else if (g_str_equal(name, "frameDetached"))
        g_hash_table_remove(tab->worlds, hf_json_string(params, "frameId", ""));
    else if (g_str_equal(name, "fileChooserOpened"))
        replace_json(&tab->chooser, params);
}

void hf_tab_handle_event(HfTab *tab, HfCdp *cdp, const char *session, const char *method,
                         const json_t *params, const HfPagePolicy *policy)
{
    if (g_str_equal(method, "Page.frameNavigated"))
        on_navigated(tab, cdp, session, params, policy);
    else if (g_str_has_prefix(method, "Page."))
        on_page_event(tab, cdp, session, method + strlen("Page."), params);
    else if (g_str_equal(method, "Network.requestWillBeSent"))
        on_request(tab, params);
    else if (g_str_equal(method, "Network.responseReceived"))
        on_response(tab, params);
    else if (g_str_equal(method, "Input.dragIntercepted"))
        replace_json(&tab->drag, json_object_get(params, "data"));
    else if (g_str_equal(method, "Inspector.targetCrashed") &&
             g_strcmp0(session, tab->session) == 0) {
        tab->crashed = TRUE;
        hf_cdp_end_session(cdp, tab->session);
        on_dialog_closed(tab, cdp);
    }
}
