/* SPDX-License-Identifier: Apache-2.0 */
/* Two bounded pools. The one for tools grows by those who wait for a person. When nothing was asked
 * for a while, memory that pictures went through is given back. */
#include "desk/doors/workers.h"

#include <malloc.h>

#include "desk/doors/doors-limits.h"
#include "shared/base/limits.h"

/* Starting many desktops at once should take no longer than the machine needs. */
#define MANAGE_WORKERS 16

struct HfWorkers {
    GThreadPool *calls;
    GThreadPool *manage;
    GMutex lock; /* guards what follows */
    int waiting;
    gboolean ending; /* nothing is given any more: the pools keep their size */
    guint rest;      /* the source that waits for rest; 0: none does */
    guint64 begun, ended;
    guint64 seen; /* of `begun`, when it was looked at last */
};

typedef struct Item {
    HfWork work;
    gpointer data;
} Item;

static gboolean on_workers_idle(gpointer data)
{
    HfWorkers *workers = data;
    g_mutex_lock(&workers->lock);
    gboolean at_rest = workers->begun == workers->ended && workers->begun == workers->seen;
    workers->seen = workers->begun;
    if (at_rest)
        workers->rest = 0;
    g_mutex_unlock(&workers->lock);
    if (at_rest)
        malloc_trim(0);
    return at_rest ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void run_item(gpointer data, gpointer user_data)
{
    HfWorkers *workers = user_data;
    g_autofree Item *item = data;
    item->work(item->data);
    g_mutex_lock(&workers->lock);
    workers->ended++;
    g_mutex_unlock(&workers->lock);
}

static void push_work_item(HfWorkers *workers, GThreadPool *pool, HfWork work, gpointer data)
{
    Item *item = g_new(Item, 1);
    *item = (Item){work, data};
    g_mutex_lock(&workers->lock);
    workers->begun++;
    if (!workers->rest)
        workers->rest = g_timeout_add(HF_LIMIT_REST_AFTER_MS, on_workers_idle, workers);
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
    if (workers->rest)
        g_source_remove(workers->rest);
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
    g_mutex_lock(&workers->lock);
    workers->waiting += waiting ? 1 : -1;
    if (!workers->ending)
        g_thread_pool_set_max_threads(workers->calls, HF_LIMIT_DESK_WORKERS + workers->waiting,
                                      NULL);
    g_mutex_unlock(&workers->lock);
}
