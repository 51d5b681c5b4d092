/* SPDX-License-Identifier: Apache-2.0 */
/* Resources. The tool screenshot reads the screen, through the guard. Runs and the audit show a
 * caller its own entries, unless it may see those of others. */
#include "desk/doors/mcp/mcp-resources.h"

#include <string.h>

#include "desk/doors/mcp/mcp-methods.h"
#include "desk/guard/guard.h"
#include "desk/records/audit/audit-database.h"
#include "desk/records/evidence/run-folder.h"
#include "desk/records/evidence/run-read.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"

#define JSON_TYPE "application/json"
/* How many rows and runs are shown. */
#define ROWS_SHOWN 100
#define RUNS_SHOWN 20

static const struct {
    const char *prefix;
    HfMcpResourceKind kind;
} kinds[] = {
    {"screen://", HF_MCP_RESOURCE_SCREEN},
    {"run://", HF_MCP_RESOURCE_RUN},
    {"audit://", HF_MCP_RESOURCE_AUDIT},
};

HfMcpResourceKind hf_mcp_resource_kind(const char *uri, const char **ret_name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (!g_str_has_prefix(uri, kinds[i].prefix))
            continue;
        const char *name = uri + strlen(kinds[i].prefix);
        gboolean known =
            kinds[i].kind == HF_MCP_RESOURCE_AUDIT ? strcmp(name, "latest") == 0 : *name != '\0';
        *ret_name = name;
        return known && strlen(name) <= HF_LIMIT_NAME_BYTES ? kinds[i].kind : HF_MCP_RESOURCE_NONE;
    }
    return HF_MCP_RESOURCE_NONE;
}

static gboolean may_see_caller(const HfMcp *mcp, const char *caller)
{
    return hf_caller_sees_all(&mcp->caller) || g_strcmp0(mcp->caller.name, caller) == 0;
}

/* ---- lists ---- */

static void add_screens(HfMcp *mcp, json_t *list)
{
    g_autoptr(json_t) desktops = hf_desk_list_desktops(mcp->server->desk);
    hf_json_each (desktop, desktops) {
        const char *name = hf_json_string(desktop, "name", "");
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:s, s:s}", "uri", json_sprintf("screen://%s", name),
                            "name", json_sprintf("Screen of %s", name), "description",
                            "A picture of the desktop now", "mimeType", "image/jpeg"));
    }
}

static void add_runs(HfMcp *mcp, json_t *list)
{
    g_autofree char *root = hf_runs_dup_root();
    g_autoptr(json_t) runs = hf_runs_list(root);
    size_t index, shown = 0;
    json_t *run;
    json_array_foreach (runs, index, run) {
        if (!may_see_caller(mcp, hf_json_string(run, "caller", "")) || shown++ == RUNS_SHOWN)
            continue;
        const char *id = hf_json_string(run, "run", "");
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:s, s:s}", "uri", json_sprintf("run://%s", id), "name",
                            json_sprintf("Run %s", id), "description",
                            "The steps of a run and its evidence", "mimeType", JSON_TYPE));
    }
}

void hf_mcp_resources_list(HfMcpRequest *request)
{
    if (!hf_mcp_request_check_cursor(request))
        return;
    json_t *list = json_array();
    HfMcp *mcp = request->mcp;
    add_screens(mcp, list);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "uri", "audit://latest", "name",
                                          "Audit", "description",
                                          "The latest audit rows that concern you", "mimeType",
                                          JSON_TYPE));
    add_runs(mcp, list);
    hf_mcp_request_add_extras(request, "resources", list);
    hf_mcp_reply_cacheable(request, json_pack("{s:o}", "resources", list), 0);
}

void hf_mcp_templates_list(HfMcpRequest *request)
{
    if (!hf_mcp_request_check_cursor(request))
        return;
    json_t *list = json_pack("[{s:s, s:s, s:s, s:s}, {s:s, s:s, s:s, s:s}]", "uriTemplate",
                             "screen://{desktop}", "name", "Screen", "description",
                             "A picture of a desktop now", "mimeType", "image/jpeg", "uriTemplate",
                             "run://{id}", "name", "Run", "description",
                             "The steps of a run and its evidence", "mimeType", JSON_TYPE);
    hf_mcp_request_add_extras(request, "resourceTemplates", list);
    hf_mcp_reply_cacheable(request, json_pack("{s:o}", "resourceTemplates", list), 60000);
}

/* ---- reading ---- */

static void fail_unknown_resource(HfMcpRequest *request, const char *uri)
{
    int code = request->modern ? HF_MCP_INVALID_PARAMS : HF_MCP_RESOURCE_NOT_FOUND;
    hf_mcp_request_fail(request, code, json_pack("{s:s}", "uri", uri), "Resource not found");
}

static void fail_with(HfMcpRequest *request, const char *uri, const GError *error)
{
    HfErrorCode code = hf_error_code(error);
    if (code == HF_ERROR_RUN_NOT_FOUND || code == HF_ERROR_DESKTOP_NOT_FOUND) {
        fail_unknown_resource(request, uri);
        return;
    }
    hf_mcp_request_fail(request, HF_MCP_INTERNAL_ERROR, hf_error_to_json(error), "%s: %s",
                        hf_error_code_name(code), error->message);
}

static void reply_json(HfMcpRequest *request, const char *uri, json_t *take_json)
{
    g_autoptr(json_t) json = take_json;
    g_autofree char *text = hf_json_dump(json);
    hf_mcp_reply_cacheable(request,
                           json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", uri, "mimeType",
                                     JSON_TYPE, "text", text),
                           0);
}

static void reply_bytes(HfMcpRequest *request, const char *uri, const HfAttachment *part)
{
    gsize size;
    const guint8 *data = g_bytes_get_data(part->bytes, &size);
    g_autoptr(json_t) quoted = json_string(uri);
    char *uri_text = json_dumps(quoted, JSON_ENCODE_ANY);
    g_autoptr(GString) text = g_string_sized_new(hf_base64_length(size) + 256);
    g_string_append_printf(text, "[{\"uri\":%s,\"mimeType\":\"%s\",\"blob\":\"", uri_text,
                           part->media_type);
    free(uri_text);
    gsize start = text->len;
    g_string_set_size(text, start + hf_base64_length(size));
    hf_base64_encode(data, size, text->str + start);
    g_string_append(text, "\"}]");
    json_t *result = json_object();
    if (request->modern) {
        json_object_set_new(result, "ttlMs", json_integer(0));
        json_object_set_new(result, "cacheScope", json_string("private"));
    }
    hf_mcp_request_reply_with(request, result, "contents", text);
}

static void on_resource_call_waiting(const json_t *approval, gpointer workers)
{
    hf_workers_set_waiting(workers, approval != NULL);
}

static void read_screen(HfMcpRequest *request, const char *uri, const char *desktop)
{
    HfMcp *mcp = request->mcp;
    g_autoptr(json_t) params = json_pack("{s:s}", "desktop", desktop);
    HfRequest call = {.caller = &mcp->caller,
                      .tool = "screenshot",
                      .params = params,
                      .cancellable = request->cancellable,
                      .waiting = on_resource_call_waiting,
                      .waiting_data = mcp->server->workers};
    g_autoptr(HfAnswer) answer = hf_guard_call(hf_desk_get_guard(mcp->server->desk), &call);
    if (answer->error)
        fail_with(request, uri, answer->error);
    else if (answer->result->attachments->len == 0)
        fail_unknown_resource(request, uri);
    else
        reply_bytes(request, uri, answer->result->attachments->pdata[0]);
}

static void read_run_resource(HfMcpRequest *request, const char *uri, const char *run)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *root = hf_runs_dup_root();
    g_autofree char *path = hf_runs_find(root, run, &error);
    HfRunSummary summary = {0};
    gboolean known =
        path && hf_run_summarize(path, &summary) && may_see_caller(request->mcp, summary.caller);
    if (known)
        reply_json(request, uri,
                   json_pack("{s:o, s:o, s:I, s:I, s:i, s:i, s:o}", "run_id",
                             hf_json_text(summary.run_id), "caller", hf_json_text(summary.caller),
                             "first", (json_int_t)summary.first_ms, "last",
                             (json_int_t)summary.last_ms, "steps", (int)summary.steps, "failures",
                             (int)summary.failures, "log", hf_run_read_lines(path, "steps.jsonl")));
    else
        fail_unknown_resource(request, uri);
    hf_run_summary_clear(&summary);
}

typedef struct Rows {
    HfMcp *mcp;
    json_t *list;
} Rows;

static gboolean take_row(const HfAuditRow *row, gpointer data, GError **error)
{
    Rows *rows = data;
    json_t *body = json_loadb(row->body, row->length, 0, NULL);
    if (body && may_see_caller(rows->mcp, hf_json_string(body, "caller", NULL)))
        json_array_append_new(rows->list, body);
    else
        json_decref(body);
    return TRUE;
}

static void read_audit_resource(HfMcpRequest *request, const char *uri, const char *name)
{
    g_autoptr(GError) error = NULL;
    HfMcp *mcp = request->mcp;
    g_autofree char *data_dir = hf_path_ensure_data(&error);
    g_autofree char *path = data_dir ? g_build_filename(data_dir, "handfast.db", NULL) : NULL;
    g_autoptr(HfAuditDatabase) database = path ? hf_audit_database_open(path, &error) : NULL;
    gboolean all = hf_caller_sees_all(&mcp->caller);
    HfAuditFilter filter = {.caller = all ? NULL : mcp->caller.name, .limit = ROWS_SHOWN};
    Rows rows = {mcp, json_array()};
    if (database && hf_audit_database_list(database, &filter, take_row, &rows, &error))
        reply_json(request, uri, json_pack("{s:O}", "rows", rows.list));
    else
        fail_with(request, uri, error);
    json_decref(rows.list);
}

/* The URI of a request; NULL after it was refused. */
static const char *get_uri(HfMcpRequest *request)
{
    const char *uri = hf_json_string(request->params, "uri", NULL);
    if (!uri)
        hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL,
                            "params.uri must be the URI of a resource");
    return uri;
}

void hf_mcp_resources_read(HfMcpRequest *request)
{
    static void (*const readers[])(HfMcpRequest *, const char *, const char *) = {
        [HF_MCP_RESOURCE_SCREEN] = read_screen,
        [HF_MCP_RESOURCE_RUN] = read_run_resource,
        [HF_MCP_RESOURCE_AUDIT] = read_audit_resource,
    };
    const char *uri = get_uri(request), *name = NULL;
    const HfMcpExtras *extras = request->mcp->server->extras;
    if (!uri || (extras && extras->read(request, uri)))
        return;
    HfMcpResourceKind kind = hf_mcp_resource_kind(uri, &name);
    if (kind == HF_MCP_RESOURCE_NONE)
        fail_unknown_resource(request, uri);
    else
        readers[kind](request, uri, name);
}
