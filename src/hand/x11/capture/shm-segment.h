/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory that the X server writes pictures into. It has no name and no key: when either
 * side dies, however it dies, nothing is left behind. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfX11Segment {
    guint32 id;
    guint8 *bytes;
    gsize size;
} HfX11Segment;

/* FALSE for a server on another machine or without the extension. */
gboolean hf_x11_segment_supported(HfX11Connection *connection);
/* NULL when the server refuses; then pictures have to come through the socket. */
HfX11Segment *hf_x11_segment_new(HfX11Connection *connection, gsize size);
/* `connection` NULL: it was closed, which has ended the server's part. */
void hf_x11_segment_free(HfX11Connection *connection, HfX11Segment *segment);
