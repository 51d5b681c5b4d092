/* SPDX-License-Identifier: Apache-2.0 */
/* The changes that calls have made, and how to undo each. */
#pragma once

#include <jansson.h>

#include "desk/records/store/store.h"

typedef struct HfLedgerEntry {
    gint64 id, time_ms;
    char *step_id, *run_id, *desktop, *caller, *tool;
    json_t *undo;    /* {"tool", "params", "expect"}, or {"none": why not} */
    char *undoes;    /* the step that this one undid; "": none */
    char *undone_by; /* the step that undid this one; "": none */
} HfLedgerEntry;

void hf_ledger_entry_free(HfLedgerEntry *entry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLedgerEntry, hf_ledger_entry_free)

/* Within a transaction. Deletes the oldest beyond HF_LIMIT_LEDGER. */
gboolean hf_ledger_row_add(HfStoreSession *session, const HfLedgerEntry *entry, GError **error);
/* Marks `step_id` as undone by `by`. */
gboolean hf_ledger_row_mark_undone(HfStore *store, const char *step_id, const char *by,
                                   GError **error);

/* NULL or 0 leaves a condition out. */
typedef struct HfLedgerFilter {
    const char *run_id, *desktop, *caller;
    gint64 from_id;
    gboolean open; /* only what was not undone and is not an undo itself */
    int limit;     /* at most this many, the latest */
} HfLedgerFilter;

/* HfLedgerEntry, the latest first, freed with the array. NULL with an error. */
GPtrArray *hf_ledger_rows_list(HfStore *store, const HfLedgerFilter *filter, GError **error);
/* NULL without an error: there is none. */
HfLedgerEntry *hf_ledger_row_find(HfStore *store, const char *step_id, GError **error);
