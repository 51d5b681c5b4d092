/* SPDX-License-Identifier: Apache-2.0 */
/* What all MCP connections of a desk share. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/mcp/mcp-signed-state.h"
#include "desk/doors/workers.h"

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

/* `extras` may be NULL and must outlive the server. */
HfMcpServer *hf_mcp_server_new(HfDesk *desk, HfWorkers *workers, const HfMcpExtras *extras);
/* When its connections are closed and the workers are gone. */
void hf_mcp_server_free(HfMcpServer *server);

HfDesk *hf_mcp_server_get_desk(const HfMcpServer *server);
HfWorkers *hf_mcp_server_get_workers(const HfMcpServer *server);
const HfMcpStateSigner *hf_mcp_server_get_state_signer(const HfMcpServer *server);
HfMcpCalls *hf_mcp_server_get_calls(const HfMcpServer *server);
const HfMcpExtras *hf_mcp_server_get_extras(const HfMcpServer *server);

/* The picture that a caller's bare coordinates refer to: the last one of that desktop that it got,
 * as screenshot described it. Owned; NULL: none. */
json_t *hf_mcp_server_dup_picture(HfMcpServer *server, const char *principal, const char *desktop);
void hf_mcp_server_note_picture(HfMcpServer *server, const char *principal, const char *desktop,
                                json_t *picture);
