/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: each change that a call has made, with how to take it back. What must not be written
 * down for that (the old text of the clipboard) is kept in memory alone, for a while. */
#pragma once

#include "desk/guard/guard.h"
#include "desk/records/store/ledger-rows.h"

typedef struct HfLedger HfLedger;

HfLedger *hf_ledger_new(HfStore *store);
void hf_ledger_free(HfLedger *ledger);

/* Within the transaction of the call's last row in the audit; does nothing for a call that has
 * changed nothing. Never fails it. */
typedef struct HfPassage HfPassage;
void hf_ledger_write(HfStoreSession *session, HfPassage *passage);
/* Whether that would write anything; and whether it would be a way back, which has to last. */
gboolean hf_ledger_has_change(const HfPassage *passage);
gboolean hf_ledger_can_undo(const HfPassage *passage);

typedef struct HfUndoSecrets HfUndoSecrets;
HfUndoSecrets *hf_ledger_get_secrets(HfLedger *ledger);

/* What was changed, where that has a name: a file, and how many more. Owned; may be NULL. */
char *hf_ledger_dup_what(const HfLedgerEntry *entry);
/* Changes as JSON, the latest first: {changes: [{step_id, run_id, tool, when, what?, ...}]}. */
json_t *hf_ledger_describe(HfGuard *guard, const char *run_id, const char *desktop, int limit,
                           GError **error);
