/* The two members only make sense together: a nonce that is never forgotten could not be kept, and
 * a time without a nonce stops no replay. */
#include "front/bridge/fresh.h"

#include "base/error.h"
#include "base/json.h"

typedef struct Keep {
    HfNonces *nonces;
    char *client, *nonce;
    gint64 expires_ms;
} Keep;

static void keep_later(gpointer data)
{
    Keep *keep = data;
    hf_nonces_keep(keep->nonces, keep->client, keep->nonce, keep->expires_ms,
                   g_get_real_time() / 1000, NULL);
    g_free(keep->client);
    g_free(keep->nonce);
    g_free(keep);
}

static gboolean take(HfNonces *nonces, const char *client, const char *nonce, gint64 expires_ms,
                     HfWorkers *later, GError **error)
{
    gint64 now_ms = g_get_real_time() / 1000;
    if (!hf_nonces_take(nonces, client, nonce, expires_ms, now_ms, error))
        return FALSE;
    if (!later)
        return hf_nonces_keep(nonces, client, nonce, expires_ms, now_ms, error);
    Keep *keep = g_new(Keep, 1);
    *keep = (Keep){nonces, g_strdup(client), g_strdup(nonce), expires_ms};
    hf_workers_manage(later, keep_later, keep);
    return TRUE;
}

gboolean hf_fresh_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                        const json_t *request, HfWorkers *later, GError **error)
{
    const char *name = caller->name ? caller->name : "";
    const char *nonce = hf_json_string(request, "nonce", NULL);
    gint64 expires_ms = hf_json_int(request, "expires", 0);
    if (nonce && expires_ms > 0)
        return take(nonces, name, nonce, expires_ms, later, error);
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
