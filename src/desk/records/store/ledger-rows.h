/* SPDX-License-Identifier: Apache-2.0 */
/* What calls have changed, the latest last, and how each change can be taken back. */
#pragma once

#include <jansson.h>

#include "desk/records/store/store.h"

typedef struct HfLedgerEntry {
    gint64 id, time_ms;
    char *step_id, *run_id, *desktop, *caller, *tool;
    json_t *undo;    /* {"tool", "params", "expect"} or {"none": why not} */
    char *undoes;    /* the step that this one took back; "": none */
    char *undone_by; /* the step that took this one back; "": none */
} HfLedgerEntry;

void hf_ledger_entry_free(HfLedgerEntry *entry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLedgerEntry, hf_ledger_entry_free)

/* Within a transaction. The oldest of more than HF_LIMIT_LEDGER go. */
gboolean hf_ledger_row_add(HfStoreSession *session, const HfLedgerEntry *entry, GError **error);
/* From now on `step_id` counts as taken back by `by`. */
gboolean hf_ledger_row_mark_undone(HfStore *store, const char *step_id, const char *by,
                                   GError **error);

/* Which changes: of a run, or of a desktop, or from one on; NULL or 0 leaves a condition out. */
typedef struct HfLedgerFilter {
    const char *run_id, *desktop;
    gint64 from_id;
    gboolean open; /* only what was not taken back and is no undo itself */
    int limit;     /* the latest so many */
} HfLedgerFilter;

/* The latest first; of HfLedgerEntry, freed with the array. NULL with an error. */
GPtrArray *hf_ledger_rows_list(HfStore *store, const HfLedgerFilter *filter, GError **error);
/* NULL without an error when there is none. */
HfLedgerEntry *hf_ledger_row_find(HfStore *store, const char *step_id, GError **error);
