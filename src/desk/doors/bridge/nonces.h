/* SPDX-License-Identifier: Apache-2.0 */
/* Protects against replayed requests: each carries a nonce and an expiry time. Nonces are
 * remembered until they expire, also across restarts of the desk, so that nobody can repeat a
 * request that they overheard. Any thread. */
#pragma once

#include <jansson.h>

#include "desk/policy/config/config.h"
#include "desk/policy/identity/caller.h"
#include "desk/records/store/store.h"

typedef struct HfNonces HfNonces;

/* Loads the nonces that an earlier desk has taken. Without a store (NULL): for this process
 * only. */
HfNonces *hf_nonces_new(HfStore *store, gint64 now_ms, GError **error);
void hf_nonces_free(HfNonces *nonces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfNonces, hf_nonces_free)

/* REQUEST_EXPIRED after its time, REQUEST_REPLAYED when the client's nonce is known, INVALID_PARAMS
 * for a malformed nonce or time, QUEUE_OVERFLOW when there are too many. */
gboolean hf_nonces_take(HfNonces *nonces, const char *client, const char *nonce, gint64 expires_ms,
                        gint64 now_ms, GError **error);
/* Stores a taken nonce, so that the next desk knows it. Waits for the store; on failure the nonce
 * is released. */
gboolean hf_nonces_persist(HfNonces *nonces, const char *client, const char *nonce,
                           gint64 expires_ms, gint64 now_ms, GError **error);
/* The same for requests that need not wait for room on the disk: this desk remembers the nonce in
 * any case, and stores it as soon as the disk takes it. */
void hf_nonces_persist_later(HfNonces *nonces, const char *client, const char *nonce,
                             gint64 expires_ms, gint64 now_ms);

/* A request with "nonce" and "expires" is accepted once and before it expires. A request without
 * them is refused (PRECONDITION_FAILED) when the config requires them of this client. Other errors:
 * those of hf_nonces_take and of the store. `harmless`: the request only reads or tightens, so it
 * also passes when the disk is full. */
gboolean hf_replay_check(HfNonces *nonces, const HfConfig *config, const HfCaller *caller,
                         const json_t *request, gboolean harmless, GError **error);
/* Whether the check waits for the store. */
gboolean hf_replay_check_waits(const json_t *request);
