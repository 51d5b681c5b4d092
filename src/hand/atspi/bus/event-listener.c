/* SPDX-License-Identifier: Apache-2.0 */
/* Signals come in on GDBus's thread and are put down per program. What cannot be mended in a record
 * (children, what shows) makes all that is known of the program void. */
#include "hand/atspi/bus/event-listener.h"

#include <string.h>

#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/bus/call-batch.h"
#include "hand/atspi/tree/states.h"

#define REGISTRY_PATH "/org/a11y/atspi/registry"
#define EVENTS        "org.a11y.atspi.Event."
/* What the bus is asked for to hear who comes and goes. */
#define COMINGS 2

typedef struct Followed {
    gboolean void_; /* nothing that was known holds */
    GPtrArray *changes;
    GHashTable *places; /* path → where it last said that it is now */
} Followed;

struct HfEventListener {
    GMutex lock; /* guards what follows */
    GCond joined;
    guint joins, joins_seen;
    guint agreed;         /* questions to be told who comes and goes that the bus has granted */
    guint comings;        /* of anybody */
    GHashTable *followed; /* name on the bus → Followed */
    GHashTable *lines;    /* name on the bus → HfBusConnection, borrowed */
};

/* What is asked of programs, and which signals of the bus carry it. */
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
    HfEventListener *hearing = g_new0(HfEventListener, 1);
    g_mutex_init(&hearing->lock);
    g_cond_init(&hearing->joined);
    hearing->followed =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)followed_free);
    hearing->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return hearing;
}

void hf_event_listener_free(HfEventListener *hearing)
{
    if (!hearing)
        return;
    g_hash_table_unref(hearing->followed);
    g_hash_table_unref(hearing->lines);
    g_mutex_clear(&hearing->lock);
    g_cond_clear(&hearing->joined);
    g_free(hearing);
}

/* ---- what a signal says ---- */

static HfTreeChange *tree_change_new(HfChangeKind kind, const char *path)
{
    HfTreeChange *change = g_new0(HfTreeChange, 1);
    change->kind = kind;
    change->path = g_strdup(path);
    return change;
}

/* What shows or is gone takes others with it. Detail and value: "focused", 1. */
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

/* NULL: nothing that could be mended. */
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

/* A spinner that turns says with each picture that it is where it was. */
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

/* A program that changes more than this is read as a whole next time anyway. */
static void record_event(Followed *followed, GDBusMessage *message)
{
    if (followed->void_ || is_repeated_bounds(followed, message))
        return;
    HfTreeChange *change = parse_atspi_event(message);
    if (change)
        g_ptr_array_add(followed->changes, change);
    if (change && followed->changes->len <= HF_LIMIT_ACCESS_CHANGES)
        return;
    followed->void_ = TRUE;
    g_ptr_array_set_size(followed->changes, 0);
}

static void hear_owner(HfEventListener *hearing, GVariant *body)
{
    const char *name, *owner;
    if (!body || !g_variant_is_of_type(body, G_VARIANT_TYPE("(sss)")))
        return;
    g_variant_get(body, "(&s&s&s)", &name, NULL, &owner);
    g_mutex_lock(&hearing->lock);
    HfBusConnection *line = g_hash_table_lookup(hearing->lines, name);
    hearing->comings++;
    if (line && !*owner)
        hf_bus_connection_fail_calls(line);
    g_mutex_unlock(&hearing->lock);
}

void hf_event_listener_on_signal(GDBusMessage *message, gpointer data)
{
    HfEventListener *hearing = data;
    const char *interface = g_dbus_message_get_interface(message);
    const char *sender = g_dbus_message_get_sender(message);
    if (g_strcmp0(g_dbus_message_get_member(message), "NameOwnerChanged") == 0)
        hear_owner(hearing, g_dbus_message_get_body(message));
    if (!interface || !sender || !g_str_has_prefix(interface, EVENTS))
        return;
    g_mutex_lock(&hearing->lock);
    Followed *followed = g_hash_table_lookup(hearing->followed, sender);
    if (followed)
        record_event(followed, message);
    if (g_strcmp0(g_dbus_message_get_path(message), HF_ATSPI_ROOT) == 0) {
        hearing->joins++;
        hearing->comings++;
        g_cond_broadcast(&hearing->joined);
    }
    g_mutex_unlock(&hearing->lock);
}

/* ---- asking for them ---- */

static void ignore_reply(gpointer owner, int index, GVariant *body)
{
}

static void count_subscription(gpointer owner, int index, GVariant *body)
{
    HfEventListener *hearing = owner;
    g_mutex_lock(&hearing->lock);
    hearing->agreed += body != NULL;
    g_mutex_unlock(&hearing->lock);
}

/* `hearing` may be NULL. */
static void add_match(HfCallBatch *batch, HfBusConnection *bus, HfEventListener *hearing,
                      const char *interface, const char *member, const char *more)
{
    g_autofree char *rule =
        g_strdup_printf("type='signal',interface='%s',member='%s'%s", interface, member, more);
    HfBatchCall call = {
        .line = bus,
        .destination = "org.freedesktop.DBus",
        .path = "/org/freedesktop/DBus",
        .interface = "org.freedesktop.DBus",
        .method = "AddMatch",
        .arguments = g_variant_new("(s)", rule),
        .reply_type = "()",
        .done = hearing ? count_subscription : ignore_reply,
        .owner = hearing,
    };
    hf_call_batch_call(batch, &call);
}

static void register_event(HfCallBatch *batch, HfBusConnection *bus, const char *event,
                           const char *program)
{
    HfBatchCall call = {
        .line = bus,
        .destination = HF_ATSPI_REGISTRY,
        .path = REGISTRY_PATH,
        .interface = HF_ATSPI_REGISTRY,
        .method = "RegisterEvent",
        .arguments = g_variant_new("(sass)", event, NULL, program),
        .reply_type = "()",
        .done = ignore_reply,
    };
    hf_call_batch_call(batch, &call);
}

void hf_event_listener_subscribe_names(HfEventListener *hearing, HfBusConnection *bus,
                                       const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    add_match(batch, bus, hearing, "org.freedesktop.DBus", "NameOwnerChanged", "");
    add_match(batch, bus, hearing, EVENTS "Object", "ChildrenChanged", ",path='" HF_ATSPI_ROOT "'");
    hf_call_batch_run(batch);
}

guint hf_event_listener_count_name_changes(HfEventListener *hearing)
{
    g_mutex_lock(&hearing->lock);
    guint count = hearing->agreed == COMINGS ? hearing->comings + 1 : 0;
    g_mutex_unlock(&hearing->lock);
    return count;
}

void hf_event_listener_subscribe_events(HfBusConnection *ear, const HfDeadline *deadline)
{
    g_autoptr(HfCallBatch) batch = hf_call_batch_new(deadline);
    for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (wanted[i].interface)
            add_match(batch, ear, NULL, wanted[i].interface, wanted[i].member, "");
    hf_call_batch_run(batch);
}

void hf_event_listener_request_events(HfCallBatch *batch, HfBusConnection *ear, const char *program)
{
    for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++)
        register_event(batch, ear, wanted[i].event, program);
}

void hf_event_listener_watch_connection(HfEventListener *hearing, const char *bus,
                                        HfBusConnection *line)
{
    g_mutex_lock(&hearing->lock);
    g_hash_table_replace(hearing->lines, g_strdup(bus), line);
    g_mutex_unlock(&hearing->lock);
}

void hf_event_listener_unwatch_connection(HfEventListener *hearing, const char *bus)
{
    g_mutex_lock(&hearing->lock);
    g_hash_table_remove(hearing->lines, bus);
    g_mutex_unlock(&hearing->lock);
}

gboolean hf_event_listener_wait_joined(HfEventListener *hearing, const HfDeadline *deadline)
{
    g_mutex_lock(&hearing->lock);
    while (hearing->joins == hearing->joins_seen && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&hearing->joined, &hearing->lock, deadline->at_us);
    gboolean joined = hearing->joins != hearing->joins_seen;
    hearing->joins_seen = hearing->joins;
    g_mutex_unlock(&hearing->lock);
    return joined;
}

/* ---- who is followed ---- */

void hf_event_listener_follow(HfEventListener *hearing, const char *bus)
{
    Followed *followed = g_new0(Followed, 1);
    followed->changes = g_ptr_array_new_with_free_func((GDestroyNotify)tree_change_free);
    followed->places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_variant_unref);
    g_mutex_lock(&hearing->lock);
    g_hash_table_replace(hearing->followed, g_strdup(bus), followed);
    g_mutex_unlock(&hearing->lock);
}

void hf_event_listener_unfollow(HfEventListener *hearing, const char *bus)
{
    g_mutex_lock(&hearing->lock);
    g_hash_table_remove(hearing->followed, bus);
    g_mutex_unlock(&hearing->lock);
}

GPtrArray *hf_event_listener_take_changes(HfEventListener *hearing, const char *bus)
{
    GPtrArray *changes = NULL;
    g_mutex_lock(&hearing->lock);
    Followed *followed = g_hash_table_lookup(hearing->followed, bus);
    if (followed && !followed->void_) {
        changes = followed->changes;
        followed->changes = g_ptr_array_new_with_free_func((GDestroyNotify)tree_change_free);
    }
    g_mutex_unlock(&hearing->lock);
    return changes;
}
