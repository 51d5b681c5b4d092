/* SPDX-License-Identifier: Apache-2.0 */
/* Chromium tells of no change of tabs, but its pages know whether they show. Only the one that we
 * take for the front one is made to believe that it does, so the word of all others is true: a tab
 * that opens in the background says that it does not show, and one that was switched to says that
 * it does. */
#include "hand/browser/active-tab.h"

#include "hand/browser/page/page-frames.h"

/* For one tab, and for all of them. */
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

/* Those that may have come to the front, the newest first. */
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
    g_autoptr(json_t) told = hf_cdp_call(browser->cdp, NULL, "Browser.getWindowForTarget",
                                         json_pack("{s:s}", "targetId", target), deadline, NULL);
    return hf_json_int(told, "windowId", 0);
}

static gboolean shares_window(HfBrowser *browser, const HfTab *tab, const HfDeadline *deadline)
{
    hf_cdp_lock(browser->cdp);
    g_autofree char *front = browser->current ? g_strdup(browser->current->target) : NULL;
    hf_cdp_unlock(browser->cdp);
    json_int_t window = front ? get_target_window(browser, front, deadline) : 0;
    return window == 0 || window == get_target_window(browser, tab->target, deadline);
}

/* A tab shows in each window of the browser: one in another window is in front only if it has the
 * focus, or has just opened. */
static gboolean is_front(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline)
{
    HfDeadline soon = hf_deadline_within_ms(deadline, TAB_MS);
    HfTabConnection line = {browser->cdp, tab, &soon};
    g_autoptr(HfPageFrame) frame = hf_page_frame_new_main(&line);
    g_autoptr(json_t) told = hf_page_frame_ask(&line, frame, "shows", NULL, NULL);
    if (!hf_json_bool(told, "visible", FALSE))
        return FALSE;
    hf_cdp_lock(browser->cdp);
    gboolean unseen = tab->unseen;
    hf_cdp_unlock(browser->cdp);
    return unseen || hf_json_bool(told, "focused", FALSE) || shares_window(browser, tab, deadline);
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
