/* SPDX-License-Identifier: Apache-2.0 */
/* Makes JSON Schema from descriptions. Nobody writes a schema by hand. */
#include "shared/tool/schema.h"

#include <math.h>

#include "shared/tool/effect.h"
#include "shared/tool/param-check.h"

static json_t *schema_of_table(const HfParam *table, const HfParam *more);

/* A limit as a whole number where it is one. */
static json_t *limit_to_json(double value)
{
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static void add_range(json_t *schema, const HfParam *param)
{
    static const char *const names[][2] = {
        [HF_TYPE_INTEGER] = {"minimum", "maximum"},
        [HF_TYPE_NUMBER] = {"minimum", "maximum"},
        [HF_TYPE_STRING] = {"minLength", "maxLength"},
        [HF_TYPE_ARRAY] = {"minItems", "maxItems"},
        [HF_TYPE_OBJECT] = {"minProperties", "maxProperties"},
    };
    if ((param->min == 0 && param->max == 0) || param->type >= G_N_ELEMENTS(names))
        return;
    gboolean numeric = param->type == HF_TYPE_INTEGER || param->type == HF_TYPE_NUMBER;
    if (numeric || param->min > 0)
        json_object_set_new(schema, names[param->type][0], limit_to_json(param->min));
    json_object_set_new(schema, names[param->type][1], limit_to_json(param->max));
}

static json_t *schema_of_value(const HfParam *param);

/* Both forms of a value; what applies to either stands above them. */
static json_t *schema_of_both(const HfParam *param)
{
    HfParam first = *param;
    first.also = NULL;
    first.about = NULL;
    json_t *schema =
        json_pack("{s:[o, o]}", "anyOf", schema_of_value(&first), schema_of_value(param->also));
    if (param->about)
        json_object_set_new(schema, "description", json_string(param->about));
    return schema;
}

static json_t *schema_of_value(const HfParam *param)
{
    if (param->also)
        return schema_of_both(param);
    json_t *schema = param->type == HF_TYPE_OBJECT && param->fields
                         ? schema_of_table(param->fields, NULL)
                         : json_object();
    json_object_set_new(schema, "type", json_string(hf_type_name(param->type)));
    if (param->about)
        json_object_set_new(schema, "description", json_string(param->about));
    if (param->choices) {
        json_t *choices = json_array();
        for (const char *const *choice = param->choices; *choice; choice++)
            json_array_append_new(choices, json_string(*choice));
        json_object_set_new(schema, "enum", choices);
    }
    if (param->fallback)
        json_object_set_new(schema, "default", json_loads(param->fallback, JSON_DECODE_ANY, NULL));
    if (param->items)
        json_object_set_new(schema, param->type == HF_TYPE_ARRAY ? "items" : "additionalProperties",
                            schema_of_value(param->items));
    add_range(schema, param);
    return schema;
}

static void add_members(json_t *properties, json_t *required, const HfParam *table)
{
    for (const HfParam *param = table; param && param->name; param++) {
        if (json_object_get(properties, param->name))
            continue;
        json_object_set_new(properties, param->name, schema_of_value(param));
        if (param->required)
            json_array_append_new(required, json_string(param->name));
    }
}

static json_t *schema_of_table(const HfParam *table, const HfParam *more)
{
    json_t *properties = json_object(), *required = json_array();
    add_members(properties, required, table);
    add_members(properties, required, more);
    json_t *schema = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
                               "additionalProperties", 0);
    if (json_array_size(required) > 0)
        json_object_set(schema, "required", required);
    json_decref(required);
    return schema;
}

json_t *hf_schema_of_params(const HfTool *tool)
{
    json_t *schema = schema_of_table(tool->params, hf_common_params);
    if (!hf_tool_verifies(tool) && !hf_param_find(tool->params, "verify"))
        json_object_del(json_object_get(schema, "properties"), "verify");
    return schema;
}

json_t *hf_schema_of_table(const HfParam *table)
{
    return schema_of_table(table, NULL);
}

json_t *hf_schema_of_tables(const HfParam *table, const HfParam *more)
{
    return schema_of_table(table, more);
}

json_t *hf_schema_of_param(const HfParam *param)
{
    return schema_of_value(param);
}

json_t *hf_schema_of_result(const HfTool *tool)
{
    return schema_of_table(tool->result, NULL);
}

void hf_schema_open(json_t *schema)
{
    const char *name;
    json_t *member;
    if (json_is_false(json_object_get(schema, "additionalProperties")))
        json_object_del(schema, "additionalProperties");
    json_object_foreach (json_object_get(schema, "properties"), name, member)
        hf_schema_open(member);
    if (json_object_get(schema, "items"))
        hf_schema_open(json_object_get(schema, "items"));
}

json_t *hf_schema_of_tool(const HfTool *tool)
{
    json_t *aliases = json_array();
    for (const char *const *alias = tool->aliases; alias && *alias; alias++)
        json_array_append_new(aliases, json_string(*alias));
    json_t *described = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:s, s:s, s:b, s:b, s:i, "
        "s:o, s:o, s:o}",
        "name", tool->name, "title", tool->title, "description", tool->summary, "category",
        hf_category_name(tool->category), "risk", hf_risk_name(tool->risk), "risk_inside",
        hf_risk_name(hf_tool_risk(tool, TRUE)), "level", hf_level_name(tool->level), "needs",
        hf_needs_name(tool->needs), "channel", hf_channel_name(tool->channel), "reads",
        hf_reads_to_json(tool->reads), "effects", hf_effects_to_json(tool->effects), "target",
        hf_target_name(tool->target), "pace", hf_pace_name(tool->pace), "verifies",
        hf_verify_name(tool->verifies), "read_only", (tool->flags & HF_TOOL_READ_ONLY) != 0,
        "idempotent", (tool->flags & HF_TOOL_IDEMPOTENT) != 0, "timeout_ms", (int)tool->timeout_ms,
        "aliases", aliases, "params", hf_schema_of_params(tool), "result",
        hf_schema_of_result(tool));
    if (tool->command.risk)
        json_object_set_new(described, "command",
                            json_pack("{s:s, s:s}", "risk", hf_risk_name(tool->command.risk),
                                      "level", hf_level_name(tool->command.level)));
    return described;
}
