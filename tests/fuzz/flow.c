/* SPDX-License-Identifier: Apache-2.0 */
/* Workflows from any caller: whatever is read can be filled in and asked, and nothing grows without
 * bounds. The bytes are JSON: {steps, vars, condition, value}. */
#include <stdint.h>

#include "desk/guard/flow/flow-condition.h"
#include "desk/guard/flow/flow-steps.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_value(const json_t *value, const HfFlowScope *scope)
{
    if (!value || !hf_flow_check_references(value, NULL, NULL, NULL))
        return;
    g_autoptr(json_t) filled = hf_flow_substitute(value, scope, FALSE, NULL);
    g_autoptr(json_t) own = hf_flow_substitute(value, scope, TRUE, NULL);
    g_assert_true(!own || filled);
    if (!hf_flow_has_reference(value))
        g_assert_nonnull(filled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(json_t) given = json_loadb(data ? (const char *)data : "", size, 0, NULL);
    if (!json_is_object(given))
        return 0;
    g_autoptr(json_t) steps = json_pack("{s:{s:b, s:{s:s, s:[i, i]}}}", "a", "ok", 1, "result", "t",
                                        "${vars.x}", "l", 1, 2);
    HfFlowScope scope = {.steps = steps, .vars = json_object_get(given, "vars")};
    const json_t *condition = json_object_get(given, "condition");
    if (condition && hf_flow_condition_check(condition, NULL, NULL, NULL))
        hf_flow_condition_holds(condition, &scope, NULL);
    try_value(json_object_get(given, "value"), &scope);
    const HfTool *tool = hf_registry_find("run_workflow");
    g_autoptr(json_t) params = hf_check_params(tool->params, given, NULL);
    json_object_del(given, "condition");
    json_object_del(given, "value");
    if (!params)
        params = hf_check_params(tool->params, given, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) read = params ? hf_workflow_steps_new(tool, params, &error) : NULL;
    g_assert_true(!read || read->len <= HF_LIMIT_FLOW_STEPS);
    g_assert_true(!params || (read != NULL) == (error == NULL));
    return 0;
}
