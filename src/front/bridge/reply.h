/* The line that answers a request, and the descriptors that go with it. */
#pragma once

#include <glib.h>

#include "tool/answer.h"

typedef struct HfReply {
    GString *text;
    GArray *fds; /* of int, in the order of "descriptor"; NULL: none */
    gsize fd_bytes;
    gsize start; /* of the result */
} HfReply;

void hf_reply_begin(HfReply *reply, const json_t *id);
/* A tool's answer. `params` are those of the method `call`: with "binary": "fd" each binary part is
 * {descriptor, bytes, media_type} in place of base64. */
void hf_reply_append(HfReply *reply, const HfAnswer *answer, const json_t *params);
/* Ends the line. A result that no client could be expected to take becomes LIMIT_EXCEEDED. */
void hf_reply_end(HfReply *reply);
void hf_reply_clear(HfReply *reply);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfReply, hf_reply_clear)
