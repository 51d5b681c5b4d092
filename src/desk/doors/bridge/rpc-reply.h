/* SPDX-License-Identifier: Apache-2.0 */
/* The line that answers a request, and its descriptors. */
#pragma once

#include <glib.h>

#include "shared/tool/answer.h"

typedef struct HfRpcReply {
    GString *text;
    GArray *fds; /* of int, in the order of "descriptor"; NULL: none */
    gsize fd_bytes;
    gsize start; /* offset of the result */
} HfRpcReply;

void hf_rpc_reply_begin(HfRpcReply *reply, const json_t *id);
/* A tool's answer. `params` belong to the method `call`: with "binary": "fd", each binary part
 * becomes {descriptor, bytes, media_type} instead of base64. */
void hf_rpc_reply_append(HfRpcReply *reply, const HfAnswer *answer, const json_t *params);
/* Ends the line. A result above the size limit becomes LIMIT_EXCEEDED. */
void hf_rpc_reply_end(HfRpcReply *reply);
void hf_rpc_reply_clear(HfRpcReply *reply);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfRpcReply, hf_rpc_reply_clear)
