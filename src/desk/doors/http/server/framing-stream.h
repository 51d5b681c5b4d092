/* SPDX-License-Identifier: Apache-2.0 */
/* The connection as libsoup sees it: every byte that it reads has passed the framing check
 * (http-framing.h). A refusal is sent to the client and ends the connection. A GObject, because
 * libsoup needs streams. */
#pragma once

#include <gio/gio.h>

#include "desk/doors/http/server/http-framing.h"

/* Reads and writes `stream`, and closes it. */
GIOStream *hf_http_framing_stream_new(GIOStream *stream, HfHttpFraming *framing);
