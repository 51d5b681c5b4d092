/* SPDX-License-Identifier: Apache-2.0 */
/* One life of an X server, told from the next: another server may come up at the same display
 * number within milliseconds, and a server that resets forgets everything without ending. */
#pragma once

#include "hand/x11/core/connection.h"

/* Leaves a mark that lasts exactly as long as this life of the server, and returns its name. NULL:
 * the server has gone away. */
char *hf_server_generation_new_mark(HfX11Connection *connection, GError **error);
/* Whether the server behind this connection is the one that was marked, in the same life. */
gboolean hf_server_generation_matches(HfX11Connection *connection, const char *mark);
