/* The two members only make sense together: a nonce that is never forgotten could not be kept, and
 * a time without a nonce stops no replay. */
#include "front/bridge/fresh.h"

#include "base/error.h"
#include "base/json.h"

gboolean hf_fresh_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                        const json_t *request, GError **error)
{
    const char *name = caller->name ? caller->name : "";
    const char *nonce = hf_json_string(request, "nonce", NULL);
    gint64 expires_ms = hf_json_int(request, "expires", 0);
    if (nonce && expires_ms > 0)
        return hf_nonces_take(nonces, name, nonce, expires_ms, g_get_real_time() / 1000, error);
    if (nonce || json_object_get(request, "expires"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "nonce and expires are given together: a text, and a time in milliseconds");
    if (!hf_json_bool(hf_config_find(config, "clients", name), "require_nonce", FALSE))
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "requests of %s must carry a nonce and a time of expiry", name);
    hf_error_suggest(error, "add \"nonce\" and \"expires\" to the request; see docs/bridge.md");
    return FALSE;
}
