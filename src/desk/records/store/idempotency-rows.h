/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that were to be done exactly once: which call it was, and its answer once there is one. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfIdempotencyKey {
    const char *caller, *key; /* the caller's name for its call */
    const char *call;         /* hash of what was asked */
} HfIdempotencyKey;

/* Within a transaction of the audit: that it is about to be done, its answer, or that nothing was
 * done after all. */
gboolean hf_idempotency_row_begin(HfStoreSession *session, const HfIdempotencyKey *key,
                                  gint64 now_ms, GError **error);
gboolean hf_idempotency_row_finish(HfStoreSession *session, const HfIdempotencyKey *key,
                                   const char *answer, GError **error);
gboolean hf_idempotency_row_forget(HfStoreSession *session, const HfIdempotencyKey *key,
                                   GError **error);

typedef struct HfIdempotencyRow {
    gboolean found;
    char *call;
    json_t *answer; /* JSON null: it was begun, and never finished */
} HfIdempotencyRow;

void hf_idempotency_row_clear(HfIdempotencyRow *recalled);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfIdempotencyRow, hf_idempotency_row_clear)

gboolean hf_idempotency_row_find(HfStore *store, const HfIdempotencyKey *key, gint64 since_ms,
                                 HfIdempotencyRow *ret_recalled, GError **error);
/* Those from before a time, and the oldest of too many. */
gboolean hf_idempotency_rows_prune(HfStore *store, gint64 before_ms, gint64 most, GError **error);
