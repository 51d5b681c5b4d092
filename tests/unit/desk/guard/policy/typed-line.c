/* SPDX-License-Identifier: Apache-2.0 */
/* What stands at a prompt after some typing, and what an enter key would run. A case is written as
 * a sequence: text, and keys in <>; `|` begins the last step, which is only asked about. */
#include "desk/guard/policy/typed-line.h"

#include <string.h>

#include "desk/guard/guard-limits.h"
#include "shared/text/key-names.h"

static GArray *keys_of(const char *name)
{
    const char *names[] = {name, NULL};
    g_autoptr(GError) error = NULL;
    GArray *keys = hf_keys_parse_any(names, &error);
    g_assert_no_error(error);
    return keys;
}

/* Does the steps up to the last one; returns what the last one would run. */
static GPtrArray *play(HfTypedLine *line, char **steps)
{
    for (char **step = steps;; step++) {
        gsize length = strlen(*step);
        gboolean is_keys = length > 2 && (*step)[0] == '<' && (*step)[length - 1] == '>';
        g_autofree char *name = is_keys ? g_strndup(*step + 1, length - 2) : NULL;
        g_autoptr(GArray) keys = name && !g_str_has_prefix(name, "copy ") ? keys_of(name) : NULL;
        if (!step[1])
            return keys ? hf_typed_line_if_pressed(line, keys)
                        : hf_typed_line_if_typed(line, *step);
        if (keys)
            hf_typed_line_press(line, keys, 1);
        else if (name)
            hf_typed_line_copy(line, name + strlen("copy "));
        else
            hf_typed_line_type(line, *step);
    }
}

static const struct {
    const char *steps;    /* with a space bar as '|' between them */
    const char *expected; /* what is tried, with '|' between; "" for nothing */
} cases[] = {
    /* Nothing ends a line. */
    {"rm -rf /", ""},
    {"rm|<a>", ""},
    {"ls|<ctrl+c>", ""},
    {"<enter>", ""},
    /* An enter key ends what was typed before, however it is pressed. */
    {"rm -rf /|<enter>", "rm -rf /"},
    {"rm -rf /|<Return>", "rm -rf /"},
    {"rm -rf /|<kp_enter>", "rm -rf /"},
    {"rm -rf /|<ctrl+m>", "rm -rf /"},
    {"rm -rf /|<ctrl+j>", "rm -rf /"},
    {"rm -rf /|<ctrl+o>", "rm -rf /"},
    {"rm -rf /|<shift+enter>", "rm -rf /"},
    {"rm -rf| /|<enter>", "rm -rf /"},
    {"rm -rf| /\n", "rm -rf /|rm -rf /\n| /\n"},
    {"<r>|<m>|<space>|<minus>|<r>|<enter>", "rm -r"},
    {"<shift+a>|b|<enter>", "Ab"},
    /* Once it is ended, it is gone; a backslash goes on. */
    {"rm -rf /|<enter>|ls|<enter>", "ls"},
    {"rm -rf /\nls|<enter>", "ls"},
    {"rm \\|<enter>|-rf /|<enter>", "rm -rf /"},
    {"rm \\\n|-rf /\n", "rm -rf /|rm -rf /\n|-rf /\n"},
    /* Backspace, as a key and in text. */
    {"rmx|<backspace>| -rf /|<enter>", "rm -rf /"},
    {"rmx\b -rf /\n", "rm -rf /|rmx\b -rf /\n"},
    {"é|<backspace>|ls|<enter>", "ls"},
    {"<backspace>|ls|<enter>", "ls"},
    /* What cannot be followed: in order, in reverse, and piece by piece. */
    {" -rf /|<home>|rm|<enter>", " -rf /rm|rm -rf /| -rf /|rm"},
    {"rm -rf /|<tab>|<enter>", "rm -rf /"},
    {"rm -rf /\tx\n", "rm -rf /x|xrm -rf /|rm -rf /|x|rm -rf /\tx\n"},
    {"rm -rf /|<ctrl+w>|ls|<enter>", "rm -rf /ls|lsrm -rf /|rm -rf /|ls"},
    {"ab|<shift+1>|cd|<enter>", "abcd|cdab|ab|cd"},
    /* Pasting what was copied through us. */
    {"<copy rm -rf />|<ctrl+shift+v>|<enter>", "rm -rf /"},
    {"<copy rm -rf />|<shift+insert>|<enter>", "rm -rf /"},
    {"<copy rm -rf /\n>|<ctrl+v>", "rm -rf /"},
    {"rm |<copy -rf />|<ctrl+v>|<enter>", "rm -rf /|-rf /rm |rm |-rf /"},
    {"ls|<ctrl+v>|<enter>", "ls"},
    /* More pieces: what follows each other. */
    {"a|<left>|rm|<left>| /|<enter>", "arm /| /rma|a|arm|rm|rm /| /"},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTypedLine) line = hf_typed_line_new();
        g_auto(GStrv) steps = g_strsplit(cases[i].steps, "|", -1);
        g_autoptr(GPtrArray) ended = play(line, steps);
        g_ptr_array_add(ended, NULL);
        g_autofree char *got = g_strjoinv("|", (char **)ended->pdata);
        g_test_message("%s", cases[i].steps);
        g_assert_cmpstr(got, ==, cases[i].expected);
    }
}

static void test_doubt(void)
{
    g_autoptr(HfTypedLine) line = hf_typed_line_new();
    g_autoptr(GArray) enter = keys_of("enter");
    hf_typed_line_type(line, "rm -rf /");
    hf_typed_line_mark_uncertain(line);
    hf_typed_line_type(line, "ls");
    g_autoptr(GPtrArray) ended = hf_typed_line_if_pressed(line, enter);
    g_assert_cmpuint(ended->len, ==, 4);
    g_assert_cmpstr(ended->pdata[2], ==, "rm -rf /");
}

/* It stays small, and says that it does not know. */
static void test_bounds(void)
{
    g_autoptr(HfTypedLine) line = hf_typed_line_new();
    g_autoptr(GArray) enter = keys_of("enter"), left = keys_of("left");
    g_autofree char *padding = g_strnfill(HF_LIMIT_TYPED_LINE_BYTES, ' ');
    hf_typed_line_type(line, padding);
    g_assert_false(hf_typed_line_is_too_long(line));
    hf_typed_line_type(line, "rm -rf /");
    g_assert_true(hf_typed_line_is_too_long(line));
    g_autoptr(GPtrArray) ended = hf_typed_line_if_pressed(line, enter);
    g_assert_cmpuint(strlen(ended->pdata[0]), ==, HF_LIMIT_TYPED_LINE_BYTES);
    hf_typed_line_press(line, enter, 1);
    g_assert_false(hf_typed_line_is_too_long(line));
    for (int i = 0; i < 100000; i++)
        hf_typed_line_press(line, left, 1);
    g_autoptr(GPtrArray) none = hf_typed_line_if_pressed(line, enter);
    g_assert_cmpuint(none->len, ==, 0);
    for (int i = 0; i < 200; i++) {
        hf_typed_line_type(line, "x");
        hf_typed_line_press(line, left, 1);
    }
    g_assert_true(hf_typed_line_is_too_long(line));
    g_autoptr(GPtrArray) many = hf_typed_line_if_pressed(line, enter);
    g_assert_cmpuint(many->len, <, 64 * 3 + 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/typed-line/cases", test_cases);
    g_test_add_func("/typed-line/doubt", test_doubt);
    g_test_add_func("/typed-line/bounds", test_bounds);
    return g_test_run();
}
