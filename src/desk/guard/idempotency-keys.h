/* SPDX-License-Identifier: Apache-2.0 */
/* Idempotency keys: a call that carries one is done at most once, whatever happens to the desk, the
 * hand or the caller. Sent again, it gets the answer that it got the first time. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfIdempotency HfIdempotency;
/* A call with a key, under way or finished. */
typedef struct HfIdempotencyEntry HfIdempotencyEntry;

HfIdempotency *hf_idempotency_new(HfStore *store);
void hf_idempotency_free(HfIdempotency *keys);

struct HfPassage;
/* Claims the key for this call. FALSE: the call ends here, with an error or with the answer of the
 * same call (after waiting for it, if that is under way). */
gboolean hf_idempotency_begin(struct HfPassage *passage, const char *key, GError **error);
/* Keeps the answer of a call that has a key, or frees the key when nothing was done. */
void hf_idempotency_end(struct HfPassage *passage);
/* For the audit steps: what must be written in the transaction of the intent, and of the result.
 * NULL: nothing. `entry` may be NULL. */
HfStoreWork hf_idempotency_work_before(HfIdempotencyEntry *entry);
/* A hash of the request: the same key with another request is a caller's mistake. */
char *hf_idempotency_dup_hash(const struct HfPassage *passage);
HfStoreWork hf_idempotency_work_after(HfIdempotencyEntry *entry, const struct HfPassage *passage);
