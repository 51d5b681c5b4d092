/* SPDX-License-Identifier: Apache-2.0 */
/* How far the body of a request goes. What comes after it is another request, to which this
 * connection's permission does not extend. */
#pragma once

#include <glib.h>

typedef enum HfBodyState {
    HF_BODY_COUNTED, /* `left` bytes, or bytes of the chunk */
    HF_BODY_CHUNK_SIZE,
    HF_BODY_CHUNK_EXTENSION,
    HF_BODY_CHUNK_DATA,
    HF_BODY_CHUNK_END,
    HF_BODY_TRAILER_START,
    HF_BODY_TRAILER,
    HF_BODY_OVER,
    HF_BODY_BROKEN,
} HfBodyState;

typedef struct HfBody {
    HfBodyState state;
    guint64 left;
    guint line;         /* bytes of the current chunk's line, or of all trailers */
    gboolean has_digit; /* of a chunk's size */
    gboolean after_cr;
} HfBody;

/* A body of this length; 0: none. */
void hf_body_init_counted(HfBody *body, guint64 length);
void hf_body_init_chunked(HfBody *body);
/* How many of these bytes belong to the body: all, unless it ends before, or is broken. */
gsize hf_body_admit(HfBody *body, const char *bytes, gsize count);
