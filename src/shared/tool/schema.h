/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Schema (2020-12, the subset we use) and the listing of a tool, made from its descriptor. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

json_t *hf_schema_of_params(const HfTool *tool); /* with the common parameters */
/* Of any table of descriptions: an object. */
json_t *hf_schema_of_table(const HfParam *table);
/* Of two beside each other; where both have a name, the first one's holds. */
json_t *hf_schema_of_tables(const HfParam *table, const HfParam *more);
/* Of one value. */
json_t *hf_schema_of_param(const HfParam *param);
json_t *hf_schema_of_result(const HfTool *tool);
/* Of answers that may get members: nothing is said any more of those that are not there yet. */
void hf_schema_open(json_t *schema);
/* Everything that a caller may know of a tool: facts, both schemas. */
json_t *hf_schema_of_tool(const HfTool *tool);
