/* SPDX-License-Identifier: Apache-2.0 */
/* Visits all places that can name a tool: rate limits, and the overrides and confirmations of
 * projects. */
#include "desk/policy/config/config-tool-names.h"

#include <string.h>

#include "desk/policy/config/config.h"
#include "shared/base/error.h"
#include "shared/text/text.h"
#include "shared/tool/registry.h"

typedef gboolean (*Visit)(const char *path, const char *name, gpointer data, GError **error);

static const char *find_similar_tool(const char *name)
{
    const char *nearest = NULL;
    guint least = 3; /* at most two typos */
    for (const HfTool *const *tool = hf_registry(); *tool; tool++) {
        guint distance = hf_text_distance((*tool)->name, name);
        if (distance < least && distance < strlen((*tool)->name)) {
            least = distance;
            nearest = (*tool)->name;
        }
    }
    return nearest;
}

static gboolean visit_keys(const json_t *map, const char *prefix, Visit visit, gpointer data,
                           GError **error)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)map, name, value) {
        g_autofree char *path = hf_config_path_join(prefix, name);
        if (!hf_registry_has_name(name) && !visit(path, name, data, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean visit_project(const json_t *project, const char *prefix, Visit visit, gpointer data,
                              GError **error)
{
    const json_t *approval = json_object_get(project, "approval");
    g_autofree char *overrides = g_strconcat(prefix, ".approval.tool_overrides", NULL);
    size_t index;
    json_t *confirm;
    if (!visit_keys(json_object_get(approval, "tool_overrides"), overrides, visit, data, error))
        return FALSE;
    json_array_foreach (json_object_get(approval, "confirm"), index, confirm) {
        const char *name = hf_json_string(confirm, "tool", NULL);
        g_autofree char *path = g_strdup_printf("%s.approval.confirm[%zu].tool", prefix, index);
        if (name && !hf_registry_has_name(name) && !visit(path, name, data, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean visit_tool_names(const json_t *document, Visit visit, gpointer data, GError **error)
{
    const char *name;
    json_t *project;
    json_t *limits = json_object_get(document, "limits");
    if (!visit_keys(json_object_get(limits, "tools"), "limits.tools", visit, data, error))
        return FALSE;
    json_object_foreach (json_object_get(json_object_get(document, "projects"), "items"), name,
                         project) {
        g_autofree char *path = hf_config_path_join("projects.items", name);
        if (!visit_project(project, path, visit, data, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean refuse_misspelt_tool(const char *path, const char *name, gpointer data,
                                     GError **error)
{
    const char *near = find_similar_tool(name);
    if (!near)
        return TRUE;
    hf_fail(error, HF_ERROR_CONFIG_INVALID, "%s: there is no tool '%s'; did you mean '%s'?", path,
            name, near);
    hf_error_take_details(error, json_pack("{s:o, s:s}", "path", hf_json_text(path), "expected",
                                           "the name of a tool"));
    return FALSE;
}

gboolean hf_config_check_tool_names(const json_t *document, GError **error)
{
    return visit_tool_names(document, refuse_misspelt_tool, NULL, error);
}

static gboolean list_path(const char *path, const char *name, gpointer data, GError **error)
{
    json_array_append_new(data, hf_json_text(path));
    return TRUE;
}

json_t *hf_config_dup_unknown_tools(const json_t *document)
{
    json_t *paths = json_array();
    visit_tool_names(document, list_path, paths, NULL);
    return paths;
}
