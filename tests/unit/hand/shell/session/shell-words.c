/* SPDX-License-Identifier: Apache-2.0 */
/* Words for bash, read back by a real one; and keys, as a terminal sends them. */
#include "hand/shell/session/shell-quote.h"
#include "hand/shell/terminal/terminal.h"

#include <gio/gio.h>
#include <string.h>

static const char *const texts[] = {
    "",
    "plain",
    "a b",
    "it's",
    "\"double\"",
    "$HOME `id` $(id)",
    "back\\slash \\n \\",
    "two\nlines\n",
    "\ttab\r\033[0m\001\177",
    "!history! *?[a]~",
    "中文 🎉 é",
    "';rm -rf /;'",
    "\\'",
    "$'\\''",
    "a\\",
    "#{}<>|&;()",
};

static void test_quote(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        GString *line = g_string_new("printf %s ");
        hf_shell_quote_append(line, texts[i]);
        g_assert_null(strchr(line->str, '\n'));
        g_autofree char *command = g_string_free(line, FALSE), *said = NULL;
        const char *words[] = {"/bin/bash", "-c", command, NULL};
        g_autoptr(GError) error = NULL;
        g_spawn_sync(NULL, (char **)words, NULL, 0, NULL, NULL, &said, NULL, NULL, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(said, ==, texts[i]);
    }
}

static const struct {
    const char *name, *plain, *application; /* NULL: the same; both NULL: there is no such key */
} keys[] = {
    {"enter", "\r", NULL},
    {"Return", "\r", NULL},
    {"tab", "\t", NULL},
    {"shift+tab", "\033[Z", NULL},
    {"escape", "\033", NULL},
    {"backspace", "\177", NULL},
    {"space", " ", NULL},
    {"a", "a", NULL},
    {"shift+a", "A", NULL},
    {"A", "A", NULL},
    {"é", "é", NULL},
    {"中", "中", NULL},
    {"+", "+", NULL},
    {"ctrl+c", "\003", NULL},
    {"CTRL+C", "\003", NULL},
    {"ctrl+[", "\033", NULL},
    {"ctrl+?", "\177", NULL},
    {"alt+x", "\033x", NULL},
    {"ctrl+alt+d", "\033\004", NULL},
    {"alt+enter", "\033\r", NULL},
    {"up", "\033[A", "\033OA"},
    {"left", "\033[D", "\033OD"},
    {"home", "\033[H", "\033OH"},
    {"ctrl+right", "\033[1;5C", NULL},
    {"shift+alt+up", "\033[1;4A", NULL},
    {"pageup", "\033[5~", NULL},
    {"ctrl+delete", "\033[3;5~", NULL},
    {"f1", "\033OP", NULL},
    {"F5", "\033[15~", NULL},
    {"f12", "\033[24~", NULL},
    {"", NULL, NULL},
    {"ctrl", NULL, NULL},
    {"ctrl+", NULL, NULL},
    {"super+a", NULL, NULL},
    {"nothing", NULL, NULL},
    {"ctrl+é", NULL, NULL},
    {"ctrl+1", NULL, NULL},
    {"f13", NULL, NULL},
};

static void test_keys(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        for (int application = 0; application < 2; application++) {
            g_autoptr(GString) bytes = g_string_new(NULL);
            g_autoptr(GError) error = NULL;
            gboolean known = hf_terminal_keys_append(bytes, keys[i].name, application, &error);
            if (known != (keys[i].plain != NULL))
                g_test_message("key '%s'", keys[i].name);
            g_assert_true(known == (keys[i].plain != NULL) && known == (error == NULL));
            if (known)
                g_assert_cmpstr(bytes->str, ==,
                                application && keys[i].application ? keys[i].application
                                                                   : keys[i].plain);
        }
}

static void test_control_space(void)
{
    g_autoptr(GString) bytes = g_string_new(NULL);
    g_assert_true(hf_terminal_keys_append(bytes, "ctrl+space", FALSE, NULL));
    g_assert_true(bytes->len == 1 && bytes->str[0] == 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shell/words/quote", test_quote);
    g_test_add_func("/shell/words/keys", test_keys);
    g_test_add_func("/shell/words/control-space", test_control_space);
    return g_test_run();
}
