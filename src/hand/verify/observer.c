/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what changes by itself: titles and elements that differ from those after the last action
 * were changed by nobody. */
#include "hand/verify/observer.h"

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/verify/element-changes.h"
#include "hand/verify/verify-limits.h"
#include "shared/image/rects.h"

/* For how long a window that changed by itself is expected to do it again. */
#define TITLE_US  (150 * G_USEC_PER_SEC)
#define MAX_RECTS 64

typedef struct SelfChange {
    int pid; /* ids of windows are given again */
    gint64 at_us;
} SelfChange;

HfObserver *hf_observer_new(HfDesktop *desktop)
{
    HfObserver *observer = g_new0(HfObserver, 1);
    observer->desktop = desktop;
    observer->idle = hf_idle_drawing_new();
    observer->elements = hf_elements_self_changing_new();
    observer->since = g_array_new(FALSE, FALSE, sizeof(HfRect));
    observer->self_changing_windows = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_init(&observer->lock);
    return observer;
}

void hf_observer_free(HfObserver *observer)
{
    if (!observer)
        return;
    hf_screen_watch_free(observer->watch);
    hf_idle_drawing_free(observer->idle);
    g_clear_pointer(&observer->last, g_ptr_array_unref);
    g_clear_pointer(&observer->tree, hf_tree_unref);
    g_array_unref(observer->since);
    g_hash_table_unref(observer->elements);
    g_hash_table_unref(observer->self_changing_windows);
    g_mutex_clear(&observer->lock);
    g_free(observer);
}

void hf_observer_invalidate(HfObserver *observer)
{
    g_atomic_int_set(&observer->invalidated, TRUE);
}

/* ---- titles ---- */

static void note_self_change(HfObserver *observer, const HfWindow *window)
{
    SelfChange change = {window->pid, g_get_monotonic_time()};
    g_hash_table_insert(observer->self_changing_windows, GUINT_TO_POINTER(window->id),
                        g_memdup2(&change, sizeof change));
}

/* Drops those that are too old, and those of windows whose id has another owner now. */
static void forget_titles(HfObserver *observer, const GPtrArray *windows)
{
    gint64 now = g_get_monotonic_time();
    GHashTableIter iter;
    gpointer id, value;
    g_hash_table_iter_init(&iter, observer->self_changing_windows);
    while (g_hash_table_iter_next(&iter, &id, &value)) {
        const HfWindow *window = hf_windows_find(windows, GPOINTER_TO_UINT(id));
        const SelfChange *change = value;
        if (!window || window->pid != change->pid || change->at_us + TITLE_US < now)
            g_hash_table_iter_remove(&iter);
    }
}

static gboolean has_other_title(const HfWindow *was, const HfWindow *is)
{
    return was && was->pid == is->pid &&
           (!g_str_equal(was->title, is->title) || !hf_rect_equal(was->bounds, is->bounds));
}

static void note_titles(HfObserver *observer, const GPtrArray *windows)
{
    forget_titles(observer, windows);
    for (guint i = 0; observer->last && i < windows->len; i++) {
        const HfWindow *is = windows->pdata[i];
        if (has_other_title(hf_windows_find(observer->last, is->id), is))
            note_self_change(observer, is);
    }
}

void hf_observer_note_title_changes(HfObserver *observer, const GPtrArray *before,
                                    const GPtrArray *meanwhile, const GPtrArray *now)
{
    for (guint i = 0; meanwhile && i < now->len; i++) {
        const HfWindow *is = now->pdata[i];
        const HfWindow *was = hf_windows_find(before, is->id);
        const HfWindow *between = hf_windows_find(meanwhile, is->id);
        if (was && between && has_other_title(was, between) && has_other_title(between, is))
            note_self_change(observer, is);
    }
}

/* ---- listening ---- */

void hf_observer_add_rects(GArray *list, const GArray *rects)
{
    for (guint i = 0; i < rects->len; i++)
        hf_rects_add(list, g_array_index(rects, HfRect, i), MAX_RECTS);
}

static void forget_tree(HfObserver *observer)
{
    g_clear_pointer(&observer->tree, hf_tree_unref);
    g_array_set_size(observer->since, 0);
}

GPtrArray *hf_observer_open(HfObserver *observer, GError **error)
{
    g_auto(HfScreenChanges) idle = {0};
    hf_screen_changes_init(&idle);
    if (!observer->watch) {
        forget_tree(observer); /* nobody has listened since it was read */
        observer->watch = hf_screen_watch_new(observer->desktop, error);
    }
    if (!observer->watch || !hf_screen_watch_begin(observer->watch, &idle, error))
        return NULL;
    g_autoptr(GPtrArray) windows = hf_windows_list(observer->desktop, error);
    if (!windows)
        return NULL;
    hf_idle_drawing_note(observer->idle, idle.drawn, windows, g_get_monotonic_time());
    hf_observer_add_rects(observer->since, idle.drawn);
    if (g_atomic_int_exchange(&observer->invalidated, FALSE)) {
        forget_tree(observer);
        g_clear_pointer(&observer->last, g_ptr_array_unref);
    }
    note_titles(observer, windows);
    return g_steal_pointer(&windows);
}

void hf_observer_close(HfObserver *observer, gboolean failed)
{
    g_auto(HfScreenChanges) unread = {0};
    hf_screen_changes_init(&unread);
    if (failed)
        g_clear_pointer(&observer->watch, hf_screen_watch_free);
    else if (observer->watch)
        hf_screen_watch_end(observer->watch, &unread);
    hf_observer_add_rects(observer->since, unread.drawn);
}

/* ---- elements ---- */

static gboolean is_backed_off(const HfReadBackOff *back_off, guint32 window)
{
    return window == back_off->window && g_get_monotonic_time() < back_off->until_us;
}

/* A failed short read says nothing about a normal one. After a short read, programs without
 * elements are left alone too. */
HfTree *hf_observer_read(HfObserver *observer, const HfCallContext *context, guint32 window,
                         gboolean soon, const HfDeadline *deadline)
{
    if (is_backed_off(&observer->slow, window) ||
        (soon && is_backed_off(&observer->slow_soon, window)))
        return NULL;
    HfTreeScope scope = {.window = window,
                         .max_ms = soon ? HF_EFFECT_SOON_MS : HF_EFFECT_TREE_MS,
                         .max_nodes = HF_EFFECT_TREE_NODES,
                         .include_text = TRUE,
                         .skip_actions = TRUE};
    g_autoptr(HfTree) tree = hf_tree_read(context, &scope, deadline, NULL);
    gboolean truncated = tree && hf_tree_get_truncated(tree);
    if (tree && !truncated && hf_tree_size(tree) > 0)
        return g_steal_pointer(&tree);
    if (soon || truncated)
        *(soon ? &observer->slow_soon : &observer->slow) =
            (HfReadBackOff){window, g_get_monotonic_time() + HF_EFFECT_TREE_SKIP_MS * 1000};
    return NULL;
}

gboolean hf_observer_was_still_long(gint64 then_us)
{
    return then_us + HF_EFFECT_CALM_MS * 1000 <= g_get_monotonic_time();
}

void hf_observer_begin_reading(HfObserver *observer)
{
    g_array_set_size(observer->since, 0);
    observer->read_us = g_get_monotonic_time();
}

HfTree *hf_observer_get_cached(HfObserver *observer, const HfWindow *window, GArray **ret_since)
{
    if (!observer->tree || observer->window != window->id)
        return NULL;
    *ret_since = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (guint i = 0; i < observer->since->len; i++) {
        HfRect part = hf_rect_intersect(g_array_index(observer->since, HfRect, i), window->frame);
        if (!hf_rect_is_empty(part))
            g_array_append_val(*ret_since, part);
    }
    return hf_tree_ref(observer->tree);
}

void hf_observer_cache(HfObserver *observer, GPtrArray *take_windows, HfTree *take_tree,
                       guint32 window)
{
    g_clear_pointer(&observer->last, g_ptr_array_unref);
    g_clear_pointer(&observer->tree, hf_tree_unref);
    observer->last = take_windows;
    observer->last_us = g_get_monotonic_time();
    observer->tree = take_tree;
    observer->window = window;
}
