/* When each window was first listed. What is listed now is all that there is: the others are
 * forgotten, so that there are never more than windows. */
#include "platform/newcomers.h"

#include "base/limits.h"
#include "platform/windows.h"

struct HfNewcomers {
    GMutex lock;
    GHashTable *since; /* window → when it was listed first, in monotonic milliseconds; 0: old */
};

HfNewcomers *hf_newcomers_new(void)
{
    HfNewcomers *newcomers = g_new0(HfNewcomers, 1);
    g_mutex_init(&newcomers->lock);
    newcomers->since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return newcomers;
}

void hf_newcomers_free(HfNewcomers *newcomers)
{
    if (!newcomers)
        return;
    g_hash_table_unref(newcomers->since);
    g_mutex_clear(&newcomers->lock);
    g_free(newcomers);
}

static gint64 now_ms(void)
{
    return g_get_monotonic_time() / 1000;
}

void hf_newcomers_note(HfDesktop *desktop, const GPtrArray *windows)
{
    HfNewcomers *newcomers = desktop->newcomers;
    if (!newcomers)
        return;
    GHashTable *since = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_lock(&newcomers->lock);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        gpointer key = GUINT_TO_POINTER(window->id);
        const gint64 *known = g_hash_table_lookup(newcomers->since, key);
        gint64 first = known ? *known : now_ms();
        if (window->visible)
            g_hash_table_insert(since, key, g_memdup2(&first, sizeof first));
    }
    GHashTable *before = newcomers->since;
    newcomers->since = since;
    g_mutex_unlock(&newcomers->lock);
    g_hash_table_unref(before);
}

/* With the lock. */
static gboolean is_new(const HfNewcomers *newcomers, guint32 window)
{
    const gint64 *since = g_hash_table_lookup(newcomers->since, GUINT_TO_POINTER(window));
    return since && *since && now_ms() - *since < HF_LIMIT_NEWCOMER_MS;
}

gboolean hf_newcomers_has(HfDesktop *desktop, guint32 window)
{
    HfNewcomers *newcomers = desktop->newcomers;
    if (!newcomers)
        return FALSE;
    g_mutex_lock(&newcomers->lock);
    gboolean new = is_new(newcomers, window);
    g_mutex_unlock(&newcomers->lock);
    return new;
}

static void note_old(HfNewcomers *newcomers, guint32 window)
{
    g_mutex_lock(&newcomers->lock);
    gint64 *since = g_hash_table_lookup(newcomers->since, GUINT_TO_POINTER(window));
    if (since)
        *since = 0;
    g_mutex_unlock(&newcomers->lock);
}

void hf_newcomers_await_paint(HfDesktop *desktop, guint32 window, const HfDeadline *deadline)
{
    const HfWindowOps *ops = desktop->backend->windows;
    if (!hf_newcomers_has(desktop, window) || !ops || !ops->await_paint)
        return;
    HfDeadline soon = hf_deadline_within_ms(deadline, HF_LIMIT_FIRST_PAINT_MS);
    ops->await_paint(desktop, window, &soon);
    note_old(desktop->newcomers, window);
}
