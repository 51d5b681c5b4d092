/* SPDX-License-Identifier: Apache-2.0 */
/* Operations (calls in the background): their state and answer. */
#pragma once

#include "desk/records/store/store.h"

/* A row that is "running" although no desk runs it was lost. */
#define HF_OPERATION_RUNNING "running"

typedef struct HfOperationRow {
    char *id, *caller, *tool, *desktop, *run_id, *step_id, *state;
    gint64 made_ms, ended_ms; /* 0: not yet */
    char *key, *call;  /* the caller's idempotency key (may be ""), and a hash of the request */
    gint64 reads;      /* HfReads that the answer carries */
    json_t *answer;    /* without what must not be stored; JSON null: none */
    json_t *parts;     /* its binary parts: [{field, media_type, file, bytes}] */
    gboolean intended; /* set by hf_operation_rows_list_lost: the audit has its intent, so it may
                          have acted */
} HfOperationRow;

void hf_operation_row_free(HfOperationRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOperationRow, hf_operation_row_free)

/* Adds one; ignores its answer and parts. */
gboolean hf_operation_row_add(HfStore *store, const HfOperationRow *row, GError **error);
/* Sets its state, end, reads, answer and parts. */
gboolean hf_operation_row_finish(HfStore *store, const HfOperationRow *row, GError **error);

/* NULL without an error: there is none. */
HfOperationRow *hf_operation_row_find(HfStore *store, const char *id, GError **error);
HfOperationRow *hf_operation_row_find_by_key(HfStore *store, const char *caller, const char *key,
                                             gint64 since_ms, GError **error);
/* The latest first, without answers; `caller` NULL: everybody's. */
GPtrArray *hf_operation_rows_list(HfStore *store, const char *caller, int limit, GError **error);
/* Those that are still marked as running. */
GPtrArray *hf_operation_rows_list_lost(HfStore *store, GError **error);

/* Deletes those from before that time, the oldest beyond `most`, and the oldest whose binary parts
 * exceed `bytes` in total. Returns the deleted rows with `parts`, so that the files can be deleted
 * too. */
GPtrArray *hf_operation_rows_prune(HfStore *store, gint64 before_ms, gint64 most, gint64 bytes,
                                   GError **error);
