/* SPDX-License-Identifier: Apache-2.0 */
/* Typing into a real program that answers no pings (xterm), by what it passed on to the program
 * inside it; other toolkits are tests/e2e/test_typing.py's. The keymap is compared as a whole. */
#include "hand/desktop/keyboard.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include <xcb/xcb.h>
#include <xcb/xkb.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "keymap.h"
#include "programs.h"
#include "recorder.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char mixed[] =
    "Grüße, ^`~ \"'\\ @€ß 汉字\u00a0输入法测试一二三四五六七八九十百千万 "
    "Съешь же ещё этих мягких французских булок, да выпей чаю АБВГД "
    "e\u0301a\u0308o\u0302\u0301 👍🏽👩🏻‍💻👨‍👩‍👧‍👦🇩🇪 "
    "ςΣσ ıİ ǆǅǄ ☎ 한국어 ひらがな שלום ١٢٣ ก็ 𠀀𝔘\n"
    "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏\t"
    "闰余成岁律吕调阳云腾致雨露结为霜金生丽水玉出昆冈\n"
    "剑号巨阙珠称夜光果珍李柰菜重芥姜海咸河淡鳞潜羽翔\n";

typedef struct Fixture {
    char *directory, *output, *before;
    HfDesktop *desktop;
    HfCallContext *context;
    Program *manager, *terminal;
    HfWindow *window;
    Recorder *other;
} Fixture;

typedef struct Layout {
    const char *name;
    guint group, locks;
} Layout;

static HfDesktop *open_desktop(const char *state_dir)
{
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    g_autoptr(GError) error = NULL;
    HfDesktop *desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    return desktop;
}

static char *output_text(Fixture *f)
{
    char *text = NULL;
    g_assert_true(g_file_get_contents(f->output, &text, NULL, NULL));
    return text;
}

static void await_focus(Fixture *f)
{
    for (int i = 0; i < 500; i++) {
        g_autoptr(HfWindow) window = hf_windows_get(f->desktop, f->window->id, NULL);
        if (window && window->focused)
            return;
        g_usleep(10000);
    }
    g_error("the terminal never got the focus");
}

/* The terminal sends every byte through; the file is made when it is ready for them. */
static void set_up(Fixture *f, gconstpointer data)
{
    const Layout *layout = data;
    keymap_set_layout(layout->name);
    f->directory = g_dir_make_tmp("hf-typing-XXXXXX", NULL);
    f->output = g_build_filename(f->directory, "output", NULL);
    f->desktop = open_desktop(f->directory);
    f->context = hf_call_context_new_unfenced(f->desktop, "a test");
    f->manager = start_window_manager(f->desktop);
    g_autofree char *command = g_strdup_printf("stty raw -echo; exec cat >> '%s'", f->output);
    f->terminal =
        program_start("xterm", "-u8", "-T", "typed here", "-e", "sh", "-c", command, NULL);
    f->window = await_window(f->desktop, "typed here");
    await_focus(f);
    while (!g_file_test(f->output, G_FILE_TEST_EXISTS))
        g_usleep(5000);
    keymap_lock(layout->locks, layout->group);
    f->before = keymap_dup_picture();
}

static void tear_down(Fixture *f, gconstpointer data)
{
    g_autofree char *after = keymap_dup_picture();
    g_assert_cmpstr(f->before, ==, after);
    g_assert_false(hf_input_journal_has_changes(f->desktop->journal));
    keymap_lock(0, 0);
    hf_window_free(f->window);
    program_free(f->terminal);
    program_free(f->manager);
    hf_call_context_free(f->context);
    hf_desktop_close(f->desktop);
    g_autofree char *journal = g_build_filename(f->directory, "journal", NULL);
    g_unlink(f->output);
    g_unlink(journal);
    g_rmdir(f->directory);
    g_free(f->directory);
    g_free(f->output);
    g_free(f->before);
}

static gboolean type(Fixture *f, const char *text, guint delay_ms, HfTyped *ret_typed,
                     const HfDeadline *deadline, GError **error)
{
    HfTyping typing = {text, HF_TYPING_KEYS, delay_ms};
    return hf_keyboard_type(f->context, &typing, ret_typed, deadline, error);
}

/* What came out, once as much has come as was typed. The enter key is a carriage return. */
static void assert_arrived(Fixture *f, const char *text)
{
    g_autofree char *expected = g_strdelimit(g_strdup(text), "\n", '\r');
    g_autofree char *seen = NULL;
    for (int i = 0; i < 500; i++) {
        g_free(seen);
        seen = output_text(f);
        if (strlen(seen) >= strlen(expected))
            break;
        g_usleep(10000);
    }
    g_assert_cmpstr(seen, ==, expected);
}

static void test_text(Fixture *f, gconstpointer data)
{
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = test_deadline();
    type(f, mixed, 0, &typed, &deadline, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(typed.characters, ==, (gsize)g_utf8_strlen(mixed, -1));
    g_assert_cmpuint(typed.window, ==, f->window->id);
    g_assert_cmpint(typed.method, ==, HF_TYPING_KEYS);
    assert_arrived(f, mixed);
}

static void test_delay(Fixture *f, gconstpointer data)
{
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = test_deadline();
    gint64 start = g_get_monotonic_time();
    type(f, "aB中é\r\n.", 20, &typed, &deadline, &error);
    g_assert_no_error(error);
    g_assert_cmpint(g_get_monotonic_time() - start, >=, 5 * 20000);
    assert_arrived(f, "aB中é\n.");
}

/* Ends early: what was counted is what arrived, no more and no less. */
static void test_cut_short(Fixture *f, gconstpointer data)
{
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(300, NULL);
    g_assert_false(type(f, mixed, 20, &typed, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT);
    g_assert_cmpuint(typed.characters, >, 0);
    g_assert_cmpuint(typed.characters, <, (gsize)g_utf8_strlen(mixed, -1));
    g_autofree char *arrived = g_utf8_substring(mixed, 0, (glong)typed.characters);
    assert_arrived(f, arrived);
}

/* Another window takes the focus as soon as something has arrived. */
static gpointer take_focus_away(gpointer data)
{
    Fixture *f = data;
    GStatBuf status = {0};
    while (g_stat(f->output, &status) != 0 || status.st_size < 10)
        g_usleep(500);
    keymap_focus(recorder_window(f->other));
    return NULL;
}

/* Not one key reaches the other window, and all that were counted have reached the first. */
static void test_focus_lost(Fixture *f, gconstpointer data)
{
    for (guint delay_ms = 0; delay_ms <= 1; delay_ms++) {
        f->other = recorder_start("100x100+0+0", "--override", NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        for (int i = 0; i < 20; i++)
            g_string_append(text, mixed);
        HfTyped typed;
        g_autoptr(GError) error = NULL;
        HfDeadline deadline = test_deadline();
        g_assert_cmpint(truncate(f->output, 0), ==, 0);
        GThread *thief = g_thread_new("thief", take_focus_away, f);
        g_assert_false(type(f, text->str, delay_ms, &typed, &deadline, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_FOCUS_LOST);
        g_thread_join(thief);
        g_assert_cmpuint(typed.characters, <, (gsize)g_utf8_strlen(text->str, -1));
        g_autofree char *arrived = g_utf8_substring(text->str, 0, (glong)typed.characters);
        assert_arrived(f, arrived);
        g_assert_null(recorder_find(f->other, "key_press", 50));
        recorder_free(f->other);
        keymap_focus(f->window->id);
    }
}

static void test_no_focus(Fixture *f, gconstpointer data)
{
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = test_deadline();
    program_kill(f->manager); /* it would give the focus to the next best window */
    keymap_focus(XCB_NONE);
    g_assert_false(type(f, "lost", 0, &typed, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_FOCUS_LOST);
    g_assert_cmpuint(typed.characters, ==, 0);
    keymap_focus(f->window->id);
}

static void test_held_modifier(Fixture *f, gconstpointer data)
{
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = test_deadline();
    g_autoptr(GArray) control = hf_keys_parse((const char *[]){"ctrl", NULL}, NULL);
    g_assert_true(hf_keyboard_hold_all(f->context, control, &deadline, NULL));
    g_assert_false(type(f, "c", 0, &typed, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_assert_true(hf_keyboard_drop_all(f->context, control, &deadline, NULL));
    assert_arrived(f, "");
}

/* Keys that the server would drop, or that would switch a setting off, are not sent. */
static void test_accessibility(Fixture *f, gconstpointer data)
{
    const guint controls[] = {XCB_XKB_BOOL_CTRL_SLOW_KEYS, XCB_XKB_BOOL_CTRL_BOUNCE_KEYS,
                              XCB_XKB_BOOL_CTRL_STICKY_KEYS};
    HfDeadline deadline = test_deadline();
    for (gsize i = 0; i < G_N_ELEMENTS(controls); i++) {
        HfTyped typed;
        g_autoptr(GError) error = NULL;
        keymap_set_controls(controls[i]);
        g_assert_false(type(f, "aAЖ", 0, &typed, &deadline, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
        keymap_set_controls(0);
    }
    assert_arrived(f, "");
}

/* Where the user's keyboard has another layout than the one that XTEST presses (nobody ran
 * setxkbmap), text still arrives, and the user's keyboard is not touched. */
static void test_other_device(Fixture *f, gconstpointer data)
{
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = test_deadline();
    keymap_set_device_layout(7, "fr"); /* the keyboard of Xvfb itself */
    g_assert_true(type(f, "a", 0, &typed, &deadline, &error));
    g_free(f->before);
    f->before = keymap_dup_picture();
    g_assert_true(type(f, mixed, 0, &typed, &deadline, &error));
    g_autofree char *expected = g_strconcat("a", mixed, NULL);
    assert_arrived(f, expected);
}

static void test_bad_text(Fixture *f, gconstpointer data)
{
    const struct {
        const char *text;
        HfErrorCode code;
    } cases[] = {
        {"a\x01", HF_ERROR_INVALID_PARAMS},        {"\x7f", HF_ERROR_INVALID_PARAMS},
        {"\xc2\x85", HF_ERROR_INVALID_PARAMS},     {"\xff", HF_ERROR_INVALID_PARAMS},
        {"\xef\xbf\xbf", HF_ERROR_INVALID_PARAMS},
    };
    HfDeadline deadline = test_deadline();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfTyped typed;
        g_autoptr(GError) error = NULL;
        g_assert_false(type(f, cases[i].text, 0, &typed, &deadline, &error));
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
    }
    g_autofree char *huge = g_strnfill(HF_LIMIT_TYPE_CHARS + 1, 'a');
    HfTyped typed;
    g_autoptr(GError) error = NULL;
    g_assert_false(type(f, huge, 0, &typed, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    assert_arrived(f, "");
}

/* The part of a hand that is to be killed: types until then. */
G_NORETURN static void type_for_ever(const char *state_dir)
{
    HfCallContext *context = hf_call_context_new_unfenced(open_desktop(state_dir), "a test");
    for (;;) {
        HfTyped typed;
        HfTyping typing = {mixed, HF_TYPING_KEYS, 0};
        HfDeadline deadline = test_deadline();
        hf_keyboard_type(context, &typing, &typed, &deadline, NULL);
    }
}

static void kill_while_typing(Fixture *f, const char *state_dir)
{
    g_assert_cmpint(truncate(f->output, 0), ==, 0);
    g_autoptr(Program) hand = program_start("/proc/self/exe", "--type-for-ever", state_dir, NULL);
    GStatBuf status = {0};
    while (g_stat(f->output, &status) != 0 || status.st_size == 0)
        g_usleep(200);
    g_usleep((gulong)g_random_int_range(0, 40000));
    program_kill(hand);
}

static void test_killed(Fixture *f, gconstpointer data)
{
    g_autofree char *state_dir = g_dir_make_tmp("hf-killed-XXXXXX", NULL);
    guint harmed = 0;
    for (int i = 0; i < 12; i++) {
        kill_while_typing(f, state_dir);
        g_autofree char *left = keymap_dup_picture();
        harmed += g_str_equal(left, f->before) ? 0 : 1;
        HfDesktop *next = open_desktop(state_dir);
        g_autofree char *after = keymap_dup_picture();
        g_assert_cmpstr(after, ==, f->before);
        g_assert_false(hf_input_journal_has_changes(next->journal));
        hf_desktop_close(next);
    }
    g_assert_cmpuint(harmed, >, 0); /* else nothing was put to the test */
    g_autofree char *journal = g_build_filename(state_dir, "journal", NULL);
    g_unlink(journal);
    g_rmdir(state_dir);
}

static const Layout us = {"us", 0, 0}, caps = {"us", 0, XCB_MOD_MASK_LOCK}, german = {"de", 0, 0},
                    french = {"fr", 0, 0}, russian = {"ru", 0, 0}, second = {"us,ru", 1, 0},
                    number_lock = {"de", 0, XCB_MOD_MASK_2};

static void add(const char *path, const Layout *layout, void (*test)(Fixture *, gconstpointer))
{
    g_test_add(path, Fixture, layout, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
    if (argc == 3 && g_str_equal(argv[1], "--type-for-ever"))
        type_for_ever(argv[2]);
    g_test_init(&argc, &argv, NULL);
    add("/typing/us", &us, test_text);
    add("/typing/caps-lock", &caps, test_text);
    add("/typing/german", &german, test_text);
    add("/typing/number-lock", &number_lock, test_text);
    add("/typing/french", &french, test_text);
    add("/typing/russian", &russian, test_text);
    add("/typing/second-group", &second, test_text);
    add("/typing/delay", &us, test_delay);
    add("/typing/cut-short", &us, test_cut_short);
    add("/typing/focus-lost", &us, test_focus_lost);
    add("/typing/no-focus", &us, test_no_focus);
    add("/typing/held-modifier", &us, test_held_modifier);
    add("/typing/accessibility", &us, test_accessibility);
    add("/typing/other-device", &us, test_other_device);
    add("/typing/bad-text", &us, test_bad_text);
    add("/typing/killed", &second, test_killed);
    return g_test_run();
}
