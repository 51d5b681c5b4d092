/* SPDX-License-Identifier: Apache-2.0 */
/* Signals arrive on GDBus's thread and are recorded per program. A change that cannot be applied to
 * a cached tree (children, visibility) makes the whole record of that program stale. */
#include "hand/atspi/bus/event-listener.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/bus/call-batch.h"
#include "hand/atspi/tree/states.h"

#define REGISTRY_PATH "/org/a11y/atspi/registry"
#define EVENTS        "org.a11y.atspi.Event."
/* Match rules that report who joins and leaves. */
#define NAME_SUBSCRIPTIONS 2

typedef struct Followed {
    gboolean stale; /* the whole program must be read again */
    GPtrArray *changes;
    GHashTable *places; /* path → its last reported bounds */
} Followed;

struct HfEventListener {
    GMutex lock; /* guards the members below */
    GCond joined;
    guint joins, joins_seen;
    guint subscriptions; /* name subscriptions that the bus has granted */
    guint name_changes;
    GHashTable *followed;    /* bus name → Followed */
    GHashTable *connections; /* bus name → HfBusConnection, borrowed */
};

/* The events that programs are asked for, and the signals that carry them. */
static const struct {
    const char *event, *interface, *member;
} wanted[] = {
    {"object:state-changed", EVENTS "Object", "StateChanged"},
    {"object:children-changed", EVENTS "Object", "ChildrenChanged"},
    {"object:property-change:accessible-name", EVENTS "Object", "PropertyChange"},
    {"object:property-change:accessible-value", NULL, NULL},
    {"object:property-change:accessible-role", NULL, NULL},
    {"object:bounds-changed", EVENTS "Object", "BoundsChanged"},
    {"object:visible-data-changed", EVENTS "Object", "VisibleDataChanged"},
    {"object:model-changed", EVENTS "Object", "ModelChanged"},
    {"window:create", EVENTS "Window", "Create"},
    {"window:destroy", EVENTS "Window", "Destroy"},
};

static void tree_change_free(HfTreeChange *change)
{
    g_free(change->path);
    g_free(change->text);
    g_free(change);
}

static void followed_free(Followed *followed)
{
    g_ptr_array_unref(followed->changes);
    g_hash_table_unref(followed->places);
    g_free(followed);
}

HfEventListener *hf_event_listener_new(void)
{
    HfEventListener *listener = g_new0(HfEventListener, 1);
    g_mutex_init(&listener->lock);
    g_cond_init(&listener->joined);
    listener->followed =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)followed_free);
    listener->connections = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return listener;
}

void hf_event_listener_free(HfEventListener *listener)
{
    if (!listener)
        return;
    g_hash_table_unref(listener->followed);
    g_hash_table_unref(listener->connections);
    g_mutex_clear(&listener->lock);
    g_cond_clear(&listener->joined);
    g_free(listener);
}

/* ---- signals ---- */

static HfTreeChange *tree_change_new(HfChangeKind kind, const char *path)
{
    HfTreeChange *change = g_new0(HfTreeChange, 1);
    change->kind = kind;
    change->path = g_strdup(path);
    return change;
}

/* NULL for visibility: it affects other elements too. Detail and value: "focused", 1. */
static HfTreeChange *parse_state_event(const char *path, const char *detail, int value)
{
    int state = hf_state_from_name(detail);
    if (state < 0 || state == HF_STATE_SHOWING || state == HF_STATE_VISIBLE ||
        state == HF_STATE_DEFUNCT || state == HF_STATE_MANAGES_DESCENDANTS)
        return NULL;
    HfTreeChange *change = tree_change_new(HF_CHANGE_STATE, path);
    change->state = state;
    change->set = value != 0;
    return change;
}

static HfTreeChange *parse_property_event(const char *path, const char *detail, GVariant *value)
{
    if (strcmp(detail, "accessible-value") == 0)
        return tree_change_new(HF_CHANGE_VALUE, path);
    if (strcmp(detail, "accessible-name") != 0 ||
        !g_variant_is_of_type(value, G_VARIANT_TYPE_STRING))
        return NULL;
    HfTreeChange *change = tree_change_new(HF_CHANGE_NAME, path);
    change->text = g_variant_dup_string(value, NULL);
    return change;
}

/* NULL: cannot be applied to a cached tree. */
static HfTreeChange *parse_atspi_event(GDBusMessage *message)
{
    const char *member = g_dbus_message_get_member(message);
    const char *path = g_dbus_message_get_path(message);
    GVariant *body = g_dbus_message_get_body(message);
    const char *detail;
    int first, second;
    g_autoptr(GVariant) value = NULL;
    if (!body || g_variant_n_children(body) < 4 ||
        !g_str_has_prefix(g_variant_get_type_string(body), "(siiv"))
        return NULL;
    g_variant_get_child(body, 0, "&s", &detail);
    g_variant_get_child(body, 1, "i", &first);
    g_variant_get_child(body, 2, "i", &second);
    g_variant_get_child(body, 3, "v", &value);
    if (strcmp(member, "StateChanged") == 0)
        return parse_state_event(path, detail, first);
    if (strcmp(member, "PropertyChange") == 0)
        return parse_property_event(path, detail, value);
    return strcmp(member, "BoundsChanged") == 0 ? tree_change_new(HF_CHANGE_BOUNDS, path) : NULL;
}

/* An animated spinner repeats its bounds with every frame. */
static gboolean is_repeated_bounds(Followed *followed, GDBusMessage *message)
{
    const char *path = g_dbus_message_get_path(message);
    GVariant *body = g_dbus_message_get_body(message);
    if (strcmp(g_dbus_message_get_member(message), "BoundsChanged") != 0 || !body ||
        g_variant_n_children(body) < 4)
        return FALSE;
    GVariant *place = g_variant_get_child_value(body, 3);
    GVariant *before = g_hash_table_lookup(followed->places, path);
    gboolean same = before && g_variant_equal(before, place);
    g_hash_table_replace(followed->places, g_strdup(path), place);
    return same;
}

/* With more than HF_LIMIT_ACCESS_CHANGES changes, reading the whole program is quicker. */
static void record_event(Followed *followed, GDBusMessage *message)
{
    if (followed->stale || is_repeated_bounds(followed, message))
        return;
    HfTreeChange *change = parse_atspi_event(message);
    if (change)
        g_ptr_array_add(followed->changes, change);
    if (change && followed->changes->len <= HF_LIMIT_ACCESS_CHANGES)
        return;
    followed->stale = TRUE;
    g_ptr_array_set_size(followed->changes, 0);
}

static void handle_name_owner_changed(HfEventListener *listener, GVariant *body)
{
    const char *name, *owner;
    if (!body || !g_variant_is_of_type(body, G_VARIANT_TYPE("(sss)")))
        return;
    g_variant_get(body, "(&s&s&s)", &name, NULL, &owner);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    HfBusConnection *connection = g_hash_table_lookup(listener->connections, name);
    listener->name_changes++;
    if (connection && !*owner)
        hf_bus_connection_fail_calls(connection);
}

void hf_event_listener_on_signal(GDBusMessage *message, gpointer data)
{
    HfEventListener *listener = data;
    const char *interface = g_dbus_message_get_interface(message);
    const char *sender = g_dbus_message_get_sender(message);
    if (g_strcmp0(g_dbus_message_get_member(message), "NameOwnerChanged") == 0)
        handle_name_owner_changed(listener, g_dbus_message_get_body(message));
    if (!interface || !sender || !g_str_has_prefix(interface, EVENTS))
        return;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    Followed *followed = g_hash_table_lookup(listener->followed, sender);
    if (followed)
        record_event(followed, message);
    if (g_strcmp0(g_dbus_message_get_path(message), HF_ATSPI_ROOT) == 0) {
        listener->joins++;
        listener->name_changes++;
        g_cond_broadcast(&listener->joined);
    }
}

/* ---- subscriptions ---- */

static void count_subscription(gpointer owner, int index, GVariant *body)
{
    HfEventListener *listener = owner;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    listener->subscriptions += body != NULL;
}

/* `listener` may be NULL. */
static void add_match(HfCallBatch *batch, HfBusConnection *bus, HfEventListener *listener,
                      const char *interface, const char *member, const char *more)
{
    g_autofree char *rule =
        g_strdup_printf("type='signal',interface='%s',member='%s'%s", interface, member, more);
    hf_call_batch_call_bus(batch, bus, "AddMatch", rule, "()", listener ? count_subscription : NULL,
                           listener, 0);
}

void hf_event_listener_subscribe_names(HfEventListener *listener, HfBusConnection *bus,
                                       const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    add_match(batch, bus, listener, "org.freedesktop.DBus", "NameOwnerChanged", "");
    add_match(batch, bus, listener, EVENTS "Object", "ChildrenChanged",
              ",path='" HF_ATSPI_ROOT "'");
    hf_call_batch_run(batch);
}

guint hf_event_listener_count_name_changes(HfEventListener *listener)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    return listener->subscriptions == NAME_SUBSCRIPTIONS ? listener->name_changes + 1 : 0;
}

void hf_event_listener_subscribe_events(HfBusConnection *event_connection,
                                        const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (wanted[i].interface)
            add_match(batch, event_connection, NULL, wanted[i].interface, wanted[i].member, "");
    hf_call_batch_run(batch);
}

void hf_event_listener_request_events(HfCallBatch *batch, HfBusConnection *event_connection,
                                      const char *program)
{
    for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++) {
        HfBatchCall call = {
            .connection = event_connection,
            .destination = HF_ATSPI_REGISTRY,
            .path = REGISTRY_PATH,
            .interface = HF_ATSPI_REGISTRY,
            .method = "RegisterEvent",
            .arguments = g_variant_new("(sass)", wanted[i].event, NULL, program),
            .reply_type = "()",
        };
        hf_call_batch_call(batch, &call);
    }
}

void hf_event_listener_watch_connection(HfEventListener *listener, const char *bus,
                                        HfBusConnection *connection)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    g_hash_table_replace(listener->connections, g_strdup(bus), connection);
}

void hf_event_listener_unwatch_connection(HfEventListener *listener, const char *bus)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    g_hash_table_remove(listener->connections, bus);
}

gboolean hf_event_listener_wait_joined(HfEventListener *listener, const HfDeadline *deadline)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    while (listener->joins == listener->joins_seen && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&listener->joined, &listener->lock, deadline->at_us);
    gboolean joined = listener->joins != listener->joins_seen;
    listener->joins_seen = listener->joins;
    return joined;
}

/* ---- followed programs ---- */

void hf_event_listener_follow(HfEventListener *listener, const char *bus)
{
    Followed *followed = g_new0(Followed, 1);
    followed->changes = g_ptr_array_new_with_free_func((GDestroyNotify)tree_change_free);
    followed->places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_variant_unref);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    g_hash_table_replace(listener->followed, g_strdup(bus), followed);
}

void hf_event_listener_unfollow(HfEventListener *listener, const char *bus)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    g_hash_table_remove(listener->followed, bus);
}

GPtrArray *hf_event_listener_take_changes(HfEventListener *listener, const char *bus)
{
    GPtrArray *changes = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    Followed *followed = g_hash_table_lookup(listener->followed, bus);
    if (followed && !followed->stale) {
        changes = followed->changes;
        followed->changes = g_ptr_array_new_with_free_func((GDestroyNotify)tree_change_free);
    }
    return changes;
}
