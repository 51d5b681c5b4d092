/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that can be made once: each carries a nonce and the time until which it may be taken.
 * Nonces are remembered until then, also when the desk is started anew, so that who overhears a
 * request cannot make it again. Any
 * thread. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfNonces HfNonces;

/* With those that a desk before this one has taken. Without a store (NULL): for this life only. */
HfNonces *hf_nonces_new(HfStore *store, gint64 now_ms, GError **error);
void hf_nonces_free(HfNonces *nonces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfNonces, hf_nonces_free)

/* REQUEST_EXPIRED when its time has passed, REQUEST_REPLAYED when the nonce of this client is
 * known, INVALID_PARAMS for a nonce or a time that cannot be taken, QUEUE_OVERFLOW when too many
 * are to be remembered. */
gboolean hf_nonces_take(HfNonces *nonces, const char *client, const char *nonce, gint64 expires_ms,
                        gint64 now_ms, GError **error);
/* So that one that was taken stays known when the desk is started anew. Waits for the store; when
 * that fails the nonce is not taken after all. */
gboolean hf_nonces_persist(HfNonces *nonces, const char *client, const char *nonce,
                           gint64 expires_ms, gint64 now_ms, GError **error);
