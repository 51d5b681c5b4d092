/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal shows after some bytes. A case is what a program writes and what is to be seen on
 * a screen of 4 rows and 10 columns. */
#include "hand/shell/terminal/terminal-screen.h"

#include <string.h>

#define ROWS    4
#define COLUMNS 10

static const struct {
    const char *bytes, *text;
    int row, column; /* of the cursor, from 1; 0: not looked at */
} cases[] = {
    {"", "", 1, 1},
    {"abc", "abc", 1, 4},
    {"abc\r\ndef", "abc\ndef", 2, 4},
    {"abc\ndef", "abc\n   def", 2, 7},
    {"abc\rX", "Xbc", 1, 2},
    {"abc\b\bX", "aXc", 1, 3},
    {"\b\b\bX", "X", 1, 2},
    {"a\tb", "a       b", 1, 10},
    {"a\x07"
     "b",
     "ab", 1, 3},
    {"a\x7f\x01"
     "b",
     "ab", 1, 3},
    /* The last column is written before the row is ended. */
    {"0123456789", "0123456789", 1, 10},
    {"0123456789a", "0123456789\na", 2, 2},
    {"0123456789\r\nb", "0123456789\nb", 2, 2},
    {"\033[?7l0123456789ab", "012345678b", 1, 10},
    /* Scrolling. */
    {"1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5", 4, 2},
    {"1\r\n2\r\n3\r\n4\033[2;3r\033[3;1H\n", "1\n3\n\n4", 3, 1},
    {"1\r\n2\r\n3\r\n4\033[2;3r\033[2;1H\033M", "1\n\n2\n4", 2, 1},
    {"1\r\n2\r\n3\r\n4\033[H\033M", "\n1\n2\n3", 1, 1},
    {"1\r\n2\r\n3\r\n4\033[2S", "3\n4", 0, 0},
    {"1\r\n2\r\n3\r\n4\033[1T", "\n1\n2\n3", 0, 0},
    {"1\r\n2\r\n3\r\n4\033[99999S", "", 0, 0},
    /* Moving about. */
    {"\033[2;3Hx", "\n  x", 2, 4},
    {"\033[2;3fx", "\n  x", 2, 4},
    {"\033[99;99Hx", "\n\n\n         x", 4, 10},
    {"\033[0;0Hx", "x", 1, 2},
    {"\033[3B\033[2Cx\033[2A\033[3Dy", "\ny\n\n  x", 2, 2},
    {"abc\033[Gx", "xbc", 1, 2},
    {"abc\033[2Gx", "axc", 1, 3},
    {"\033[3dx", "\n\nx", 3, 2},
    {"a\033[Eb\033[Fc", "c\nb", 1, 2},
    {"ab\0337\033[3;3Hx\0338y", "aby\n\n  x", 1, 4},
    {"ab\033[s\033[3;3Hx\033[uy", "aby\n\n  x", 1, 4},
    /* Erasing. */
    {"abcdef\033[3D\033[K", "abc", 1, 4},
    {"abcdef\033[3D\033[1K", "    ef", 1, 4},
    {"abcdef\033[2K", "", 1, 7},
    {"abc\r\ndef\033[1;2H\033[J", "a", 1, 2},
    {"abc\r\ndef\033[2;2H\033[1J", "\n  f", 2, 2},
    {"abc\r\ndef\033[2J", "", 2, 4},
    {"abcdef\033[1;3H\033[2X", "ab  ef", 1, 3},
    /* Inserting and taking away. */
    {"abcdef\033[1;3H\033[2P", "abef", 1, 3},
    {"abcdef\033[1;3H\033[2@", "ab  cdef", 1, 3},
    {"abcdef\033[1;3H\033[4hXY\033[4l", "abXYcdef", 1, 5},
    {"1\r\n2\r\n3\033[2;1H\033[L", "1\n\n2\n3", 2, 1},
    {"1\r\n2\r\n3\033[1;1H\033[M", "2\n3", 1, 1},
    {"a\033[3b", "aaaa", 1, 5},
    {"\033[99999b", "", 1, 1},
    /* Looks are passed over, and strings, and what is not known. */
    {"\033[1;31mred\033[0m", "red", 1, 4},
    {"\033[38;2;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18mx", "x", 1, 2},
    {"\033]0;title\007x", "x", 1, 2},
    {"\033]0;title\033\\x", "x", 1, 2},
    {"\033Psecret\033\\x", "x", 1, 2},
    {"\033_apc\033[2;2Hx", "\n x", 2, 3},
    {"\033[?2004hx\033[?1000;1006hy", "xy", 1, 3},
    {"\033[4:3mx\033[2 qy\033%Gz", "xyz", 1, 4},
    {"\033[12\030x", "x", 1, 2},
    {"\033\033[2Cx", "  x", 1, 4},
    /* Frames. */
    {"\033(0lqk\033(Bx", "\342\224\214\342\224\200\342\224\220x", 1, 5},
    /* Letters of two columns, marks, and bytes that are no letters. */
    {"\344\270\255x", "\344\270\255x", 1, 4},
    {"123456789\344\270\255", "123456789\n\344\270\255", 2, 3},
    {"\344\270\255\rx", "x", 1, 2},
    {"\344\270\255\033[1;2Hx", " x", 1, 3},
    {"e\314\201x", "ex", 1, 3},
    {"\377x\303", "\357\277\275x", 1, 3},
    {"\303x", "\357\277\275x", 1, 3},
    {"\355\240\200x", "\357\277\275x", 0, 0},
    /* The other screen. */
    {"abc\033[?1049hxyz", "xyz", 1, 4},
    {"abc\033[?1049hxyz\033[?1049ld", "abcd", 1, 5},
    {"abc\033[?47hx\033[?47l", "abc", 1, 4},
    {"abc\033cx", "x", 1, 2},
};

static HfTerminalScreen *play(const char *bytes, gsize at_once)
{
    HfTerminalScreen *screen = hf_terminal_screen_new(ROWS, COLUMNS);
    gsize length = strlen(bytes);
    for (gsize i = 0; i < length; i += at_once)
        hf_terminal_screen_feed(screen, bytes + i, MIN(at_once, length - i), NULL);
    return screen;
}

/* The same, however the bytes come. */
static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        for (gsize at_once = 1; at_once <= 1000; at_once += 999) {
            g_autoptr(HfTerminalScreen) screen = play(cases[i].bytes, at_once);
            g_autofree char *text = hf_terminal_screen_dup_text(screen);
            g_autoptr(json_t) told = hf_terminal_screen_describe(screen);
            const json_t *cursor = json_object_get(told, "cursor");
            if (g_strcmp0(text, cases[i].text) != 0)
                g_test_message("case %zu", i);
            g_assert_cmpstr(text, ==, cases[i].text);
            if (cases[i].row == 0)
                continue;
            g_assert_cmpint(hf_json_int(cursor, "row", 0), ==, cases[i].row);
            g_assert_cmpint(hf_json_int(cursor, "column", 0), ==, cases[i].column);
        }
    }
}

/* What was there, what is typed, what comes then, and whether a text is found among the new. */
static const struct {
    const char *before, *typed, *after, *text;
    gboolean new, at_all, has_new;
} texts[] = {
    {"", "", "PW> ", "PW> ", TRUE, TRUE, TRUE},
    {"", "", "PW>", "PW> ", FALSE, FALSE, TRUE},
    {"", "", "PW> ", "PW> \n", FALSE, FALSE, TRUE}, /* nothing is known of what follows */
    {"", "", "Name? \r\nx", "Name? \nx", TRUE, TRUE, TRUE},
    {"", "", "Name? \r\nx", "Name?\nx", TRUE, TRUE, TRUE},
    {"", "", "a  ", "a   ", FALSE, FALSE, TRUE},
    /* From before. */
    {"Word: ", "abc\r", "\r\n", "Word: ", FALSE, FALSE, FALSE},
    {"Word:", "abc\r", "\r\n", "Word:", FALSE, TRUE, FALSE},
    {"Word: ", "abc\r", "\r\nWord: ", "Word: ", TRUE, TRUE, TRUE},
    {"Word: ", "abc\r", "\r\033[H\033[JWord: ", "Word: ", TRUE, TRUE, TRUE}, /* drawn again */
    {"old\r\nold\r\n", "", "\r\n\r\nx", "old", FALSE, TRUE, TRUE},           /* moved up */
    {"PW> ", "", "x", "PW> x", TRUE, TRUE, TRUE},                            /* in part */
    {"$ ", "", "x", "", FALSE, TRUE, TRUE}, /* nothing is everywhere, and never new */
    /* The echo. */
    {"$ ", "echo hi\r", "echo hi\r\n", "hi", FALSE, TRUE, FALSE},
    {"$ ", "echo hi\r", "echo hi\r\nhi\r\n$ ", "hi", TRUE, TRUE, TRUE},
    {"$ ", "echo hi\r", "echo hi\r\n\033[?2004l\r", "hi", FALSE, TRUE, FALSE},
    {"$ ", "true\r", "true\r\n$ ", "$ ", TRUE, TRUE, TRUE},
    {"$ ", "echo a\recho b\r", "echo a\r\na\r\n$ echo b\r\nb\r\n$ ", "b", TRUE, TRUE, TRUE},
    {"$ ", "echo \303\244\r", "echo \303\244\r\n", "\303\244", FALSE, TRUE, FALSE},
    {"$ ", "echo 123456\r", "echo 1234 \r56\r\n", "12", FALSE, TRUE, FALSE}, /* a long line */
    {"Word: ", "hunt\r", "\r\nhunt\r\n", "hunt", TRUE, TRUE, TRUE},          /* it had none */
    /* Without an enter key, with keys that edit, and with the whole screen: all that comes. */
    {"$ ", "abc", "abc", "abc", TRUE, TRUE, TRUE},
    {"$ ", "ab\177c\r", "ab\b \bc\r\n", "c", TRUE, TRUE, TRUE},
    {"\033[?1049h", "abc\r", "abc", "abc", TRUE, TRUE, TRUE},
};

static void test_new(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(HfTerminalScreen) screen = play(texts[i].before, 1);
        hf_terminal_screen_begin_new(screen, texts[i].typed, strlen(texts[i].typed));
        hf_terminal_screen_feed(screen, texts[i].after, strlen(texts[i].after), NULL);
        g_test_message("case %zu", i);
        g_assert_cmpint(hf_terminal_screen_shows(screen, texts[i].text, TRUE), ==, texts[i].new);
        g_assert_cmpint(hf_terminal_screen_shows(screen, texts[i].text, FALSE), ==,
                        texts[i].at_all);
        g_assert_cmpint(hf_terminal_screen_has_new(screen), ==, texts[i].has_new);
    }
}

static const struct {
    const char *bytes, *replies;
} answers[] = {
    {"ab\033[6n", "\033[1;3R"},   {"\033[5n", "\033[0n"}, {"\033[c", "\033[?62;22c"},
    {"\033[>c", "\033[>1;10;0c"}, {"\033[7n", ""},
};

static void test_replies(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(answers); i++) {
        g_autoptr(HfTerminalScreen) screen = hf_terminal_screen_new(ROWS, COLUMNS);
        g_autoptr(GString) replies = g_string_new(NULL);
        hf_terminal_screen_feed(screen, answers[i].bytes, strlen(answers[i].bytes), replies);
        g_assert_cmpstr(replies->str, ==, answers[i].replies);
    }
}

static void test_former(void)
{
    g_autoptr(HfTerminalScreen) screen = play("1\r\n2\r\n3\r\n4\r\n5\r\n6", 100);
    g_autofree char *all = hf_terminal_screen_dup_former(screen, 10);
    g_autofree char *last = hf_terminal_screen_dup_former(screen, 1);
    g_assert_cmpstr(all, ==, "1\n2\n");
    g_assert_cmpstr(last, ==, "2\n");
    g_assert_cmpuint(hf_terminal_screen_scrolled(screen), ==, 2);
    hf_terminal_screen_feed(screen, "\033[?1049h\r\n\n\n\n\n\n", 16, NULL);
    g_assert_cmpuint(hf_terminal_screen_scrolled(screen), ==, 2);
}

static void test_told(void)
{
    g_autoptr(HfTerminalScreen) screen =
        play("\033]2;my title\007\033[?25l\033[?1h\033[?1049h", 100);
    g_autoptr(json_t) told = hf_terminal_screen_describe(screen);
    g_assert_cmpstr(hf_json_string(told, "title", ""), ==, "my title");
    g_assert_true(hf_json_bool(told, "full_screen", FALSE));
    g_assert_false(hf_json_bool(json_object_get(told, "cursor"), "visible", TRUE));
    g_assert_true(hf_terminal_screen_wants_application_keys(screen));
}

static void test_resize(void)
{
    g_autoptr(HfTerminalScreen) screen = play("1\r\n2\r\n3\r\n4", 100);
    hf_terminal_screen_resize(screen, 2, 5);
    g_autofree char *small = hf_terminal_screen_dup_text(screen);
    g_assert_cmpstr(small, ==, "3\n4");
    hf_terminal_screen_feed(screen, "abcdefgh", 8, NULL);
    hf_terminal_screen_resize(screen, 6, 20);
    g_autofree char *large = hf_terminal_screen_dup_text(screen);
    g_assert_cmpstr(large, ==, "4abcd\nefgh");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shell/screen/cases", test_cases);
    g_test_add_func("/shell/screen/new", test_new);
    g_test_add_func("/shell/screen/replies", test_replies);
    g_test_add_func("/shell/screen/former", test_former);
    g_test_add_func("/shell/screen/told", test_told);
    g_test_add_func("/shell/screen/resize", test_resize);
    return g_test_run();
}
