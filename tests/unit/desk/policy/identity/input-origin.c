/* SPDX-License-Identifier: Apache-2.0 */
/* Whose hands were last on a desktop, and what follows from it. */
#include "desk/policy/identity/input-origin.h"

#include "shared/base/error.h"

#define SECOND ((gint64)G_USEC_PER_SEC)

static const struct {
    const char *what;
    gint64 ours_s, real_s, now_s; /* 0: never */
    gboolean fine;
} cases[] = {
    {"nothing ever happened", 0, 0, 1000, TRUE},
    {"only a person", 0, 999, 1000, TRUE},
    {"an agent just now", 1000, 0, 1000, FALSE},
    {"an agent a while ago", 950, 0, 1000, FALSE},
    {"an agent long ago", 939, 0, 1000, TRUE},
    {"an agent, exactly the time ago", 940, 0, 1000, TRUE},
    {"a person after the agent", 990, 991, 1000, TRUE},
    {"a person before the agent", 990, 989, 1000, FALSE},
    {"both at the same moment", 990, 990, 1000, FALSE},
    {"a person before an agent of long ago", 900, 899, 1000, TRUE},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfInputOrigin *inputs = hf_input_origin_new();
        g_autoptr(GError) error = NULL;
        if (cases[i].ours_s)
            hf_input_origin_note_ours(inputs, "main", cases[i].ours_s * SECOND);
        if (cases[i].real_s)
            hf_input_origin_note_press(inputs, "main", cases[i].real_s * SECOND);
        g_test_message("%s", cases[i].what);
        g_assert_cmpint(hf_input_origin_check(inputs, cases[i].now_s * SECOND, &error), ==,
                        cases[i].fine);
        if (!cases[i].fine)
            g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
        hf_input_origin_free(inputs);
    }
}

/* A person at one desktop says nothing about the other one. */
static void test_each_desktop_counts(void)
{
    HfInputOrigin *inputs = hf_input_origin_new();
    hf_input_origin_note_ours(inputs, "a", 100 * SECOND);
    hf_input_origin_note_press(inputs, "a", 101 * SECOND);
    g_assert_true(hf_input_origin_check(inputs, 102 * SECOND, NULL));
    hf_input_origin_note_ours(inputs, "b", 100 * SECOND);
    g_assert_false(hf_input_origin_check(inputs, 102 * SECOND, NULL));
    hf_input_origin_note_ours(inputs, "a", 50 * SECOND); /* late news change nothing */
    hf_input_origin_forget(inputs, "b");
    g_assert_true(hf_input_origin_check(inputs, 102 * SECOND, NULL));
    hf_input_origin_free(inputs);
}

static void test_no_keeper(void)
{
    g_assert_true(hf_input_origin_check(NULL, SECOND, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/inputs/cases", test_cases);
    g_test_add_func("/inputs/each-desktop-counts", test_each_desktop_counts);
    g_test_add_func("/inputs/no-keeper", test_no_keeper);
    return g_test_run();
}
