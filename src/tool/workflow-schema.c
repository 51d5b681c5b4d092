/* What a table cannot say is added here: that steps hold steps, and how conditions are written. */
#include "tool/workflow-schema.h"

#include "tool/registry.h"
#include "tool/schema.h"

static json_t *reference(const char *name)
{
    g_autofree char *place = g_strconcat("#/$defs/", name, NULL);
    return json_pack("{s:s}", "$ref", place);
}

static json_t *list_of(const char *name, int least)
{
    return json_pack("{s:s, s:i, s:o}", "type", "array", "minItems", least, "items",
                     reference(name));
}

static json_t *form(const char *word, json_t *take_value)
{
    return json_pack("{s:s, s:[s], s:b, s:{s:o}}", "type", "object", "required", word,
                     "additionalProperties", 0, "properties", word, take_value);
}

static json_t *condition(void)
{
    static const char *const pairs[] = {"equals", "contains", "matches", "less", "greater"};
    json_t *forms = json_array();
    json_array_append_new(forms, form("exists", reference("reference")));
    json_array_append_new(forms, form("ok", json_pack("{s:s}", "type", "string")));
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
        json_array_append_new(forms, form(pairs[i], json_pack("{s:s, s:i, s:i}", "type", "array",
                                                              "minItems", 2, "maxItems", 2)));
    json_array_append_new(forms, form("and", list_of("condition", 1)));
    json_array_append_new(forms, form("or", list_of("condition", 1)));
    json_array_append_new(forms, form("not", reference("condition")));
    return json_pack("{s:o}", "oneOf", forms);
}

static void refer(json_t *properties, const char *name, json_t *take_form)
{
    json_t *member = json_object_get(properties, name);
    json_t *about = json_incref(json_object_get(member, "description"));
    json_object_set_new(take_form, "description", about);
    json_object_set_new(properties, name, take_form);
}

/* The form of a step, taken out of that of the list. */
static json_t *take_step(json_t *steps)
{
    json_t *step = json_incref(json_object_get(steps, "items"));
    json_t *properties = json_object_get(step, "properties");
    json_object_set_new(steps, "items", reference("step"));
    refer(properties, "if", reference("condition"));
    refer(properties, "until", reference("condition"));
    refer(properties, "steps", list_of("step", 1));
    refer(properties, "else", list_of("step", 1));
    refer(properties, "otherwise", list_of("step", 1));
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
                        json_pack("{s:o, s:o, s:{s:s, s:s}}", "step", take_step(steps), "condition",
                                  condition(), "reference", "type", "string", "pattern",
                                  "^\\$\\{[A-Za-z0-9_.\\[\\]-]+\\}$"));
    return schema;
}
