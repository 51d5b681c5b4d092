/* SPDX-License-Identifier: Apache-2.0 */
/* Toolsets may name other toolsets. The file is ours, so the nesting is bounded. */
#include "desk/policy/config/toolsets.h"

#include <string.h>

#include "shared/base/data.h"
#include "shared/tool/registry.h"

#define PREFIX "toolset:"

const json_t *hf_toolsets(void)
{
    static gsize ready;
    static json_t *toolsets;
    if (g_once_init_enter(&ready)) {
        toolsets = json_loads(hf_data_find("toolsets.json"), 0, NULL);
        g_assert_nonnull(toolsets);
        g_once_init_leave(&ready, 1);
    }
    return toolsets;
}

static const json_t *find_toolset(const char *word)
{
    if (!g_str_has_prefix(word, PREFIX))
        return NULL;
    return json_object_get(json_object_get(hf_toolsets(), word + strlen(PREFIX)), "tools");
}

static gboolean is_category(const char *word)
{
    for (int category = 1; category < HF_CATEGORY_COUNT; category++)
        if (strcmp(hf_category_name((HfCategory)category), word) == 0)
            return TRUE;
    return FALSE;
}

gboolean hf_toolset_is_known(const char *word)
{
    return strcmp(word, "*") == 0 || find_toolset(word) || is_category(word) ||
           hf_registry_find(word);
}

gboolean hf_toolset_has(const char *word, const HfTool *tool)
{
    size_t index;
    json_t *part;
    if (strcmp(word, "*") == 0 || strcmp(word, hf_category_name(tool->category)) == 0)
        return TRUE;
    const json_t *toolset = find_toolset(word);
    json_array_foreach (toolset, index, part)
        if (hf_toolset_has(json_string_value(part), tool))
            return TRUE;
    return hf_registry_find(word) == tool;
}
