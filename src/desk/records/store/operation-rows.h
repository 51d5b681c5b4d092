/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that went on in the background: how each stands, and what came of it. */
#pragma once

#include "desk/records/store/store.h"

/* States that have an end. What is "running" in the store while nobody runs it was lost. */
#define HF_OPERATION_RUNNING "running"

typedef struct HfOperationRow {
    char *id, *caller, *tool, *desktop, *run_id, *step_id, *state;
    gint64 made_ms, ended_ms; /* 0: not yet */
    char *key, *call;         /* the caller's own name for the call, and a hash of it; may be "" */
    gint64 reads;             /* whose text the answer carries */
    json_t *answer;           /* as it was told, without what may not be kept; JSON null: none */
    json_t *parts;            /* its binary parts: [{field, media_type, file, bytes}] */
    gboolean
        intended; /* the audit has its intent: it may have acted (hf_operation_rows_list_lost) */
} HfOperationRow;

void hf_operation_row_free(HfOperationRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOperationRow, hf_operation_row_free)

/* A new one; its answer and parts are not looked at. */
gboolean hf_operation_row_add(HfStore *store, const HfOperationRow *row, GError **error);
/* Its state, end, reads, answer and parts. */
gboolean hf_operation_row_finish(HfStore *store, const HfOperationRow *row, GError **error);

/* NULL without an error: there is none. */
HfOperationRow *hf_operation_row_find(HfStore *store, const char *id, GError **error);
HfOperationRow *hf_operation_row_find_by_key(HfStore *store, const char *caller, const char *key,
                                             gint64 since_ms, GError **error);
/* The latest first, without answers; `caller` NULL: everybody's. */
GPtrArray *hf_operation_rows_list(HfStore *store, const char *caller, int limit, GError **error);
/* Those that are still said to run. */
GPtrArray *hf_operation_rows_list_lost(HfStore *store, GError **error);

/* Takes out those from before a time, the oldest of more than `most`, and the oldest whose binary
 * parts are more than `bytes` in all. Their rows (with `parts`), so that the files can go too. */
GPtrArray *hf_operation_rows_prune(HfStore *store, gint64 before_ms, gint64 most, gint64 bytes,
                                   GError **error);
