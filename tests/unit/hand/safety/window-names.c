/* SPDX-License-Identifier: Apache-2.0 */
/* Which window titles name a directory. */
#include "hand/safety/window-names.h"

#define HOME "/home/me"

static const struct {
    const char *directory, *title;
    gboolean belongs;
} cases[] = {
    {"/home/me/src/handfast", "main.c - handfast - Editor", TRUE},
    {"/home/me/src/handfast/", "handfast", TRUE},
    {"/home/me/src/handfast", "/home/me/src/handfast/docs/a.md - Editor", TRUE},
    {"/home/me/src/handfast", "~/src/handfast: bash", TRUE},
    {"/home/me/src/handfast", "me@host:~/src/handfast$", TRUE},
    {"/home/me/src/handfast", "handfast/docs/a.md", TRUE},
    {"/home/me/src/handfast", "[handfast] a.md", TRUE},
    {"/home/me/src/手快", "说明 手快 编辑器", TRUE},
    {"/home/me/src/handfast", "main.c - handfast2 - Editor", FALSE},
    {"/home/me/src/handfast", "main.c - handfast-old - Editor", FALSE},
    {"/home/me/src/handfast", "main.c - my_handfast - Editor", FALSE},
    {"/home/me/src/handfast", "handfast.txt - Editor", FALSE},
    {"/home/me/src/handfast", "/tmp/handfast/x - Editor", FALSE},
    {"/home/me/src/handfast", "/home/me/src/handfast2/x", FALSE},
    {"/home/me/src/handfast", "/home/me/src", FALSE},
    {"/home/me/src/handfast", "~/src/handfast~", FALSE},
    {"/home/me/src/handfast", "Handfast", FALSE},
    {"/home/me/src/handfast", "", FALSE},
    {"/home/me/src/handfast", NULL, FALSE},
    {"/home/mel/x", "~l/x", FALSE},
    {"/", "anything / else", FALSE},
};

static void test_titles(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s: %s", cases[i].directory, cases[i].title);
        g_assert_cmpint(hf_window_title_has_directory(cases[i].title, cases[i].directory, HOME), ==,
                        cases[i].belongs);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/window-names/titles", test_titles);
    return g_test_run();
}
