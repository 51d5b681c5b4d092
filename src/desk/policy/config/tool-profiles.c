/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what each profile shows of a tool. Only the description shrinks: a tool accepts the same
 * parameters in every profile. */
#include "desk/policy/config/tool-profiles.h"

#include <string.h>

#include "shared/base/data.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/tool/computer-tool.h"
#include "shared/tool/effect.h"
#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

/* Toolsets may name other toolsets. The file is ours, so the nesting is bounded. */
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
    if (strcmp(word, "*") == 0 || strcmp(word, hf_category_name(tool->category)) == 0)
        return TRUE;
    const json_t *toolset = find_toolset(word);
    hf_json_each (part, toolset)
        if (hf_toolset_has(json_string_value(part), tool))
            return TRUE;
    return hf_registry_find(word) == tool;
}

static const char *const names[] = {"core", "computer", "all", NULL};

static const json_t *load_profiles(void)
{
    static gsize ready;
    static json_t *all;
    if (g_once_init_enter(&ready)) {
        all = json_loads(hf_data_find("profiles.json"), 0, NULL);
        g_assert_nonnull(all);
        g_once_init_leave(&ready, 1);
    }
    return all;
}

const char *const *hf_profile_names(void)
{
    return names;
}

gboolean hf_profile_check(const char *name, GError **error)
{
    if (g_strv_contains(names, name))
        return TRUE;
    g_autofree char *known = g_strjoinv(", ", (char **)names);
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "there is no profile '%s'; use one of %s", name,
                   known);
}

static const json_t *profile_member(const char *name, const char *member)
{
    return json_object_get(json_object_get(load_profiles(), name), member);
}

const char *hf_profile_get_about(const char *name)
{
    return json_string_value(profile_member(name, "about"));
}

const char *hf_profile_get_instructions(const char *name)
{
    return hf_data_find(json_string_value(profile_member(name, "instructions")));
}

static gboolean profile_list_has(const json_t *list, const char *text)
{
    hf_json_each (each, list)
        if (strcmp(json_string_value(each), text) == 0 || strcmp(json_string_value(each), "*") == 0)
            return TRUE;
    return FALSE;
}

/* A list names a member of all tools or of one: "modifiers", "right_click.modifiers". */
static gboolean profile_lists_member(const char *name, const char *list, const HfTool *tool,
                                     const char *member)
{
    g_autofree char *own = g_strdup_printf("%s.%s", tool->name, member);
    return profile_list_has(profile_member(name, list), member) ||
           profile_list_has(profile_member(name, list), own);
}

static gboolean profile_shows_tool(const char *name, const HfTool *tool)
{
    hf_json_each (word, profile_member(name, "tools"))
        if (hf_toolset_has(json_string_value(word), tool))
            return TRUE;
    return FALSE;
}

const HfTool *hf_profile_find_tool(const char *name, const char *tool)
{
    if (json_is_true(profile_member(name, "computer")) && strcmp(tool, hf_computer_tool.name) == 0)
        return &hf_computer_tool;
    const HfTool *found = hf_registry_find(tool);
    return found && strcmp(found->name, tool) == 0 && profile_shows_tool(name, found) ? found
                                                                                      : NULL;
}

/* ---- schemas ---- */

/* Removes common parameters that the profile does not list, others that it leaves out, but no
 * required one; and descriptions that add nothing to the name. */
static void thin_out(const char *name, const HfTool *tool, json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe (properties, next, key, value) {
        gboolean common = !hf_param_find(tool->params, key);
        gboolean shown = common ? profile_list_has(profile_member(name, "common"), key)
                                : !profile_lists_member(name, "leave_out", tool, key);
        if (!shown && !profile_list_has(required, key))
            json_object_del(properties, key);
        else if (profile_lists_member(name, "plain", tool, key))
            json_object_del(value, "description");
    }
}

/* Drops what a model does not need: bounds, which are checked anyway, and alternative forms. */
static void shorten_schema(json_t *schema, gboolean about)
{
    static const char *const spare[] = {"minimum",  "maximum",  "minLength",     "maxLength",
                                        "minItems", "maxItems", "minProperties", "maxProperties"};
    const char *key;
    json_t *value, *first = json_array_get(json_object_get(schema, "anyOf"), 0);
    if (first) {
        json_object_update_missing(schema, first);
        json_object_del(schema, "anyOf");
    }
    for (gsize i = 0; i < G_N_ELEMENTS(spare); i++)
        json_object_del(schema, spare[i]);
    if (!about)
        json_object_del(schema, "description");
    json_object_foreach (json_object_get(schema, "properties"), key, value)
        shorten_schema(value, about);
    json_t *items = json_object_get(schema, "items");
    if (items) /* choices need no description */
        shorten_schema(items, about && !json_object_get(items, "enum"));
}

/* Keeps only the names and types of a result's members. */
static void outline_result_schema(json_t *schema)
{
    const char *key;
    json_t *value;
    shorten_schema(schema, FALSE);
    json_object_del(schema, "additionalProperties");
    json_object_del(schema, "required");
    json_object_foreach (json_object_get(schema, "properties"), key, value) {
        json_t *type = json_incref(json_object_get(value, "type"));
        json_object_clear(value);
        json_object_set_new(value, "type", type);
    }
}

static json_t *input_schema(const char *name, const HfTool *tool)
{
    json_t *schema = hf_schema_of_params(tool);
    thin_out(name, tool, schema);
    if (json_is_true(profile_member(name, "short")))
        shorten_schema(schema, TRUE);
    return schema;
}

/* Binary members travel beside the structured content. A dry run has another result, so where the
 * profile offers one, nothing is required. */
static json_t *output_schema(const char *name, const HfTool *tool)
{
    json_t *schema = hf_schema_of_result(tool);
    for (const HfParam *member = tool->result; member && member->name; member++)
        if (member->binary ||
            profile_lists_member(name, "leave_out_of_results", tool, member->name))
            json_object_del(json_object_get(schema, "properties"), member->name);
    if (hf_tool_verifies(tool) && !json_is_true(profile_member(name, "short")))
        json_object_set_new(json_object_get(schema, "properties"), "effect",
                            json_pack("{s:s, s:s}", "type", "object", "description",
                                      "What it has brought about: verdict, why, what changed"));
    if (profile_list_has(profile_member(name, "common"), "dry_run")) {
        json_object_del(schema, "required");
        json_object_del(schema, "additionalProperties");
    }
    if (json_is_true(profile_member(name, "outline")))
        outline_result_schema(schema);
    return schema;
}

/* ---- hints ---- */

/* Drops hints that equal the default. */
static void drop_defaults(json_t *hints)
{
    if (json_is_false(json_object_get(hints, "readOnlyHint")))
        json_object_del(hints, "readOnlyHint");
    if (json_is_true(json_object_get(hints, "openWorldHint")))
        json_object_del(hints, "openWorldHint");
    if (json_is_false(json_object_get(hints, "idempotentHint")))
        json_object_del(hints, "idempotentHint");
}

static json_t *make_tool_annotations(const HfTool *tool)
{
    gboolean looks = (tool->flags & HF_TOOL_READ_ONLY) != 0;
    HfEffects reaching = HF_EFFECT_SENDS | HF_EFFECT_RUNS_COMMANDS | HF_EFFECT_LEAVES_DOMAIN;
    /* What a click or a key does depends on the program that gets it. */
    gboolean acts = tool->target == HF_TARGET_POINT || tool->target == HF_TARGET_DRAG ||
                    tool->target == HF_TARGET_FOCUS;
    gboolean open = !looks && ((tool->effects & reaching) || acts);
    json_t *hints = json_pack("{s:b, s:b}", "readOnlyHint", looks, "openWorldHint", open);
    if (looks)
        return hints;
    gboolean destroys = tool->risk > HF_RISK_LOW || (tool->effects & ~HF_EFFECT_NONE);
    json_object_set_new(hints, "destructiveHint", json_boolean(destroys));
    json_object_set_new(hints, "idempotentHint",
                        json_boolean((tool->flags & HF_TOOL_IDEMPOTENT) != 0));
    return hints;
}

static json_t *list_tool(const char *name, const HfTool *tool)
{
    json_t *hints = make_tool_annotations(tool);
    if (json_is_true(profile_member(name, "short")))
        drop_defaults(hints);
    json_t *entry = json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", tool->name, "title", tool->title,
                              "description", tool->summary, "inputSchema", input_schema(name, tool),
                              "annotations", hints);
    if (tool->result)
        json_object_set_new(entry, "outputSchema", output_schema(name, tool));
    return entry;
}

json_t *hf_profile_list_tools(const char *name)
{
    json_t *list = json_array();
    if (json_is_true(profile_member(name, "computer")))
        json_array_append_new(list, list_tool(name, &hf_computer_tool));
    for (const HfTool *const *tool = hf_registry(); *tool; tool++)
        if (profile_shows_tool(name, *tool))
            json_array_append_new(list, list_tool(name, *tool));
    return list;
}
