/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Schema (2020-12, the subset we use) and the listing of a tool, made from its descriptor. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

json_t *hf_schema_of_params(const HfTool *tool); /* including the common parameters */
/* The schema of a table of descriptions: an object. */
json_t *hf_schema_of_table(const HfParam *table);
/* The schema of two tables; where both have a name, the first one wins. */
json_t *hf_schema_of_tables(const HfParam *table, const HfParam *more);
/* The schema of one value. */
json_t *hf_schema_of_param(const HfParam *param);
json_t *hf_schema_of_result(const HfTool *tool);
/* For answers that may get more members later: allows unknown ones. */
void hf_schema_open(json_t *schema);
/* Everything that a caller may know about a tool: facts and both schemas. */
json_t *hf_schema_of_tool(const HfTool *tool);
