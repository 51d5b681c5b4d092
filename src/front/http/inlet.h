/* A connection as the HTTP library gets it: everything that it reads has passed the framing
 * (framing.h). What is refused ends the connection, after the client was told. A GObject, since the
 * library wants streams. */
#pragma once

#include <gio/gio.h>

#include "front/http/framing.h"

/* Reads and writes `stream`, and closes it. */
GIOStream *hf_http_inlet_new(GIOStream *stream, HfHttpFraming *framing);
