/* SPDX-License-Identifier: Apache-2.0 */
/* What an undo needs and nobody may store: kept in memory, for a limited time and up to a limited
 * size. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "desk/records/ledger/ledger.h"

HfUndoSecrets *hf_undo_secrets_new(void);
void hf_undo_secrets_free(HfUndoSecrets *secrets);

/* Moves the parameters that their tool declares secret from an undo {"tool", "params"} into memory,
 * under the step's id. */
void hf_undo_secrets_take_from(HfUndoSecrets *secrets, const char *step_id, json_t *undo);
/* Puts them back. PRECONDITION_FAILED when they are no longer kept. */
gboolean hf_undo_secrets_put_back(HfUndoSecrets *secrets, const char *step_id, json_t *undo,
                                  GError **error);
