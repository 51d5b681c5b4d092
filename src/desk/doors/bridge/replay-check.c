/* SPDX-License-Identifier: Apache-2.0 */
/* The two members only work together: a nonce without an expiry would have to be kept for ever, and
 * an expiry without a nonce stops no replay. */
#include "desk/doors/bridge/replay-check.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

static gboolean take_request_nonce(HfNonces *nonces, const char *client, const char *nonce,
                                   gint64 expires_ms, GError **error)
{
    gint64 now_ms = g_get_real_time() / 1000;
    return hf_nonces_take(nonces, client, nonce, expires_ms, now_ms, error) &&
           hf_nonces_persist(nonces, client, nonce, expires_ms, now_ms, error);
}

gboolean hf_replay_check_waits(const json_t *request)
{
    return json_object_get(request, "nonce") != NULL;
}

gboolean hf_replay_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                         const json_t *request, GError **error)
{
    const char *name = caller->name ? caller->name : "";
    const char *nonce = hf_json_string(request, "nonce", NULL);
    gint64 expires_ms = hf_json_int(request, "expires", 0);
    if (nonce && expires_ms > 0)
        return take_request_nonce(nonces, name, nonce, expires_ms, error);
    if (nonce || json_object_get(request, "expires"))
        return hf_fail(
            error, HF_ERROR_INVALID_PARAMS,
            "nonce (a text) and expires (a time in milliseconds) must be given together");
    if (!hf_json_bool(hf_config_find(config, "clients", name), "require_nonce", FALSE))
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "requests of %s must carry a nonce and an expiry time", name);
    hf_error_suggest(error, "add \"nonce\" and \"expires\" to the request; see docs/bridge.md");
    return FALSE;
}
