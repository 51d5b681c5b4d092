/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of prepared actions: for one call, once, for a while. */
#include "desk/guard/approvals/prepared-calls.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"

#define LIFE_US (HF_LIMIT_CONFIRM_MS * (gint64)1000)

static void test_use(void)
{
    static const struct {
        const char *what, *hash;
        gint64 after_us;
        gboolean fine;
    } cases[] = {
        {"at once", "h1", 0, TRUE},
        {"at the last moment", "h1", LIFE_US - 1, TRUE},
        {"too late", "h1", LIFE_US, FALSE},
        {"another call", "h2", 0, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfPreparedCalls *prepared = hf_prepared_calls_new();
        g_autoptr(GError) error = NULL;
        g_autofree char *token = hf_prepared_calls_add(prepared, "h1", 1000);
        g_test_message("%s", cases[i].what);
        g_assert_cmpint(
            hf_prepared_calls_use(prepared, token, cases[i].hash, 1000 + cases[i].after_us, &error),
            ==, cases[i].fine);
        if (!cases[i].fine)
            g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_CONFIRM_REQUIRED);
        g_assert_false(hf_prepared_calls_use(prepared, token, "h1", 1000, NULL));
        hf_prepared_calls_free(prepared);
    }
}

static void test_bounded(void)
{
    HfPreparedCalls *prepared = hf_prepared_calls_new();
    g_autofree char *first = hf_prepared_calls_add(prepared, "h", 1);
    g_autofree char *second = hf_prepared_calls_add(prepared, "h", 2);
    for (guint i = 0; i + 1 < HF_LIMIT_PREPARED; i++)
        g_free(hf_prepared_calls_add(prepared, "h", 3));
    g_assert_false(hf_prepared_calls_use(prepared, first, "h", 4, NULL));
    g_assert_true(hf_prepared_calls_use(prepared, second, "h", 4, NULL));
    g_assert_false(hf_prepared_calls_use(prepared, "", "h", 4, NULL));
    hf_prepared_calls_free(prepared);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/prepared/use", test_use);
    g_test_add_func("/prepared/bounded", test_bounded);
    return g_test_run();
}
