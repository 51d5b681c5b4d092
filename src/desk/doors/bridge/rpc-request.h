/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a line as a JSON-RPC 2.0 request. Pure; the bytes are untrusted. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* JSON-RPC's error numbers, and ours: a client or a request was refused ("data" holds our own error
 * form), and too many requests at once. */
enum {
    HF_RPC_PARSE_ERROR = -32700,
    HF_RPC_INVALID_REQUEST = -32600,
    HF_RPC_METHOD_NOT_FOUND = -32601,
    HF_RPC_BUSY = -32000,
    HF_RPC_REFUSED = -32001,
};

/* An object with "jsonrpc" "2.0", a "method", and optionally "params" (an object), "id" (a text or
 * an integer), "nonce" and "expires". For anything else: NULL with the error number, a message
 * (owned) and the id of the reply (owned; NULL when there is none, or it cannot be read). */
json_t *hf_rpc_parse(const char *text, gsize length, int *ret_code, char **ret_message,
                     json_t **ret_id);
