/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a tool by any of its names. */
#include "shared/tool/registry.h"

static gboolean same_name(const char *given, const char *name)
{
    for (; *given && *name; given++, name++)
        if ((*given == '-' ? '_' : *given) != *name)
            return FALSE;
    return *given == *name;
}

const HfTool *hf_registry_find(const char *name)
{
    for (const HfTool *const *tool = hf_registry(); *tool; tool++) {
        if (same_name(name, (*tool)->name))
            return *tool;
        for (const char *const *alias = (*tool)->aliases; alias && *alias; alias++)
            if (same_name(name, *alias))
                return *tool;
    }
    return NULL;
}

gboolean hf_registry_has_name(const char *name)
{
    const HfTool *tool = hf_registry_find(name);
    return tool && (g_str_equal(tool->name, name) ||
                    (tool->aliases && g_strv_contains(tool->aliases, name)));
}

json_t *hf_registry_describe_read_only(void)
{
    json_t *tools = json_object();
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        json_object_set_new(
            tools, (*tool)->name,
            json_pack("{s:b}", "read_only", ((*tool)->flags & HF_TOOL_READ_ONLY) != 0));
    return tools;
}
