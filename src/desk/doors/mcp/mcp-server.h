/* SPDX-License-Identifier: Apache-2.0 */
/* What all MCP connections of a desk share. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "desk/desktops/desk.h"
#include "desk/doors/workers.h"

/* Signs the state that a modern client carries from one attempt of a request to the next: the
 * client stores it, but cannot change it, and it expires. */
typedef struct HfMcpStateSigner HfMcpStateSigner;

/* The key lives as long as the signer: another desk accepts none of its states. */
HfMcpStateSigner *hf_mcp_state_signer_new(void);
void hf_mcp_state_signer_free(HfMcpStateSigner *signer);

/* `claims` is an object; "expires" (wall clock, in milliseconds) is added. Consumes it. */
char *hf_mcp_state_sign(const HfMcpStateSigner *signer, json_t *take_claims, gint64 for_ms);
/* NULL when it is not ours, was changed, or has expired. */
json_t *hf_mcp_state_verify(const HfMcpStateSigner *signer, const char *text);

typedef struct HfMcpServer HfMcpServer;
typedef struct HfMcpCalls HfMcpCalls; /* desk/doors/mcp/mcp-calls.h */

typedef struct HfMcpRequest HfMcpRequest;

/* What a server offers besides the tools of the registry. The product has none; the server that the
 * official conformance suite runs against has the suite's fixtures (tests/mcp). */
typedef struct HfMcpExtras {
    /* Adds to a list: "tools", "resources", "resourceTemplates". */
    void (*list)(const char *what, json_t *list);
    void (*capabilities)(json_t *capabilities);
    /* These return TRUE when they answer the request. They run on a worker. */
    gboolean (*call)(HfMcpRequest *request, const char *tool, const json_t *arguments);
    gboolean (*read)(HfMcpRequest *request, const char *uri);
    gboolean (*method)(HfMcpRequest *request);
} HfMcpExtras;

/* Everything but the pictures stays as it is. */
struct HfMcpServer {
    HfDesk *desk;
    HfWorkers *workers;
    HfMcpStateSigner *signer;
    HfMcpCalls *calls;
    const HfMcpExtras *extras;
    GMutex lock;          /* guards what follows, which only mcp-server.c uses */
    GHashTable *pictures; /* "principal desktop" → json_t */
};

/* `extras` may be NULL and must outlive the server. */
HfMcpServer *hf_mcp_server_new(HfDesk *desk, HfWorkers *workers, const HfMcpExtras *extras);
/* When its connections are closed and the workers are gone. */
void hf_mcp_server_free(HfMcpServer *server);

/* The picture that a caller's bare coordinates refer to: the last one of that desktop that it got,
 * as screenshot described it. Owned; NULL: none. */
json_t *hf_mcp_server_dup_picture(HfMcpServer *server, const char *principal, const char *desktop);
void hf_mcp_server_note_picture(HfMcpServer *server, const char *principal, const char *desktop,
                                json_t *picture);
