/* SPDX-License-Identifier: Apache-2.0 */
/* One MCP connection: messages in, messages out, what a legacy client said in `initialize`, and the
 * requests in flight in both directions. Independent of the transport. */
#pragma once

#include "desk/doors/mcp/mcp-message.h"
#include "desk/doors/mcp/mcp-output.h"
#include "desk/doors/mcp/mcp-server.h"
#include "desk/policy/identity/caller.h"

typedef struct HfMcp HfMcp;

typedef struct HfMcpOptions {
    const HfCaller *caller; /* copied; it acts for an agent, never for the owner */
    const char *profile;    /* NULL: the default */
    const char *desktop;    /* of calls that name none; NULL: main */
    gboolean stateless;     /* for one request only: calls that wait for a person outlive it */
} HfMcpOptions;

/* INVALID_PARAMS for an unknown profile. `output` takes messages that belong to no request. */
HfMcp *hf_mcp_new(HfMcpServer *server, const HfMcpOptions *options, HfMcpOutput *output,
                  GError **error);
HfMcp *hf_mcp_ref(HfMcp *mcp);
void hf_mcp_unref(HfMcp *mcp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfMcp, hf_mcp_unref)
/* Cancels requests in flight and ends subscriptions. */
void hf_mcp_close(HfMcp *mcp);

/* One message. `output` takes its answers (NULL: the connection's). On the main thread. */
void hf_mcp_receive(HfMcp *mcp, GBytes *line, HfMcpOutput *output);
/* The same for a parsed message. */
void hf_mcp_dispatch(HfMcp *mcp, json_t *message, HfMcpOutput *output);

/* ---- for the methods ---- */

struct HfMcp {
    gatomicrefcount refs;
    HfMcpServer *server;
    HfMcpOutput *output;
    HfCaller caller; /* its strings are the members below */
    char *name, *program, *session, *token, *grant, *run_id;
    char *principal; /* the identity that outlives a connection: its token, or its process */
    gint reads;
    char *profile, *desktop;
    gboolean stateless;
    GMutex lock; /* guards what follows, which only mcp-connection.c uses */
    gboolean closed;
    const char *version;
    json_t *capabilities;
    int log_level;
    GHashTable *requests; /* key → HfMcpRequest */
    guint waiting;
    GHashTable *asks; /* number → Ask */
    guint64 asked;
    struct HfMcpResourceWatch *watch, *list_watch;
};

/* What `initialize` said. The version is NULL before. Consumes the capabilities. */
void hf_mcp_begin_legacy(HfMcp *mcp, const char *version, json_t *take_capabilities);
const char *hf_mcp_get_version(HfMcp *mcp);
json_t *hf_mcp_dup_capabilities(HfMcp *mcp);
void hf_mcp_set_log_level(HfMcp *mcp, int level);
int hf_mcp_get_log_level(HfMcp *mcp);
/* Legacy subscriptions; LIMIT_EXCEEDED. */
gboolean hf_mcp_subscribe(HfMcp *mcp, const char *uri, GError **error);
void hf_mcp_unsubscribe(HfMcp *mcp, const char *uri);

/* Requests in flight. FALSE when there are too many, or one with that id. */
gboolean hf_mcp_add_request(HfMcp *mcp, HfMcpRequest *request);
void hf_mcp_remove_request(HfMcp *mcp, HfMcpRequest *request);
/* One of them starts or stops waiting for a person: others may take its place. */
void hf_mcp_set_waiting(HfMcp *mcp, gboolean waiting);

/* Sends a request to a legacy client. `answered` is called once: with the result, or NULL when it
 * failed or the connection ended. Returns its number. */
typedef void (*HfMcpAnswered)(const json_t *result, gpointer data);
guint64 hf_mcp_ask(HfMcp *mcp, HfMcpOutput *output, const char *method, json_t *take_params,
                   HfMcpAnswered answered, gpointer data);
/* Withdraws the request and notifies the client. Calls `answered` with NULL, unless it was called
 * before. */
void hf_mcp_withdraw(HfMcp *mcp, HfMcpOutput *output, guint64 ask, const char *reason);
