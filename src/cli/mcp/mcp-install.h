/* SPDX-License-Identifier: Apache-2.0 */
/* Telling other programs that Handfast is there: their own configuration of MCP servers. */
#pragma once

#include <glib.h>

/* Names of the clients that can be told, ended by NULL. */
extern const char *const hf_mcp_clients[];

/* What to put into that client's file, and which. Owned. */
char *hf_mcp_install_text(const char *client, const char *program, const char *profile);
char *hf_mcp_install_path(const char *client);
/* Puts it there, beside what there is already; atomically, and with a copy of the file as it was
 * (`ret_backup`, owned; NULL: there was none). CONFIG_INVALID when the file cannot be understood.
 */
gboolean hf_mcp_install(const char *client, const char *program, const char *profile,
                        char **ret_backup, GError **error);
