/* SPDX-License-Identifier: Apache-2.0 */
/* Hundreds of commands, hostile ones with the least class that they must get ("ask": high, and the
 * owner is asked each time), and what developers run every day, of which at most 2 % may be raised
 * above medium. Prints both numbers. */
#include <string.h>

#include "shared/base/json.h"
#include "shared/rules/rules.h"

#define RAISED_MOST_PERCENT 2.0

static int class_of(const char *name)
{
    static const char *const names[] = {"harmless", "low", "medium", "high", "critical", "block"};
    for (int i = 0; i < (int)G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], name) == 0)
            return i;
    g_assert_not_reached();
}

static json_t *load_table(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("HF_TEST_SOURCE"), "unit", "rules-table.json", NULL);
    json_t *table = json_load_file(path, 0, NULL);
    g_assert_nonnull(table);
    return table;
}

static int weigh(const HfRules *rules, const char *command, gboolean *ret_asks)
{
    g_auto(HfRiskAssessment) weight = {.risk = HF_RISK_LOW};
    hf_rules_assess_command(rules, command, &weight);
    *ret_asks = weight.ask_always;
    return weight.block ? 5 : (int)weight.risk;
}

static void test_table(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfRules) rules = hf_rules_new(NULL, &error);
    g_assert_no_error(error);
    g_autoptr(json_t) table = load_table();
    guint hostile = 0, missed = 0, harmless = 0, raised = 0;
    size_t index;
    json_t *row;
    json_array_foreach (table, index, row) {
        const char *least = json_string_value(json_array_get(row, 0));
        const char *command = json_string_value(json_array_get(row, 1));
        gboolean asks, ask = strcmp(least, "ask") == 0;
        int got = weigh(rules, command, &asks), class = class_of(ask ? "high" : least);
        gboolean below = got < class || (ask && !asks);
        if (strcmp(least, "harmless") == 0) {
            harmless++;
            raised += got > HF_RISK_MEDIUM;
            if (got > HF_RISK_MEDIUM)
                g_test_message("raised to %d: %s", got, command);
        } else {
            hostile++;
            missed += below;
            if (below)
                g_test_message("%s expected, got %d: %s", least, got, command);
        }
    }
    double percent = 100.0 * raised / harmless;
    g_print("# hostile: %u, below their class: %u\n# harmless: %u, raised above medium: %u "
            "(%.1f %%)\n",
            hostile, missed, harmless, raised, percent);
    g_assert_cmpuint(hostile + harmless, >=, 300);
    g_assert_cmpuint(missed, ==, 0);
    g_assert_cmpfloat(percent, <=, RAISED_MOST_PERCENT);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rules/table", test_table);
    return g_test_run();
}
