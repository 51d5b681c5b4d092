/* SPDX-License-Identifier: Apache-2.0 */
/* Listens, and dispatches JSON-RPC requests to methods on a bounded pool. `cancel` and `stop` run
 * at once on the main thread, so that a full pool cannot delay them. */
#include "desk/doors/bridge/bridge.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "desk/doors/bridge/bridge-client.h"
#include "desk/doors/bridge/bridge-events.h"
#include "desk/doors/bridge/bridge-limits.h"
#include "desk/doors/bridge/bridge-mcp.h"
#include "desk/doors/bridge/nonces.h"
#include "desk/doors/bridge/rpc-request.h"
#include "desk/doors/methods/methods.h"
#include "desk/guard/policy/program-pin.h"
#include "desk/guard/stop/stop-control.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"
#include "shared/tool/answer.h"
#include "shared/wire/sealed-memory.h"

/* The line that answers a request. "descriptors" counts its descriptors: a reader needs the number
 * before it parses the result, and it stands at the end because it is known only then. */
typedef struct HfRpcReply {
    GString *text;
    GArray *fds; /* of int, in the order of "descriptor"; NULL: none */
    gsize fd_bytes;
    gsize start; /* offset of the result */
} HfRpcReply;

static void rpc_reply_clear(HfRpcReply *reply);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfRpcReply, rpc_reply_clear)

static void rpc_reply_begin(HfRpcReply *reply, const json_t *id)
{
    g_autofree char *text = hf_json_dump(id ? id : json_null());
    reply->text = g_string_new("{\"jsonrpc\":\"2.0\",\"id\":");
    g_string_append_printf(reply->text, "%s,\"result\":", text);
    reply->start = reply->text->len;
}

static void close_reply_fds(HfRpcReply *reply)
{
    for (guint i = 0; reply->fds && i < reply->fds->len; i++)
        close(g_array_index(reply->fds, int, i));
    g_clear_pointer(&reply->fds, g_array_unref);
    reply->fd_bytes = 0;
}

static void rpc_reply_clear(HfRpcReply *reply)
{
    close_reply_fds(reply);
    g_string_free(reply->text, TRUE);
}

static void replace_by_error(HfRpcReply *reply, const GError *error)
{
    g_autoptr(json_t) json = json_pack("{s:b, s:o}", "ok", 0, "error", hf_error_to_json(error));
    g_autofree char *text = hf_json_dump(json);
    close_reply_fds(reply);
    g_string_truncate(reply->text, reply->start);
    g_string_append(reply->text, text);
}

/* Puts the attachments into descriptors; FALSE with an error when one cannot be made. */
static gboolean seal_all(HfRpcReply *reply, const HfResult *result, GError **error)
{
    reply->fds = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < result->attachments->len; i++) {
        const HfAttachment *attachment = result->attachments->pdata[i];
        int fd = hf_sealed_memory_new(attachment->bytes, error);
        if (fd < 0)
            return FALSE;
        g_array_append_val(reply->fds, fd);
        reply->fd_bytes += g_bytes_get_size(attachment->bytes);
    }
    return TRUE;
}

static void write_descriptor(const HfAttachment *attachment, GString *text, gpointer data)
{
    guint *index = data;
    g_string_append_printf(text, "{\"descriptor\":%u,\"bytes\":%zu,\"media_type\":\"%s\"}",
                           (*index)++, g_bytes_get_size(attachment->bytes), attachment->media_type);
}

/* A tool's answer. `params` belong to the method `call`: with "binary": "fd", each binary part
 * becomes {descriptor, bytes, media_type} instead of base64. */
static void rpc_reply_append(HfRpcReply *reply, const HfAnswer *answer, const json_t *params)
{
    const char *binary = hf_json_string(params, "binary", "base64");
    guint index = 0;
    g_autoptr(GError) error = NULL;
    if (strcmp(binary, "fd") != 0 || !answer->result || answer->result->attachments->len == 0)
        hf_answer_append(answer, reply->text);
    else if (seal_all(reply, answer->result, &error))
        hf_answer_append_with(answer, reply->text, write_descriptor, &index);
    else
        replace_by_error(reply, error);
}

/* Ends the line. A result above the size limit becomes LIMIT_EXCEEDED. */
static void rpc_reply_end(HfRpcReply *reply)
{
    g_autoptr(GError) error = NULL;
    if (reply->text->len > HF_LIMIT_CLIENT_BACKLOG_BYTES) {
        hf_fail(&error, HF_ERROR_LIMIT_EXCEEDED,
                "the answer has %zu bytes, which is too many; ask for less at once",
                reply->text->len);
        replace_by_error(reply, error);
    }
    if (reply->fds)
        g_string_append_printf(reply->text, ",\"descriptors\":%u", reply->fds->len);
    g_string_append(reply->text, "}\n");
}

/* Longer lines are parsed by a worker, so that one client cannot delay the others. */
#define PARSE_AT_ONCE_BYTES (64u * 1024)

struct HfBridge {
    HfDesk *desk;
    char *path;
    int fd;
    guint source;
    HfWorkers *workers;
    HfNonces *nonces;
    HfMcpServer *mcp;
    GPtrArray *clients; /* main thread */
};

typedef struct Work {
    HfBridge *bridge;
    HfBridgeClient *client;
    GBytes *line;    /* not parsed yet, or NULL */
    json_t *request; /* parsed */
    /* Set when the work is queued, so that the client's calls are counted and can be cancelled
     * before they run. */
    char *key;
    GCancellable *cancellable;
    gboolean admitted; /* set when a worker passed the request to the main thread */
} Work;

static void end_work_call(Work *work)
{
    if (work->key)
        hf_bridge_client_end_call(work->client, work->key);
    g_clear_pointer(&work->key, g_free);
    g_clear_object(&work->cancellable);
}

static void free_bridge_work(Work *work)
{
    end_work_call(work);
    hf_bridge_client_unref(work->client);
    g_clear_pointer(&work->line, g_bytes_unref);
    json_decref(work->request);
    g_free(work);
}

static void send_bridge_json(HfBridgeClient *client, const json_t *json)
{
    g_autofree char *dump = hf_json_dump(json);
    g_autofree char *text = g_strconcat(dump, "\n", NULL);
    hf_bridge_client_send(client, text, strlen(text));
}

static void send_error(HfBridgeClient *client, const json_t *id, int code, const char *message)
{
    g_autoptr(json_t) reply =
        json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id ? id : json_null(),
                  "error", "code", code, "message", hf_json_text(message));
    send_bridge_json(client, reply);
}

/* The request, or NULL after an error was sent. */
static json_t *parse_bridge_request(HfBridgeClient *client, GBytes *line)
{
    gsize size;
    int code;
    const char *text = g_bytes_get_data(line, &size);
    g_autofree char *message = NULL;
    g_autoptr(json_t) id = NULL;
    json_t *request = hf_rpc_parse(text, size, &code, &message, &id);
    if (!request)
        send_error(client, id, code, message);
    return request;
}

/* Sends the reason to a client that waits for an answer: a notification gets none. */
static void refuse_bridge_work(const Work *work, int code, const char *message)
{
    const json_t *id = json_object_get(work->request, "id");
    if (id || !work->request)
        send_error(work->client, id, code, message);
}

/* Adds the work to the client's calls; FALSE after the reason was sent. */
static gboolean register_bridge_call(Work *work)
{
    const json_t *id = json_object_get(work->request, "id");
    if (work->request && !hf_method_exists(hf_json_string(work->request, "method", ""))) {
        refuse_bridge_work(work, HF_RPC_METHOD_NOT_FOUND,
                           "unknown method; docs/bridge.md lists the methods");
        return FALSE;
    }
    end_work_call(work);
    g_autofree char *text = id ? hf_json_dump(id) : NULL;
    work->key = hf_bridge_client_begin_call(work->client, text, &work->cancellable);
    if (!work->key)
        refuse_bridge_work(work, HF_RPC_BUSY,
                           "too many calls in flight for this client, or one with this id");
    return work->key != NULL;
}

/* A refusal by the config, with our own error form in "data". */
static void refuse_and_audit_request(HfBridge *bridge, HfBridgeClient *client,
                                     const json_t *request, const GError *error)
{
    const json_t *id = json_object_get(request, "id");
    hf_guard_audit_refusal(hf_desk_get_guard(bridge->desk), "bridge", error);
    if (!id)
        return;
    g_autoptr(json_t) reply = json_pack(
        "{s:s, s:O, s:{s:i, s:o, s:o}}", "jsonrpc", "2.0", "id", id, "error", "code",
        HF_RPC_REFUSED, "message", hf_json_text(error->message), "data", hf_error_to_json(error));
    send_bridge_json(client, reply);
}

typedef struct Wait {
    HfBridge *bridge;
    HfBridgeClient *client;
    const json_t *id;
} Wait;

static void on_bridge_call_waiting(const json_t *approval, gpointer data)
{
    const Wait *wait = data;
    hf_workers_set_waiting(wait->bridge->workers, approval != NULL);
    hf_bridge_client_set_waiting(wait->client, approval != NULL);
    if (!approval || !wait->id)
        return;
    g_autoptr(json_t) notice = json_pack("{s:s, s:s, s:{s:O, s:O}}", "jsonrpc", "2.0", "method",
                                         "waiting", "params", "id", wait->id, "approval", approval);
    send_bridge_json(wait->client, notice);
}

static gboolean is_call(const Work *work)
{
    return !work->request || g_str_equal(hf_json_string(work->request, "method", ""), "call");
}

/* Unknown members are refused, never ignored. */
static gboolean check_call(const json_t *params, GError **error)
{
    static const char *const members[] = {"tool", "params", "binary", NULL};
    static const char *const forms[] = {"base64", "fd", NULL};
    const char *name;
    json_t *value, *given = json_object_get(params, "params");
    json_object_foreach ((json_t *)params, name, value)
        if (!g_strv_contains(members, name))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "call has no parameter '%.64s'", name);
    if (given && !json_is_object(given))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "params: expected an object");
    return g_strv_contains(forms, hf_json_string(params, "binary", "base64")) ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS, "binary: expected base64 or fd");
}

static void answer_call(Work *work, const json_t *params, HfRpcReply *reply)
{
    g_autoptr(GError) error = NULL;
    if (!check_call(params, &error)) {
        hf_method_append_answer(reply->text, NULL, error);
        return;
    }
    Wait wait = {work->bridge, work->client, json_object_get(work->request, "id")};
    HfRequest request = {.caller = hf_bridge_client_get_caller(work->client),
                         .cancellable = work->cancellable,
                         .waiting = on_bridge_call_waiting,
                         .waiting_data = &wait};
    g_autoptr(HfAnswer) answer = hf_method_call(work->bridge->desk, &request, params);
    rpc_reply_append(reply, answer, params);
}

static void answer_request(Work *work)
{
    HfBridge *bridge = work->bridge;
    g_autoptr(json_t) none = json_object();
    const json_t *id = json_object_get(work->request, "id");
    json_t *given = json_object_get(work->request, "params"), *params = given ? given : none;
    g_auto(HfRpcReply) reply = {0};
    rpc_reply_begin(&reply, id);
    if (is_call(work))
        answer_call(work, params, &reply);
    else
        hf_method_run(hf_json_string(work->request, "method", ""), bridge->desk,
                      hf_bridge_client_get_caller(work->client), params, work->cancellable,
                      reply.text);
    rpc_reply_end(&reply);
    end_work_call(work); /* frees the id before the client can know */
    if (id)
        hf_bridge_client_send_with(work->client, reply.text->str, reply.text->len,
                                   g_steal_pointer(&reply.fds), reply.fd_bytes);
}

/* Checks what the config requires of this client's requests; FALSE after a refusal was sent. Calls
 * check the program pin themselves. `work`: the worker's; NULL on the main thread, where no request
 * may wait for the store. */
static gboolean check_or_refuse_request(HfBridge *bridge, HfBridgeClient *client,
                                        const json_t *request, Work *work)
{
    g_autoptr(GError) error = NULL;
    const HfCaller *caller = hf_bridge_client_get_caller(client);
    HfGuard *guard = hf_desk_get_guard(bridge->desk);
    g_autoptr(HfConfig) config = hf_live_config_get(hf_guard_get_live_config(guard));
    const char *method = hf_json_string(request, "method", "");
    gboolean call = g_str_equal(method, "call");
    if (hf_replay_check(bridge->nonces, config, caller, request, hf_method_is_harmless(method),
                        &error) &&
        (call || hf_program_pin_check(config, caller, &error)))
        return TRUE;
    if (work)
        end_work_call(work); /* frees the id before the client can know */
    refuse_and_audit_request(bridge, client, request, error);
    return FALSE;
}

static void begin_subscription_or_mcp(HfBridge *bridge, HfBridgeClient *client,
                                      const json_t *request)
{
    if (!hf_bridge_handle_events(bridge->desk, client, request))
        hf_bridge_mcp_open(bridge->mcp, client, request);
}

static gboolean on_request_checked(gpointer data)
{
    Work *work = data;
    if (work->admitted)
        begin_subscription_or_mcp(work->bridge, work->client, work->request);
    hf_bridge_client_release(work->client);
    free_bridge_work(work);
    return G_SOURCE_REMOVE;
}

static void check_request_on_worker(gpointer data)
{
    Work *work = data;
    work->admitted = check_or_refuse_request(work->bridge, work->client, work->request, work);
    g_idle_add_full(G_PRIORITY_DEFAULT, on_request_checked, work, NULL);
}

/* Subscriptions and MCP start on the main thread, where their state lives. The main thread must not
 * wait for the store, and later lines must not overtake the request: a worker checks it while the
 * client is held. */
static gboolean route_subscription_or_mcp(HfBridge *bridge, HfBridgeClient *client,
                                          const json_t *request)
{
    const char *method = hf_json_string(request, "method", "");
    if (!g_str_has_prefix(method, "events.") && !g_str_equal(method, "mcp.open"))
        return FALSE;
    if (!hf_replay_check_waits(request)) {
        if (check_or_refuse_request(bridge, client, request, NULL))
            begin_subscription_or_mcp(bridge, client, request);
        return TRUE;
    }
    Work *work = g_new0(Work, 1);
    work->bridge = bridge;
    work->client = hf_bridge_client_ref(client);
    work->request = json_deep_copy(request);
    hf_bridge_client_hold(client);
    hf_workers_manage(bridge->workers, check_request_on_worker, work);
    return TRUE;
}

static void cancel_call(HfBridgeClient *client, const json_t *request)
{
    const json_t *id = json_object_get(request, "id");
    const json_t *which = json_object_get(json_object_get(request, "params"), "id");
    g_autofree char *key = hf_json_dump(which ? which : json_null());
    gboolean found = hf_bridge_client_cancel_call(client, key);
    if (!id)
        return;
    g_autoptr(json_t) reply = json_pack("{s:s, s:O, s:{s:b, s:{s:b}}}", "jsonrpc", "2.0", "id", id,
                                        "result", "ok", 1, "result", "cancelled", found);
    send_bridge_json(client, reply);
}

typedef struct StopReply {
    HfBridgeClient *client;
    json_t *id; /* NULL: a notification, nobody waits */
} StopReply;

static void answer_bridge_stop(const json_t *outcome, gpointer data)
{
    StopReply *reply = data;
    if (reply->id) {
        g_autoptr(json_t) json =
            json_pack("{s:s, s:o, s:{s:b, s:O}}", "jsonrpc", "2.0", "id",
                      g_steal_pointer(&reply->id), "result", "ok", 1, "result", outcome);
        send_bridge_json(reply->client, json);
    }
    hf_bridge_client_unref(reply->client);
    g_free(reply);
}

/* Runs on the main thread, so that busy workers cannot delay it. When it returns, the guard lets
 * nothing through. The client gets {"method": "stopping"} at once, and the answer when the hands
 * have stopped and the stop is stored. A stop is never refused: an invalid reason is ignored. */
static void handle_bridge_stop(HfDesk *desk, HfBridgeClient *client, const json_t *request)
{
    const json_t *id = json_object_get(request, "id");
    const char *given = hf_json_string(json_object_get(request, "params"), "reason", NULL);
    g_autofree char *reason = given ? hf_text_shorten(given, HF_LIMIT_TITLE_BYTES) : NULL;
    StopReply *reply = g_new0(StopReply, 1);
    reply->client = hf_bridge_client_ref(client);
    reply->id = id ? json_deep_copy(id) : NULL;
    hf_guard_stop(hf_desk_get_guard(desk), hf_bridge_client_get_caller(client), NULL, reason,
                  answer_bridge_stop, reply);
    g_autoptr(json_t) notice =
        json_pack("{s:s, s:s, s:{}}", "jsonrpc", "2.0", "method", "stopping", "params");
    send_bridge_json(client, notice);
}

/* TRUE for the two methods that need no worker. */
static gboolean answer_stop_or_cancel(HfBridge *bridge, HfBridgeClient *client,
                                      const json_t *request)
{
    const char *method = hf_json_string(request, "method", "");
    if (g_str_equal(method, "stop"))
        handle_bridge_stop(bridge->desk, client, request);
    else if (g_str_equal(method, "cancel"))
        cancel_call(client, request);
    else
        return FALSE;
    return TRUE;
}

static void run_bridge_work(gpointer data)
{
    Work *work = data;
    gboolean admitted = work->request != NULL;
    if (!work->request)
        work->request = parse_bridge_request(work->client, work->line);
    gboolean done = !work->request ||
                    (!admitted && answer_stop_or_cancel(work->bridge, work->client, work->request));
    if (!done && (admitted || register_bridge_call(work)) &&
        check_or_refuse_request(work->bridge, work->client, work->request, work))
        answer_request(work);
    free_bridge_work(work);
}

static void on_line(HfBridgeClient *client, GBytes *line, gpointer data)
{
    HfBridge *bridge = data;
    g_autoptr(json_t) request = NULL;
    if (g_bytes_get_size(line) <= PARSE_AT_ONCE_BYTES) {
        request = parse_bridge_request(client, line);
        if (!request)
            return;
        if (answer_stop_or_cancel(bridge, client, request) ||
            route_subscription_or_mcp(bridge, client, request))
            return;
    }
    Work *work = g_new0(Work, 1);
    work->bridge = bridge;
    work->client = hf_bridge_client_ref(client);
    work->line = request ? NULL : g_bytes_ref(line);
    work->request = g_steal_pointer(&request);
    if (!register_bridge_call(work))
        free_bridge_work(work);
    else if (is_call(work))
        hf_workers_call(bridge->workers, run_bridge_work, work);
    else
        hf_workers_manage(bridge->workers, run_bridge_work, work);
}

static void on_bridge_client_gone(HfBridgeClient *client, gpointer data)
{
    HfBridge *bridge = data;
    hf_bridge_client_close(client);
    g_ptr_array_remove_fast(bridge->clients, client);
}

static gboolean on_connection(gint fd, GIOCondition condition, gpointer data)
{
    HfBridge *bridge = data;
    int connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return G_SOURCE_CONTINUE;
    if (bridge->clients->len >= HF_LIMIT_CLIENTS) {
        close(connection);
        return G_SOURCE_CONTINUE;
    }
    g_autoptr(GError) refused = NULL;
    HfBridgeClient *client =
        hf_bridge_client_new(connection, hf_desk_get_input_origin(bridge->desk), on_line,
                             on_bridge_client_gone, bridge, &refused);
    if (client)
        g_ptr_array_add(bridge->clients, client);
    else
        hf_guard_audit_refusal(hf_desk_get_guard(bridge->desk), "bridge", refused);
    return G_SOURCE_CONTINUE;
}

static int listen_at_socket_path(const char *path, GError **error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the path of the bridge is too long: %s",
                path);
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    unlink(path);
    mode_t mask = umask(0177);
    gboolean bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                     listen(fd, 64) == 0;
    umask(mask);
    if (bound)
        return fd;
    hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot listen at '%s': %s", path, g_strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

HfBridge *hf_bridge_new(HfDesk *desk, HfWorkers *workers, HfMcpServer *mcp, const char *path,
                        GError **error)
{
    HfStore *store = hf_guard_get_store(hf_desk_get_guard(desk));
    g_autoptr(HfNonces) nonces = hf_nonces_new(store, g_get_real_time() / 1000, error);
    int fd = nonces ? listen_at_socket_path(path, error) : -1;
    if (fd < 0)
        return NULL;
    HfBridge *bridge = g_new0(HfBridge, 1);
    bridge->desk = desk;
    bridge->workers = workers;
    bridge->nonces = g_steal_pointer(&nonces);
    bridge->mcp = mcp;
    bridge->path = g_strdup(path);
    bridge->fd = fd;
    bridge->clients = g_ptr_array_new_with_free_func((GDestroyNotify)hf_bridge_client_unref);
    bridge->source = g_unix_fd_add(fd, G_IO_IN, on_connection, bridge);
    return bridge;
}

void hf_bridge_shut(HfBridge *bridge)
{
    g_source_remove(bridge->source);
    unlink(bridge->path);
    close(bridge->fd);
    for (guint i = 0; i < bridge->clients->len; i++)
        hf_bridge_client_close(bridge->clients->pdata[i]);
}

void hf_bridge_free(HfBridge *bridge)
{
    if (!bridge)
        return;
    g_ptr_array_unref(bridge->clients);
    hf_nonces_free(bridge->nonces);
    g_free(bridge->path);
    g_free(bridge);
}
