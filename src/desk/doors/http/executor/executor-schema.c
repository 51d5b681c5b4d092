/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Schemas of executor API bodies, generated from the tables that check them. Those checks
 * treat null as missing, so the schemas allow null for optional members. */
#include <string.h>

#include "desk/doors/http/executor/executor.h"
#include "shared/base/json.h"
#include "shared/tool/schema.h"

static gboolean schema_list_has(const json_t *list, const char *text)
{
    size_t index;
    json_t *item;
    json_array_foreach (list, index, item)
        if (strcmp(json_string_value(item), text) == 0)
            return TRUE;
    return FALSE;
}

static void take_null(json_t *schema)
{
    json_t *forms = json_object_get(schema, "anyOf"), *choices = json_object_get(schema, "enum");
    json_t *type = json_object_get(schema, "type");
    if (forms)
        json_array_append_new(forms, json_pack("{s:s}", "type", "null"));
    if (choices)
        json_array_append_new(choices, json_null());
    if (json_is_string(type))
        json_object_set_new(schema, "type", json_pack("[O, s]", type, "null"));
}

static json_t *with_nulls(json_t *take_schema)
{
    const char *name;
    json_t *member;
    json_object_foreach (json_object_get(take_schema, "properties"), name, member) {
        with_nulls(member);
        if (!schema_list_has(json_object_get(take_schema, "required"), name))
            take_null(member);
    }
    return take_schema;
}

json_t *hf_executor_schema(const HfExecutorAction *action)
{
    return with_nulls(hf_schema_of_tables(action->params, hf_executor_common));
}

/* An action of a macro: named, with options. */
static json_t *step_schema(const HfExecutorAction *action)
{
    json_t *schema = with_nulls(hf_schema_of_tables(action->params, hf_executor_options));
    json_t *required = json_object_get(schema, "required");
    json_object_set_new(json_object_get(schema, "properties"), "action",
                        json_pack("{s:s}", "const", action->name));
    if (required)
        json_array_insert_new(required, 0, json_string("action"));
    else
        json_object_set_new(schema, "required", json_pack("[s]", "action"));
    return schema;
}

json_t *hf_executor_schema_of_macro(void)
{
    json_t *schema = with_nulls(hf_schema_of_tables(hf_executor_macro, hf_executor_common));
    json_t *steps = json_array();
    for (const HfExecutorAction *const *action = hf_executor_actions; *action; action++)
        json_array_append_new(steps, step_schema(*action));
    json_t *actions = json_object_get(json_object_get(schema, "properties"), "actions");
    json_object_set_new(actions, "items", json_pack("{s:o}", "oneOf", steps));
    return schema;
}
