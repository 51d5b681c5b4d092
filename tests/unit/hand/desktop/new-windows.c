/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/desktop/new-windows.c: which windows are new, and that each is waited for once. */
#include "hand/desktop/new-windows.h"

#include "hand/desktop/desktop-limits.h"
#include "hand/desktop/windows.h"

static guint waited_for, waits;
static gint64 most_ms;

static void await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline)
{
    waited_for = window;
    waits++;
    most_ms = hf_deadline_left_ms(deadline);
}

static const HfWindowOps ops = {.await_paint = await_paint};
static const HfBackend backend = {.name = "test", .windows = &ops};

/* Windows with these ids; a negative one is there, but does not show. */
static void note(HfDesktop *desktop, const int *ids, gsize count)
{
    g_autoptr(GPtrArray) windows = g_ptr_array_new_with_free_func(g_free);
    for (gsize i = 0; i < count; i++) {
        HfWindow *window = g_new0(HfWindow, 1);
        window->id = (guint32)ABS(ids[i]);
        window->visible = ids[i] > 0;
        g_ptr_array_add(windows, window);
    }
    hf_new_windows_note(desktop, windows);
}

static void test_new_is_what_was_not_there(void)
{
    HfDesktop desktop = {.backend = &backend, .new_windows = hf_new_windows_new()};
    g_assert_false(hf_new_windows_has(&desktop, 1));
    note(&desktop, (const int[]){1, -2}, 2);
    g_assert_true(hf_new_windows_has(&desktop, 1));
    g_assert_false(hf_new_windows_has(&desktop, 2));
    note(&desktop, (const int[]){1, 2}, 2); /* it was brought back */
    g_assert_true(hf_new_windows_has(&desktop, 2));
    note(&desktop, (const int[]){2}, 1);
    g_assert_false(hf_new_windows_has(&desktop, 1));
    g_usleep((HF_LIMIT_NEW_WINDOW_MS + 20) * 1000);
    note(&desktop, (const int[]){1, 2}, 2);
    g_assert_true(hf_new_windows_has(&desktop, 1)); /* another one with its number */
    g_assert_false(hf_new_windows_has(&desktop, 2));
    hf_new_windows_free(desktop.new_windows);
}

static void test_each_is_waited_for_once(void)
{
    HfDesktop desktop = {.backend = &backend, .new_windows = hf_new_windows_new()};
    HfDeadline long_time = hf_deadline_in_ms(60000, NULL);
    note(&desktop, (const int[]){7, 8}, 2);
    hf_new_windows_await_paint(&desktop, 7, &long_time);
    g_assert_cmpuint(waited_for, ==, 7);
    g_assert_cmpint(most_ms, <=, HF_LIMIT_FIRST_PAINT_MS);
    hf_new_windows_await_paint(&desktop, 7, &long_time);
    note(&desktop, (const int[]){7, 8}, 2);
    hf_new_windows_await_paint(&desktop, 7, &long_time);
    hf_new_windows_await_paint(&desktop, 99, &long_time); /* there is none */
    g_assert_cmpuint(waits, ==, 1);
    hf_new_windows_free(desktop.new_windows);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/new_windows/new", test_new_is_what_was_not_there);
    g_test_add_func("/new_windows/once", test_each_is_waited_for_once);
    return g_test_run();
}
