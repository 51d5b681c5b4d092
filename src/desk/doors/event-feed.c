/* SPDX-License-Identifier: Apache-2.0 */
/* A feed is a position in the ring of events. Emitters only wake it: at most one wake-up is
 * pending, however many events arrive. */
#include "desk/doors/event-feed.h"

#include <string.h>

#include "desk/doors/doors-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* How many events are fetched at a time. */
#define BATCH 64u

struct HfEventFeed {
    HfEvents *events;
    char *key;        /* it sees this caller's events and those without a subject; NULL: all */
    char **types;     /* NULL: all */
    gint64 position;  /* the last event that was taken or skipped */
    GPtrArray *batch; /* fetched but not taken yet: the next is at `next` */
    guint next;
    HfEventFeedReady ready;
    gpointer data;
    guint listener;
    GMutex lock; /* guards what follows */
    gboolean wake_pending;
    guint source;
};

static gboolean is_event_of_type(const char *type, const char *wanted)
{
    gsize length = strlen(wanted);
    if (length > 2 && g_str_has_suffix(wanted, ".*"))
        length -= 2;
    return strncmp(type, wanted, length) == 0 && (type[length] == '.' || type[length] == '\0');
}

static gboolean is_event_wanted(const HfEventFeed *feed, const HfEvent *event)
{
    if (feed->key && event->subject && !g_str_equal(feed->key, event->subject))
        return FALSE;
    gboolean any = !feed->types;
    for (char **type = feed->types; type && *type && !any; type++)
        any = is_event_of_type(event->type, *type);
    return any;
}

static gboolean on_feed_ready(gpointer data)
{
    HfEventFeed *feed = data;
    g_mutex_lock(&feed->lock);
    feed->wake_pending = FALSE;
    feed->source = 0;
    g_mutex_unlock(&feed->lock);
    feed->ready(feed->data);
    return G_SOURCE_REMOVE;
}

/* On any thread. */
static void schedule_feed_ready(HfEventFeed *feed)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&feed->lock);
    if (!feed->wake_pending) {
        feed->wake_pending = TRUE;
        feed->source = g_idle_add_full(G_PRIORITY_DEFAULT, on_feed_ready, feed, NULL);
    }
}

static void on_feed_event(HfEvent *event, const json_t *about, gpointer data)
{
    if (is_event_wanted(data, event))
        schedule_feed_ready(data);
}

static gboolean is_known_event_type(const char *wanted)
{
    for (const char *const *type = hf_event_types; *type; type++)
        if (is_event_of_type(*type, wanted))
            return TRUE;
    return FALSE;
}

static gboolean fail_unknown_event_type(const char *type, GError **error)
{
    g_autofree char *all = g_strjoinv(", ", (char **)hf_event_types);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "types: unknown event type '%s'", type);
    hf_error_suggest(error, "use one of: %s", all);
    return FALSE;
}

static gboolean read_types(const json_t *types, char ***ret_types, GError **error)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    if (json_array_size(types) > HF_LIMIT_EVENT_TYPES)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "types: at most %u types are allowed",
                       HF_LIMIT_EVENT_TYPES);
    hf_json_each (type, types) {
        if (!json_is_string(type) || !is_known_event_type(json_string_value(type)))
            return fail_unknown_event_type(json_is_string(type) ? json_string_value(type) : "?",
                                           error);
        g_strv_builder_add(builder, json_string_value(type));
    }
    *ret_types = json_array_size(types) ? g_strv_builder_end(builder) : NULL;
    return TRUE;
}

HfEventFeed *hf_event_feed_new(HfEvents *events, const HfCaller *caller,
                               const HfEventFeedOptions *options, HfEventFeedReady ready,
                               gpointer data, GError **error)
{
    char **types = NULL;
    if (!read_types(options->types, &types, error))
        return NULL;
    HfEventFeed *feed = g_new0(HfEventFeed, 1);
    feed->events = events;
    feed->key = hf_caller_sees_all(caller) ? NULL : hf_caller_dup_key(caller);
    feed->types = types;
    feed->ready = ready;
    feed->data = data;
    g_mutex_init(&feed->lock);
    feed->position = options->since > 0 ? options->since : hf_events_get_last(events);
    feed->listener = hf_events_listen(events, on_feed_event, feed);
    schedule_feed_ready(feed);
    return feed;
}

void hf_event_feed_free(HfEventFeed *feed)
{
    if (!feed)
        return;
    hf_events_unlisten(feed->events, feed->listener);
    if (feed->source)
        g_source_remove(feed->source);
    g_clear_pointer(&feed->batch, g_ptr_array_unref);
    g_strfreev(feed->types);
    g_free(feed->key);
    g_mutex_clear(&feed->lock);
    g_free(feed);
}

gint64 hf_event_feed_get_position(const HfEventFeed *feed)
{
    return feed->position;
}

/* Replaces events that are no longer kept. Their number is known only within one life of the
 * desk. */
static json_t *new_gap(HfEventFeed *feed, gint64 since, gint64 next)
{
    json_t *data = json_pack("{s:I}", "since", (json_int_t)since);
    if (since >= hf_events_get_first(feed->events) - 1 && since < next)
        json_object_set_new(data, "count", json_integer(next - 1 - since));
    feed->position = next - 1;
    return json_pack("{s:I, s:I, s:s, s:o}", "id", (json_int_t)feed->position, "ts",
                     (json_int_t)(g_get_real_time() / 1000), "type", HF_EVENT_MISSED, "data", data);
}

/* Fetches the next batch; returns the gap before it, if any. */
static json_t *fetch_event_batch(HfEventFeed *feed)
{
    gboolean missed;
    gint64 since = feed->position;
    g_clear_pointer(&feed->batch, g_ptr_array_unref);
    feed->next = 0;
    feed->batch = hf_events_read(feed->events, since, BATCH, &missed);
    if (!missed)
        return NULL;
    const HfEvent *first = feed->batch->len > 0 ? feed->batch->pdata[0] : NULL;
    return new_gap(feed, since, first ? first->id : hf_events_get_last(feed->events) + 1);
}

json_t *hf_event_feed_take(HfEventFeed *feed)
{
    for (;;) {
        if (!feed->batch || feed->next == feed->batch->len) {
            json_t *gap = fetch_event_batch(feed);
            if (gap)
                return gap;
            if (feed->batch->len == 0)
                return NULL;
        }
        const HfEvent *event = feed->batch->pdata[feed->next++];
        feed->position = event->id;
        if (is_event_wanted(feed, event))
            return hf_event_to_json(event);
    }
}
