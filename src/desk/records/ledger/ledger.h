/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: the changes that calls have made, and how to undo each. What an undo needs but must
 * not be stored (the old clipboard text) stays in memory for a while: undo-secrets.h. */
#pragma once

#include "desk/records/store/ledger-rows.h"

typedef struct HfLedger HfLedger;

HfLedger *hf_ledger_new(void);
void hf_ledger_free(HfLedger *ledger);

typedef struct HfUndoSecrets HfUndoSecrets;
HfUndoSecrets *hf_ledger_get_secrets(HfLedger *ledger);

/* The path of the changed file, and how many more there are. Owned; NULL if it is no file. */
char *hf_ledger_dup_what(const HfLedgerEntry *entry);
/* Changes as JSON, the latest first: {changes: [{step_id, run_id, tool, when, what?, ...}]}. */
json_t *hf_ledger_describe(HfStore *store, const char *run_id, const char *desktop, int limit,
                           GError **error);
