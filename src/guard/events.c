/* A ring of the latest events under one lock, and the listeners. Ids begin with the clock, so that
 * an id of an earlier life of the desk is smaller than all of this one. */
#include "guard/events.h"

#include "base/json.h"
#include "base/limits.h"

typedef struct Listener {
    guint number;
    HfEventFunc func;
    gpointer data;
} Listener;

struct HfEvents {
    GMutex lock; /* guards what follows; held while listeners are told, which keeps the order */
    GQueue kept; /* of HfEvent, the oldest first */
    GArray *listeners;
    gint64 next_id;
    guint next_number;
};

HfEvent *hf_event_ref(HfEvent *event)
{
    g_atomic_ref_count_inc(&event->refs);
    return event;
}

void hf_event_unref(HfEvent *event)
{
    if (!event || !g_atomic_ref_count_dec(&event->refs))
        return;
    g_free(event->type);
    g_free(event->subject);
    json_decref(event->data);
    g_free(event);
}

json_t *hf_event_to_json(const HfEvent *event)
{
    return json_pack("{s:I, s:I, s:s, s:O}", "id", (json_int_t)event->id, "ts",
                     (json_int_t)event->time_ms, "type", event->type, "data", event->data);
}

HfEvents *hf_events_new(void)
{
    HfEvents *events = g_new0(HfEvents, 1);
    g_mutex_init(&events->lock);
    g_queue_init(&events->kept);
    events->listeners = g_array_new(FALSE, FALSE, sizeof(Listener));
    events->next_id = g_get_real_time();
    return events;
}

void hf_events_free(HfEvents *events)
{
    if (!events)
        return;
    g_queue_clear_full(&events->kept, (GDestroyNotify)hf_event_unref);
    g_array_unref(events->listeners);
    g_mutex_clear(&events->lock);
    g_free(events);
}

void hf_events_emit(HfEvents *events, const char *type, const char *subject, json_t *take_data)
{
    HfEvent *event = g_new0(HfEvent, 1);
    g_atomic_ref_count_init(&event->refs);
    event->time_ms = g_get_real_time() / 1000;
    event->type = g_strdup(type);
    event->subject = g_strdup(subject);
    event->data = take_data;
    g_mutex_lock(&events->lock);
    event->id = events->next_id++;
    g_queue_push_tail(&events->kept, event);
    if (events->kept.length > HF_LIMIT_EVENTS_KEPT)
        hf_event_unref(g_queue_pop_head(&events->kept));
    for (guint i = 0; i < events->listeners->len; i++) {
        const Listener *listener = &g_array_index(events->listeners, Listener, i);
        listener->func(event, listener->data);
    }
    g_mutex_unlock(&events->lock);
}

/* With the lock held. An id that we never gave is as good as one that we have forgotten. */
static gboolean tell_kept(HfEvents *events, gint64 since, HfEventFunc func, gpointer data)
{
    HfEvent *oldest = g_queue_peek_head(&events->kept);
    gint64 oldest_id = oldest ? oldest->id : events->next_id;
    for (GList *link = events->kept.head; link; link = link->next) {
        HfEvent *event = link->data;
        if (event->id > since)
            func(event, data);
    }
    return since < oldest_id - 1 || since >= events->next_id;
}

guint hf_events_listen(HfEvents *events, gint64 since, HfEventFunc func, gpointer data,
                       gboolean *ret_missed)
{
    g_mutex_lock(&events->lock);
    gboolean missed = since > 0 && tell_kept(events, since, func, data);
    Listener listener = {++events->next_number, func, data};
    g_array_append_val(events->listeners, listener);
    g_mutex_unlock(&events->lock);
    if (ret_missed)
        *ret_missed = missed;
    return listener.number;
}

void hf_events_unlisten(HfEvents *events, guint number)
{
    g_mutex_lock(&events->lock);
    for (guint i = 0; i < events->listeners->len; i++)
        if (g_array_index(events->listeners, Listener, i).number == number) {
            g_array_remove_index(events->listeners, i);
            break;
        }
    g_mutex_unlock(&events->lock);
}
