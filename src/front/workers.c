/* Two bounded pools. The one for tools grows by those who wait for a person. */
#include "front/workers.h"

#include "base/limits.h"

/* Starting many desktops at once should take no longer than the machine needs. */
#define MANAGE_WORKERS 16

struct HfWorkers {
    GThreadPool *calls;
    GThreadPool *manage;
    GMutex lock; /* guards what follows */
    int waiting;
};

typedef struct Item {
    HfWork work;
    gpointer data;
} Item;

static void run_item(gpointer data, gpointer user_data)
{
    g_autofree Item *item = data;
    item->work(item->data);
}

static void push(GThreadPool *pool, HfWork work, gpointer data)
{
    Item *item = g_new(Item, 1);
    *item = (Item){work, data};
    g_thread_pool_push(pool, item, NULL);
}

HfWorkers *hf_workers_new(void)
{
    HfWorkers *workers = g_new0(HfWorkers, 1);
    g_mutex_init(&workers->lock);
    workers->calls = g_thread_pool_new(run_item, NULL, HF_LIMIT_DESK_WORKERS, FALSE, NULL);
    workers->manage = g_thread_pool_new(run_item, NULL, MANAGE_WORKERS, FALSE, NULL);
    return workers;
}

void hf_workers_free(HfWorkers *workers)
{
    if (!workers)
        return;
    g_thread_pool_free(workers->calls, FALSE, TRUE);
    g_thread_pool_free(workers->manage, FALSE, TRUE);
    g_mutex_clear(&workers->lock);
    g_free(workers);
}

void hf_workers_call(HfWorkers *workers, HfWork work, gpointer data)
{
    push(workers->calls, work, data);
}

void hf_workers_manage(HfWorkers *workers, HfWork work, gpointer data)
{
    push(workers->manage, work, data);
}

void hf_workers_set_waiting(HfWorkers *workers, gboolean waiting)
{
    g_mutex_lock(&workers->lock);
    workers->waiting += waiting ? 1 : -1;
    g_thread_pool_set_max_threads(workers->calls, HF_LIMIT_DESK_WORKERS + workers->waiting, NULL);
    g_mutex_unlock(&workers->lock);
}
