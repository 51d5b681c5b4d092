/* SPDX-License-Identifier: Apache-2.0 */
/* The rights of a caller: its level under the owner's ceiling, and the grant it is bound to. */
#pragma once

#include "desk/policy/config/config.h"
#include "desk/policy/identity/caller.h"
#include "desk/records/store/grant-rows.h"

/* Whether the owner lets this program use the desk at all. */
gboolean hf_caller_rights_check_program(const HfConfig *config, const HfCaller *caller,
                                        GError **error);
/* The owner has the ceiling; everyone else has their own level, capped by it. */
HfLevel hf_caller_rights_level(const HfConfig *config, const HfCaller *caller);
/* The grant that the caller is bound to, borrowed; NULL: none. */
const char *hf_caller_rights_grant(const HfConfig *config, const HfCaller *caller);

/* Whether the owner has assigned it that project; a caller can claim any name. */
gboolean hf_caller_rights_has_project(const HfConfig *config, const HfCaller *caller,
                                      const char *project);

/* The grant that applies to a caller bound to `own` (NULL: none) that names `asked` (NULL: none) in
 * its call, followed by its parents. NULL without an error: no grant, no bounds. FORBIDDEN when one
 * of them has ended, or `asked` is not derived from `own`. */
GPtrArray *hf_caller_rights_chain(HfStore *store, const char *own, const char *asked,
                                  GError **error);
