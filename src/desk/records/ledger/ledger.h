/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: the changes that calls have made, and how to undo each. What an undo needs but must
 * not be stored (the old clipboard text) stays in memory for a while. */
#pragma once

#include "desk/records/store/ledger-rows.h"

#include <glib.h>
#include <jansson.h>

/* What an undo needs and nobody may store: kept in memory, for a limited time and up to a limited
 * size. */
typedef struct HfUndoSecrets HfUndoSecrets;

HfUndoSecrets *hf_undo_secrets_new(void);
void hf_undo_secrets_free(HfUndoSecrets *secrets);

/* Moves the parameters that their tool declares secret from an undo {"tool", "params"} into memory,
 * under the step's id. */
void hf_undo_secrets_take_from(HfUndoSecrets *secrets, const char *step_id, json_t *undo);
/* Puts them back. PRECONDITION_FAILED when they are no longer kept. */
gboolean hf_undo_secrets_put_back(HfUndoSecrets *secrets, const char *step_id, json_t *undo,
                                  GError **error);

typedef struct HfLedger HfLedger;

HfLedger *hf_ledger_new(void);
void hf_ledger_free(HfLedger *ledger);

HfUndoSecrets *hf_ledger_get_secrets(HfLedger *ledger);

/* The path of the changed file, and how many more there are. Owned; NULL if it is not a file. */
char *hf_ledger_dup_what(const HfLedgerEntry *entry);
/* How the ledger names a caller; `name` may be NULL. */
const char *hf_ledger_caller_name(const char *name);
/* Changes as JSON, the latest first: {changes: [{step_id, run_id, tool, when, what?, ...}]}. */
json_t *hf_ledger_describe(HfStore *store, const HfLedgerFilter *filter, GError **error);
