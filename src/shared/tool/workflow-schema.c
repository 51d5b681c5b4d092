/* SPDX-License-Identifier: Apache-2.0 */
/* Adds what a table cannot express: that steps contain steps, and how conditions are written. */
#include "shared/tool/workflow-schema.h"

#include "shared/tool/registry.h"
#include "shared/tool/schema.h"

static json_t *schema_reference(const char *name)
{
    g_autofree char *place = g_strconcat("#/$defs/", name, NULL);
    return json_pack("{s:s}", "$ref", place);
}

static json_t *schema_list_of(const char *name, int least)
{
    return json_pack("{s:s, s:i, s:o}", "type", "array", "minItems", least, "items",
                     schema_reference(name));
}

static json_t *schema_object_form(const char *word, json_t *take_value)
{
    return json_pack("{s:s, s:[s], s:b, s:{s:o}}", "type", "object", "required", word,
                     "additionalProperties", 0, "properties", word, take_value);
}

static json_t *schema_condition(void)
{
    static const char *const pairs[] = {"equals", "contains", "matches", "less", "greater"};
    json_t *forms = json_array();
    json_array_append_new(forms, schema_object_form("exists", schema_reference("reference")));
    json_array_append_new(forms, schema_object_form("ok", json_pack("{s:s}", "type", "string")));
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
        json_array_append_new(
            forms, schema_object_form(pairs[i], json_pack("{s:s, s:i, s:i}", "type", "array",
                                                          "minItems", 2, "maxItems", 2)));
    json_array_append_new(forms, schema_object_form("and", schema_list_of("condition", 1)));
    json_array_append_new(forms, schema_object_form("or", schema_list_of("condition", 1)));
    json_array_append_new(forms, schema_object_form("not", schema_reference("condition")));
    return json_pack("{s:o}", "oneOf", forms);
}

static void replace_property_schema(json_t *properties, const char *name, json_t *take_form)
{
    json_t *member = json_object_get(properties, name);
    json_t *about = json_incref(json_object_get(member, "description"));
    json_object_set_new(take_form, "description", about);
    json_object_set_new(properties, name, take_form);
}

/* The schema of a step, taken from that of the list. */
static json_t *extract_step_schema(json_t *steps)
{
    json_t *step = json_incref(json_object_get(steps, "items"));
    json_t *properties = json_object_get(step, "properties");
    json_object_set_new(steps, "items", schema_reference("step"));
    replace_property_schema(properties, "if", schema_reference("condition"));
    replace_property_schema(properties, "until", schema_reference("condition"));
    replace_property_schema(properties, "steps", schema_list_of("step", 1));
    replace_property_schema(properties, "else", schema_list_of("step", 1));
    replace_property_schema(properties, "otherwise", schema_list_of("step", 1));
    json_object_set_new(step, "oneOf",
                        json_pack("[{s:[s]}, {s:[s]}]", "required", "tool", "required", "steps"));
    return step;
}

json_t *hf_workflow_schema(void)
{
    json_t *schema = hf_schema_of_params(hf_registry_find("run_workflow"));
    json_t *steps = json_object_get(json_object_get(schema, "properties"), "steps");
    json_object_set_new(schema, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string("A workflow for run_workflow"));
    json_object_set_new(schema, "$defs",
                        json_pack("{s:o, s:o, s:{s:s, s:s}}", "step", extract_step_schema(steps),
                                  "condition", schema_condition(), "reference", "type", "string",
                                  "pattern", "^\\$\\{[A-Za-z0-9_.\\[\\]-]+\\}$"));
    return schema;
}
