/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations: operations.c changes it, operation-status.c reports from it. */
#pragma once

#include "desk/guard/background/operation-answers.h"
#include "desk/guard/background/operations.h"

struct HfOperation {
    gatomicrefcount refs;
    HfOperationRow *row; /* `state` and `ended_ms` are guarded by the table's lock */
    HfCaller *caller;
    json_t *params;
    GCancellable *cancellable;
    HfOperations *operations; /* borrowed: it outlives the thread */
    /* Guarded by the table's lock. */
    gboolean cancelled;    /* somebody asked to cancel it */
    json_t *approval;      /* the question that it waits for; NULL: none */
    json_t *progress;      /* NULL: not known */
    HfStoredAnswer stored; /* its answer, while it is kept in memory */
    gsize bytes;           /* of that */
};

struct HfOperations {
    HfGuard *guard;
    char *directory;
    GThreadPool *pool;
    GMutex lock; /* guards what follows */
    GCond changed;
    GHashTable *known; /* id → HfOperation */
    GQueue ended;      /* of `known`, those with an answer, oldest first */
    gsize bytes;       /* of all their answers */
    guint running;
    gboolean finishing;
};

void hf_operation_unref(HfOperation *operation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOperation, hf_operation_unref)
