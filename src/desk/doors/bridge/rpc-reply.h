/* SPDX-License-Identifier: Apache-2.0 */
/* The line that answers a request, and the descriptors that go with it. */
#pragma once

#include <glib.h>

#include "shared/tool/answer.h"

typedef struct HfRpcReply {
    GString *text;
    GArray *fds; /* of int, in the order of "descriptor"; NULL: none */
    gsize fd_bytes;
    gsize start; /* of the result */
} HfRpcReply;

void hf_rpc_reply_begin(HfRpcReply *reply, const json_t *id);
/* A tool's answer. `params` are those of the method `call`: with "binary": "fd" each binary part is
 * {descriptor, bytes, media_type} in place of base64. */
void hf_rpc_reply_append(HfRpcReply *reply, const HfAnswer *answer, const json_t *params);
/* Ends the line. A result that no client could be expected to take becomes LIMIT_EXCEEDED. */
void hf_rpc_reply_end(HfRpcReply *reply);
void hf_rpc_reply_clear(HfRpcReply *reply);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfRpcReply, hf_rpc_reply_clear)
