/* SPDX-License-Identifier: Apache-2.0 */
/* A program may spend a burst and then what refills, without affecting others. */
#include "hand/x11/selection/selection-budget.h"

#include "hand/x11/x11-limits.h"

static guint spend_all(HfSelectionBudget *budget, guint32 client, guint cost, gint64 now_us)
{
    guint count = 0;
    while (hf_selection_budget_spend(budget, client, cost, now_us))
        count++;
    return count;
}

static void test_burst(void)
{
    HfSelectionBudget *budget = hf_selection_budget_new();
    g_assert_cmpuint(spend_all(budget, 1, 1, 1000), ==, HF_LIMIT_CLIPBOARD_ASK_BURST);
    g_assert_cmpuint(spend_all(budget, 2, 4, 1000), ==, HF_LIMIT_CLIPBOARD_ASK_BURST / 4);
    g_assert_true(hf_selection_budget_spend(budget, 1, 0, 1000));
    g_assert_false(hf_selection_budget_spend(budget, 3, HF_LIMIT_CLIPBOARD_ASK_BURST + 1, 1000));
    hf_selection_budget_free(budget);
}

static void test_refill(void)
{
    static const struct {
        gint64 after_us;
        guint expected;
    } cases[] = {
        {0, 0},
        {G_USEC_PER_SEC / HF_LIMIT_CLIPBOARD_ASK_RATE - 1, 0},
        {G_USEC_PER_SEC / HF_LIMIT_CLIPBOARD_ASK_RATE, 1},
        {G_USEC_PER_SEC, HF_LIMIT_CLIPBOARD_ASK_RATE},
        {G_USEC_PER_SEC * 3600LL, HF_LIMIT_CLIPBOARD_ASK_BURST},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfSelectionBudget *budget = hf_selection_budget_new();
        spend_all(budget, 7, 1, 5000);
        g_assert_cmpuint(spend_all(budget, 7, 1, 5000 + cases[i].after_us), ==, cases[i].expected);
        hf_selection_budget_free(budget);
    }
}

/* Frequent requests do not lose the time in between. */
static void test_refill_while_asking(void)
{
    HfSelectionBudget *budget = hf_selection_budget_new();
    guint got = 0;
    spend_all(budget, 7, 1, 1);
    for (gint64 now_us = 1; now_us <= G_USEC_PER_SEC + 1; now_us += 7)
        got += hf_selection_budget_spend(budget, 7, 1, now_us) ? 1 : 0;
    g_assert_cmpuint(got, >=, HF_LIMIT_CLIPBOARD_ASK_RATE - 1);
    g_assert_cmpuint(got, <=, HF_LIMIT_CLIPBOARD_ASK_RATE);
    hf_selection_budget_free(budget);
}

/* Any number of clients takes the same memory, and the latest ones are still known. */
static void test_many_clients(void)
{
    HfSelectionBudget *budget = hf_selection_budget_new();
    for (guint32 client = 1; client < 100000; client++)
        g_assert_true(hf_selection_budget_spend(budget, client, 1, client));
    spend_all(budget, 99999, 1, 100000);
    g_assert_true(hf_selection_budget_spend(budget, 99998, 1, 100000));
    g_assert_false(hf_selection_budget_spend(budget, 99999, 1, 100000));
    hf_selection_budget_free(budget);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/selection-budget/burst", test_burst);
    g_test_add_func("/selection-budget/refill", test_refill);
    g_test_add_func("/selection-budget/refill-while-asking", test_refill_while_asking);
    g_test_add_func("/selection-budget/many-clients", test_many_clients);
    return g_test_run();
}
