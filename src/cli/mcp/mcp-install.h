/* SPDX-License-Identifier: Apache-2.0 */
/* Registers Handfast as an MCP server in the configuration of other programs. */
#pragma once

#include <glib.h>

/* The supported clients, NULL-terminated. */
extern const char *const hf_mcp_clients[];

/* The text for that client's file, and the path of the file. Owned. */
char *hf_mcp_install_text(const char *client, const char *program, const char *profile);
char *hf_mcp_install_path(const char *client);
/* Adds it to the file, atomically; `ret_backup` (owned) is a copy of the old file, NULL if there
 * was none. CONFIG_INVALID when the file cannot be parsed. */
gboolean hf_mcp_install(const char *client, const char *program, const char *profile,
                        char **ret_backup, GError **error);
