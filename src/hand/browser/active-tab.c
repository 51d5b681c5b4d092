/* SPDX-License-Identifier: Apache-2.0 */
/* Chromium reports no change of the active tab, but its pages know whether they are visible. Only
 * the tab that we consider active gets focus emulation, so all others tell the truth: a tab that
 * opens in the background is hidden, and one that was switched to is visible. */
#include "hand/browser/active-tab.h"

#include "hand/browser/page/page-frames.h"

/* Time limits for one tab and for all of them. */
#define TAB_MS  100
#define TABS_MS 300

static void set_focus_emulation(HfBrowser *browser, const HfTab *tab, gboolean on)
{
    hf_cdp_send(browser->cdp, tab->session, "Emulation.setFocusEmulationEnabled",
                json_pack("{s:b}", "enabled", on));
}

void hf_browser_set_active_tab(HfBrowser *browser, HfTab *tab)
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
            hf_browser_set_active_tab(browser, tab);
        hf_cdp_unlock(browser->cdp);
        return;
    }
}
