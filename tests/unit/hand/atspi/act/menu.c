/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/act/menu.c. */
#include "hand/atspi/act/menu.h"

typedef struct Case {
    const char *entry, *name;
    gboolean fits;
} Case;

static const Case cases[] = {
    {"Save", "Save", TRUE},
    {"_Save", "save", TRUE},
    {"&Save", "Save", TRUE},
    {"Save As...", "Save As", TRUE},
    {"Save As…", "save as...", TRUE},
    {"Save As", "Save As...", TRUE},
    {"Save", "Save As", FALSE},
    {"Save As", "Save", FALSE},
    {"Save as… Ctrl+S", "Save as", TRUE},
    {"Reload Ctrl+R", "Reload", TRUE},
    {"Reload all", "Reload", FALSE},
    {"另存为(_A)…", "另存为(A)", TRUE},
    {"Save", "", FALSE},
    {"", "Save", FALSE},
};

static void test_names(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        if (hf_menu_name_fits(cases[i].entry, cases[i].name) != cases[i].fits)
            g_error("'%s' and '%s'", cases[i].entry, cases[i].name);
}

static void test_path(void)
{
    g_auto(GStrv) names = hf_menu_split_path(" File >Save As... > ");
    g_assert_cmpuint(g_strv_length(names), ==, 2);
    g_assert_cmpstr(names[0], ==, "File");
    g_assert_cmpstr(names[1], ==, "Save As...");
    g_auto(GStrv) none = hf_menu_split_path(" > ");
    g_assert_null(none[0]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-menu/names", test_names);
    g_test_add_func("/access-menu/path", test_path);
    return g_test_run();
}
