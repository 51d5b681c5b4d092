/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with an idempotency key: a hash of the request, and the answer once there is one. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfIdempotencyKey {
    const char *caller, *key; /* the caller's idempotency key */
    const char *call;         /* hash of the request */
} HfIdempotencyKey;

/* Within a transaction of the audit: the call begins, it is answered, or nothing was done after
 * all. */
gboolean hf_idempotency_row_begin(HfStoreSession *session, const HfIdempotencyKey *key,
                                  gint64 now_ms, GError **error);
gboolean hf_idempotency_row_finish(HfStoreSession *session, const HfIdempotencyKey *key,
                                   const char *answer, GError **error);
gboolean hf_idempotency_row_forget(HfStoreSession *session, const HfIdempotencyKey *key,
                                   GError **error);

typedef struct HfIdempotencyRow {
    gboolean found;
    char *call;
    json_t *answer; /* JSON null: begun, but never finished */
} HfIdempotencyRow;

void hf_idempotency_row_clear(HfIdempotencyRow *row);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfIdempotencyRow, hf_idempotency_row_clear)

gboolean hf_idempotency_row_find(HfStore *store, const HfIdempotencyKey *key, gint64 since_ms,
                                 HfIdempotencyRow *ret_row, GError **error);
/* Deletes those from before that time, and the oldest beyond `most`. */
gboolean hf_idempotency_rows_prune(HfStore *store, gint64 before_ms, gint64 most, GError **error);
