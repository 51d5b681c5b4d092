/* SPDX-License-Identifier: Apache-2.0 */
/* The resources: the screen of a desktop, the evidence of a run, and the audit. */
#pragma once

typedef enum HfMcpResourceKind {
    HF_MCP_RESOURCE_NONE,
    HF_MCP_RESOURCE_SCREEN, /* screen://DESKTOP */
    HF_MCP_RESOURCE_RUN,    /* run://ID */
    HF_MCP_RESOURCE_AUDIT,  /* audit://latest */
} HfMcpResourceKind;

/* By its form; `ret_name` is the part after "://", borrowed from the URI. */
HfMcpResourceKind hf_mcp_resource_kind(const char *uri, const char **ret_name);
