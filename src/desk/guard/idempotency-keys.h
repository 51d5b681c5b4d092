/* SPDX-License-Identifier: Apache-2.0 */
/* Exactly once: a call that carries an `idempotency_key` is done at most one time, whatever happens
 * to the desk, the hand or the caller, and asked again gets the answer that it had. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfIdempotency HfIdempotency;
/* One call that is being done, or was. */
typedef struct HfIdempotencyEntry HfIdempotencyEntry;

HfIdempotency *hf_idempotency_new(HfStore *store);
void hf_idempotency_free(HfIdempotency *recall);

struct HfPassage;
/* Makes the key this call's own. FALSE: the call ends, with the answer of the same call before it
 * (waited for while that is being done) or with an error. */
gboolean hf_idempotency_begin(struct HfPassage *passage, const char *key, GError **error);
/* Keeps the answer of the call that has a key, or gives the key back when nothing was done. */
void hf_idempotency_end(struct HfPassage *passage);
/* For the audit's steps: what has to last together with the intent, and with the result. NULL when
 * there is nothing. `entry` may be NULL. */
HfStoreWork hf_idempotency_work_before(HfIdempotencyEntry *entry);
/* What was asked, as a hash: the same key for anything else is a mistake. */
char *hf_idempotency_dup_hash(const struct HfPassage *passage);
HfStoreWork hf_idempotency_work_after(HfIdempotencyEntry *entry, const struct HfPassage *passage);
