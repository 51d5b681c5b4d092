/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller may at most: its level under the owner's ceiling, and the grant it is bound to. */
#pragma once

#include "desk/guard/policy/caller.h"
#include "desk/policy/config/config.h"
#include "desk/records/store/grant-rows.h"

/* Whether the owner lets this program use the desk at all. */
gboolean hf_caller_rights_check_program(const HfConfig *config, const HfCaller *caller,
                                        GError **error);
/* The owner has the ceiling; everyone else their own level, at most the ceiling. */
HfLevel hf_caller_rights_level(const HfConfig *config, const HfCaller *caller);
/* The grant that the caller is bound to, borrowed; NULL when it is bound to none. */
const char *hf_caller_rights_grant(const HfConfig *config, const HfCaller *caller);

/* Whether the owner has given it that project: the name alone is only the caller's word. */
gboolean hf_caller_rights_has_project(const HfConfig *config, const HfCaller *caller,
                                      const char *project);

/* The grant that holds for a caller bound to `own` (NULL: to none) that asks to be held to `asked`
 * (NULL: to nothing more), with those that it stands on, itself first. NULL without an error: no
 * grant, no bounds. FORBIDDEN when one of them has ended, or what is asked for is no part of its
 * own.
 */
GPtrArray *hf_caller_rights_chain(HfStore *store, const char *own, const char *asked,
                                  GError **error);
