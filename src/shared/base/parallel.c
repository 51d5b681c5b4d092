/* SPDX-License-Identifier: Apache-2.0 */
/* Helper threads come from GLib's pool, which ends idle threads after some seconds, so a resting
 * process has none. The caller never waits for a helper that has not started, because no core may
 * be free for it; so what a late helper still touches is reference-counted and outlives the call.
 */
#include "shared/base/parallel.h"

typedef struct Share {
    gatomicrefcount refs; /* one of the caller, one of each helper */
    HfParallelPart part;
    gpointer data; /* owned by the caller: only for helpers that have taken a part */
    int count;
    GMutex lock; /* guards what follows */
    GCond changed;
    int taken, done; /* parts */
} Share;

static void parallel_unref(Share *share)
{
    if (!g_atomic_ref_count_dec(&share->refs))
        return;
    g_mutex_clear(&share->lock);
    g_cond_clear(&share->changed);
    g_free(share);
}

static void run_parallel_parts(Share *share)
{
    g_mutex_lock(&share->lock);
    while (share->taken < share->count) {
        int index = share->taken++;
        g_mutex_unlock(&share->lock);
        share->part(share->data, index);
        g_mutex_lock(&share->lock);
        if (++share->done == share->count)
            g_cond_signal(&share->changed);
    }
    g_mutex_unlock(&share->lock);
}

static void run_parallel_helper(gpointer data, gpointer user_data)
{
    run_parallel_parts(data);
    parallel_unref(data);
}

/* NULL on a machine with one core. */
static GThreadPool *get_thread_pool(void)
{
    static gsize made;
    static GThreadPool *helpers;
    if (g_once_init_enter(&made)) {
        int cores = (int)g_get_num_processors();
        if (cores > 1)
            helpers = g_thread_pool_new(run_parallel_helper, NULL, cores - 1, FALSE, NULL);
        g_once_init_leave(&made, 1);
    }
    return helpers;
}

static void call_helpers(Share *share, int count)
{
    GThreadPool *helpers = count > 0 ? get_thread_pool() : NULL;
    count = helpers ? MIN(count, g_thread_pool_get_max_threads(helpers)) : 0;
    for (int i = 0; i < count; i++) {
        g_atomic_ref_count_inc(&share->refs);
        g_thread_pool_push(helpers, share, NULL);
    }
}

void hf_parallel_for(int most_threads, int count, HfParallelPart part, gpointer data)
{
    Share *share = g_new0(Share, 1);
    g_atomic_ref_count_init(&share->refs);
    share->part = part;
    share->data = data;
    share->count = count;
    g_mutex_init(&share->lock);
    g_cond_init(&share->changed);
    call_helpers(share, MIN(most_threads, count) - 1);
    run_parallel_parts(share);
    g_mutex_lock(&share->lock);
    while (share->done < share->count)
        g_cond_wait(&share->changed, &share->lock);
    g_mutex_unlock(&share->lock);
    parallel_unref(share);
}
