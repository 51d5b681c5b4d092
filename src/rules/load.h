/* Reading rules from JSON. */
#pragma once

#include "base/json.h"
#include "base/limits.h"
#include "rules/rule.h"
#include "rules/rules.h"

/* Appends the rules of `file`, or changes those that are there already. */
gboolean hf_rules_read(GPtrArray *rules, const json_t *file, gboolean owners, GError **error);
const char *hf_looks_at_name(HfLooksAt looks_at);
