/* SPDX-License-Identifier: Apache-2.0 */
/* browser_tabs: lists, opens, selects and closes tabs of the browser. */
#include "hand/browser/browser.h"
#include "hand/tools/browser/call-page.h"
#include "hand/tools/call-undo.h"
#include "shared/base/error.h"

static const char *const actions[] = {"list", "new", "select", "close", NULL};

static json_t *tab_to_json(const HfTab *tab, gboolean front)
{
    g_autofree char *name = g_strdup_printf("t%u", tab->number);
    return json_pack("{s:s, s:o, s:o, s:b}", "tab", name, "url", hf_json_text(tab->url), "title",
                     hf_json_text(tab->title), "front", front);
}

static HfResult *tabs_to_result(HfBrowser *browser)
{
    json_t *tabs = json_array();
    hf_cdp_lock(browser->cdp);
    for (guint i = 0; i < browser->tabs->len; i++)
        json_array_append_new(tabs, tab_to_json(browser->tabs->pdata[i],
                                                browser->tabs->pdata[i] == browser->current));
    hf_cdp_unlock(browser->cdp);
    return hf_result_new(json_pack("{s:o}", "tabs", tabs));
}

static gboolean perform_tab_action(HfCall *call, HfTabSession *session, const char *action,
                                   GError **error)
{
    if (g_str_equal(action, "list")) {
        hf_call_refuse_undo(call, HF_UNDO_NOTHING);
        return TRUE;
    }
    if (!hf_tab_session_may_act(session, error))
        return FALSE;
    if (g_str_equal(action, "new")) {
        g_autoptr(HfTab) made = hf_browser_new_tab(session->browser, &session->deadline, error);
        return made != NULL;
    }
    if (!hf_call_has(call, "tab"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "tab: is required with this action");
    return g_str_equal(action, "select")
               ? hf_browser_select(session->browser, session->tab, &session->deadline, error)
               : hf_browser_close_tab(session->browser, session->tab, &session->deadline, error);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(HfTabSession) session = {0};
    const char *action = hf_call_string(call, "action");
    /* Neither an open dialog nor the address of a tab matters here. */
    if (!hf_call_begin_tab_session(call, HF_TAB_SESSION_ANSWERS, &session, error) ||
        !perform_tab_action(call, &session, action, error))
        return NULL;
    if (!g_str_equal(action, "list"))
        hf_browser_find_active_tab(session.browser, &session.deadline);
    return tabs_to_result(session.browser);
}

static const HfParam params[] = {
    HF_OPTIONAL("action", HF_TYPE_STRING,
                "list them, open a new one, bring one to the front, or close one",
                .choices = actions, .fallback = "\"list\""),
    HF_PARAM_TAB,
    {0},
};

static const HfParam tab_fields[] = {
    HF_REQUIRED("tab", HF_TYPE_STRING, "Name of the tab for other calls: t2"),
    HF_REQUIRED("url", HF_TYPE_STRING, "Address", .others = TRUE),
    HF_REQUIRED("title", HF_TYPE_STRING, "Title", .others = TRUE),
    HF_REQUIRED("front", HF_TYPE_BOOLEAN, "It is in front"),
    {0},
};
static const HfParam tab = {
    .name = "tab", .type = HF_TYPE_OBJECT, .fields = tab_fields, .about = "A tab"};

static const HfParam result[] = {
    HF_REQUIRED("tabs", HF_TYPE_ARRAY, "The tabs as they are now", .items = &tab),
    {0},
};

const HfTool hf_tool_browser_tabs = {
    .name = "browser_tabs",
    .title = "Tabs of the browser",
    .summary = "List the tabs of the browser, open a new one, bring one to the front or close one. "
               "Other browser tools work in the tab in front unless they name another.",
    .category = HF_CATEGORY_BROWSER,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_PAGE,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
};
