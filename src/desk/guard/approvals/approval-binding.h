/* SPDX-License-Identifier: Apache-2.0 */
/* What an answer of the owner's is remembered by, and whether there is one. */
#pragma once

#include "desk/guard/passage.h"

/* What an answer is remembered by: {tool, project, caller, hash, pattern, risk, tainted}. Owned. */
json_t *hf_judge_new_call(const HfPassage *passage);
/* Whether the owner has said yes to this before, and for longer; the decision names that answer
 * then. */
gboolean hf_judge_is_remembered(HfPassage *passage, const json_t *call);
