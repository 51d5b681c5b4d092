/* SPDX-License-Identifier: Apache-2.0 */
/* Which window is meant: titles, descriptions, and what is said when none or several fit. */
#include "hand/tools/resolve-window.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#include <string.h>

static HfWindow *add(GPtrArray *windows, guint32 id, const char *title, const char *process,
                     const char *class_name, int pid)
{
    HfWindow *window = g_new0(HfWindow, 1);
    window->id = id;
    window->title = g_strdup(title);
    window->process = g_strdup(process);
    window->class_name = g_strdup(class_name);
    window->instance = g_strdup(process);
    window->pid = pid;
    g_ptr_array_add(windows, window);
    return window;
}

static GPtrArray *desk_of_windows(void)
{
    GPtrArray *windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    add(windows, 1, "notes.txt - Mousepad", "mousepad", "Mousepad", 10);
    add(windows, 2, "Notes.txt", "featherpad", "FeatherPad", 20);
    add(windows, 3, "NOTES.TXT", "galculator", "Galculator", 30);
    add(windows, 4, "shell one", "xterm", "XTerm", 40);
    add(windows, 5, "shell two", "xterm", "XTerm", 41);
    add(windows, 6, "中文标题 – Café", "gedit", "Gedit", 50);
    add(windows, 7, "מסמך ‏RTL", "gedit", "Gedit", 50);
    add(windows, 8, "mail", "a", "Mail", 0);
    add(windows, 9, "mail", "b", "Post", 0)->focused = TRUE;
    add(windows, 10, "", "silent", "Silent", 60);
    return windows;
}

static const struct {
    const char *label;
    HfWindowQuery query;
    guint32 expected; /* 0: an error */
    HfErrorCode code;
} cases[] = {
    {"exact wins over case and part", {.title = "Notes.txt"}, 2},
    {"equal but for case wins over part", {.title = "notes.TXT"}, 0, HF_ERROR_WINDOW_AMBIGUOUS},
    {"part", {.title = "mousePAD"}, 1},
    {"part of two of one application: topmost", {.title = "shell"}, 4},
    {"several: the focused one", {.title = "mail"}, 9},
    {"none", {.title = "Foo"}, 0, HF_ERROR_WINDOW_NOT_FOUND},
    {"Chinese", {.title = "中文"}, 6},
    {"accent composed otherwise", {.title = "CAFE\xcc\x81"}, 6},
    {"right to left", {.title = "מסמך"}, 7},
    {"contains", {.title_contains = "TXT - m"}, 1},
    {"regex", {.title_regex = "^shell (two|three)$"}, 5},
    {"regex keeps case", {.title_regex = "^SHELL"}, 0, HF_ERROR_WINDOW_NOT_FOUND},
    {"regex may ignore case", {.title_regex = "(?i)^SHELL TWO"}, 5},
    {"regex that is wrong", {.title_regex = "(("}, 0, HF_ERROR_INVALID_PARAMS},
    {"process", {.process = "Galculator"}, 3},
    {"process is not a part", {.process = "galc"}, 0, HF_ERROR_WINDOW_NOT_FOUND},
    {"class", {.class_name = "featherPAD"}, 2},
    {"class may be the instance", {.class_name = "silent"}, 10},
    {"all members must fit", {.title_contains = "notes", .process = "featherpad"}, 2},
    {"a wide net over many applications", {.title_contains = "t"}, 0, HF_ERROR_WINDOW_AMBIGUOUS},
};

static void test_cases(void)
{
    g_autoptr(GPtrArray) windows = desk_of_windows();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].label);
        g_autoptr(GError) error = NULL;
        const HfWindow *window = hf_windows_choose(windows, &cases[i].query, &error);
        if (cases[i].expected) {
            g_assert_no_error(error);
            g_assert_cmpuint(window->id, ==, cases[i].expected);
        } else {
            g_assert_null(window);
            g_assert_error(error, HF_ERROR, (int)cases[i].code);
        }
    }
}

static void test_words(void)
{
    g_autoptr(GPtrArray) windows = desk_of_windows();
    g_autoptr(GError) missing = NULL, many = NULL;
    g_assert_null(hf_windows_choose(windows, &(HfWindowQuery){.title = "Foo"}, &missing));
    g_assert_cmpstr(missing->message, ==, "no window titled 'Foo'; see window_list");
    g_autoptr(json_t) json = hf_error_to_json(missing);
    const json_t *titles = json_object_get(json_object_get(json, "details"), "titles");
    g_assert_cmpuint(json_array_size(titles), ==, windows->len);
    g_assert_cmpstr(json_string_value(json_array_get(titles, 1)), ==, "Notes.txt");

    g_assert_null(hf_windows_choose(windows, &(HfWindowQuery){.title = "NOTES.txt"}, &many));
    g_autoptr(json_t) several = hf_error_to_json(many);
    const json_t *list = json_object_get(json_object_get(several, "details"), "candidates");
    g_assert_cmpuint(json_array_size(list), ==, 2);
    g_assert_cmpint(hf_json_int(json_array_get(list, 0), "window_id", 0), ==, 2);
}

static void test_hostile_regex(void)
{
    g_autoptr(GPtrArray) windows = desk_of_windows();
    g_autofree char *letters = g_strnfill(4000, 'a');
    g_autofree char *title = g_strconcat(letters, "!", NULL);
    add(windows, 11, title, "a", "A", 1);
    gint64 start = g_get_monotonic_time();
    g_autoptr(GError) error = NULL;
    HfWindowQuery query = {.title_regex = "^(a+)+$"};
    g_assert_null(hf_windows_choose(windows, &query, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    g_assert_cmpint(g_get_monotonic_time() - start, <, 500 * 1000);
}

static void test_shorten(void)
{
    static const struct {
        const char *text;
        gsize limit;
        const char *expected;
    } texts[] = {
        {"", 0, ""},        {"abc", 3, "abc"},    {"abcd", 3, "abc..."},
        {"äöü", 3, "ä..."}, {"中文", 5, "中..."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *text = hf_text_shorten(texts[i].text, texts[i].limit);
        g_assert_cmpstr(text, ==, texts[i].expected);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/window-match/cases", test_cases);
    g_test_add_func("/window-match/words", test_words);
    g_test_add_func("/window-match/hostile-regex", test_hostile_regex);
    g_test_add_func("/window-match/shorten", test_shorten);
    return g_test_run();
}
