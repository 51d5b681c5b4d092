/* A queue and one source that is made ready: nothing is allocated in the main context for each
 * piece of work. It is made ready once for all that is pushed until it is drained: each time costs
 * the main loop a look at every connection. */
#include "front/http/relay.h"

struct HfRelay {
    GAsyncQueue *queue;
    GSource *source;
    gint called; /* the main loop knows that there is something */
};

typedef struct Item {
    HfRelayWork work;
    gpointer data;
} Item;

static void drain(HfRelay *relay)
{
    Item *item;
    while ((item = g_async_queue_try_pop(relay->queue))) {
        item->work(item->data);
        g_free(item);
    }
}

static gboolean on_ready(gpointer data)
{
    HfRelay *relay = data;
    g_source_set_ready_time(relay->source, -1);
    drain(relay);
    g_atomic_int_set(&relay->called, FALSE); /* what comes now calls again */
    drain(relay);                            /* and what came just before does not */
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
    relay->queue = g_async_queue_new();
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
    g_async_queue_unref(relay->queue);
    g_free(relay);
}

void hf_relay_push(HfRelay *relay, HfRelayWork work, gpointer data)
{
    Item *item = g_new(Item, 1);
    *item = (Item){work, data};
    g_async_queue_push(relay->queue, item);
    if (g_atomic_int_compare_and_exchange(&relay->called, FALSE, TRUE))
        g_source_set_ready_time(relay->source, 0);
}
