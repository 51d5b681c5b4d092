/* Going through bytes as D-Bus lays them out: every value is aligned to its size, counted from the
 * beginning. Nothing is taken beyond the end; what is not there is NULL or FALSE. */
#pragma once

#include <glib.h>

/* Of a message, and of whatever is in it. */
#define HF_WIRE_MOST_BYTES (16u * 1024 * 1024)

typedef struct HfWireCursor {
    const guint8 *data;
    gsize size, at;
    guint values; /* met so far; for whoever wants to count them */
} HfWireCursor;

const guint8 *hf_wire_take(HfWireCursor *cursor, gsize align, gsize bytes);
gboolean hf_wire_take_u32(HfWireCursor *cursor, guint32 *ret_number);
/* Ends with 0 and has none before; need not be UTF-8. Borrowed from the bytes. */
const char *hf_wire_take_text(HfWireCursor *cursor);
const char *hf_wire_take_signature(HfWireCursor *cursor);
/* Enters an array of elements that are aligned so. */
gboolean hf_wire_take_array(HfWireCursor *cursor, gsize align, gsize *ret_end);
