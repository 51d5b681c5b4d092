/* SPDX-License-Identifier: Apache-2.0 */
/* The routes under /v1: tools and management. Where the bridge has a method, the route only names
 * it; the method checks permissions. */
#include "desk/doors/http/routes/method-route.h"
#include "desk/doors/http/routes/metrics.h"
#include "desk/doors/http/routes/openapi.h"
#include "desk/doors/http/routes/routes.h"
#include "desk/doors/http/routes/run-bundle.h"
#include "desk/doors/http/routes/stop-route.h"
#include "desk/doors/http/routes/tool-route.h"
#include "desk/doors/methods/methods.h"

#define BRIDGE(METHOD, PATH, NAME, PARAMS, ABOUT)                                                  \
    {                                                                                              \
        .method = METHOD, .path = PATH, .handler = hf_http_handle_method, .bridge = NAME,          \
        .params = PARAMS, .about = ABOUT                                                           \
    }

const HfHttpRoute hf_http_v1_routes[] = {
    BRIDGE("GET", "/v1/status", "status", NULL, "What is running"),
    BRIDGE("GET", "/v1/tools", "tools", NULL, "All tools with their schemas"),
    {.method = "POST",
     .path = "/v1/tools/{name}",
     .handler = hf_http_handle_tool,
     .where = HF_HTTP_CALL,
     .about = "Call a tool; the body holds its parameters"},
    BRIDGE("GET", "/v1/runs", "runs.list", NULL, "Runs with evidence"),
    BRIDGE("GET", "/v1/runs/{id}", "runs.show", NULL, "The steps of a run"),
    {.method = "GET",
     .path = "/v1/runs/{id}/bundle.zip",
     .handler = hf_http_handle_bundle,
     .about = "A run as a zip file that plays in a browser"},
    BRIDGE("GET", "/v1/approvals", "approvals.list", hf_method_approvals_list_params,
           "Questions that wait for the owner's answer"),
    BRIDGE("GET", "/v1/approvals/{id}", "approvals.show", NULL, "One question to the owner"),
    BRIDGE("POST", "/v1/approvals/{id}/approve", "approvals.approve", hf_method_approve_params,
           "Approve it (the owner)"),
    BRIDGE("POST", "/v1/approvals/{id}/deny", "approvals.deny", hf_method_deny_params,
           "Deny it (the owner)"),
    BRIDGE("GET", "/v1/desktops", "desktop.list", NULL, "The desktops"),
    BRIDGE("POST", "/v1/desktops", "desktop.new", hf_method_desktop_new_params,
           "Create a virtual desktop, or attach to a display"),
    BRIDGE("DELETE", "/v1/desktops/{name}", "desktop.remove", NULL, "End a desktop"),
    BRIDGE("GET", "/v1/audit", "audit.list", hf_method_audit_list_params,
           "Rows of the audit, the latest last"),
    BRIDGE("GET", "/v1/ledger", "ledger.list", hf_method_ledger_list_params,
           "Changes that were made, and which of them can be undone"),
    BRIDGE("GET", "/v1/operations", "operations.list", hf_method_operations_list_params,
           "Calls in the background, the latest first"),
    BRIDGE("GET", "/v1/config", "config.get", hf_method_config_get_params,
           "The configuration that calls must follow"),
    BRIDGE("PUT", "/v1/config", "config.set", NULL,
           "Change a field of the configuration: {path, value}"),
    BRIDGE("GET", "/v1/grants", "grant.list", NULL, "The grants"),
    BRIDGE("POST", "/v1/grants", "grant.new", hf_method_grant_new_params,
           "Create a grant, or pass on part of one's own"),
    BRIDGE("GET", "/v1/grants/{id}", "grant.show", NULL, "One grant"),
    BRIDGE("DELETE", "/v1/grants/{id}", "grant.revoke", NULL, "End a grant"),
    BRIDGE("GET", "/v1/tokens", "token.list", NULL, "The tokens, without their secrets"),
    BRIDGE("POST", "/v1/tokens", "token.new", hf_method_token_new_params,
           "Create a token; only this answer contains it"),
    BRIDGE("POST", "/v1/tokens/{name}/rotate", "token.rotate", NULL,
           "Replace this token by a new one"),
    BRIDGE("DELETE", "/v1/tokens/{name}", "token.revoke", NULL, "End a token"),
    {.method = "POST",
     .path = "/v1/stop",
     .handler = hf_http_handle_stop,
     .bridge = "stop",
     .where = HF_HTTP_MAIN,
     .params = hf_method_stop_params,
     .about = "Stop everything at once"},
    BRIDGE("POST", "/v1/pause", "pause", hf_method_pause_params,
           "Pause everything, a desktop or a run"),
    BRIDGE("POST", "/v1/resume", "resume", hf_method_resume_params, "Resume (the owner)"),
    BRIDGE("POST", "/v1/abort", "abort", hf_method_abort_params,
           "Abort a run: its later steps are refused"),
    {.method = "GET",
     .path = "/v1/openapi.json",
     .handler = hf_http_handle_openapi,
     .about = "This document"},
    {.method = "GET",
     .path = "/metrics",
     .handler = hf_http_handle_metrics,
     .where = HF_HTTP_MAIN,
     .flags = HF_HTTP_SEES_ALL,
     .about = "Metrics for Prometheus"},
    {0},
};
