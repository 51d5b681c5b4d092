/* SPDX-License-Identifier: Apache-2.0 */
/* What of two lists of windows proves something, and which places are redrawn by themselves. */
#include <string.h>

#include "hand/verify/idle-drawing.h"
#include "hand/verify/window-changes.h"
#include "shared/base/json.h"
#include "shared/image/rects.h"
#include "shared/tool/effect.h"
#include "shared/tool/param-check.h"

/* A desktop in a few words: "id:pid:title[!*+mM]" each; ! focused, + modal, m minimised, > moved.
 */
static HfWindow *read_window(const char *word)
{
    g_auto(GStrv) parts = g_strsplit(word, ":", 3);
    HfWindow *window = g_new0(HfWindow, 1);
    window->id = (guint32)g_ascii_strtoull(parts[0], NULL, 10);
    window->pid = (int)g_ascii_strtoll(parts[1], NULL, 10);
    window->title = g_strdelimit(g_strdup(parts[2]), "!+m>", '\0');
    window->visible = TRUE;
    window->focused = strchr(parts[2], '!') != NULL;
    window->modal = strchr(parts[2], '+') != NULL;
    window->minimized = strchr(parts[2], 'm') != NULL;
    window->bounds = (HfRect){strchr(parts[2], '>') ? 50 : 0, 0, 100, 100};
    window->frame = window->bounds;
    return window;
}

static GPtrArray *read_windows(const char *text)
{
    GPtrArray *windows = g_ptr_array_new_with_free_func((GDestroyNotify)hf_window_free);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word; word++)
        if (**word)
            g_ptr_array_add(windows, read_window(*word));
    return windows;
}

/* The target is window 1 of process 10; the title of window 3 changes by itself. */
static const struct {
    const char *before, *after;
    gboolean proves;
    const char *reported; /* the list that must have something; NULL: nothing at all */
} cases[] = {
    {"1:10:A!", "1:10:A!", FALSE, NULL},
    {"1:10:A!", "2:10:D! 1:10:A", TRUE, "opened"},  /* its own dialog */
    {"1:10:A!", "2:10:D 1:10:A!", TRUE, "opened"},  /* without the focus as well */
    {"1:10:A!", "2:10:! 1:10:A", FALSE, "opened"},  /* nameless: made at its start */
    {"1:10:A!", "2:20:X 1:10:A!", FALSE, "opened"}, /* somebody else's, by chance */
    {"1:10:A!", "2:20:X! 1:10:A", TRUE, "opened"},  /* but it took the focus */
    {"1:10:A! 2:10:D", "1:10:A!", TRUE, "closed"},
    {"1:10:A! 2:20:X", "1:10:A!", FALSE, "closed"},
    {"1:10:A!", "", TRUE, "closed"},
    {"1:10:A!", "1:10:B!", TRUE, "changed"},
    {"1:10:A! 2:20:X", "1:10:A! 2:20:Y", FALSE, "changed"},
    {"1:10:A! 3:10:1s", "1:10:A! 3:10:2s", FALSE, "changed"},  /* a clock in the title */
    {"1:10:A! 3:10:1s", "1:10:A! 3:10:2s>", FALSE, "changed"}, /* that grows with it */
    {"1:10:A! 3:10:1s", "1:10:A! 3:10:2sm", TRUE, "changed"},
    {"1:10:A!", "1:10:A!>", TRUE, "changed"},
    {"1:10:A!", "1:10:Am", TRUE, "changed"},
    {"1:10:A 2:20:X!", "1:10:A! 2:20:X", FALSE, "focus"}, /* any click does that */
    {"1:10:A! 2:10:B", "1:10:A 2:10:B!", TRUE, "focus"},
    {"1:10:A! 2:20:X", "1:10:A 2:20:X!", FALSE, "focus"}, /* stolen, as it may be */
};

static void test_windows(void)
{
    g_autoptr(GHashTable) self_changing = g_hash_table_new(NULL, NULL);
    g_hash_table_add(self_changing, GUINT_TO_POINTER(3));
    g_autoptr(GArray) popups = g_array_new(FALSE, FALSE, sizeof(HfPopup));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s → %s", cases[i].before, cases[i].after);
        g_autoptr(GPtrArray) before = read_windows(cases[i].before);
        g_autoptr(GPtrArray) after = read_windows(cases[i].after);
        g_auto(HfWindowsChange) change = {0};
        HfWindowsContext context = {
            .target = hf_windows_find(before, 1), .popups = popups, .self_changing = self_changing};
        hf_windows_compare(before, after, &context, &change);
        g_assert_cmpint(change.proof.text != NULL, ==, cases[i].proves);
        g_assert_cmpint(change.windows || change.focus, ==, cases[i].reported != NULL);
        if (g_strcmp0(cases[i].reported, "focus") == 0)
            g_assert_nonnull(change.focus);
        else if (cases[i].reported)
            g_assert_nonnull(json_object_get(change.windows, cases[i].reported));
        g_autoptr(json_t) effect = hf_effect_new(HF_VERDICT_CONFIRMED, "for the check");
        if (change.windows)
            json_object_set(effect, "windows", change.windows);
        g_autoptr(GError) error = NULL;
        hf_check_result(hf_effect_fields, effect, &error);
        g_assert_no_error(error);
    }
}

static const struct {
    HfPopup popup;
    gboolean has_target, proves, reported;
} popup_cases[] = {
    {{7, 10, HF_POPUP_MENU, TRUE}, TRUE, TRUE, TRUE},
    {{7, 10, HF_POPUP_OTHER, TRUE}, TRUE, TRUE, TRUE},
    {{7, 10, HF_POPUP_TIP, TRUE}, TRUE, FALSE, FALSE},
    {{7, 20, HF_POPUP_MENU, TRUE}, TRUE, FALSE, TRUE},
    {{7, 20, HF_POPUP_OTHER, TRUE}, TRUE, FALSE, FALSE}, /* a frame of the window manager's */
    {{7, 10, HF_POPUP_MENU, FALSE}, TRUE, FALSE, TRUE},  /* a dead item closes its menu as well */
    {{7, 20, HF_POPUP_MENU, TRUE}, FALSE, TRUE, TRUE},   /* on the desktop itself */
};

static void test_popups(void)
{
    g_autoptr(GHashTable) self_changing = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) windows = read_windows("1:10:A!");
    for (gsize i = 0; i < G_N_ELEMENTS(popup_cases); i++) {
        g_test_message("%zu", i);
        g_autoptr(GArray) popups = g_array_new(FALSE, FALSE, sizeof(HfPopup));
        g_array_append_val(popups, popup_cases[i].popup);
        g_auto(HfWindowsChange) change = {0};
        HfWindowsContext context = {.target = popup_cases[i].has_target ? windows->pdata[0] : NULL,
                                    .popups = popups,
                                    .self_changing = self_changing};
        hf_windows_compare(windows, windows, &context, &change);
        g_assert_cmpint(change.proof.text != NULL, ==, popup_cases[i].proves);
        g_assert_cmpint(change.windows != NULL, ==, popup_cases[i].reported);
    }
}

static GArray *one(HfRect rect)
{
    GArray *rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    g_array_append_val(rects, rect);
    return rects;
}

/* Drawn `times` times while nobody acted; then once more after an action on `target`. */
static const struct {
    HfRect idle;
    int times;
    HfRect drawn;
    HfPoint target;
    gint64 later_us;
    gboolean counts;
} idle_cases[] = {
    {{10, 10, 2, 20}, 1, {10, 10, 2, 20}, {500, 500}, 0, TRUE}, /* once is no habit */
    {{10, 10, 2, 20}, 2, {10, 10, 2, 20}, {500, 500}, 0, FALSE},
    {{10, 10, 2, 20}, 2, {9, 9, 3, 20}, {500, 500}, 0, FALSE},
    {{10, 10, 2, 20}, 2, {10, 10, 40, 20}, {500, 500}, 0, TRUE}, /* more than the caret */
    {{10, 10, 50, 20}, 2, {20, 12, 5, 5}, {500, 500}, 0, FALSE},
    {{10, 10, 50, 20}, 2, {20, 12, 5, 5}, {30, 15}, 0, TRUE},     /* what was acted on counts */
    {{0, 0, 800, 600}, 9, {0, 0, 800, 600}, {900, 900}, 0, TRUE}, /* too large to be passed over */
    {{10, 10, 2, 20}, 2, {10, 10, 2, 20}, {500, 500}, 120 * G_USEC_PER_SEC, TRUE},
};

static void test_idle_drawing(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(idle_cases); i++) {
        g_test_message("%zu", i);
        g_autoptr(HfIdleDrawing) places = hf_idle_drawing_new();
        g_autoptr(GArray) idle = one(idle_cases[i].idle);
        g_autoptr(GArray) drawn = one(idle_cases[i].drawn);
        g_autoptr(GPtrArray) windows = read_windows("1:10:Editor");
        for (int time = 0; time < idle_cases[i].times; time++)
            hf_idle_drawing_note(places, idle, windows, 1000);
        hf_idle_drawing_remove(places, drawn, idle_cases[i].target, 1000 + idle_cases[i].later_us,
                               NULL);
        g_assert_cmpint(drawn->len == 1, ==, idle_cases[i].counts);
    }
}

static void test_many_places(void)
{
    g_autoptr(HfIdleDrawing) places = hf_idle_drawing_new();
    g_autoptr(GPtrArray) windows = read_windows("1:10:Editor");
    for (int i = 0; i < 10000; i++) {
        g_autoptr(GArray) idle = one((HfRect){i * 10, 0, 5, 5});
        hf_idle_drawing_note(places, idle, windows, i);
    }
}

/* A caret of window 1 has blinked twice; then there are these windows, and something is drawn where
 * it was. */
static const struct {
    const char *about, *windows;
    gboolean counts;
} owner_cases[] = {
    {"the same", "1:10:Editor", FALSE},
    {"another title", "1:10:Other", FALSE},
    {"another one on top", "2:20:Mail 1:10:Editor", FALSE},
    {"minimized", "1:10:Editorm", FALSE},
    {"it has gone", "2:20:Mail", TRUE},
    {"it has gone, and nothing came", "", TRUE},
    {"it has moved", "1:10:Editor>", TRUE},
    {"its number is another's", "1:20:Mail", TRUE},
};

static void test_owners(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(owner_cases); i++) {
        g_test_message("%s", owner_cases[i].about);
        g_autoptr(HfIdleDrawing) places = hf_idle_drawing_new();
        g_autoptr(GPtrArray) before = read_windows("1:10:Editor");
        g_autoptr(GPtrArray) after = read_windows(owner_cases[i].windows);
        HfRect caret = {60, 10, 2, 20};
        g_autoptr(GArray) idle = one(caret), drawn = one(caret);
        g_autoptr(GArray) nothing = g_array_new(FALSE, FALSE, sizeof(HfRect));
        for (int time = 0; time < 2; time++)
            hf_idle_drawing_note(places, idle, before, 1000);
        hf_idle_drawing_note(places, nothing, after, 1000);
        hf_idle_drawing_remove(places, drawn, (HfPoint){500, 500}, 1000, NULL);
        g_assert_cmpint(drawn->len == 1, ==, owner_cases[i].counts);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/window-changes/windows", test_windows);
    g_test_add_func("/window-changes/popups", test_popups);
    g_test_add_func("/window-changes/idle-drawing", test_idle_drawing);
    g_test_add_func("/window-changes/many-places", test_many_places);
    g_test_add_func("/window-changes/owners", test_owners);
    return g_test_run();
}
