/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of shared/base/library.c: whole or not at all, and what to do about it. */
#include "shared/base/library.h"

#include <math.h>
#include <string.h>

#include "shared/base/error.h"
#include "shared/base/json.h"

#define FUNCTIONS(X)                                                                               \
    X(cos)                                                                                         \
    X(floor)
typedef struct Functions {
    FUNCTIONS(HF_LIBRARY_MEMBER)
} Functions;

static const HfSymbol symbols[] = {FUNCTIONS(HF_LIBRARY_SYMBOL){0}};
static const HfSymbol too_many[] = {
    FUNCTIONS(HF_LIBRARY_SYMBOL){"hf_no_such_function", offsetof(Functions, cos)}, {0}};

static const struct {
    const char *file;
    const HfSymbol *symbols;
    gboolean found;
} cases[] = {
    {"libm.so.6", symbols, TRUE},
    {"libm.so.6", too_many, FALSE},
    {"libhf-nowhere.so.1", symbols, FALSE},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfLibrary library = {.file = cases[i].file,
                             .purpose = "counts",
                             .install = "libcount1",
                             .symbols = cases[i].symbols,
                             .size = sizeof(Functions),
                             .once = G_ONCE_INIT};
        for (int again = 0; again < 2; again++) {
            g_autoptr(GError) error = NULL;
            const Functions *functions = hf_library_get(&library, &error);
            g_assert_cmpint(functions != NULL, ==, cases[i].found);
            if (functions) {
                g_assert_no_error(error);
                g_assert_cmpfloat(functions->floor(2.5) + functions->cos(0), ==, 3);
                continue;
            }
            g_assert_error(error, HF_ERROR, HF_ERROR_UNSUPPORTED);
            g_assert_nonnull(strstr(error->message, ", which counts"));
            g_autoptr(json_t) wire = hf_error_to_json(error);
            g_assert_cmpstr(hf_json_string(wire, "suggestion", ""), ==,
                            "install it: apt install libcount1");
        }
        g_free(library.once.retval);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/cases", test_cases);
    return g_test_run();
}
