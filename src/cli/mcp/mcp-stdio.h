/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast mcp` as a client runs it: lines of MCP between standard input and output and the desk.
 */
#pragma once

typedef struct HfMcpStdioOptions {
    const char *profile; /* NULL: the usual one */
    const char *desktop; /* NULL: main */
} HfMcpStdioOptions;

/* Until the client closes its end. The desk is looked for, or started, with the first message, and
 * again when it has ended meanwhile. Returns the exit status. */
int hf_mcp_stdio_run(const HfMcpStdioOptions *options);
