/* SPDX-License-Identifier: Apache-2.0 */
/* Taking changes back. */
#pragma once

#include "desk/guard/passage.h"

HfResult *hf_undo_run(HfPassage *passage, GError **error);
/* What it would take back, for a dry run. */
json_t *hf_undo_preview(HfPassage *passage, GError **error);
