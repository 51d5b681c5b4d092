/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles (data/profiles.json) decide which tools an agent sees, because each costs it tokens. */
#pragma once

#include "shared/tool/tool.h"

#include <jansson.h>

/* Which tools a word means: a tool's name, a category, "toolset:NAME" of data/toolsets.json, or
 * "*". Whether it means anything at all. */
gboolean hf_toolset_is_known(const char *word);
gboolean hf_toolset_has(const char *word, const HfTool *tool);
/* All toolsets: name → {about, tools}. Borrowed. */
const json_t *hf_toolsets(void);

#define HF_PROFILE_DEFAULT "core"

/* Names, ended by NULL. */
const char *const *hf_profile_names(void);
/* INVALID_PARAMS lists the known names. */
gboolean hf_profile_check(const char *name, GError **error);
/* Its purpose, and instructions for a model. */
const char *hf_profile_get_about(const char *name);
const char *hf_profile_get_instructions(const char *name);
/* The tool of that name (no alias) if the profile shows it, else NULL. */
const HfTool *hf_profile_find_tool(const char *name, const char *tool);
/* The tools as MCP lists them: {name, title, description, inputSchema, outputSchema, annotations}.
 */
json_t *hf_profile_list_tools(const char *name);
