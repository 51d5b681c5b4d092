/* SPDX-License-Identifier: Apache-2.0 */
/* browser_navigate: opens a page in the browser of this desktop. The first call starts the browser.
 */
#include "hand/browser/browser-limits.h"
#include "hand/browser/page/page-navigate.h"
#include "hand/tools/browser/call-page.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const actions[] = {"goto", "back", "forward", "reload", NULL};
static const char *const waits[] = {"load", "domcontentloaded", "networkidle", NULL};

static HfLoadState get_load_state(const char *name)
{
    return (HfLoadState)(g_str_equal(name, "networkidle")        ? HF_LOAD_IDLE
                         : g_str_equal(name, "domcontentloaded") ? HF_LOAD_PARSED
                                                                 : HF_LOAD_LOADED);
}

static HfNavigationKind get_navigation_kind(const char *name)
{
    HfNavigationKind go = HF_NAVIGATE_TO;
    while (actions[go] && !g_str_equal(actions[go], name))
        go++;
    return go;
}

static gboolean check_navigate_params(const HfCall *call, GError **error)
{
    gboolean goes = g_str_equal(hf_call_string(call, "action"), "goto");
    if (goes != hf_call_has(call, "url"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       goes ? "url: is required with the action goto"
                            : "url: only goes with the action goto");
    return TRUE;
}

/* Reads the title of the page, for the report. */
static void read_page_title(HfTabSession *session)
{
    g_autoptr(HfPageFrame) main = hf_page_frame_new_main(&session->page);
    json_decref(hf_page_frame_ask(&session->page, main, "status", NULL, NULL));
}

static json_t *navigation_to_json(HfTabSession *session, const HfNavigation *navigation)
{
    json_t *result = json_pack("{s:b}", "complete", navigation->reached);
    if (navigation->status > 0)
        json_object_set_new(result, "status", json_integer(navigation->status));
    if (navigation->redirects)
        json_object_set(result, "redirects", navigation->redirects);
    if (navigation->download)
        json_object_set_new(result, "download", json_true());
    if (navigation->moved)
        json_object_set_new(result, "same_document", json_true());
    if (!navigation->download && !hf_tab_session_has_dialog(session))
        read_page_title(session);
    hf_tab_session_report(session, result);
    return result;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(HfTabSession) session = {0};
    g_auto(HfNavigation) navigation = {
        .go = get_navigation_kind(hf_call_string(call, "action")),
        .url = hf_call_string(call, "url"),
        .until = get_load_state(hf_call_string(call, "wait_until")),
    };
    HfTabSessionKind kind =
        navigation.go == HF_NAVIGATE_TO ? HF_TAB_SESSION_GOES : HF_TAB_SESSION_RETURNS;
    if (!check_navigate_params(call, error) ||
        !hf_call_begin_tab_session(call, kind, &session, error))
        return NULL;
    if (hf_call_has(call, "timeout"))
        session.deadline = hf_deadline_within_ms(&session.deadline, hf_call_int(call, "timeout"));
    if (!hf_tab_session_may_act(&session, error) ||
        !hf_tab_session_navigate(&session, &navigation, error))
        return NULL;
    session.expects = navigation.download;
    if (navigation.download || hf_tab_session_has_dialog(&session))
        hf_tab_session_await_outcome(&session);
    return hf_result_new(navigation_to_json(&session, &navigation));
}

static const HfParam params[] = {
    HF_OPTIONAL("url", HF_TYPE_STRING,
                "Where to go: https://... or http://...; only with the action goto",
                .means = HF_MEANS_URL, .min = 1, .max = HF_LIMIT_URL_BYTES),
    HF_OPTIONAL("action", HF_TYPE_STRING, "goto: go to url; or back, forward, reload in the tab",
                .choices = actions, .fallback = "\"goto\""),
    HF_OPTIONAL("wait_until", HF_TYPE_STRING,
                "load: everything is loaded. domcontentloaded: the document is. networkidle: "
                "nothing was fetched for half a second",
                .choices = waits, .fallback = "\"load\""),
    HF_OPTIONAL("timeout", HF_TYPE_INTEGER,
                "Milliseconds to wait for wait_until; default: timeout_ms", .min = 1,
                .max = HF_LIMIT_TIMEOUT_MS),
    HF_PARAM_TAB,
    HF_PARAM_DIALOG,
    {0},
};

static const HfParam redirect = {
    .name = "url", .type = HF_TYPE_STRING, .others = TRUE, .about = "An address that redirected"};

static const HfParam result[] = {
    HF_REQUIRED("complete", HF_TYPE_BOOLEAN,
                "Whether the page reached the state of wait_until in time"),
    HF_OPTIONAL("status", HF_TYPE_INTEGER, "HTTP status of the response"),
    HF_OPTIONAL("redirects", HF_TYPE_ARRAY, "Addresses that redirected to others",
                .items = &redirect),
    HF_OPTIONAL("download", HF_TYPE_BOOLEAN, "It is a file that was downloaded: see downloads"),
    HF_OPTIONAL("same_document", HF_TYPE_BOOLEAN,
                "Only the address has changed; the page was not loaded again"),
    HF_RESULT_TAB_SESSION,
    {0},
};

const HfTool hf_tool_browser_navigate = {
    .name = "browser_navigate",
    .title = "Open a page",
    .summary = "Go to an address in the browser of this desktop, or back, forward, reload, and "
               "wait for the page. The first call starts the browser: a real Chromium with a "
               "separate profile, visible on the desktop. Returns the final address, the HTTP "
               "status, redirects and what was blocked. Then read with browser_extract (type "
               "snapshot) and act with browser_interact.",
    .category = HF_CATEGORY_BROWSER,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_PAGE,
    .effects = HF_EFFECT_LEAVES_DOMAIN,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
};
