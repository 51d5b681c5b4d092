/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers when each window was listed first, and forgets those that are no longer listed. */
#include "hand/desktop/new-windows.h"

#include "hand/desktop/desktop-limits.h"
#include "hand/desktop/windows.h"

struct HfNewWindows {
    GMutex lock;
    GHashTable *since; /* window → gint64, when it was listed first (monotonic ms); 0: old */
};

HfNewWindows *hf_new_windows_new(void)
{
    HfNewWindows *new_windows = g_new0(HfNewWindows, 1);
    g_mutex_init(&new_windows->lock);
    new_windows->since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return new_windows;
}

void hf_new_windows_free(HfNewWindows *new_windows)
{
    if (!new_windows)
        return;
    g_hash_table_unref(new_windows->since);
    g_mutex_clear(&new_windows->lock);
    g_free(new_windows);
}

void hf_new_windows_note(HfDesktop *desktop, const GPtrArray *windows)
{
    HfNewWindows *new_windows = desktop->new_windows;
    if (!new_windows)
        return;
    GHashTable *since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_lock(&new_windows->lock);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        gpointer key = GUINT_TO_POINTER(window->id);
        const gint64 *known = g_hash_table_lookup(new_windows->since, key);
        gint64 first = known ? *known : g_get_monotonic_time() / 1000;
        if (window->visible)
            g_hash_table_insert(since, key, g_memdup2(&first, sizeof first));
    }
    GHashTable *before = new_windows->since;
    new_windows->since = since;
    g_mutex_unlock(&new_windows->lock);
    g_hash_table_unref(before);
}

gboolean hf_new_windows_has(HfDesktop *desktop, guint32 window)
{
    HfNewWindows *new_windows = desktop->new_windows;
    if (!new_windows)
        return FALSE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&new_windows->lock);
    const gint64 *since = g_hash_table_lookup(new_windows->since, GUINT_TO_POINTER(window));
    return since && *since && g_get_monotonic_time() / 1000 - *since < HF_LIMIT_NEW_WINDOW_MS;
}

void hf_new_windows_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline)
{
    const HfWindowOps *ops = desktop->backend->windows;
    if (!hf_new_windows_has(desktop, window) || !ops || !ops->await_paint)
        return;
    HfDeadline soon = hf_deadline_within_ms(deadline, HF_LIMIT_FIRST_PAINT_MS);
    ops->await_paint(desktop, window, &soon);
    HfNewWindows *new_windows = desktop->new_windows;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&new_windows->lock);
    gint64 *since = g_hash_table_lookup(new_windows->since, GUINT_TO_POINTER(window));
    if (since)
        *since = 0;
}
