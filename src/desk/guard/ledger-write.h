/* SPDX-License-Identifier: Apache-2.0 */
/* What a call has changed, as an entry of the ledger (desk/records/ledger/ledger.h). */
#pragma once

#include "desk/guard/passage.h"

/* Whether the call has changed anything, as far as anybody knows. */
gboolean hf_passage_has_change(const HfPassage *passage);
/* Whether the ledger would hold a way back, which has to be on the disk before the answer. */
gboolean hf_passage_can_undo(const HfPassage *passage);
/* Adds the entry, within the transaction of the call's last audit row. Never makes that fail. */
void hf_passage_write_change(HfStoreSession *session, HfPassage *passage);
