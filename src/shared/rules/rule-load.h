/* SPDX-License-Identifier: Apache-2.0 */
/* Loads rules from JSON. */
#pragma once

#include "shared/base/json.h"
#include "shared/rules/rule.h"
#include "shared/rules/rules.h"

/* Adds the rules of `file`, or changes existing ones. */
gboolean hf_rules_add_from_json(GPtrArray *rules, const json_t *file, gboolean owners,
                                GError **error);
const char *hf_looks_at_name(HfLooksAt looks_at);
