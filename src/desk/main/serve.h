/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast serve`: the desk as a process. */
#pragma once

#include "desk/doors/mcp/mcp-server.h"

/* What the program adds to the command line. */
typedef struct HfServeOptions {
    const HfMcpExtras *mcp_extras; /* NULL: none, as in the product */
} HfServeOptions;

int hf_serve_main(int argc, char **argv, const HfServeOptions *options);
