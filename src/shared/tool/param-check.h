/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a JSON object against a table of descriptions. */
#pragma once

#include <jansson.h>

#include "shared/tool/param.h"

/* Parameters that every tool accepts; the guard reads them, handlers do not. */
extern const HfParam hf_common_params[];

/* Refuses what is wrong, missing or unknown with INVALID_PARAMS, naming the field's path and what
 * was expected. Returns a copy with defaults and without the common parameters, or NULL. */
json_t *hf_check_params(const HfParam *table, const json_t *params, GError **error);
/* The same check for a result; adds no defaults. */
gboolean hf_check_result(const HfParam *table, const json_t *result, GError **error);
/* A copy with all defaults, at every depth: also in absent objects, and in each member of a map.
 * The object must have passed the check. */
json_t *hf_check_complete(const HfParam *table, const json_t *object);
