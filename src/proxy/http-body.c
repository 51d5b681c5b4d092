/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the framing of RFC 9112 byte by byte, and strictly: a server must not see another end
 * than we do. */
#include "proxy/http-body.h"

#include "proxy/proxy-limits.h"

/* Beyond that, sizes are nonsense. */
#define LARGEST_CHUNK ((guint64)1 << 48)

void hf_body_init_counted(HfBody *body, guint64 length)
{
    *body = (HfBody){.state = length > 0 ? HF_BODY_COUNTED : HF_BODY_OVER, .left = length};
}

void hf_body_init_chunked(HfBody *body)
{
    *body = (HfBody){.state = HF_BODY_CHUNK_SIZE};
}

static gboolean is_line_state(HfBodyState state)
{
    return state == HF_BODY_CHUNK_SIZE || state == HF_BODY_CHUNK_EXTENSION ||
           state == HF_BODY_TRAILER_START || state == HF_BODY_TRAILER;
}

static void end_size_line(HfBody *body)
{
    body->state = !body->has_digit ? HF_BODY_BROKEN
                  : body->left > 0 ? HF_BODY_CHUNK_DATA
                                   : HF_BODY_TRAILER_START;
    body->has_digit = FALSE;
    body->line = 0;
}

/* After CR LF. */
static void end_line(HfBody *body)
{
    switch (body->state) {
    case HF_BODY_CHUNK_SIZE:
    case HF_BODY_CHUNK_EXTENSION:
        end_size_line(body);
        break;
    case HF_BODY_CHUNK_END:
        body->state = HF_BODY_CHUNK_SIZE;
        body->left = 0;
        break;
    case HF_BODY_TRAILER_START:
        body->state = HF_BODY_OVER;
        break;
    case HF_BODY_TRAILER:
        body->state = HF_BODY_TRAILER_START;
        break;
    default:
        body->state = HF_BODY_BROKEN;
    }
}

static void take_size_byte(HfBody *body, char byte)
{
    if (g_ascii_isxdigit(byte) && body->left < LARGEST_CHUNK / 16) {
        body->left = body->left * 16 + (guint64)g_ascii_xdigit_value(byte);
        body->has_digit = TRUE;
    } else {
        body->state = byte == ';' && body->has_digit ? HF_BODY_CHUNK_EXTENSION : HF_BODY_BROKEN;
    }
}

/* A byte outside of the data. */
static void take_framing_byte(HfBody *body, char byte)
{
    body->line += is_line_state(body->state) ? 1 : 0;
    if (body->line > HF_LIMIT_PROXY_CHUNK_LINE_BYTES) {
        body->state = HF_BODY_BROKEN;
    } else if (body->after_cr) {
        body->after_cr = FALSE;
        if (byte == '\n')
            end_line(body);
        else
            body->state = HF_BODY_BROKEN;
    } else if (byte == '\r') {
        body->after_cr = TRUE;
    } else if (byte == '\n' || byte == '\0' || body->state == HF_BODY_CHUNK_END) {
        body->state = HF_BODY_BROKEN;
    } else if (body->state == HF_BODY_CHUNK_SIZE) {
        take_size_byte(body, byte);
    } else if (body->state == HF_BODY_TRAILER_START) {
        body->state = HF_BODY_TRAILER;
    }
}

gsize hf_body_admit(HfBody *body, const char *bytes, gsize count)
{
    gsize at = 0;
    while (at < count && body->state != HF_BODY_OVER && body->state != HF_BODY_BROKEN) {
        if (body->state != HF_BODY_COUNTED && body->state != HF_BODY_CHUNK_DATA) {
            take_framing_byte(body, bytes[at]);
            /* What is wrong stays here. */
            at += body->state != HF_BODY_BROKEN ? 1 : 0;
            continue;
        }
        gsize step = (gsize)MIN(body->left, count - at);
        body->left -= step;
        at += step;
        if (body->left == 0)
            body->state = body->state == HF_BODY_COUNTED ? HF_BODY_OVER : HF_BODY_CHUNK_END;
    }
    return at;
}
