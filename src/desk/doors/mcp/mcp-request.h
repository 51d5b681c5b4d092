/* SPDX-License-Identifier: Apache-2.0 */
/* One request of a client, from its arrival to its one answer. Any thread may answer it. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/mcp/mcp-connection.h"

/* Levels of log messages, as MCP orders them. */
enum {
    HF_MCP_LOG_DEBUG,
    HF_MCP_LOG_INFO,
    HF_MCP_LOG_NOTICE,
    HF_MCP_LOG_WARNING,
    HF_MCP_LOG_ERROR,
    HF_MCP_LOG_CRITICAL,
    HF_MCP_LOG_ALERT,
    HF_MCP_LOG_EMERGENCY,
    HF_MCP_LOG_NOTHING, /* the client asked for no log messages */
};
/* The level of that name, or -1. */
int hf_mcp_log_level_find(const char *name);

struct HfMcpRequest {
    gatomicrefcount refs;
    HfMcp *mcp;
    HfMcpOutput *output;
    json_t *message, *capabilities;
    json_t *params; /* an object */
    char *key;
    gboolean modern;
    int log_level;
    const json_t *token; /* progress token, borrowed; NULL: no progress messages */
    gint64 started;
    GMutex lock; /* guards what follows, which only mcp-request.c changes */
    GCancellable *cancellable;
    gboolean silent, answered;
    double progress;
    char *activity;
    GSource *ticker;
    void (*cancelled)(gpointer data);
    gpointer cancelled_data;
};

/* From a message of the right form. */
HfMcpRequest *hf_mcp_request_new(HfMcp *mcp, json_t *message, HfMcpOutput *output);
HfMcpRequest *hf_mcp_request_ref(HfMcpRequest *request);
void hf_mcp_request_unref(HfMcpRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcpRequest, hf_mcp_request_unref)

/* Adds the server's extras to a list that is being answered. */
void hf_mcp_request_add_extras(const HfMcpRequest *request, const char *what, json_t *list);
const json_t *hf_mcp_request_get_id(const HfMcpRequest *request);
const char *hf_mcp_request_get_method(const HfMcpRequest *request);
/* Whether the client declared this capability: "elicitation", "sampling". */
gboolean hf_mcp_request_can(const HfMcpRequest *request, const char *capability);
/* Whether the client can ask its user with a form: an empty "elicitation" means yes, one with only
 * "url" means no. */
gboolean hf_mcp_request_can_elicit(const HfMcpRequest *request);

/* Replaces the cancellable by that of work in progress: from then on, cancelling the request
 * cancels that work. */
void hf_mcp_request_follow(HfMcpRequest *request, GCancellable *cancellable);
/* The client cancelled it: it gets no answer. Main thread only. */
void hf_mcp_request_cancel(HfMcpRequest *request);
/* Called once, after the cancellation. */
void hf_mcp_request_set_cancelled(HfMcpRequest *request, void (*cancelled)(gpointer data),
                                  gpointer data);

/* Sends progress messages until the request is answered, if the client asked for them. */
void hf_mcp_request_repeat_progress(HfMcpRequest *request);
/* The text of the next progress messages. */
void hf_mcp_request_set_activity(HfMcpRequest *request, const char *activity);
/* One progress message; does nothing when the client did not ask for it. `total` 0: unknown. */
void hf_mcp_request_progress(HfMcpRequest *request, double progress, double total,
                             const char *activity);
void hf_mcp_request_log(HfMcpRequest *request, int level, json_t *take_data);

/* The one answer; later ones are dropped. Consumes the result. */
void hf_mcp_request_reply(HfMcpRequest *request, json_t *take_result);
/* The same with one more member as JSON text: pictures do not pass through a JSON tree. */
void hf_mcp_request_reply_with(HfMcpRequest *request, json_t *take_result, const char *member,
                               const GString *text);
void hf_mcp_request_fail(HfMcpRequest *request, int code, json_t *take_data, const char *format,
                         ...) G_GNUC_PRINTF(4, 5);
/* The same with an HTTP status. */
void hf_mcp_request_refuse(HfMcpRequest *request, int code, int status, json_t *take_data,
                           const char *message);
/* FALSE after the request was refused: our lists have one page, so no cursor is valid. */
gboolean hf_mcp_request_check_cursor(HfMcpRequest *request);
