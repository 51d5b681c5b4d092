/* SPDX-License-Identifier: Apache-2.0 */
/* browser_tabs: the tabs of the browser. */
#include "hand/browser/active-tab.h"
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

static gboolean perform_tab_action(HfCall *call, HfTabSession *visit, const char *action,
                                   GError **error)
{
    if (g_str_equal(action, "list")) {
        hf_call_refuse_undo(call, HF_UNDO_NOTHING);
        return TRUE;
    }
    if (!hf_tab_session_may_act(visit, error))
        return FALSE;
    if (g_str_equal(action, "new")) {
        g_autoptr(HfTab) made = hf_browser_new_tab(visit->browser, &visit->deadline, error);
        return made != NULL;
    }
    if (!hf_call_has(call, "tab"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "tab: which one is missing");
    return g_str_equal(action, "select")
               ? hf_browser_select(visit->browser, visit->tab, &visit->deadline, error)
               : hf_browser_close_tab(visit->browser, visit->tab, &visit->deadline, error);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(HfTabSession) visit = {0};
    const char *action = hf_call_string(call, "action");
    HfTabSessionKind kind =
        HF_TAB_SESSION_ANSWERS; /* a dialog, or where a tab is, does not matter here */
    if (!hf_call_begin_tab_session(call, kind, &visit, error) ||
        !perform_tab_action(call, &visit, action, error))
        return NULL;
    if (!g_str_equal(action, "list"))
        hf_browser_find_active_tab(visit.browser, &visit.deadline);
    return tabs_to_result(visit.browser);
}

static const HfParam params[] = {
    {.name = "action",
     .type = HF_TYPE_STRING,
     .choices = actions,
     .fallback = "\"list\"",
     .about = "list them, open a new one, bring one to the front, or close one"},
    HF_PARAM_TAB,
    {0},
};

static const HfParam tab_fields[] = {
    {.name = "tab", .type = HF_TYPE_STRING, .required = TRUE, .about = "To name it: t2"},
    {.name = "url", .type = HF_TYPE_STRING, .required = TRUE, .others = TRUE, .about = "Address"},
    {.name = "title", .type = HF_TYPE_STRING, .required = TRUE, .others = TRUE, .about = "Title"},
    {.name = "front", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "It is in front"},
    {0},
};
static const HfParam tab = {
    .name = "tab", .type = HF_TYPE_OBJECT, .fields = tab_fields, .about = "A tab"};

static const HfParam result[] = {
    {.name = "tabs",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &tab,
     .about = "The tabs as they are now"},
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
