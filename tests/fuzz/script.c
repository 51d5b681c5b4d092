/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as shell text: never a crash, a hang or memory without limit, and whatever is found can
 * be weighed. */
#include <stdint.h>

#include "shared/rules/rules.h"
#include "shared/shell-parser/shell-parser-limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static HfRules *rules;
    if (!rules)
        rules = hf_rules_new(NULL, NULL);
    g_autofree char *text = g_strndup(size ? (const char *)data : "", size);
    g_autoptr(HfScript) script = hf_script_read(text);
    g_assert_cmpuint(script->commands->len, <=, HF_LIMIT_SCRIPT_COMMANDS);
    g_auto(HfRiskAssessment) weight = {0};
    hf_rules_assess_script(rules, script, &weight);
    hf_rules_assess_text(rules, text, &weight);
    g_assert_true(weight.risk == HF_RISK_NONE || weight.rules != NULL);
    return 0;
}
