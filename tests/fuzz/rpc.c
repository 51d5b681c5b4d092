/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the bridge, from any process of the user. What is taken for a request must have the
 * form that everything behind relies on; what is not must come with a reply that can be written. */
#include <stdint.h>

#include "desk/doors/bridge/nonces.h"
#include "desk/doors/bridge/rpc-request.h"
#include "desk/policy/config/config.h"
#include "shared/base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(int code, const char *message, json_t *id)
{
    g_assert_true(code == HF_RPC_PARSE_ERROR || code == HF_RPC_INVALID_REQUEST);
    g_assert_true(message && g_utf8_validate(message, -1, NULL));
    g_autoptr(json_t) text = json_string(message);
    g_assert_nonnull(text);
    g_assert_true(!id || json_is_string(id) || json_is_integer(id));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int code = 0;
    g_autofree char *message = NULL;
    g_autoptr(json_t) id = NULL;
    g_autoptr(json_t) request = hf_rpc_parse((const char *)data, size, &code, &message, &id);
    if (!request) {
        check_refusal(code, message, id);
        return 0;
    }
    const json_t *params = json_object_get(request, "params");
    g_assert_true(json_is_string(json_object_get(request, "method")));
    g_assert_true(!params || json_is_object(params));
    g_autoptr(HfNonces) nonces = hf_nonces_new(NULL, 0, NULL);
    HfCaller caller = {.name = "fuzz"};
    gboolean has_nonce = json_object_get(request, "nonce") != NULL;
    if (has_nonce && hf_replay_check(nonces, NULL, &caller, request, FALSE, NULL))
        g_assert_false(hf_replay_check(nonces, NULL, &caller, request, FALSE, NULL));
    return 0;
}
