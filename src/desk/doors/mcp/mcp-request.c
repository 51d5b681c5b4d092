/* SPDX-License-Identifier: Apache-2.0 */
/* Requests. The first answer wins; a cancelled request gets none. */
#include "desk/doors/mcp/mcp-request.h"

#include <string.h>

#include "shared/base/error.h"

/* How often a client gets a progress message. */
#define TELL_EVERY_MS 1000

static const char *const levels[] = {"debug",    "info",  "notice",    "warning", "error",
                                     "critical", "alert", "emergency", NULL};

int hf_mcp_log_level_find(const char *name)
{
    for (int i = 0; name && levels[i]; i++)
        if (strcmp(levels[i], name) == 0)
            return i;
    return -1;
}

HfMcpRequest *hf_mcp_request_new(HfMcp *mcp, json_t *message, HfMcpOutput *output)
{
    HfMcpRequest *request = g_new0(HfMcpRequest, 1);
    g_atomic_ref_count_init(&request->refs);
    request->mcp = hf_mcp_ref(mcp);
    request->output = hf_mcp_output_ref(output);
    /* A copy, because the message stays with the thread that read it. */
    request->message = json_deep_copy(message);
    json_t *params = json_object_get(request->message, "params");
    request->params = params ? json_incref(params) : json_object();
    const json_t *meta = hf_mcp_message_meta(request->message);
    const json_t *token = json_object_get(meta, "progressToken");
    request->key = hf_json_dump(json_object_get(message, "id"));
    request->modern = hf_mcp_message_is_modern(message);
    json_t *declared = json_object_get(meta, HF_MCP_META("clientCapabilities"));
    request->capabilities = request->modern ? json_incref(declared) : hf_mcp_dup_capabilities(mcp);
    int level = hf_mcp_log_level_find(hf_json_string(meta, HF_MCP_META("logLevel"), NULL));
    request->log_level = !request->modern ? hf_mcp_get_log_level(mcp)
                         : level >= 0     ? level
                                          : HF_MCP_LOG_NOTHING;
    request->token = hf_mcp_is_token(token) ? token : NULL;
    request->progress = -1;
    request->started = g_get_monotonic_time();
    request->cancellable = g_cancellable_new();
    g_mutex_init(&request->lock);
    return request;
}

HfMcpRequest *hf_mcp_request_ref(HfMcpRequest *request)
{
    g_atomic_ref_count_inc(&request->refs);
    return request;
}

void hf_mcp_request_unref(HfMcpRequest *request)
{
    if (!request || !g_atomic_ref_count_dec(&request->refs))
        return;
    hf_mcp_unref(request->mcp);
    hf_mcp_output_unref(request->output);
    json_decref(request->message);
    json_decref(request->params);
    json_decref(request->capabilities);
    g_object_unref(request->cancellable);
    g_mutex_clear(&request->lock);
    g_free(request->activity);
    g_free(request->key);
    g_free(request);
}

void hf_mcp_request_add_extras(const HfMcpRequest *request, const char *what, json_t *list)
{
    const HfMcpExtras *extras = request->mcp->server->extras;
    if (extras)
        extras->list(what, list);
}

const json_t *hf_mcp_request_get_id(const HfMcpRequest *request)
{
    return json_object_get(request->message, "id");
}

const char *hf_mcp_request_get_method(const HfMcpRequest *request)
{
    return hf_json_string(request->message, "method", "");
}

gboolean hf_mcp_request_can(const HfMcpRequest *request, const char *capability)
{
    return json_is_object(json_object_get(request->capabilities, capability));
}

gboolean hf_mcp_request_can_elicit(const HfMcpRequest *request)
{
    const json_t *elicitation = json_object_get(request->capabilities, "elicitation");
    return json_is_object(elicitation) &&
           (json_object_size(elicitation) == 0 || json_object_get(elicitation, "form"));
}

/* ---- cancelling ---- */

void hf_mcp_request_follow(HfMcpRequest *request, GCancellable *cancellable)
{
    g_mutex_lock(&request->lock);
    gboolean silent = request->silent;
    g_object_ref(cancellable);
    g_object_unref(request->cancellable);
    request->cancellable = cancellable;
    g_mutex_unlock(&request->lock);
    if (silent)
        g_cancellable_cancel(cancellable);
}

void hf_mcp_request_cancel(HfMcpRequest *request)
{
    g_mutex_lock(&request->lock);
    request->silent = TRUE;
    g_autoptr(GCancellable) cancellable = g_object_ref(request->cancellable);
    void (*cancelled)(gpointer) = request->cancelled;
    request->cancelled = NULL;
    g_mutex_unlock(&request->lock);
    g_cancellable_cancel(cancellable);
    if (cancelled)
        cancelled(request->cancelled_data);
}

void hf_mcp_request_set_cancelled(HfMcpRequest *request, void (*cancelled)(gpointer data),
                                  gpointer data)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&request->lock);
    request->cancelled = cancelled;
    request->cancelled_data = data;
}

/* ---- progress ---- */

/* With the lock held: progress only rises, and ends with the answer. */
static gboolean may_tell(HfMcpRequest *request, double progress)
{
    if (!request->token || request->answered || request->silent || progress <= request->progress)
        return FALSE;
    request->progress = progress;
    return TRUE;
}

void hf_mcp_request_progress(HfMcpRequest *request, double progress, double total,
                             const char *activity)
{
    if (!request->token)
        return;
    json_t *params = json_pack("{s:O, s:f}", "progressToken", request->token, "progress", progress);
    if (total > 0)
        json_object_set_new(params, "total", json_real(total));
    if (activity)
        json_object_set_new(params, "message", hf_json_text(activity));
    g_autofree char *text = hf_mcp_notification_text("notifications/progress", params);
    /* Under the lock, so that none comes after the answer. */
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&request->lock);
    if (may_tell(request, progress))
        hf_mcp_output_notify(request->output, text);
}

static gboolean send_progress_again(gpointer data)
{
    HfMcpRequest *request = data;
    g_mutex_lock(&request->lock);
    g_autofree char *activity = g_strdup(request->activity);
    g_mutex_unlock(&request->lock);
    double seconds = (double)((g_get_monotonic_time() - request->started) / 1000) / 1000;
    hf_mcp_request_progress(request, seconds, 0, activity ? activity : "working");
    return G_SOURCE_CONTINUE;
}

void hf_mcp_request_repeat_progress(HfMcpRequest *request)
{
    if (!request->token)
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&request->lock);
    if (!request->answered && !request->ticker) {
        request->ticker = g_timeout_source_new(TELL_EVERY_MS);
        g_source_set_callback(request->ticker, send_progress_again, hf_mcp_request_ref(request),
                              (GDestroyNotify)hf_mcp_request_unref);
        g_source_attach(request->ticker, NULL);
    }
}

void hf_mcp_request_set_activity(HfMcpRequest *request, const char *activity)
{
    g_mutex_lock(&request->lock);
    g_free(request->activity);
    request->activity = g_strdup(activity);
    gboolean repeats = request->ticker != NULL;
    g_mutex_unlock(&request->lock);
    if (repeats)
        send_progress_again(request);
}

void hf_mcp_request_log(HfMcpRequest *request, int level, json_t *take_data)
{
    g_autofree char *text = hf_mcp_notification_text(
        "notifications/message", json_pack("{s:s, s:s, s:o}", "level", levels[level], "logger",
                                           "handfast", "data", take_data));
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&request->lock);
    if (level >= request->log_level && !request->answered && !request->silent)
        hf_mcp_output_notify(request->output, text);
}

/* ---- the answer ---- */

/* FALSE when another answer came first. Afterwards no other message is sent. */
static gboolean claim_mcp_answer(HfMcpRequest *request, gboolean *ret_silent)
{
    g_mutex_lock(&request->lock);
    gboolean first = !request->answered;
    request->answered = TRUE;
    *ret_silent = request->silent;
    GSource *ticker = g_steal_pointer(&request->ticker);
    g_mutex_unlock(&request->lock);
    if (ticker) {
        g_source_destroy(ticker);
        g_source_unref(ticker);
    }
    return first;
}

static void send_mcp_answer(HfMcpRequest *request, const char *text, gsize length, int status)
{
    gboolean silent;
    if (!claim_mcp_answer(request, &silent))
        return;
    hf_mcp_remove_request(request->mcp, request); /* frees the id before the client can know */
    hf_mcp_output_send(request->output, &(HfMcpMessage){.text = silent ? NULL : text,
                                                        .length = silent ? 0 : length,
                                                        .last = TRUE,
                                                        .status = status});
}

/* What every modern result contains. */
static void add_modern_members(const HfMcpRequest *request, json_t *result)
{
    if (!request->modern)
        return;
    if (!json_object_get(result, "resultType"))
        json_object_set_new(result, "resultType", json_string("complete"));
    json_t *meta = json_object_get(result, "_meta");
    if (!meta) {
        meta = json_object();
        json_object_set_new(result, "_meta", meta);
    }
    json_object_set_new(meta, HF_MCP_META("serverInfo"),
                        json_pack("{s:s, s:s}", "name", "handfast", "version", HF_VERSION));
}

static int append_result_chunk(const char *chunk, size_t size, void *text)
{
    g_string_append_len(text, chunk, (gssize)size);
    return 0;
}

void hf_mcp_request_reply(HfMcpRequest *request, json_t *take_result)
{
    hf_mcp_request_reply_with(request, take_result, NULL, NULL);
}

void hf_mcp_request_reply_with(HfMcpRequest *request, json_t *take_result, const char *member,
                               const GString *content)
{
    g_autoptr(json_t) result = take_result;
    add_modern_members(request, result);
    g_autofree char *id = hf_json_dump(hf_mcp_request_get_id(request));
    g_autoptr(GString) text = g_string_sized_new(content ? content->len + 1024 : 1024);
    g_string_append_printf(text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{", id);
    if (content) {
        g_string_append_printf(text, "\"%s\":", member);
        g_string_append_len(text, content->str, (gssize)content->len);
        g_string_append(text, json_object_size(result) ? "," : "");
    }
    gsize brace = text->len;
    json_dump_callback(result, append_result_chunk, text, JSON_COMPACT | JSON_REAL_PRECISION(6));
    g_string_erase(text, (gssize)brace, 1);
    g_string_append_c(text, '}');
    send_mcp_answer(request, text->str, text->len, 200);
}

void hf_mcp_request_refuse(HfMcpRequest *request, int code, int status, json_t *take_data,
                           const char *message)
{
    g_autofree char *text =
        hf_mcp_error_text(hf_mcp_request_get_id(request), code, message, take_data);
    send_mcp_answer(request, text, strlen(text), status);
}

void hf_mcp_request_fail(HfMcpRequest *request, int code, json_t *take_data, const char *format,
                         ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    hf_mcp_request_refuse(request, code, 200, take_data, message);
}

gboolean hf_mcp_request_check_cursor(HfMcpRequest *request)
{
    const json_t *cursor = json_object_get(request->params, "cursor");
    if (!cursor || (json_is_string(cursor) && json_string_length(cursor) == 0))
        return TRUE;
    hf_mcp_request_fail(request, HF_MCP_INVALID_PARAMS, NULL, "there is no page with this cursor");
    return FALSE;
}
