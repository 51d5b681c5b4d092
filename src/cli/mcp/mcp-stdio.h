/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast mcp` as a client runs it: passes lines of MCP between standard input and output and
 * the desk. */
#pragma once

typedef struct HfMcpStdioOptions {
    const char *profile; /* NULL: the default */
    const char *desktop; /* NULL: main */
} HfMcpStdioOptions;

/* Runs until the client closes its end. The first message finds or starts the desk, and again
 * after it has ended. Returns the exit status. */
int hf_mcp_stdio_run(const HfMcpStdioOptions *options);
