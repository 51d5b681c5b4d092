/* SPDX-License-Identifier: Apache-2.0 */
/* Single keys and chords: what a window saw, and that everything is as before afterwards. */
#include "hand/desktop/keyboard.h"

#include <xcb/xcb.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "keymap.h"
#include "recorder.h"
#include "shared/base/error.h"

typedef struct Fixture {
    HfDesktop *desktop;
    HfCallContext *context;
    HfDeadline deadline;
    Recorder *recorder;
    char *before;
} Fixture;

enum { CONTROL = 37, SHIFT = 50, SLASH = 61, C = 54, A = 38, LEVEL3 = 92, Q = 24 };

static void set_up(Fixture *f, gconstpointer layout)
{
    keymap_set_layout(layout ? layout : "us");
    keymap_lock(0, 0);
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    f->desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    f->context = hf_call_context_new_unfenced(f->desktop, "a test");
    f->deadline = hf_deadline_in_ms(30000, NULL);
    f->recorder = recorder_start("400x300+0+0", "--override", NULL);
    keymap_focus(recorder_window(f->recorder));
    g_autoptr(json_t) focus = recorder_next(f->recorder, "focus_in");
    f->before = keymap_dup_picture();
}

static void tear_down(Fixture *f, gconstpointer layout)
{
    keymap_lock(0, 0);
    recorder_free(f->recorder);
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        g_assert_false(hf_input_journal_holds_key(f->desktop->journal, (guint8)code));
    g_assert_false(hf_input_journal_has_changes(f->desktop->journal));
    g_autofree char *after = keymap_dup_picture();
    g_assert_cmpstr(f->before, ==, after);
    g_free(f->before);
    hf_call_context_free(f->context);
    hf_desktop_close(f->desktop);
}

static void press(Fixture *f, const char *keys)
{
    const char *names[] = {keys, NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse(names, &error);
    g_assert_no_error(error);
    hf_keyboard_chord(f->context, &(HfChord){keysyms, 1, 0}, &f->deadline, &error);
    g_assert_no_error(error);
}

/* "+37 +54 -54 -37": presses and releases in order. */
static void assert_saw(Fixture *f, const char *expected)
{
    g_auto(GStrv) events = g_strsplit(expected, " ", 0);
    for (char **event = events; *event; event++) {
        gboolean down = (*event)[0] == '+';
        g_autoptr(json_t) seen = recorder_next(f->recorder, down ? "key_press" : "key_release");
        g_assert_cmpint(hf_json_int(seen, "keycode", 0), ==, atoi(*event + 1));
    }
}

static void test_chords(Fixture *f, gconstpointer layout)
{
    press(f, "ctrl+c");
    assert_saw(f, "+37 +54 -54 -37");
    press(f, "ctrl+C");
    assert_saw(f, "+37 +54 -54 -37");
    press(f, "?");
    assert_saw(f, "+50 +61 -61 -50");
    press(f, "A");
    assert_saw(f, "+50 +38 -38 -50");
    press(f, "shift+a");
    assert_saw(f, "+50 +38 -38 -50");
    press(f, "enter");
    assert_saw(f, "+36 -36");
}

/* Commands mean keys: Caps Lock must not add Shift to them. */
static void test_caps_lock(Fixture *f, gconstpointer layout)
{
    keymap_lock(XCB_MOD_MASK_LOCK, 0);
    press(f, "ctrl+c");
    assert_saw(f, "+37 +54 -54 -37");
}

static void test_level3(Fixture *f, gconstpointer layout)
{
    press(f, "@");
    assert_saw(f, "+92 +24 -24 -92");
}

/* A command in a group that has no Latin letters is the key that has them in another group. */
static void test_other_group(Fixture *f, gconstpointer layout)
{
    keymap_lock(0, 1);
    press(f, "ctrl+c");
    assert_saw(f, "+37 +54 -54 -37");
    press(f, "ы");
    assert_saw(f, "+39 -39");
}

/* The same letter without a modifier is a letter, and that key would make another one of it. */
static void test_letter_of_another_group(Fixture *f, gconstpointer layout)
{
    keymap_lock(0, 1);
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse((const char *[]){"c", NULL}, &error);
    g_assert_true(hf_keyboard_hold_all(f->context, keysyms, &f->deadline, &error));
    g_autofree char *during = keymap_dup_picture();
    g_assert_nonnull(strstr(during, "\n54.2 63\n54.3 43\n"));
    g_assert_true(hf_keyboard_drop_all(f->context, keysyms, &f->deadline, &error));
    assert_saw(f, "+92 -92 +54 -54");
}

/* Several keys of one chord have places of their own, before the first of them goes down. */
static void test_several_lent_keys(Fixture *f, gconstpointer layout)
{
    press(f, "ctrl+a+c");
    assert_saw(f, "+92 -92 +37 +38 +54 -54 -38 -37");
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse((const char *[]){"é+中+è", NULL}, &error);
    HfChord chord = {keysyms, 2, 0};
    g_assert_true(hf_keyboard_chord(f->context, &chord, &f->deadline, &error));
    assert_saw(f, "+92 -92");
    int codes[3];
    for (int i = 0; i < 3; i++) {
        g_autoptr(json_t) seen = recorder_next(f->recorder, "key_press");
        codes[i] = (int)hf_json_int(seen, "keycode", 0);
    }
    g_autofree char *rest = g_strdup_printf("-%d -%d -%d +%d +%d +%d", codes[2], codes[1], codes[0],
                                            codes[0], codes[1], codes[2]);
    g_assert_true(codes[0] != codes[1] && codes[1] != codes[2] && codes[2] != codes[0]);
    assert_saw(f, rest);
}

/* A layout without Latin letters: the letter is put where others have it, and taken back. */
static void test_no_latin_letters(Fixture *f, gconstpointer layout)
{
    press(f, "ctrl+a");
    assert_saw(f, "+92 -92 +37 +38 -38 -37");
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse((const char *[]){"a", NULL}, &error);
    g_assert_true(hf_keyboard_hold_all(f->context, keysyms, &f->deadline, &error));
    g_autofree char *during = keymap_dup_picture();
    g_assert_nonnull(strstr(during, "\n38.0 61\n"));
    g_assert_true(hf_keyboard_drop_all(f->context, keysyms, &f->deadline, &error));
    assert_saw(f, "+92 -92 +38 -38");
}

/* A key that the layout lacks: what it made is looked up by the window's own means, from the map
 * as it was while the key was down. */
static void test_lent_key(Fixture *f, gconstpointer layout)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse((const char *[]){"é", NULL}, &error);
    g_assert_no_error(error);
    g_assert_true(hf_keyboard_hold_all(f->context, keysyms, &f->deadline, &error));
    assert_saw(f, "+92 -92"); /* what makes programs look at the map */
    g_autoptr(json_t) seen = recorder_next(f->recorder, "key_press");
    g_autofree char *during = keymap_dup_picture();
    g_autofree char *line =
        g_strdup_printf("\n%d.0 %x\n", (int)hf_json_int(seen, "keycode", 0), XKB_KEY_eacute);
    g_assert_nonnull(strstr(during, line));
    g_assert_true(hf_keyboard_drop_all(f->context, keysyms, &f->deadline, &error));
    g_autoptr(json_t) up = recorder_next(f->recorder, "key_release");
    g_assert_nonnull(up);
}

static void assert_refused(Fixture *f, const char *keys)
{
    const char *names[] = {keys, NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse(names, &error);
    g_assert_no_error(error);
    g_assert_false(hf_keyboard_chord(f->context, &(HfChord){keysyms, 1, 0}, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DANGEROUS_ACTION_BLOCKED);
}

/* Put together from several calls, the forbidden chords are refused as well. */
static void test_forbidden_in_steps(Fixture *f, gconstpointer layout)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) both = hf_keys_parse((const char *[]){"ctrl+shift", NULL}, &error);
    g_assert_true(hf_keyboard_hold_all(f->context, both, &f->deadline, &error));
    assert_refused(f, "esc");
    g_assert_true(hf_keyboard_drop_all(f->context, both, &f->deadline, &error));
    g_autoptr(GArray) escape = hf_keys_parse((const char *[]){"esc", NULL}, &error);
    g_assert_true(hf_keyboard_hold_all(f->context, escape, &f->deadline, &error));
    assert_refused(f, "ctrl+shift");
    g_assert_true(hf_keyboard_drop_all(f->context, escape, &f->deadline, &error));
    g_autoptr(GArray) alt = hf_keys_parse((const char *[]){"ctrl+alt", NULL}, &error);
    g_assert_true(hf_keyboard_hold_all(f->context, alt, &f->deadline, &error));
    assert_refused(f, "f3");
    g_assert_true(hf_keyboard_drop_all(f->context, alt, &f->deadline, &error));
}

/* A held key stays down through a chord that has it too, until it is dropped. */
static void test_hold(Fixture *f, gconstpointer layout)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) control = hf_keys_parse((const char *[]){"ctrl", NULL}, &error);
    g_assert_true(hf_keyboard_hold_all(f->context, control, &f->deadline, &error));
    g_assert_true(hf_keyboard_hold_all(f->context, control, &f->deadline, &error));
    g_assert_true(hf_input_journal_holds_key(f->desktop->journal, CONTROL));
    press(f, "ctrl+c");
    assert_saw(f, "+37 +54 -54");
    g_assert_true(hf_input_journal_holds_key(f->desktop->journal, CONTROL));
    g_assert_true(hf_keyboard_drop_all(f->context, control, &f->deadline, &error));
    assert_saw(f, "-37");
    g_assert_true(hf_keyboard_drop_all(f->context, control, &f->deadline, &error));
    g_assert_true(hf_keyboard_hold_all(f->context, control, &f->deadline, &error));
    g_assert_true(hf_keyboard_release_all(f->desktop, &error));
    assert_saw(f, "+37 -37");
    g_assert_no_error(error);
}

static void test_cancelled(Fixture *f, gconstpointer layout)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) keysyms = hf_keys_parse((const char *[]){"ctrl+c", NULL}, &error);
    HfDeadline soon = hf_deadline_in_ms(50, NULL);
    g_assert_false(
        hf_keyboard_chord(f->context, &(HfChord){keysyms, 1, 60 * G_USEC_PER_SEC}, &soon, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT);
    assert_saw(f, "+37 +54 -54 -37");
}

static void add(const char *path, const char *layout, void (*test)(Fixture *, gconstpointer))
{
    g_test_add(path, Fixture, layout, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add("/keyboard/chords", "us", test_chords);
    add("/keyboard/caps-lock", "us", test_caps_lock);
    add("/keyboard/level3", "de", test_level3);
    add("/keyboard/other-group", "us,ru", test_other_group);
    add("/keyboard/letter-of-another-group", "us,ru", test_letter_of_another_group);
    add("/keyboard/no-latin-letters", "ru", test_no_latin_letters);
    add("/keyboard/several-lent-keys", "ru", test_several_lent_keys);
    add("/keyboard/lent-key", "us", test_lent_key);
    add("/keyboard/forbidden-in-steps", "us", test_forbidden_in_steps);
    add("/keyboard/hold", "us", test_hold);
    add("/keyboard/cancelled", "us", test_cancelled);
    return g_test_run();
}
