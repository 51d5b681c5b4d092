/* SPDX-License-Identifier: Apache-2.0 */
/* A ring buffer of the latest events under one lock, and the listeners. Ids start at the clock, so
 * that ids of an earlier desk are smaller. Emitting only stores the event and wakes listeners: they
 * read in their own time, and a slow one finds that the ring has moved on. */
#include "desk/records/events/events.h"

#include <string.h>

#include "desk/records/records-limits.h"
#include "shared/base/json.h"

/* A row for each type. Members may be added; removing one breaks the contract. Test runs check
 * every event against it (events.c). */
#define CALL "tool run_id step_id desktop caller door risk"
/* Events that are made from an audit row (desk/records/audit/audit.c). */
#define DONE "caller by reason desktop run_id ok id name problem action"

static const struct {
    const char *type, *members;
} rows[] = {
    {"call.started", CALL},
    {"call.waiting", CALL " for approval"},
    {"call.finished", CALL " ok code duration_ms dry_run replayed"},
    {"approval.open", CALL " approval expires_ms"},
    {"approval.closed", CALL " approval state"},
    {"stop", DONE},
    {"pause", DONE},
    {"resume", DONE},
    {"abort", DONE},
    {"takeover", "desktop interrupted"},
    {"config.changed", DONE " policy_hash"},
    {"config.held", DONE " fields"},
    {"grant.changed", DONE},
    {"token.changed", DONE},
    {"desktop.added", "desktop kind"},
    {"desktop.removed", "desktop kind"},
    {"hand.started", "desktop pid"},
    {"hand.died", "desktop pid problem"},
    {"notice", CALL},
    {"stream.opened", DONE " stream"},
    {"stream.closed", DONE " stream frames duration_ms"},
    {"operation.started", CALL " operation"},
    {"operation.finished", CALL " operation status ok code duration_ms"},
    {"events.missed", "since count"},
};

static char **dup_members(const char *type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].type, type) == 0)
            return g_strsplit(rows[i].members, " ", -1);
    return g_new0(char *, 1);
}

gboolean hf_event_schema_fits(const char *type, const json_t *data, const char **ret_wrong)
{
    g_auto(GStrv) members = dup_members(type);
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)data, name, value) {
        *ret_wrong = name;
        if (!g_strv_contains((const char *const *)members, name))
            return FALSE;
    }
    return TRUE;
}

json_t *hf_event_schema_describe(void)
{
    json_t *described = json_object();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) members = dup_members(rows[i].type);
        json_t *list = json_array();
        for (char **member = members; *member; member++)
            json_array_append_new(list, json_string(*member));
        json_object_set_new(described, rows[i].type, list);
    }
    return described;
}

const char *const hf_event_types[] = {
    "call.started",
    "call.waiting",
    "call.finished",
    "approval.open",
    "approval.closed",
    "stop",
    "pause",
    "resume",
    "abort",
    "takeover",
    "config.changed",
    "config.held",
    "grant.changed",
    "token.changed",
    "desktop.added",
    "desktop.removed",
    "hand.started",
    "hand.died",
    "notice",
    "stream.opened",
    "stream.closed",
    "operation.started",
    "operation.finished",
    HF_EVENT_MISSED,
    NULL,
};

typedef struct Listener {
    guint number;
    HfEventFunc func;
    gpointer data;
} Listener;

struct HfEvents {
    GMutex lock; /* guards what follows; held while listeners run, to keep the order */
    HfEvent *kept[HF_LIMIT_EVENTS_KEPT]; /* by id; NULL: not there yet */
    GArray *listeners;
    gint64 first_id, next_id; /* of this life */
    guint next_number;
    gboolean check; /* test runs */
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
    g_free(event->subject);
    g_free(event->text);
    g_free(event);
}

json_t *hf_event_to_json(const HfEvent *event)
{
    return json_pack("{s:I, s:I, s:s, s:o}", "id", (json_int_t)event->id, "ts",
                     (json_int_t)event->time_ms, "type", event->type, "data",
                     json_loads(event->text, 0, NULL));
}

HfEvents *hf_events_new(void)
{
    HfEvents *events = g_new0(HfEvents, 1);
    g_mutex_init(&events->lock);
    events->listeners = g_array_new(FALSE, FALSE, sizeof(Listener));
    events->first_id = events->next_id = g_get_real_time();
    return events;
}

void hf_events_check_schema(HfEvents *events)
{
    events->check = TRUE;
}

void hf_events_free(HfEvents *events)
{
    if (!events)
        return;
    for (guint i = 0; i < HF_LIMIT_EVENTS_KEPT; i++)
        hf_event_unref(events->kept[i]);
    g_array_unref(events->listeners);
    g_mutex_clear(&events->lock);
    g_free(events);
}

static HfEvent **event_slot(HfEvents *events, gint64 id)
{
    return &events->kept[id % HF_LIMIT_EVENTS_KEPT];
}

/* A member that the schema lacks fails a test run. */
static void check_event_members(const char *type, const json_t *data)
{
    const char *wrong;
    if (!hf_event_schema_fits(type, data, &wrong))
        g_error("the event %s has no member '%s' in desk/records/events/events.c", type, wrong);
}

void hf_events_emit(HfEvents *events, const char *type, const HfCaller *caller, json_t *take_data)
{
    if (events->check)
        check_event_members(type, take_data);
    HfEvent *event = g_new0(HfEvent, 1);
    g_atomic_ref_count_init(&event->refs);
    event->time_ms = g_get_real_time() / 1000;
    event->type = type;
    event->subject = caller ? hf_caller_dup_key(caller) : NULL;
    event->text = hf_json_dump(take_data);
    g_mutex_lock(&events->lock);
    event->id = events->next_id++;
    HfEvent **place = event_slot(events, event->id);
    HfEvent *oldest = *place;
    *place = event;
    for (guint i = 0; i < events->listeners->len; i++) {
        const Listener *listener = &g_array_index(events->listeners, Listener, i);
        listener->func(event, take_data, listener->data);
    }
    g_mutex_unlock(&events->lock);
    hf_event_unref(oldest);
    json_decref(take_data);
}

guint hf_events_listen(HfEvents *events, HfEventFunc func, gpointer data)
{
    g_mutex_lock(&events->lock);
    Listener listener = {++events->next_number, func, data};
    g_array_append_val(events->listeners, listener);
    g_mutex_unlock(&events->lock);
    return listener.number;
}

void hf_events_unlisten(HfEvents *events, guint number)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&events->lock);
    for (guint i = 0; i < events->listeners->len; i++)
        if (g_array_index(events->listeners, Listener, i).number == number) {
            g_array_remove_index(events->listeners, i);
            break;
        }
}

gint64 hf_events_get_first(HfEvents *events)
{
    return events->first_id;
}

gint64 hf_events_get_last(HfEvents *events)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&events->lock);
    return events->next_id - 1;
}

GPtrArray *hf_events_read(HfEvents *events, gint64 since, guint most, gboolean *ret_missed)
{
    GPtrArray *read = g_ptr_array_new_with_free_func((GDestroyNotify)hf_event_unref);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&events->lock);
    gint64 oldest = MAX(events->first_id, events->next_id - (gint64)HF_LIMIT_EVENTS_KEPT);
    /* A future id comes from a desk whose clock was ahead. */
    *ret_missed = since < oldest - 1 || since >= events->next_id;
    gint64 id = *ret_missed ? oldest : since + 1;
    for (; id < events->next_id && read->len < most; id++)
        g_ptr_array_add(read, hf_event_ref(*event_slot(events, id)));
    return read;
}
