/* SPDX-License-Identifier: Apache-2.0 */
/* Any JSON as the owner's rules: used whole, or refused with a reason. */
#include <stdint.h>

#include "shared/rules/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(json_t) json = json_loadb((const char *)data, size, 0, NULL);
    if (!json)
        return 0;
    g_autoptr(GError) error = NULL;
    g_autoptr(HfRules) rules = hf_rules_new(json, &error);
    g_assert_true((rules == NULL) == (error != NULL));
    if (rules) {
        g_auto(HfRiskAssessment) weight = {0};
        hf_rules_assess_command(rules, "git push -f; echo $(rm -rf x) | sh", &weight);
        hf_rules_assess_keys(rules, (const char *const[]){"ctrl+alt+f1", NULL}, &weight);
    }
    return 0;
}
