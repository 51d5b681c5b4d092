/* SPDX-License-Identifier: Apache-2.0 */
/* Which tools a word means: a tool's name, a category, "toolset:NAME" of data/toolsets.json, or
 * "*".
 */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

/* Whether the word means anything at all. */
gboolean hf_toolset_is_known(const char *word);
gboolean hf_toolset_has(const char *word, const HfTool *tool);
/* All toolsets: name → {about, tools}. Borrowed. */
const json_t *hf_toolsets(void);
