/* SPDX-License-Identifier: Apache-2.0 */
/* Binds an answer of the owner to one call, by a hash. Whoever changes what the hash covers changes
 * what an approval allows. */
#pragma once

#include "desk/guard/passage.h"

/* What the owner's answer is bound to: {tool, project, caller, hash, pattern, risk, tainted}.
 * Owned. */
json_t *hf_approval_binding_new(const HfPassage *passage);
/* The files that a call runs, from what the hand said about it: [{path, sha256, content?}]. NULL:
 * it runs none. Owned. */
json_t *hf_approval_list_scripts(const json_t *inspected, gboolean with_content);
/* Whether the owner has approved this earlier, for more than one call. Sets the decision's approval
 * id. */
gboolean hf_approval_is_remembered(HfPassage *passage, const json_t *call);
