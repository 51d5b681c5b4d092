/* SPDX-License-Identifier: Apache-2.0 */
/* All tools of the program. The table is generated from the list in src/hand/tools/meson.build. */
#pragma once

#include "shared/tool/tool.h"

/* NULL-terminated, in the order of the list. */
const HfTool *const *hf_registry(void);
/* By name or alias; a hyphen equals an underscore. NULL: not found. */
const HfTool *hf_registry_find(const char *name);
/* Whether a tool or an alias is spelled exactly so, as the policy compares names. */
gboolean hf_registry_has_name(const char *name);
/* name → {"read_only": bool}, for those who show what was done. */
json_t *hf_registry_describe_read_only(void);
