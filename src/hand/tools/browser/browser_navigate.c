/* SPDX-License-Identifier: Apache-2.0 */
/* browser_navigate: a page in the browser of this desktop, which is started with the first call. */
#include "hand/browser/browser-limits.h"
#include "hand/browser/page/page-navigate.h"
#include "hand/tools/browser/call-page.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const actions[] = {"goto", "back", "forward", "reload", NULL};
static const char *const waits[] = {"load", "domcontentloaded", "networkidle", NULL};

static HfLoadState until_of(const char *name)
{
    return (HfLoadState)(g_str_equal(name, "networkidle")        ? HF_LOAD_IDLE
                         : g_str_equal(name, "domcontentloaded") ? HF_LOAD_PARSED
                                                                 : HF_LOAD_LOADED);
}

static HfNavigationKind go_of(const char *name)
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
                       goes ? "url: where to go is missing"
                            : "url: back, forward and reload take no address");
    return TRUE;
}

/* A page is asked for its title before it is told. */
static void ask_title(HfTabSession *visit)
{
    g_autoptr(HfPageFrame) main = hf_page_frame_new_main(&visit->page);
    json_decref(hf_page_frame_ask(&visit->page, main, "status", NULL, NULL));
}

static json_t *navigation_to_json(HfTabSession *visit, const HfNavigation *journey)
{
    json_t *result = json_pack("{s:b}", "complete", journey->reached);
    if (journey->status > 0)
        json_object_set_new(result, "status", json_integer(journey->status));
    if (journey->redirects)
        json_object_set(result, "redirects", journey->redirects);
    if (journey->download)
        json_object_set_new(result, "download", json_true());
    if (journey->moved)
        json_object_set_new(result, "same_document", json_true());
    if (!journey->download && !hf_tab_session_has_dialog(visit))
        ask_title(visit);
    hf_tab_session_report(visit, result);
    return result;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(HfTabSession) visit = {0};
    g_auto(HfNavigation) journey = {
        .go = go_of(hf_call_string(call, "action")),
        .url = hf_call_string(call, "url"),
        .until = until_of(hf_call_string(call, "wait_until")),
    };
    HfTabSessionKind kind =
        journey.go == HF_NAVIGATE_TO ? HF_TAB_SESSION_GOES : HF_TAB_SESSION_RETURNS;
    if (!check_navigate_params(call, error) ||
        !hf_call_begin_tab_session(call, kind, &visit, error))
        return NULL;
    if (hf_call_has(call, "timeout"))
        visit.deadline = hf_deadline_within_ms(&visit.deadline, hf_call_int(call, "timeout"));
    if (!hf_tab_session_may_act(&visit, error) || !hf_tab_session_navigate(&visit, &journey, error))
        return NULL;
    visit.expects = journey.download;
    if (journey.download || hf_tab_session_has_dialog(&visit))
        hf_tab_session_await_outcome(&visit);
    return hf_result_new(navigation_to_json(&visit, &journey));
}

static const HfParam params[] = {
    {.name = "url",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_URL,
     .min = 1,
     .max = HF_LIMIT_URL_BYTES,
     .about = "Where to go: https://... or http://...; not with another action than goto"},
    {.name = "action",
     .type = HF_TYPE_STRING,
     .choices = actions,
     .fallback = "\"goto\"",
     .about = "goto the url, or back, forward, reload in the tab"},
    {.name = "wait_until",
     .type = HF_TYPE_STRING,
     .choices = waits,
     .fallback = "\"load\"",
     .about = "load: all of it is there. domcontentloaded: its text is. networkidle: nothing was "
              "fetched for half a second"},
    {.name = "timeout",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = HF_LIMIT_TIMEOUT_MS,
     .about = "Milliseconds to wait for that; default as timeout_ms"},
    HF_PARAM_TAB,
    HF_PARAM_DIALOG,
    {0},
};

static const HfParam redirect = {
    .name = "url", .type = HF_TYPE_STRING, .others = TRUE, .about = "An address on the way"};

static const HfParam result[] = {
    {.name = "complete",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Whether the page came as far as wait_until asks, in time"},
    {.name = "status", .type = HF_TYPE_INTEGER, .about = "HTTP status of the answer"},
    {.name = "redirects",
     .type = HF_TYPE_ARRAY,
     .items = &redirect,
     .about = "Addresses that led on to others"},
    {.name = "download", .type = HF_TYPE_BOOLEAN, .about = "It was a file: see downloads"},
    {.name = "same_document",
     .type = HF_TYPE_BOOLEAN,
     .about = "Only the address has changed, within the page"},
    HF_RESULT_VISIT,
    {0},
};

const HfTool hf_tool_browser_navigate = {
    .name = "browser_navigate",
    .title = "Open a page",
    .summary =
        "Go to an address in the browser of this desktop, or back, forward, reload, and wait "
        "for the page. The first call starts the browser: a real Chromium with a profile of "
        "its own, visible on the desktop. Returns the address that it ended at, the HTTP "
        "status, redirects and what was blocked. Then look with browser_extract (type "
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
