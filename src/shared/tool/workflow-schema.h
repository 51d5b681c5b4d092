/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema of a workflow file, made from the description of run_workflow. */
#pragma once

#include <jansson.h>

/* Nested steps and conditions are recursive definitions. Owned. */
json_t *hf_workflow_schema(void);
