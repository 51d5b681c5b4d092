/* SPDX-License-Identifier: Apache-2.0 */
/* A line to a request: JSON-RPC 2.0 as the bridge takes it. Pure, for bytes of any kind. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* JSON-RPC's own error numbers, and ours: for a client or a request that is not let in ("data" is
 * the error in our own shape), and one too many at a time. */
enum {
    HF_RPC_PARSE_ERROR = -32700,
    HF_RPC_INVALID_REQUEST = -32600,
    HF_RPC_METHOD_NOT_FOUND = -32601,
    HF_RPC_BUSY = -32000,
    HF_RPC_REFUSED = -32001,
};

/* An object with "jsonrpc" "2.0", a "method", and, if at all, an object "params", an "id" (a text
 * or a whole number), "nonce" and "expires". NULL with the number, a message (owned) and the id
 * (owned; NULL when there is none to answer to, or none can be read) of the reply when it is
 * anything else. */
json_t *hf_rpc_parse(const char *text, gsize length, int *ret_code, char **ret_message,
                     json_t **ret_id);
