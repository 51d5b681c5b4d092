/* SPDX-License-Identifier: Apache-2.0 */
/* Two bounded pools. The pool for tools grows by one for each call that waits for a person. After
 * an idle time, memory that pictures used is returned to the system. */
#include "desk/doors/workers.h"

#include <malloc.h>

#include "desk/doors/doors-limits.h"
#include "shared/base/limits.h"

/* Enough to start many desktops at once as fast as the machine can. */
#define MANAGE_WORKERS 16

struct HfWorkers {
    GThreadPool *calls;
    GThreadPool *manage;
    GMutex lock; /* guards what follows */
    int waiting;
    gboolean ending;   /* no more work comes: the pools keep their size */
    guint idle_source; /* the source that detects idleness; 0: none */
    guint64 begun, ended;
    guint64 seen; /* value of `begun` at the last check */
};

typedef struct Item {
    HfWork work;
    gpointer data;
} Item;

static gboolean on_workers_idle(gpointer data)
{
    HfWorkers *workers = data;
    g_mutex_lock(&workers->lock);
    gboolean idle = workers->begun == workers->ended && workers->begun == workers->seen;
    workers->seen = workers->begun;
    if (idle)
        workers->idle_source = 0;
    g_mutex_unlock(&workers->lock);
    if (idle)
        malloc_trim(0);
    return idle ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void run_item(gpointer data, gpointer user_data)
{
    HfWorkers *workers = user_data;
    g_autofree Item *item = data;
    item->work(item->data);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&workers->lock);
    workers->ended++;
}

static void push_work_item(HfWorkers *workers, GThreadPool *pool, HfWork work, gpointer data)
{
    Item *item = g_new(Item, 1);
    *item = (Item){work, data};
    g_mutex_lock(&workers->lock);
    workers->begun++;
    if (!workers->idle_source)
        workers->idle_source = g_timeout_add(HF_LIMIT_REST_AFTER_MS, on_workers_idle, workers);
    g_mutex_unlock(&workers->lock);
    g_thread_pool_push(pool, item, NULL);
}

HfWorkers *hf_workers_new(void)
{
    HfWorkers *workers = g_new0(HfWorkers, 1);
    g_mutex_init(&workers->lock);
    workers->calls = g_thread_pool_new(run_item, workers, HF_LIMIT_DESK_WORKERS, FALSE, NULL);
    workers->manage = g_thread_pool_new(run_item, workers, MANAGE_WORKERS, FALSE, NULL);
    return workers;
}

void hf_workers_free(HfWorkers *workers)
{
    if (!workers)
        return;
    g_mutex_lock(&workers->lock);
    workers->ending = TRUE;
    g_mutex_unlock(&workers->lock);
    g_thread_pool_free(workers->calls, FALSE, TRUE);
    g_thread_pool_free(workers->manage, FALSE, TRUE);
    if (workers->idle_source)
        g_source_remove(workers->idle_source);
    g_mutex_clear(&workers->lock);
    g_free(workers);
}

void hf_workers_call(HfWorkers *workers, HfWork work, gpointer data)
{
    push_work_item(workers, workers->calls, work, data);
}

void hf_workers_manage(HfWorkers *workers, HfWork work, gpointer data)
{
    push_work_item(workers, workers->manage, work, data);
}

void hf_workers_set_waiting(HfWorkers *workers, gboolean waiting)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&workers->lock);
    workers->waiting += waiting ? 1 : -1;
    if (!workers->ending)
        g_thread_pool_set_max_threads(workers->calls, HF_LIMIT_DESK_WORKERS + workers->waiting,
                                      NULL);
}
