/* SPDX-License-Identifier: Apache-2.0 */
/* A connection as the HTTP library gets it: everything that it reads has passed the framing
 * (http-framing.h). What is refused ends the connection, after the client was told. A GObject,
 * since the library wants streams. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/http/server/http-framing.h"

/* Reads and writes `stream`, and closes it. */
GIOStream *hf_http_framing_stream_new(GIOStream *stream, HfHttpFraming *framing);
