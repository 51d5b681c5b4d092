/* SPDX-License-Identifier: Apache-2.0 */
/* A queue and one source that is made ready: nothing is allocated in the main context for each
 * piece of work. It is made ready once for all that is pushed until it is drained: each time costs
 * the main loop a look at every connection. */
#include "desk/doors/http/server/main-queue.h"

struct HfMainQueue {
    GSource *source;
    GMutex lock; /* guards what follows */
    GQueue queue;
    gboolean called; /* the main loop knows that there is something */
};

typedef struct Item {
    HfMainQueueFunc work;
    gpointer data;
} Item;

/* What comes after the last piece of work calls again. */
static Item *pop_main_work(HfMainQueue *relay)
{
    g_mutex_lock(&relay->lock);
    Item *item = g_queue_pop_head(&relay->queue);
    relay->called = item != NULL;
    g_mutex_unlock(&relay->lock);
    return item;
}

static void drain_main_queue(HfMainQueue *relay)
{
    Item *item;
    while ((item = pop_main_work(relay))) {
        item->work(item->data);
        g_free(item);
    }
}

static gboolean on_main_queue_ready(gpointer data)
{
    HfMainQueue *relay = data;
    g_source_set_ready_time(relay->source, -1);
    drain_main_queue(relay);
    return G_SOURCE_CONTINUE;
}

static gboolean dispatch_main_queue(GSource *source, GSourceFunc callback, gpointer data)
{
    return callback(data);
}

HfMainQueue *hf_main_queue_new(void)
{
    static GSourceFuncs functions = {.dispatch = dispatch_main_queue};
    HfMainQueue *relay = g_new0(HfMainQueue, 1);
    g_mutex_init(&relay->lock);
    g_queue_init(&relay->queue);
    relay->source = g_source_new(&functions, sizeof(GSource));
    g_source_set_callback(relay->source, on_main_queue_ready, relay, NULL);
    g_source_attach(relay->source, NULL);
    return relay;
}

void hf_main_queue_free(HfMainQueue *relay)
{
    if (!relay)
        return;
    drain_main_queue(relay);
    g_source_destroy(relay->source);
    g_source_unref(relay->source);
    g_mutex_clear(&relay->lock);
    g_free(relay);
}

void hf_main_queue_push(HfMainQueue *relay, HfMainQueueFunc work, gpointer data)
{
    Item *item = g_new(Item, 1);
    *item = (Item){work, data};
    g_mutex_lock(&relay->lock);
    g_queue_push_tail(&relay->queue, item);
    gboolean called = relay->called;
    relay->called = TRUE;
    g_mutex_unlock(&relay->lock);
    if (!called)
        g_source_set_ready_time(relay->source, 0);
}
