/* SPDX-License-Identifier: Apache-2.0 */
/* A seam for tests: what a server offers besides what the registry gives it. The product sets none;
 * the programs that the conformance suite is run against do, before the desk begins. */
#pragma once

#include "desk/doors/mcp/mcp-request.h"

typedef struct HfMcpExtras {
    /* Adds to a list: "tools", "resources", "resourceTemplates". */
    void (*list)(const char *what, json_t *list);
    void (*capabilities)(json_t *capabilities);
    /* TRUE: it sees to the answer. On a worker thread. */
    gboolean (*call)(HfMcpRequest *request, const char *tool, const json_t *arguments);
    gboolean (*read)(HfMcpRequest *request, const char *uri);
    gboolean (*method)(HfMcpRequest *request);
} HfMcpExtras;

/* Borrowed for good. */
void hf_mcp_set_extras(const HfMcpExtras *extras);
/* NULL: none. */
const HfMcpExtras *hf_mcp_get_extras(void);
