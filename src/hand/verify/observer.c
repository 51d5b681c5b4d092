/* SPDX-License-Identifier: Apache-2.0 */
/* Titles and elements that are not what they were after the last action were changed by nobody. */
#include "hand/verify/observer.h"

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/verify/element-changes.h"
#include "hand/verify/verify-limits.h"
#include "shared/image/rects.h"

/* For how long a window that has changed by itself is expected to do it again. */
#define TITLE_US   (150 * G_USEC_PER_SEC)
#define MOST_RECTS 64

typedef struct Habit {
    int pid; /* ids are given again */
    gint64 at_us;
} Habit;

HfObserver *hf_observer_new(HfDesktop *desktop)
{
    HfObserver *eye = g_new0(HfObserver, 1);
    eye->desktop = desktop;
    eye->restless = hf_idle_drawing_new();
    eye->elements = hf_elements_self_changing_new();
    eye->since = g_array_new(FALSE, FALSE, sizeof(HfRect));
    eye->titles = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_init(&eye->lock);
    return eye;
}

void hf_observer_free(HfObserver *eye)
{
    if (!eye)
        return;
    hf_screen_watch_free(eye->watch);
    hf_idle_drawing_free(eye->restless);
    g_clear_pointer(&eye->last, g_ptr_array_unref);
    g_clear_pointer(&eye->tree, hf_tree_unref);
    g_array_unref(eye->since);
    g_hash_table_unref(eye->elements);
    g_hash_table_unref(eye->titles);
    g_mutex_clear(&eye->lock);
    g_free(eye);
}

void hf_observer_invalidate(HfObserver *eye)
{
    g_atomic_int_set(&eye->overlooked, TRUE);
}

/* ---- titles ---- */

static void note_title(HfObserver *eye, const HfWindow *window)
{
    Habit habit = {window->pid, g_get_monotonic_time()};
    g_hash_table_insert(eye->titles, GUINT_TO_POINTER(window->id), g_memdup2(&habit, sizeof habit));
}

/* Drops those that are over, and those of windows whose id has another owner now. */
static void forget_titles(HfObserver *eye, const GPtrArray *windows)
{
    gint64 now = g_get_monotonic_time();
    GHashTableIter iter;
    gpointer id, habit;
    g_hash_table_iter_init(&iter, eye->titles);
    while (g_hash_table_iter_next(&iter, &id, &habit)) {
        const HfWindow *window = hf_windows_find(windows, GPOINTER_TO_UINT(id));
        const Habit *known = habit;
        if (!window || window->pid != known->pid || known->at_us + TITLE_US < now)
            g_hash_table_iter_remove(&iter);
    }
}

static gboolean has_other_title(const HfWindow *was, const HfWindow *is)
{
    return was && was->pid == is->pid &&
           (!g_str_equal(was->title, is->title) || !hf_rect_equal(was->bounds, is->bounds));
}

static void note_titles(HfObserver *eye, const GPtrArray *windows)
{
    forget_titles(eye, windows);
    for (guint i = 0; eye->last && i < windows->len; i++) {
        const HfWindow *is = windows->pdata[i];
        if (has_other_title(hf_windows_find(eye->last, is->id), is))
            note_title(eye, is);
    }
}

void hf_observer_note_title_changes(HfObserver *eye, const GPtrArray *before,
                                    const GPtrArray *meanwhile, const GPtrArray *now)
{
    for (guint i = 0; meanwhile && i < now->len; i++) {
        const HfWindow *is = now->pdata[i];
        const HfWindow *was = hf_windows_find(before, is->id);
        const HfWindow *between = hf_windows_find(meanwhile, is->id);
        if (was && between && has_other_title(was, between) && has_other_title(between, is))
            note_title(eye, is);
    }
}

/* ---- listening ---- */

static void add_since(HfObserver *eye, const GArray *drawn)
{
    for (guint i = 0; i < drawn->len; i++)
        hf_rects_add(eye->since, g_array_index(drawn, HfRect, i), MOST_RECTS);
}

static void forget_tree(HfObserver *eye)
{
    g_clear_pointer(&eye->tree, hf_tree_unref);
    g_array_set_size(eye->since, 0);
}

GPtrArray *hf_observer_open(HfObserver *eye, GError **error)
{
    g_auto(HfScreenChanges) idle = {0};
    hf_screen_changes_init(&idle);
    if (!eye->watch) {
        forget_tree(eye); /* nobody has listened since */
        eye->watch = hf_screen_watch_new(eye->desktop, error);
    }
    if (!eye->watch || !hf_screen_watch_begin(eye->watch, &idle, error))
        return NULL;
    g_autoptr(GPtrArray) windows = hf_windows_list(eye->desktop, error);
    if (!windows)
        return NULL;
    hf_idle_drawing_note(eye->restless, idle.drawn, windows, g_get_monotonic_time());
    add_since(eye, idle.drawn);
    if (g_atomic_int_exchange(&eye->overlooked, FALSE)) {
        forget_tree(eye);
        g_clear_pointer(&eye->last, g_ptr_array_unref);
    }
    note_titles(eye, windows);
    return g_steal_pointer(&windows);
}

void hf_observer_close(HfObserver *eye, gboolean failed)
{
    g_auto(HfScreenChanges) rest = {0};
    hf_screen_changes_init(&rest);
    if (failed)
        g_clear_pointer(&eye->watch, hf_screen_watch_free);
    else if (eye->watch)
        hf_screen_watch_end(eye->watch, &rest);
    add_since(eye, rest.drawn);
}

/* ---- elements ---- */

static HfTree *read_window_elements(HfObserver *eye, const HfCallContext *context, guint32 window,
                                    guint max_ms, const HfDeadline *deadline)
{
    HfTreeScope scope = {.window = window,
                         .max_ms = max_ms,
                         .max_nodes = HF_EFFECT_TREE_NODES,
                         .include_text = TRUE,
                         .skip_actions = TRUE};
    return hf_tree_read(context, &scope, deadline, NULL);
}

HfTree *hf_observer_read(HfObserver *eye, const HfCallContext *context, guint32 window,
                         guint max_ms, const HfDeadline *deadline)
{
    if (window == eye->slow_window && g_get_monotonic_time() < eye->slow_until_us)
        return NULL;
    g_autoptr(HfTree) tree = read_window_elements(eye, context, window, max_ms, deadline);
    if (tree && hf_tree_get_truncated(tree)) {
        eye->slow_window = window;
        eye->slow_until_us = g_get_monotonic_time() + HF_EFFECT_TREE_SKIP_MS * 1000;
        return NULL;
    }
    return tree && hf_tree_size(tree) > 0 ? g_steal_pointer(&tree) : NULL;
}

/* That it could not be had in so short a time says nothing of a longer one. Programs without
 * elements are not asked each time either. */
HfTree *hf_observer_read_soon(HfObserver *eye, const HfCallContext *context, guint32 window,
                              const HfDeadline *deadline)
{
    gint64 now = g_get_monotonic_time();
    if ((window == eye->slow_window && now < eye->slow_until_us) ||
        (window == eye->hurried_window && now < eye->hurried_until_us))
        return NULL;
    g_autoptr(HfTree) tree =
        read_window_elements(eye, context, window, HF_EFFECT_SOON_MS, deadline);
    if (!tree || hf_tree_get_truncated(tree) || hf_tree_size(tree) == 0) {
        eye->hurried_window = window;
        eye->hurried_until_us = g_get_monotonic_time() + HF_EFFECT_TREE_SKIP_MS * 1000;
        return NULL;
    }
    return g_steal_pointer(&tree);
}

gboolean hf_observer_was_still_long(gint64 then_us)
{
    return then_us + HF_EFFECT_CALM_MS * 1000 <= g_get_monotonic_time();
}

void hf_observer_begin_reading(HfObserver *eye)
{
    g_array_set_size(eye->since, 0);
    eye->read_us = g_get_monotonic_time();
}

HfTree *hf_observer_get_cached(HfObserver *eye, const HfWindow *window, GArray **ret_since)
{
    if (!eye->tree || eye->window != window->id)
        return NULL;
    *ret_since = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < eye->since->len; i++) {
        HfRect part = hf_rect_intersect(g_array_index(eye->since, HfRect, i), window->frame);
        if (!hf_rect_is_empty(part))
            g_array_append_val(*ret_since, part);
    }
    return hf_tree_ref(eye->tree);
}

void hf_observer_cache(HfObserver *eye, GPtrArray *take_windows, HfTree *take_tree, guint32 window)
{
    g_clear_pointer(&eye->last, g_ptr_array_unref);
    g_clear_pointer(&eye->tree, hf_tree_unref);
    eye->last = take_windows;
    eye->last_us = g_get_monotonic_time();
    eye->tree = take_tree;
    eye->window = window;
}
