/* SPDX-License-Identifier: Apache-2.0 */
/* MCP connections. The reading thread sorts messages; requests go on to mcp-methods.c. */
#include "desk/doors/mcp/mcp-connection.h"

#include <string.h>

#include "desk/doors/doors-limits.h"
#include "desk/doors/mcp/mcp-calls.h"
#include "desk/doors/mcp/mcp-methods.h"
#include "desk/doors/mcp/mcp-request.h"
#include "desk/doors/mcp/mcp-resource-watch.h"
#include "desk/policy/config/tool-profiles.h"
#include "shared/base/error.h"
#include "shared/base/id.h"

/* Longer messages are parsed by a worker, so that one client cannot delay the others. */
#define PARSE_AT_ONCE_BYTES (64u * 1024)
/* The most requests in a batch: as many as a client may have in flight. */
#define BATCH_MOST HF_LIMIT_CLIENT_CALLS

typedef struct Ask {
    HfMcpAnswered answered;
    gpointer data;
} Ask;

/* Makes a caller for an agent: whatever program it is, it never acts as the owner. */
static void copy_caller(HfMcp *mcp, const HfCaller *caller)
{
    mcp->name = g_strdup(caller->name);
    mcp->program = g_strdup(caller->program);
    mcp->session = g_strdup(caller->session);
    mcp->token = g_strdup(caller->token);
    mcp->grant = g_strdup(caller->grant);
    mcp->run_id = caller->run_id ? g_strdup(caller->run_id) : hf_id_new("r");
    mcp->principal = caller->token ? g_strdup_printf("token %s", caller->token)
                                   : g_strdup_printf("process %d %" G_GUINT64_FORMAT,
                                                     (int)caller->pid, caller->start_time);
    mcp->caller = *caller;
    mcp->caller.kind = HF_CALLER_CLIENT;
    mcp->caller.agent = TRUE;
    mcp->caller.door = "mcp";
    mcp->caller.name = mcp->name;
    mcp->caller.program = mcp->program;
    mcp->caller.session = mcp->session;
    mcp->caller.token = mcp->token;
    mcp->caller.grant = mcp->grant;
    mcp->caller.run_id = mcp->run_id;
    mcp->caller.reads = &mcp->reads;
}

HfMcp *hf_mcp_new(HfMcpServer *server, const HfMcpOptions *options, HfMcpOutput *output,
                  GError **error)
{
    const char *profile = options->profile ? options->profile : HF_PROFILE_DEFAULT;
    if (!hf_profile_check(profile, error))
        return NULL;
    HfMcp *mcp = g_new0(HfMcp, 1);
    g_atomic_ref_count_init(&mcp->refs);
    mcp->server = server;
    mcp->output = hf_mcp_output_ref(output);
    copy_caller(mcp, options->caller);
    mcp->profile = g_strdup(profile);
    mcp->desktop = g_strdup(options->desktop);
    mcp->stateless = options->stateless;
    g_mutex_init(&mcp->lock);
    mcp->log_level = HF_MCP_LOG_NOTHING;
    mcp->requests =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)hf_mcp_request_unref);
    mcp->asks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return mcp;
}

HfMcp *hf_mcp_ref(HfMcp *mcp)
{
    g_atomic_ref_count_inc(&mcp->refs);
    return mcp;
}

void hf_mcp_unref(HfMcp *mcp)
{
    if (!mcp || !g_atomic_ref_count_dec(&mcp->refs))
        return;
    g_hash_table_unref(mcp->requests);
    g_hash_table_unref(mcp->asks);
    hf_mcp_output_unref(mcp->output);
    json_decref(mcp->capabilities);
    g_mutex_clear(&mcp->lock);
    g_free(mcp->name);
    g_free(mcp->program);
    g_free(mcp->session);
    g_free(mcp->token);
    g_free(mcp->grant);
    g_free(mcp->run_id);
    g_free(mcp->principal);
    g_free(mcp->profile);
    g_free(mcp->desktop);
    g_free(mcp);
}

void hf_mcp_close(HfMcp *mcp)
{
    g_mutex_lock(&mcp->lock);
    mcp->closed = TRUE;
    GList *requests = g_hash_table_get_values(mcp->requests);
    for (GList *each = requests; each; each = each->next)
        hf_mcp_request_ref(each->data);
    GHashTable *asks = g_steal_pointer(&mcp->asks);
    mcp->asks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    HfMcpResourceWatch *watch = g_steal_pointer(&mcp->watch);
    HfMcpResourceWatch *list_watch = g_steal_pointer(&mcp->list_watch);
    g_mutex_unlock(&mcp->lock);
    hf_mcp_resource_watch_free(watch);
    hf_mcp_resource_watch_free(list_watch);
    for (GList *each = requests; each; each = each->next)
        hf_mcp_request_cancel(each->data);
    g_list_free_full(requests, (GDestroyNotify)hf_mcp_request_unref);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, asks);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        ((Ask *)value)->answered(NULL, ((Ask *)value)->data);
    g_hash_table_unref(asks);
    if (!mcp->stateless)
        hf_mcp_calls_cancel(mcp->server->calls, mcp);
}

/* ---- state of a connection ---- */

void hf_mcp_begin_legacy(HfMcp *mcp, const char *version, json_t *take_capabilities)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    mcp->version = version;
    json_decref(mcp->capabilities);
    mcp->capabilities = take_capabilities;
}

const char *hf_mcp_get_version(HfMcp *mcp)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    return mcp->version;
}

json_t *hf_mcp_dup_capabilities(HfMcp *mcp)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    return json_deep_copy(mcp->capabilities);
}

void hf_mcp_set_log_level(HfMcp *mcp, int level)
{
    g_atomic_int_set(&mcp->log_level, level);
}

int hf_mcp_get_log_level(HfMcp *mcp)
{
    return g_atomic_int_get(&mcp->log_level);
}

static void notify_connection_updated(const char *uri, gpointer data)
{
    HfMcp *mcp = data;
    g_autofree char *text =
        uri ? hf_mcp_notification_text("notifications/resources/updated",
                                       json_pack("{s:s}", "uri", uri))
            : hf_mcp_notification_text("notifications/resources/list_changed", json_object());
    hf_mcp_output_notify(mcp->output, text);
}

/* A legacy client gets notifications only after it said that it is ready. */
static void watch_list(HfMcp *mcp)
{
    HfEvents *events = hf_guard_get_events(hf_desk_get_guard(mcp->server->desk));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    if (mcp->version && !mcp->list_watch && !mcp->closed)
        mcp->list_watch =
            hf_mcp_resource_watch_new_list(events, &mcp->caller, notify_connection_updated,
                                           hf_mcp_ref(mcp), (GDestroyNotify)hf_mcp_unref);
}

gboolean hf_mcp_subscribe(HfMcp *mcp, const char *uri, GError **error)
{
    HfEvents *events = hf_guard_get_events(hf_desk_get_guard(mcp->server->desk));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    if (!mcp->watch && !mcp->closed)
        mcp->watch = hf_mcp_resource_watch_new(events, &mcp->caller, notify_connection_updated,
                                               hf_mcp_ref(mcp), (GDestroyNotify)hf_mcp_unref);
    return mcp->watch ? hf_mcp_resource_watch_add(mcp->watch, uri, error) : TRUE;
}

void hf_mcp_unsubscribe(HfMcp *mcp, const char *uri)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    if (mcp->watch)
        hf_mcp_resource_watch_remove(mcp->watch, uri);
}

gboolean hf_mcp_add_request(HfMcp *mcp, HfMcpRequest *request)
{
    const char *key = request->key;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    gboolean fits = !mcp->closed && !g_hash_table_contains(mcp->requests, key) &&
                    g_hash_table_size(mcp->requests) < HF_LIMIT_CLIENT_CALLS + mcp->waiting;
    if (fits)
        g_hash_table_insert(mcp->requests, (char *)key, hf_mcp_request_ref(request));
    return fits;
}

void hf_mcp_remove_request(HfMcp *mcp, HfMcpRequest *request)
{
    const char *key = request->key;
    g_mutex_lock(&mcp->lock);
    gboolean known = g_hash_table_lookup(mcp->requests, key) == request;
    if (known)
        g_hash_table_steal(mcp->requests, key);
    g_mutex_unlock(&mcp->lock);
    if (known)
        hf_mcp_request_unref(request);
}

void hf_mcp_set_waiting(HfMcp *mcp, gboolean waiting)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&mcp->lock);
    mcp->waiting += waiting ? 1 : -1;
}

/* ---- requests to the client ---- */

#define ASK_PREFIX "handfast-"

guint64 hf_mcp_ask(HfMcp *mcp, HfMcpOutput *output, const char *method, json_t *take_params,
                   HfMcpAnswered answered, gpointer data)
{
    Ask *ask = g_new(Ask, 1);
    *ask = (Ask){answered, data};
    g_mutex_lock(&mcp->lock);
    guint64 number = ++mcp->asked;
    gboolean open = !mcp->closed;
    if (open)
        g_hash_table_insert(mcp->asks, g_memdup2(&number, sizeof number), ask);
    g_mutex_unlock(&mcp->lock);
    g_autoptr(json_t) message = json_pack("{s:s, s:o, s:s, s:o}", "jsonrpc", "2.0", "id",
                                          json_sprintf(ASK_PREFIX "%" G_GUINT64_FORMAT, number),
                                          "method", method, "params", take_params);
    g_autofree char *text = hf_json_dump(message);
    if (open) {
        hf_mcp_output_notify(output, text);
    } else {
        answered(NULL, data);
        g_free(ask);
    }
    return number;
}

static Ask *take_ask(HfMcp *mcp, guint64 number)
{
    gpointer key = NULL, ask = NULL;
    g_mutex_lock(&mcp->lock);
    g_hash_table_steal_extended(mcp->asks, &number, &key, &ask);
    g_mutex_unlock(&mcp->lock);
    g_free(key);
    return ask;
}

void hf_mcp_withdraw(HfMcp *mcp, HfMcpOutput *output, guint64 number, const char *reason)
{
    g_autofree Ask *ask = take_ask(mcp, number);
    if (!ask)
        return;
    g_autofree char *text = hf_mcp_notification_text(
        "notifications/cancelled",
        json_pack("{s:o, s:s}", "requestId", json_sprintf(ASK_PREFIX "%" G_GUINT64_FORMAT, number),
                  "reason", reason));
    hf_mcp_output_notify(output, text);
    ask->answered(NULL, ask->data);
}

static void take_response(HfMcp *mcp, const json_t *message)
{
    const char *id = hf_json_string(message, "id", "");
    if (!g_str_has_prefix(id, ASK_PREFIX))
        return;
    g_autofree Ask *ask = take_ask(mcp, g_ascii_strtoull(id + strlen(ASK_PREFIX), NULL, 10));
    const json_t *result = json_object_get(message, "result");
    if (ask)
        ask->answered(json_is_object(result) ? result : NULL, ask->data);
}

/* ---- messages ---- */

static void refuse_mcp_message(HfMcpOutput *output, const json_t *id, int code, const char *problem)
{
    g_autofree char *text = hf_mcp_error_text(hf_mcp_is_token(id) ? id : NULL, code, problem, NULL);
    hf_mcp_output_send(
        output, &(HfMcpMessage){.text = text, .length = strlen(text), .last = TRUE, .status = 400});
}

static void take_cancelled(HfMcp *mcp, const json_t *message)
{
    const json_t *id = json_object_get(json_object_get(message, "params"), "requestId");
    if (!hf_mcp_is_token(id))
        return;
    g_autofree char *key = hf_json_dump(id);
    g_mutex_lock(&mcp->lock);
    HfMcpRequest *request = g_hash_table_lookup(mcp->requests, key);
    if (request)
        hf_mcp_request_ref(request);
    g_mutex_unlock(&mcp->lock);
    if (!request)
        return;
    hf_mcp_request_cancel(request);
    hf_mcp_request_unref(request);
}

static void take_notification(HfMcp *mcp, const json_t *message)
{
    const char *method = hf_json_string(message, "method", "");
    /* A cancellation that was so long that a worker parsed it is ignored. */
    if (!g_main_context_is_owner(g_main_context_default()))
        return;
    if (strcmp(method, "notifications/cancelled") == 0)
        take_cancelled(mcp, message);
    else if (strcmp(method, "notifications/initialized") == 0)
        watch_list(mcp);
}

static void take_batch(HfMcp *mcp, json_t *batch, HfMcpOutput *output)
{
    guint requests = 0;
    const char *problem;
    gboolean nested = FALSE;
    hf_json_each (message, batch) {
        HfMcpKind kind = hf_mcp_message_kind(message, &problem);
        requests += kind == HF_MCP_KIND_REQUEST || kind == HF_MCP_KIND_INVALID;
        nested |= kind == HF_MCP_KIND_BATCH;
    }
    if (g_strcmp0(hf_mcp_get_version(mcp), HF_MCP_BATCHES) != 0 || json_array_size(batch) == 0 ||
        json_array_size(batch) > BATCH_MOST || nested) {
        refuse_mcp_message(output, NULL, HF_MCP_INVALID_REQUEST,
                           "batches are supported only in revision " HF_MCP_BATCHES
                           "; they must be flat, not empty and not too long");
        return;
    }
    g_autoptr(HfMcpOutput) gathered = hf_mcp_output_new_batch(output, requests);
    hf_json_each (message, batch)
        hf_mcp_dispatch(mcp, message, gathered);
}

void hf_mcp_dispatch(HfMcp *mcp, json_t *message, HfMcpOutput *output)
{
    const char *problem = NULL;
    output = output ? output : mcp->output;
    switch (hf_mcp_message_kind(message, &problem)) {
    case HF_MCP_KIND_REQUEST:
        hf_mcp_methods_begin(mcp, message, output);
        break;
    case HF_MCP_KIND_NOTIFICATION:
        take_notification(mcp, message);
        break;
    case HF_MCP_KIND_RESPONSE:
        take_response(mcp, message);
        break;
    case HF_MCP_KIND_BATCH:
        take_batch(mcp, message, output);
        break;
    case HF_MCP_KIND_INVALID:
        refuse_mcp_message(output, json_object_get(message, "id"), HF_MCP_INVALID_REQUEST, problem);
        break;
    }
}

typedef struct Long {
    HfMcp *mcp;
    GBytes *line;
    HfMcpOutput *output;
} Long;

static void receive_now(HfMcp *mcp, GBytes *line, HfMcpOutput *output)
{
    gsize size;
    const char *text = g_bytes_get_data(line, &size);
    g_autofree char *problem = NULL;
    g_autoptr(json_t) message = hf_mcp_message_parse(text, size, &problem);
    g_autoptr(json_t) lost = message ? NULL : hf_json_dup_request_id(text, size);
    if (message)
        hf_mcp_dispatch(mcp, message, output);
    else
        refuse_mcp_message(output, lost, HF_MCP_PARSE_ERROR, problem);
}

static void receive_long(gpointer data)
{
    Long *later = data;
    receive_now(later->mcp, later->line, later->output);
    hf_mcp_unref(later->mcp);
    g_bytes_unref(later->line);
    hf_mcp_output_unref(later->output);
    g_free(later);
}

void hf_mcp_receive(HfMcp *mcp, GBytes *line, HfMcpOutput *output)
{
    output = output ? output : mcp->output;
    if (g_bytes_get_size(line) <= PARSE_AT_ONCE_BYTES) {
        receive_now(mcp, line, output);
        return;
    }
    Long *later = g_new(Long, 1);
    *later = (Long){hf_mcp_ref(mcp), g_bytes_ref(line), hf_mcp_output_ref(output)};
    hf_workers_manage(mcp->server->workers, receive_long, later);
}
