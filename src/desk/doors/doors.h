/* SPDX-License-Identifier: Apache-2.0 */
/* All doors of the desk, opened and closed together. A new door is a folder beside this file and a
 * few lines in doors.c. */
#pragma once

#include "desk/desktops/desk.h"
#include "desk/doors/mcp/mcp-server.h"

typedef struct HfDoors HfDoors;

/* On the main thread. `extras`: see hf_mcp_server_new. */
HfDoors *hf_doors_open(HfDesk *desk, const HfMcpExtras *extras, GError **error);
/* Accepts nobody any more, cancels the calls in flight, waits for them. */
void hf_doors_close(HfDoors *doors);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDoors, hf_doors_close)

/* Describes what the doors accept and answer, for the contract test (docs/contract.md):
 * {methods: {name: schema}, routes: {"METHOD /path": schema}, events: {type: [members]}}. */
json_t *hf_doors_describe(void);
