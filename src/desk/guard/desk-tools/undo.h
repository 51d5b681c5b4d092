/* SPDX-License-Identifier: Apache-2.0 */
/* undo_last and undo_to. */
#pragma once

#include "desk/guard/passage.h"

HfResult *hf_undo_run(HfPassage *passage, GError **error);
/* For a dry run: what would be undone. */
json_t *hf_undo_preview(HfPassage *passage, GError **error);
