/* Requests that can be made once: each carries a nonce and the time until which it may be taken.
 * Nonces are remembered until then, so that who overhears a request cannot make it again. Any
 * thread. */
#pragma once

#include <glib.h>

typedef struct HfNonces HfNonces;

HfNonces *hf_nonces_new(void);
void hf_nonces_free(HfNonces *nonces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfNonces, hf_nonces_free)

/* REQUEST_EXPIRED when its time has passed, REQUEST_REPLAYED when the nonce of this client is
 * known, INVALID_PARAMS for a nonce or a time that cannot be taken, QUEUE_OVERFLOW when too many
 * are to be remembered. */
gboolean hf_nonces_take(HfNonces *nonces, const char *client, const char *nonce, gint64 expires_ms,
                        gint64 now_ms, GError **error);
