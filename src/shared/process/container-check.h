/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this machine lets us run private desktops in containers, and programs on somebody's own
 * desktop in a PID namespace. */
#pragma once

#include <glib.h>

/* Tried once per process. UNSUPPORTED says what is missing and how to get it. */
gboolean hf_container_check(GError **error);

/* The command line of bubblewrap that runs a program as the first process of a new PID namespace,
 * up to and including "--". Nothing else is different inside: files, network, buses and displays
 * are the user's. */
GPtrArray *hf_process_namespace_new_command(void);
/* Tries it. UNSUPPORTED says what is missing and how to get it. */
gboolean hf_process_namespace_check(GError **error);
/* For the message of bubblewrap when it could not do so. */
void hf_process_namespace_fail(const char *complaint, GError **error);
