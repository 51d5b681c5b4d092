/* SPDX-License-Identifier: Apache-2.0 */
/* When each window was first listed. What is listed now is all that there is: the others are
 * forgotten, so that there are never more than windows. */
#include "hand/desktop/new-windows.h"

#include "hand/desktop/desktop-limits.h"
#include "hand/desktop/windows.h"

struct HfNewWindows {
    GMutex lock;
    GHashTable *since; /* window → when it was listed first, in monotonic milliseconds; 0: old */
};

HfNewWindows *hf_new_windows_new(void)
{
    HfNewWindows *newcomers = g_new0(HfNewWindows, 1);
    g_mutex_init(&newcomers->lock);
    newcomers->since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return newcomers;
}

void hf_new_windows_free(HfNewWindows *newcomers)
{
    if (!newcomers)
        return;
    g_hash_table_unref(newcomers->since);
    g_mutex_clear(&newcomers->lock);
    g_free(newcomers);
}

static gint64 monotonic_ms(void)
{
    return g_get_monotonic_time() / 1000;
}

void hf_new_windows_note(HfDesktop *desktop, const GPtrArray *windows)
{
    HfNewWindows *newcomers = desktop->newcomers;
    if (!newcomers)
        return;
    GHashTable *since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_lock(&newcomers->lock);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        gpointer key = GUINT_TO_POINTER(window->id);
        const gint64 *known = g_hash_table_lookup(newcomers->since, key);
        gint64 first = known ? *known : monotonic_ms();
        if (window->visible)
            g_hash_table_insert(since, key, g_memdup2(&first, sizeof first));
    }
    GHashTable *before = newcomers->since;
    newcomers->since = since;
    g_mutex_unlock(&newcomers->lock);
    g_hash_table_unref(before);
}

/* With the lock. */
static gboolean is_new(const HfNewWindows *newcomers, guint32 window)
{
    const gint64 *since = g_hash_table_lookup(newcomers->since, GUINT_TO_POINTER(window));
    return since && *since && monotonic_ms() - *since < HF_LIMIT_NEW_WINDOW_MS;
}

gboolean hf_new_windows_has(HfDesktop *desktop, guint32 window)
{
    HfNewWindows *newcomers = desktop->newcomers;
    if (!newcomers)
        return FALSE;
    g_mutex_lock(&newcomers->lock);
    gboolean new = is_new(newcomers, window);
    g_mutex_unlock(&newcomers->lock);
    return new;
}

static void note_old(HfNewWindows *newcomers, guint32 window)
{
    g_mutex_lock(&newcomers->lock);
    gint64 *since = g_hash_table_lookup(newcomers->since, GUINT_TO_POINTER(window));
    if (since)
        *since = 0;
    g_mutex_unlock(&newcomers->lock);
}

void hf_new_windows_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline)
{
    const HfWindowOps *ops = desktop->backend->windows;
    if (!hf_new_windows_has(desktop, window) || !ops || !ops->await_paint)
        return;
    HfDeadline soon = hf_deadline_within_ms(deadline, HF_LIMIT_FIRST_PAINT_MS);
    ops->await_paint(desktop, window, &soon);
    note_old(desktop->newcomers, window);
}
