/* SPDX-License-Identifier: Apache-2.0 */
/* The browser announces its targets: each page becomes a tab, and each frame of another process
 * belongs to the tab whose session announced it. */
#include "hand/browser/browser.h"

#include <string.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/network/page-files.h"
#include "hand/browser/page/page-frames.h"
#include "hand/desktop/screen.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"
#include "shared/text/text.h"

/* ---- the active tab ----
 *
 * Chromium reports no change of the active tab, but its pages know whether they are visible. Only
 * the tab that we consider active gets focus emulation, so all others tell the truth: a tab that
 * opens in the background is hidden, and one that was switched to is visible. */

/* Time limits for one tab and for all of them. */
#define TAB_MS  100
#define TABS_MS 300

static void set_focus_emulation(HfBrowser *browser, const HfTab *tab, gboolean on)
{
    hf_cdp_send(browser->cdp, tab->session, "Emulation.setFocusEmulationEnabled",
                json_pack("{s:b}", "enabled", on));
}

/* With the lock held. The active tab gets focus emulation whatever has the desktop's focus, because
 * pages draw and take input only with focus. NULL: no tab is active. */
static void set_active_tab(HfBrowser *browser, HfTab *tab)
{
    if (tab == browser->current)
        return;
    if (browser->current && !browser->current->gone)
        set_focus_emulation(browser, browser->current, FALSE);
    browser->current = tab;
    if (!tab)
        return;
    tab->unseen = FALSE;
    set_focus_emulation(browser, tab, TRUE);
}

/* The other tabs that may be active by now, newest first. */
static GPtrArray *dup_others(HfBrowser *browser)
{
    GPtrArray *others = g_ptr_array_new_with_free_func((GDestroyNotify)hf_tab_unref);
    hf_cdp_lock(browser->cdp);
    for (guint i = browser->tabs->len; browser->tabs->len > 1 && i-- > 0;) {
        HfTab *tab = browser->tabs->pdata[i];
        if (tab != browser->current && !tab->crashed && !tab->dialog.kind)
            g_ptr_array_add(others, hf_tab_ref(tab));
    }
    hf_cdp_unlock(browser->cdp);
    return others;
}

static json_int_t get_target_window(HfBrowser *browser, const char *target,
                                    const HfDeadline *deadline)
{
    g_autoptr(json_t) reply = hf_cdp_call(browser->cdp, NULL, "Browser.getWindowForTarget",
                                          json_pack("{s:s}", "targetId", target), deadline, NULL);
    return hf_json_int(reply, "windowId", 0);
}

static gboolean shares_window(HfBrowser *browser, const HfTab *tab, const HfDeadline *deadline)
{
    hf_cdp_lock(browser->cdp);
    g_autofree char *front = browser->current ? g_strdup(browser->current->target) : NULL;
    hf_cdp_unlock(browser->cdp);
    json_int_t window = front ? get_target_window(browser, front, deadline) : 0;
    return window == 0 || window == get_target_window(browser, tab->target, deadline);
}

/* Each window of the browser shows a tab: one in another window is active only if it has the focus
 * or has just opened. */
static gboolean is_front(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline)
{
    HfDeadline soon = hf_deadline_within_ms(deadline, TAB_MS);
    HfTabConnection connection = {browser->cdp, tab, &soon};
    g_autoptr(HfPageFrame) frame = hf_page_frame_new_main(&connection);
    g_autoptr(json_t) reply = hf_page_frame_ask(&connection, frame, "shows", NULL, NULL);
    if (!hf_json_bool(reply, "visible", FALSE))
        return FALSE;
    hf_cdp_lock(browser->cdp);
    gboolean unseen = tab->unseen;
    hf_cdp_unlock(browser->cdp);
    return unseen || hf_json_bool(reply, "focused", FALSE) || shares_window(browser, tab, deadline);
}

void hf_browser_find_active_tab(HfBrowser *browser, const HfDeadline *deadline)
{
    g_autoptr(GPtrArray) others = dup_others(browser);
    HfDeadline limit = hf_deadline_within_ms(deadline, TABS_MS);
    for (guint i = 0; i < others->len; i++) {
        HfTab *tab = others->pdata[i];
        if (!is_front(browser, tab, &limit))
            continue;
        hf_cdp_lock(browser->cdp);
        if (!tab->gone)
            set_active_tab(browser, tab);
        hf_cdp_unlock(browser->cdp);
        return;
    }
}

#define SHOWN_BYTES 1000

/* ---- events ---- */

static HfTab *find_by_session(HfBrowser *browser, const char *session)
{
    for (guint i = 0; session && i < browser->tabs->len; i++) {
        HfTab *tab = browser->tabs->pdata[i];
        if (g_str_equal(tab->session, session) || g_hash_table_contains(tab->frames, session))
            return tab;
    }
    return NULL;
}

static HfTab *find_by_target(HfBrowser *browser, const char *target)
{
    for (guint i = 0; target && i < browser->tabs->len; i++)
        if (g_str_equal(((HfTab *)browser->tabs->pdata[i])->target, target))
            return browser->tabs->pdata[i];
    return NULL;
}

/* Whether it is the active tab is found out when that matters (hf_browser_find_active_tab). */
static void add_tab(HfBrowser *browser, const char *session, const json_t *info)
{
    if (browser->tabs->len >= HF_LIMIT_TABS) {
        hf_cdp_send(browser->cdp, NULL, "Target.closeTarget",
                    json_pack("{s:O}", "targetId", json_object_get(info, "targetId")));
        return;
    }
    HfTab *tab = hf_tab_new(++browser->last_tab, session, info);
    g_ptr_array_add(browser->tabs, tab);
    browser->opened++;
}

static void on_attached(HfBrowser *browser, const char *parent, const json_t *params)
{
    const json_t *info = json_object_get(params, "targetInfo");
    const char *kind = hf_json_string(info, "type", "");
    const char *session = hf_json_string(params, "sessionId", "");
    HfTab *tab = find_by_session(browser, parent);
    if (g_str_equal(kind, "page") && !find_by_target(browser, hf_json_string(info, "targetId", "")))
        add_tab(browser, session, info);
    else if (g_str_equal(kind, "iframe") && tab)
        g_hash_table_insert(tab->frames, g_strdup(session),
                            g_strdup(hf_json_string(info, "targetId", "")));
    else {
        hf_cdp_send(browser->cdp, session, "Runtime.runIfWaitingForDebugger", NULL);
        return;
    }
    hf_tab_prepare(browser->cdp, session);
}

static json_t *page_to_json(const HfTab *tab)
{
    g_autofree char *name = g_strdup_printf("t%u", tab->number);
    g_autofree char *url = hf_text_shorten(tab->url, SHOWN_BYTES);
    return json_pack("{s:s, s:o}", "tab", name, "url", hf_json_text(url));
}

static void remove_tab(HfBrowser *browser, HfTab *tab)
{
    if (json_array_size(browser->closed) < HF_LIMIT_TABS)
        json_array_append_new(browser->closed, page_to_json(tab));
    hf_tab_end(tab, browser->cdp);
    if (browser->current == tab)
        browser->current = NULL;
    HfTab *opener = find_by_target(browser, tab->opener);
    g_ptr_array_remove(browser->tabs, tab);
    if (!browser->current && browser->tabs->len > 0)
        set_active_tab(browser, opener ? opener : browser->tabs->pdata[browser->tabs->len - 1]);
}

static void on_detached(HfBrowser *browser, const json_t *params)
{
    const char *session = hf_json_string(params, "sessionId", "");
    HfTab *tab = find_by_session(browser, session);
    hf_cdp_end_session(browser->cdp, session);
    if (!tab)
        return;
    if (g_str_equal(tab->session, session))
        remove_tab(browser, tab);
    else
        hf_tab_remove_frame(tab, session);
}

static void dispatch_browser_event(const char *session, const char *method, const json_t *params,
                                   gpointer data)
{
    HfBrowser *browser = data;
    if (g_str_equal(method, "Target.attachedToTarget"))
        on_attached(browser, session, params);
    else if (g_str_equal(method, "Target.detachedFromTarget"))
        on_detached(browser, params);
    else if (g_str_equal(method, "Target.targetInfoChanged")) {
        const json_t *info = json_object_get(params, "targetInfo");
        HfTab *tab = find_by_target(browser, hf_json_string(info, "targetId", ""));
        if (tab)
            hf_tab_take_info(tab, info);
    } else if (g_str_has_prefix(method, "Browser.download"))
        hf_downloads_handle_event(browser->downloads, browser->cdp, method, params);
    else {
        HfTab *tab = find_by_session(browser, session);
        if (tab)
            hf_tab_handle_event(tab, browser->cdp, session, method, params, browser->policy);
    }
}

static void end_tabs_on_close(gpointer data)
{
    HfBrowser *browser = data;
    for (guint i = 0; i < browser->tabs->len; i++)
        hf_tab_end(browser->tabs->pdata[i], browser->cdp);
}

/* ---- life cycle ---- */

static gboolean begin_listening(HfBrowser *browser, const HfDeadline *deadline, GError **error)
{
    g_autofree char *downloads = g_build_filename(browser->folder, "downloads", NULL);
    const struct {
        const char *method;
        json_t *params;
    } orders[] = {
        {"Target.setDiscoverTargets", json_pack("{s:b}", "discover", 1)},
        {"Browser.setDownloadBehavior", json_pack("{s:s, s:s, s:b}", "behavior", "allowAndName",
                                                  "downloadPath", downloads, "eventsEnabled", 1)},
        {"Target.setAutoAttach",
         json_pack("{s:b, s:b, s:b, s:[{s:s}]}", "autoAttach", 1, "waitForDebuggerOnStart", 1,
                   "flatten", 1, "filter", "type", "page")},
    };
    gboolean done = TRUE;
    for (gsize i = 0; i < G_N_ELEMENTS(orders); i++) {
        if (!done) {
            json_decref(orders[i].params);
            continue;
        }
        g_autoptr(json_t) answer =
            hf_cdp_call(browser->cdp, NULL, orders[i].method, orders[i].params, deadline, error);
        done = answer != NULL;
    }
    return done;
}

static gboolean start_chromium_process(HfBrowser *browser, HfDesktop *desktop, GError **error)
{
    HfSize window = {0};
    if (!hf_screen_get_size(desktop, &window, NULL))
        window = (HfSize){1280, 800};
    g_autofree char *profile = g_build_filename(browser->folder, "profile", NULL);
    HfChromiumOptions options = {profile, hf_socks_get_port(browser->socks), window};
    int read_fd, write_fd;
    browser->chromium = hf_chromium_start(&options, &read_fd, &write_fd, error);
    if (!browser->chromium)
        return FALSE;
    HfCdpListener listener = {dispatch_browser_event, end_tabs_on_close, browser};
    browser->cdp = hf_cdp_new(read_fd, write_fd, &listener);
    return TRUE;
}

static void explain_start(HfBrowser *browser, GError **error)
{
    if (hf_error_code(*error) == HF_ERROR_DESKTOP_ABORTED)
        return;
    gboolean ended = browser->cdp && !hf_cdp_is_open(browser->cdp);
    g_autofree char *why = g_strdup((*error)->message);
    g_clear_error(error);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the browser did not start: %s",
            ended ? "it exited at once" : why);
    hf_error_suggest(error, "try again; if it fails again, run 'handfast doctor'");
}

HfBrowser *hf_browser_start(HfDesktop *desktop, const HfBrowserPlan *plan,
                            const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfBrowser) browser = g_new0(HfBrowser, 1);
    g_atomic_ref_count_init(&browser->refs);
    browser->caller = g_strdup(plan->caller);
    browser->folder = g_strdup(plan->folder);
    browser->last_tab = plan->last_tab;
    browser->closed = json_array();
    browser->tabs = g_ptr_array_new_with_free_func((GDestroyNotify)hf_tab_unref);
    browser->downloads = hf_downloads_new(plan->folder);
    browser->socks = hf_socks_new(desktop->proxy_port, error);
    HfDeadline limit = hf_deadline_within_ms(deadline, HF_LIMIT_BROWSER_START_MS);
    if (!browser->socks || !start_chromium_process(browser, desktop, error))
        return NULL;
    g_autoptr(HfTab) first =
        begin_listening(browser, &limit, error) ? hf_browser_new_tab(browser, &limit, error) : NULL;
    if (!first) {
        explain_start(browser, error);
        return NULL;
    }
    return g_steal_pointer(&browser);
}

HfBrowser *hf_browser_ref(HfBrowser *browser)
{
    g_atomic_ref_count_inc(&browser->refs);
    return browser;
}

static void end_chromium_process(HfBrowser *browser)
{
    gboolean killed = g_atomic_int_get(&browser->killed);
    if (browser->cdp && !killed)
        hf_cdp_send(browser->cdp, NULL, "Browser.close", NULL);
    if (browser->chromium)
        hf_chromium_end(browser->chromium, killed ? 0 : HF_LIMIT_BROWSER_END_MS);
    hf_chromium_free(browser->chromium);
    hf_cdp_free(browser->cdp);
}

void hf_browser_unref(HfBrowser *browser)
{
    if (!browser || !g_atomic_ref_count_dec(&browser->refs))
        return;
    end_chromium_process(browser);
    g_autofree char *uploads = g_build_filename(browser->folder, HF_PAGE_UPLOADS, NULL);
    hf_remove_tree(uploads);
    hf_socks_free(browser->socks);
    hf_downloads_free(browser->downloads);
    g_ptr_array_unref(browser->tabs);
    json_decref(browser->closed);
    hf_page_policy_free(browser->policy);
    g_free(browser->unfenced);
    g_free(browser->caller);
    g_free(browser->folder);
    g_free(browser);
}

gboolean hf_browser_is_alive(HfBrowser *browser)
{
    return !g_atomic_int_get(&browser->killed) && hf_cdp_is_open(browser->cdp) &&
           hf_chromium_is_running(browser->chromium);
}

void hf_browser_kill(HfBrowser *browser)
{
    g_atomic_int_set(&browser->killed, TRUE);
    hf_chromium_kill(browser->chromium);
    hf_cdp_shut(browser->cdp);
}

char *hf_browser_dup_end_reason(HfBrowser *browser)
{
    if (g_atomic_int_get(&browser->killed))
        return g_strdup("was killed by a stop");
    return hf_chromium_dup_end_reason(browser->chromium);
}

json_t *hf_browser_pages_to_json(HfBrowser *browser, guint *ret_last_tab)
{
    hf_cdp_lock(browser->cdp);
    json_t *pages = json_deep_copy(browser->closed);
    for (guint i = 0; i < browser->tabs->len; i++)
        json_array_append_new(pages, page_to_json(browser->tabs->pdata[i]));
    *ret_last_tab = browser->last_tab;
    hf_cdp_unlock(browser->cdp);
    return pages;
}

void hf_browser_take_policy(HfBrowser *browser, HfPagePolicy *take_policy)
{
    HfPagePolicy *copy = hf_page_policy_dup(take_policy), *other = take_policy;
    hf_cdp_lock(browser->cdp);
    gboolean same = browser->policy && hf_page_policy_equal(browser->policy, take_policy);
    if (!same) {
        other = browser->policy;
        browser->policy = take_policy;
    }
    hf_cdp_unlock(browser->cdp);
    hf_page_policy_free(other);
    if (same)
        hf_page_policy_free(copy);
    else
        hf_socks_take_policy(browser->socks, copy);
}

/* ---- tabs ---- */

static HfTab *find_tab_by_number(HfBrowser *browser, guint number)
{
    if (number == 0)
        return browser->current;
    for (guint i = 0; i < browser->tabs->len; i++)
        if (((HfTab *)browser->tabs->pdata[i])->number == number)
            return browser->tabs->pdata[i];
    return NULL;
}

gboolean hf_browser_check_open(HfBrowser *browser, GError **error)
{
    hf_cdp_lock(browser->cdp);
    gboolean open = browser->tabs->len > 0;
    g_autoptr(json_t) closed = json_deep_copy(browser->closed);
    hf_cdp_unlock(browser->cdp);
    if (open)
        return TRUE;
    const json_t *last = json_array_get(closed, json_array_size(closed) - 1);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "no page is open: the last tab of the browser was closed%s%s",
            last ? "; it showed " : "", hf_json_string(last, "url", ""));
    hf_error_suggest(error, "open a page with browser_navigate");
    hf_error_take_details(error, json_pack("{s:O}", "pages", closed));
    return FALSE;
}

HfTab *hf_browser_get_tab(HfBrowser *browser, guint number, const HfDeadline *deadline,
                          GError **error)
{
    hf_cdp_lock(browser->cdp);
    HfTab *tab = find_tab_by_number(browser, number);
    if (tab)
        hf_tab_ref(tab);
    hf_cdp_unlock(browser->cdp);
    if (tab)
        return tab;
    if (number == 0)
        return hf_browser_new_tab(browser, deadline, error);
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "no tab t%u", number);
    hf_error_suggest(error, "list the tabs with browser_tabs");
    return NULL;
}

typedef struct TabTest {
    HfBrowser *browser;
    const char *target;
    gboolean wanted; /* whether it should exist */
} TabTest;

static gboolean is_tab_present_as_wanted(gpointer data)
{
    TabTest *test = data;
    return (find_by_target(test->browser, test->target) != NULL) == test->wanted;
}

/* Its empty document has to be loaded, or the next navigation could be lost. */
static gboolean is_new_tab_ready(gpointer data)
{
    const HfTab *tab = data;
    return tab->gone || tab->crashed || tab->state >= HF_LOAD_LOADED;
}

static gboolean check_new_tab(HfBrowser *browser, const HfTab *tab, GError **error)
{
    hf_cdp_lock(browser->cdp);
    gboolean crashed = tab->crashed, gone = tab->gone;
    hf_cdp_unlock(browser->cdp);
    if (crashed)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the new page has crashed");
    return !gone || hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the new tab closed at once");
}

HfTab *hf_browser_new_tab(HfBrowser *browser, const HfDeadline *deadline, GError **error)
{
    g_autoptr(json_t) made = hf_cdp_call(browser->cdp, NULL, "Target.createTarget",
                                         json_pack("{s:s}", "url", "about:blank"), deadline, error);
    if (!made)
        return NULL;
    TabTest test = {browser, hf_json_string(made, "targetId", ""), TRUE};
    if (!hf_cdp_wait_for(browser->cdp, is_tab_present_as_wanted, &test, deadline, error))
        return NULL;
    hf_cdp_lock(browser->cdp);
    HfTab *tab = find_by_target(browser, test.target);
    if (tab) {
        hf_tab_ref(tab);
        set_active_tab(browser, tab);
    }
    hf_cdp_unlock(browser->cdp);
    if (tab && hf_cdp_wait_for(browser->cdp, is_new_tab_ready, tab, deadline, error) &&
        check_new_tab(browser, tab, error))
        return tab;
    if (!tab)
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the new tab closed at once");
    hf_tab_unref(tab);
    return NULL;
}

gboolean hf_browser_select(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline,
                           GError **error)
{
    g_autoptr(json_t) done =
        hf_cdp_call(browser->cdp, NULL, "Target.activateTarget",
                    json_pack("{s:s}", "targetId", tab->target), deadline, error);
    if (!done)
        return FALSE;
    hf_cdp_lock(browser->cdp);
    if (!tab->gone)
        set_active_tab(browser, tab);
    hf_cdp_unlock(browser->cdp);
    return TRUE;
}

gboolean hf_browser_close_tab(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline,
                              GError **error)
{
    TabTest test = {browser, tab->target, FALSE};
    g_autoptr(json_t) done =
        hf_cdp_call(browser->cdp, NULL, "Target.closeTarget",
                    json_pack("{s:s}", "targetId", tab->target), deadline, error);
    return done && hf_cdp_wait_for(browser->cdp, is_tab_present_as_wanted, &test, deadline, error);
}

HfTab *hf_browser_find_opened(HfBrowser *browser, guint after)
{
    HfTab *found = NULL;
    hf_cdp_lock(browser->cdp);
    if (browser->opened > after && browser->tabs->len > 0)
        found = hf_tab_ref(browser->tabs->pdata[browser->tabs->len - 1]);
    hf_cdp_unlock(browser->cdp);
    return found;
}
