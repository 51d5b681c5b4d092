/* SPDX-License-Identifier: Apache-2.0 */
/* The routes under /v1: tools and management. Where the bridge has a method, the route only names
 * it; the method checks permissions. */
#include <glib/gstdio.h>

#include "desk/doors/http/routes/method-route.h"
#include "desk/doors/http/routes/openapi.h"
#include "desk/doors/http/server/http-internal.h"
#include "desk/doors/methods/methods.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/evidence/run-export.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/error.h"
#include "shared/base/id.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/text/text.h"
#include "shared/tool/answer.h"
#include "shared/tool/registry.h"

static gboolean wants_picture(const HfHttpRequest *request)
{
    const char *raw = hf_http_request_get_query(request, "raw");
    const char *accept = hf_http_request_get_header(request, "Accept");
    return (raw && g_str_equal(raw, "1")) || (accept && g_str_has_prefix(accept, "image/"));
}

/* Sends the first binary part as the body. */
static gboolean answer_raw(HfHttpRequest *request, const HfAnswer *answer)
{
    if (answer->error || answer->result->attachments->len == 0)
        return FALSE;
    const HfAttachment *part = answer->result->attachments->pdata[0];
    g_autoptr(json_t) json = hf_answer_to_json(answer);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    hf_http_request_add_header(request, "X-Result", text);
    free(text);
    hf_http_request_add_header(request, "X-Run-Id", answer->run_id);
    hf_http_request_add_header(request, "X-Step-Id", answer->step_id);
    hf_http_respond_bytes(request, SOUP_STATUS_OK, part->media_type, g_bytes_ref(part->bytes));
    return TRUE;
}

/* POST /v1/tools/{name}: the body holds the parameters. The same function as the bridge's writes
 * the answer, so that both are equal to the byte. With `raw=1`, or when the client accepts only
 * pictures, the body is the picture and the header X-Result holds the rest. */
static void handle_tool_call(HfHttpRequest *request)
{
    HfRequest call = {
        .caller = &request->caller,
        .tool = hf_http_request_get_part(request, "name"),
        .params = request->json,
        .cancellable = request->cancellable,
        .waiting = hf_http_request_set_waiting,
        .waiting_data = request,
    };
    HfGuard *guard = hf_desk_get_guard(request->http->desk);
    g_autoptr(HfAnswer) answer = hf_guard_call(guard, &call);
    if (wants_picture(request) && answer_raw(request, answer))
        return;
    GString *text = g_string_new(NULL);
    hf_answer_append(answer, text);
    guint status =
        answer->error ? (guint)hf_error_code_status(hf_error_code(answer->error)) : SOUP_STATUS_OK;
    hf_http_respond_text(request, status, "application/json", text);
}

static json_t *read_bundle_audit(const char *path)
{
    g_autoptr(json_t) environment = hf_run_read_object(path, "env.json");
    g_autofree char *directory = hf_path_ensure_data(NULL);
    g_autofree char *file = directory ? g_build_filename(directory, "handfast.db", NULL) : NULL;
    g_autoptr(HfAuditDatabase) database = file ? hf_audit_database_open(file, NULL) : NULL;
    HfAuditFilter filter = {.run = hf_json_string(environment, "run_id", "")};
    json_t *rows = database ? hf_audit_database_rows(database, &filter, NULL) : NULL;
    return rows ? rows : json_array();
}

/* The same export as the command line's, through an unnamed file that nobody else can open. */
static GBytes *export_run_bundle(const HfHttpRequest *request, GError **error)
{
    g_autofree char *path =
        hf_method_find_run(&request->caller, hf_http_request_get_part(request, "id"), error);
    g_autofree char *runtime = path ? hf_path_ensure_runtime(error) : NULL;
    if (!runtime)
        return NULL;
    g_autofree char *name = hf_id_new("bundle");
    g_autofree char *file = g_build_filename(runtime, name, NULL);
    g_autoptr(json_t) tools = hf_registry_describe_read_only(), audit = read_bundle_audit(path);
    HfRunExport wanted = {path, file, tools, audit};
    if (!hf_run_export(&wanted, error))
        return NULL;
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(file, FALSE, error);
    g_unlink(file);
    return mapped ? g_mapped_file_get_bytes(mapped) : NULL;
}

static void handle_run_bundle(HfHttpRequest *request)
{
    g_autoptr(GError) error = NULL;
    GBytes *bytes = export_run_bundle(request, &error);
    if (!bytes) {
        hf_http_respond_error(request, error);
        return;
    }
    hf_http_request_add_header(request, "Content-Disposition", "attachment; filename=\"run.zip\"");
    hf_http_respond_bytes(request, SOUP_STATUS_OK, "application/zip", bytes);
}

static void answer_http_stop(const json_t *outcome, gpointer data)
{
    g_autoptr(HfHttpRequest) request = data;
    hf_http_respond_json(request, SOUP_STATUS_OK,
                         json_pack("{s:b, s:O}", "ok", 1, "result", outcome));
}

/* Runs on the main thread, so that busy workers cannot delay it. When it returns, the guard lets
 * nothing through. The answer follows when the hands have stopped. A stop is never refused: an
 * invalid reason is ignored. */
static void handle_stop_route(HfHttpRequest *request)
{
    const char *given = hf_json_string(request->json, "reason", NULL);
    g_autofree char *reason = given ? hf_text_shorten(given, HF_LIMIT_TITLE_BYTES) : NULL;
    hf_guard_stop(hf_desk_get_guard(request->http->desk), &request->caller, NULL, reason,
                  answer_http_stop, hf_http_request_ref(request));
}

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
     .handler = handle_tool_call,
     .where = HF_HTTP_CALL,
     .about = "Call a tool; the body holds its parameters"},
    BRIDGE("GET", "/v1/runs", "runs.list", NULL, "Runs with evidence"),
    BRIDGE("GET", "/v1/runs/{id}", "runs.show", NULL, "The steps of a run"),
    {.method = "GET",
     .path = "/v1/runs/{id}/bundle.zip",
     .handler = handle_run_bundle,
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
    BRIDGE("GET", "/v1/config/held", "config.held", hf_method_no_params,
           "Changes of the configuration that wait for the owner"),
    BRIDGE("POST", "/v1/config/accept", "config.accept", NULL,
           "Accept them: {hash}, as shown before"),
    BRIDGE("GET", "/v1/grants", "grant.list", NULL, "The grants"),
    BRIDGE("POST", "/v1/grants", "grant.new", hf_method_grant_new_params,
           "Create a grant, or pass on part of one's own"),
    BRIDGE("GET", "/v1/grants/{id}", "grant.show", NULL, "One grant"),
    BRIDGE("DELETE", "/v1/grants/{id}", "grant.revoke", NULL, "End a grant"),
    BRIDGE("GET", "/v1/taints", "taint.list", NULL,
           "Callers that are held back because of text of others, and files from elsewhere"),
    BRIDGE("POST", "/v1/taints/clear", "taint.clear", hf_method_taint_clear_params,
           "Trust a caller again, or all of them (the owner)"),
    BRIDGE("GET", "/v1/tokens", "token.list", NULL, "The tokens, without their secrets"),
    BRIDGE("POST", "/v1/tokens", "token.new", hf_method_token_new_params,
           "Create a token; only this answer contains it"),
    BRIDGE("POST", "/v1/tokens/{name}/rotate", "token.rotate", NULL,
           "Replace this token by a new one"),
    BRIDGE("DELETE", "/v1/tokens/{name}", "token.revoke", NULL, "End a token"),
    {.method = "POST",
     .path = "/v1/stop",
     .handler = handle_stop_route,
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
