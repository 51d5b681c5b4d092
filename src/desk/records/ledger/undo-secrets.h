/* SPDX-License-Identifier: Apache-2.0 */
/* What an undo needs and nobody may write down: kept in memory, for a while, and not too much. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "desk/records/ledger/ledger.h"

HfUndoSecrets *hf_undo_secrets_new(void);
void hf_undo_secrets_free(HfUndoSecrets *secrets);

/* Takes the parameters that their tool declares secret out of an undo {"tool", "params"}, and keeps
 * them under the step's name. */
void hf_undo_secrets_take_from(HfUndoSecrets *secrets, const char *step_id, json_t *undo);
/* Puts them back. PRECONDITION_FAILED when they are not kept any more. */
gboolean hf_undo_secrets_put_back(HfUndoSecrets *secrets, const char *step_id, json_t *undo,
                                  GError **error);
