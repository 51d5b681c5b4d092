/* SPDX-License-Identifier: Apache-2.0 */
/* Tells one generation of an X server from the next. Another server may come up at the same display
 * number within milliseconds, and a server that resets forgets everything without ending. */
#pragma once

#include "hand/x11/core/connection.h"

/* Leaves a mark that lasts exactly as long as this generation, and returns its name, which fits
 * into HF_INPUT_JOURNAL_SERVER_BYTES. */
char *hf_server_generation_new_mark(HfX11Connection *connection, GError **error);
/* Whether the server behind this connection is the marked one, in the same generation. FALSE for
 * NULL and "". */
gboolean hf_server_generation_matches(HfX11Connection *connection, const char *mark);
