/* A queue and one source that is made ready: nothing is allocated in the main context for each
 * piece of work. It is made ready once for all that is pushed until it is drained: each time costs
 * the main loop a look at every connection. */
#include "front/http/relay.h"

struct HfRelay {
    GSource *source;
    GMutex lock; /* guards what follows */
    GQueue queue;
    gboolean called; /* the main loop knows that there is something */
};

typedef struct Item {
    HfRelayWork work;
    gpointer data;
} Item;

/* What comes after the last piece of work calls again. */
static Item *pop(HfRelay *relay)
{
    g_mutex_lock(&relay->lock);
    Item *item = g_queue_pop_head(&relay->queue);
    relay->called = item != NULL;
    g_mutex_unlock(&relay->lock);
    return item;
}

static void drain(HfRelay *relay)
{
    Item *item;
    while ((item = pop(relay))) {
        item->work(item->data);
        g_free(item);
    }
}

static gboolean on_ready(gpointer data)
{
    HfRelay *relay = data;
    g_source_set_ready_time(relay->source, -1);
    drain(relay);
    return G_SOURCE_CONTINUE;
}

static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    return callback(data);
}

HfRelay *hf_relay_new(void)
{
    static GSourceFuncs functions = {.dispatch = dispatch};
    HfRelay *relay = g_new0(HfRelay, 1);
    g_mutex_init(&relay->lock);
    g_queue_init(&relay->queue);
    relay->source = g_source_new(&functions, sizeof(GSource));
    g_source_set_callback(relay->source, on_ready, relay, NULL);
    g_source_attach(relay->source, NULL);
    return relay;
}

void hf_relay_free(HfRelay *relay)
{
    if (!relay)
        return;
    drain(relay);
    g_source_destroy(relay->source);
    g_source_unref(relay->source);
    g_mutex_clear(&relay->lock);
    g_free(relay);
}

void hf_relay_push(HfRelay *relay, HfRelayWork work, gpointer data)
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
