/* SPDX-License-Identifier: Apache-2.0 */
/* A queue and one source: nothing is allocated in the main context per item. The source is made
 * ready once for all items until the queue is drained, because each time costs the main loop a poll
 * of every connection. */
#include "desk/doors/http/server/http-internal.h"

struct HfMainQueue {
    GSource *source;
    GMutex lock; /* guards what follows */
    GQueue items;
    gboolean ready; /* the source is ready */
};

typedef struct Item {
    HfMainQueueFunc work;
    gpointer data;
} Item;

/* Items that arrive later make the source ready again. */
static Item *pop_main_work(HfMainQueue *queue)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&queue->lock);
    Item *item = g_queue_pop_head(&queue->items);
    queue->ready = item != NULL;
    return item;
}

static void drain_main_queue(HfMainQueue *queue)
{
    Item *item;
    while ((item = pop_main_work(queue))) {
        item->work(item->data);
        g_free(item);
    }
}

static gboolean on_main_queue_ready(gpointer data)
{
    HfMainQueue *queue = data;
    g_source_set_ready_time(queue->source, -1);
    drain_main_queue(queue);
    return G_SOURCE_CONTINUE;
}

static gboolean dispatch_main_queue(GSource *source, GSourceFunc callback, gpointer data)
{
    return callback(data);
}

HfMainQueue *hf_main_queue_new(void)
{
    static GSourceFuncs functions = {.dispatch = dispatch_main_queue};
    HfMainQueue *queue = g_new0(HfMainQueue, 1);
    g_mutex_init(&queue->lock);
    g_queue_init(&queue->items);
    queue->source = g_source_new(&functions, sizeof(GSource));
    g_source_set_callback(queue->source, on_main_queue_ready, queue, NULL);
    g_source_attach(queue->source, NULL);
    return queue;
}

void hf_main_queue_free(HfMainQueue *queue)
{
    if (!queue)
        return;
    drain_main_queue(queue);
    g_source_destroy(queue->source);
    g_source_unref(queue->source);
    g_mutex_clear(&queue->lock);
    g_free(queue);
}

void hf_main_queue_push(HfMainQueue *queue, HfMainQueueFunc work, gpointer data)
{
    Item *item = g_new(Item, 1);
    *item = (Item){work, data};
    g_mutex_lock(&queue->lock);
    g_queue_push_tail(&queue->items, item);
    gboolean ready = queue->ready;
    queue->ready = TRUE;
    g_mutex_unlock(&queue->lock);
    if (!ready)
        g_source_set_ready_time(queue->source, 0);
}
