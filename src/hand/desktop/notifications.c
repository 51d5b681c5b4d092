/* SPDX-License-Identifier: Apache-2.0 */
/* Desktop notices over the session bus. The body is plain text for our callers; servers that take
 * markup are given it escaped, the others as it is. */
#include "hand/desktop/notifications.h"

#include <gio/gio.h>

#include "hand/desktop/session-bus.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"

#define SERVICE "org.freedesktop.Notifications"
#define PATH    "/org/freedesktop/Notifications"
#define MATCH   "type='signal',interface='" SERVICE "'"
/* Signals about other notices that come meanwhile; more are not kept. */
#define MOST_HEARD 1024
/* How long a server may take to say that it has closed one. */
#define CLOSED_MS 500
/* Time for a server that is started by this call to get ready. */
#define ANSWER_MS 5000

static gboolean is_absent(const GError *error)
{
    return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_EXITED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_EXEC_FAILED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_FAILED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_SIGNALED);
}

static GVariant *call_notification_server(GDBusConnection *bus, const char *method,
                                          GVariant *arguments, const char *reply_type,
                                          const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ANSWER_MS);
    g_autoptr(GError) reason = NULL;
    GVariant *reply = g_dbus_connection_call_sync(
        bus, SERVICE, PATH, SERVICE, method, arguments, G_VARIANT_TYPE(reply_type),
        G_DBUS_CALL_FLAGS_NONE, (int)MAX(1, hf_deadline_left_ms(&limit)), deadline->cancellable,
        &reason);
    if (reply || !hf_deadline_check(deadline, error))
        return reply;
    g_dbus_error_strip_remote_error(reason);
    if (is_absent(reason)) {
        hf_fail(error, HF_ERROR_UNSUPPORTED, "nothing on this desktop shows notices: %s",
                reason->message);
        hf_error_suggest(error, "start a notification server on the desktop, for instance dunst");
    } else if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)) {
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "the notification server did not answer in time");
    } else {
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the notification server failed: %s",
                reason->message);
    }
    return NULL;
}

typedef struct Abilities {
    gboolean markup, actions;
} Abilities;

static gboolean query_server_capabilities(GDBusConnection *bus, Abilities *ret,
                                          const HfDeadline *deadline, GError **error)
{
    g_autoptr(GVariant) reply =
        call_notification_server(bus, "GetCapabilities", NULL, "(as)", deadline, error);
    if (!reply)
        return FALSE;
    g_autofree const char **capabilities = NULL;
    g_variant_get(reply, "(^a&s)", &capabilities);
    ret->markup = g_strv_contains(capabilities, "body-markup");
    ret->actions = g_strv_contains(capabilities, "actions");
    return TRUE;
}

/* ---- what the person does with it ---- */

/* Signals may come before the answer that says which notice is ours: all are kept until then. */
typedef struct Heard {
    HfNoticeOutcome outcome;
    char sender[64];
} Heard;

typedef struct Watch {
    GMutex lock; /* guards what follows */
    GCond changed;
    GArray *heard;
} Watch;

static gboolean parse_notice_signal(GDBusMessage *message, HfNoticeOutcome *ret_heard)
{
    const char *name = g_dbus_message_get_member(message);
    GVariant *arguments = g_dbus_message_get_body(message);
    if (g_strcmp0(name, "ActionInvoked") == 0 && arguments &&
        g_variant_is_of_type(arguments, G_VARIANT_TYPE("(us)"))) {
        const char *key;
        g_variant_get(arguments, "(u&s)", &ret_heard->id, &key);
        ret_heard->end = HF_NOTICE_PRESSED;
        ret_heard->action = (guint)g_ascii_strtoull(key, NULL, 10);
        return TRUE;
    }
    if (g_strcmp0(name, "NotificationClosed") == 0 && arguments &&
        g_variant_is_of_type(arguments, G_VARIANT_TYPE("(uu)"))) {
        guint32 reason;
        g_variant_get(arguments, "(uu)", &ret_heard->id, &reason);
        ret_heard->end = reason == 1   ? HF_NOTICE_EXPIRED
                         : reason == 3 ? HF_NOTICE_WITHDRAWN
                                       : HF_NOTICE_CLOSED;
        return TRUE;
    }
    return FALSE;
}

/* On the bus's own thread. */
static GDBusMessage *on_notice_message(GDBusConnection *bus, GDBusMessage *message,
                                       gboolean incoming, gpointer data)
{
    Watch *watch = data;
    Heard heard = {0};
    const char *sender = g_dbus_message_get_sender(message);
    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_SIGNAL ||
        g_strcmp0(g_dbus_message_get_interface(message), SERVICE) != 0 ||
        !parse_notice_signal(message, &heard.outcome))
        return message;
    g_strlcpy(heard.sender, sender ? sender : "", sizeof heard.sender);
    g_mutex_lock(&watch->lock);
    if (watch->heard->len < MOST_HEARD)
        g_array_append_val(watch->heard, heard);
    g_cond_broadcast(&watch->changed);
    g_mutex_unlock(&watch->lock);
    return message;
}

static gboolean bus_call(GDBusConnection *bus, const char *method, const char *argument,
                         char **ret_text, const HfDeadline *deadline)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ANSWER_MS);
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
        g_variant_new("(s)", argument), ret_text ? G_VARIANT_TYPE("(s)") : NULL,
        G_DBUS_CALL_FLAGS_NONE, (int)MAX(1, hf_deadline_left_ms(&limit)), deadline->cancellable,
        NULL);
    if (reply && ret_text)
        g_variant_get(reply, "(s)", ret_text);
    return reply != NULL;
}

/* With the lock held. Only the server itself is believed. */
static const Heard *find_heard(const Watch *watch, guint32 id, const char *server)
{
    for (guint i = 0; i < watch->heard->len; i++) {
        const Heard *heard = &g_array_index(watch->heard, Heard, i);
        if (heard->outcome.id == id && g_str_equal(heard->sender, server))
            return heard;
    }
    return NULL;
}

/* Until it is pressed or gone, or that long. */
static void await_end(Watch *watch, const char *server, const HfDeadline *until,
                      HfNoticeOutcome *outcome)
{
    HfWaiter waiter;
    const Heard *heard;
    hf_waiter_begin(&waiter, &watch->lock, &watch->changed, until->cancellable);
    g_mutex_lock(&watch->lock);
    while (!(heard = find_heard(watch, outcome->id, server)) && hf_deadline_check(until, NULL))
        g_cond_wait_until(&watch->changed, &watch->lock, until->at_us);
    if (heard)
        *outcome = heard->outcome;
    g_mutex_unlock(&watch->lock);
    hf_waiter_end(&waiter);
}

static Watch *notice_watch_new(void)
{
    Watch *watch = g_atomic_rc_box_new0(Watch);
    g_mutex_init(&watch->lock);
    g_cond_init(&watch->changed);
    watch->heard = g_array_new(FALSE, FALSE, sizeof(Heard));
    return watch;
}

static void watch_clear(gpointer data)
{
    Watch *watch = data;
    g_array_unref(watch->heard);
    g_mutex_clear(&watch->lock);
    g_cond_clear(&watch->changed);
}

/* The bus's thread may still be in the filter when that is removed. */
static void watch_unref(gpointer watch)
{
    g_atomic_rc_box_release_full(watch, watch_clear);
}

typedef struct Listening {
    Watch *watch;
    guint filter;
} Listening;

/* Before there is anything to hear. To be ended either way. */
static gboolean listen_to(GDBusConnection *bus, Listening *ret, const HfDeadline *deadline,
                          GError **error)
{
    ret->watch = notice_watch_new();
    ret->filter = g_dbus_connection_add_filter(bus, on_notice_message,
                                               g_atomic_rc_box_acquire(ret->watch), watch_unref);
    return bus_call(bus, "AddMatch", MATCH, NULL, deadline) ||
           hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the bus cannot be listened to");
}

static void stop_listening(GDBusConnection *bus, Listening *listening)
{
    g_dbus_connection_remove_filter(bus, listening->filter);
    watch_unref(listening->watch);
}

/* ---- sending ---- */

static GVariant *arguments_of(const HfNotification *notification, gboolean markup)
{
    g_autofree char *body =
        markup ? g_markup_escape_text(notification->body, -1) : g_strdup(notification->body);
    g_auto(GVariantBuilder) actions = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("as"));
    g_auto(GVariantBuilder) hints = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("a{sv}"));
    for (guint i = 0; notification->actions && notification->actions[i]; i++) {
        g_autofree char *key = g_strdup_printf("%u", i);
        g_variant_builder_add(&actions, "s", key);
        g_variant_builder_add(&actions, "s", notification->actions[i]);
    }
    g_variant_builder_add(&hints, "{sv}", "urgency",
                          g_variant_new_byte((guint8)notification->urgency));
    return g_variant_new("(susssasa{sv}i)", "Handfast", notification->replaces,
                         notification->icon ? notification->icon : "", notification->title, body,
                         &actions, &hints, notification->expires_ms);
}

static gboolean post_notice(GDBusConnection *bus, const HfNotification *notification,
                            guint32 *ret_id, const HfDeadline *deadline, GError **error)
{
    Abilities abilities = {0};
    if (!query_server_capabilities(bus, &abilities, deadline, error))
        return FALSE;
    if (notification->actions && notification->actions[0] && !abilities.actions) {
        hf_fail(error, HF_ERROR_UNSUPPORTED,
                "the notification server of this desktop shows no buttons");
        hf_error_suggest(error, "send it without actions");
        return FALSE;
    }
    g_autoptr(GVariant) reply = call_notification_server(
        bus, "Notify", arguments_of(notification, abilities.markup), "(u)", deadline, error);
    if (!reply)
        return FALSE;
    g_variant_get(reply, "(u)", ret_id);
    return TRUE;
}

/* The person's answer is listened for before there is anything to answer. */
static gboolean notify_and_wait(GDBusConnection *bus, const HfNotification *notification,
                                HfNoticeOutcome *outcome, const HfDeadline *deadline,
                                GError **error)
{
    Listening listening;
    g_autofree char *server = NULL;
    gboolean sent = listen_to(bus, &listening, deadline, error) &&
                    post_notice(bus, notification, &outcome->id, deadline, error);
    if (sent && bus_call(bus, "GetNameOwner", SERVICE, &server, deadline)) {
        HfDeadline until = hf_deadline_within_ms(deadline, notification->wait_ms);
        await_end(listening.watch, server, &until, outcome);
    }
    stop_listening(bus, &listening);
    return sent && (!g_cancellable_is_cancelled(deadline->cancellable) ||
                    hf_deadline_check(deadline, error));
}

gboolean hf_notification_send(const HfNotification *notification, HfNoticeOutcome *ret_outcome,
                              const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ANSWER_MS);
    g_autoptr(GDBusConnection) bus = hf_session_bus_open(&limit, error);
    *ret_outcome = (HfNoticeOutcome){0};
    if (!bus)
        return FALSE;
    return notification->wait_ms > 0
               ? notify_and_wait(bus, notification, ret_outcome, deadline, error)
               : post_notice(bus, notification, &ret_outcome->id, deadline, error);
}

gboolean hf_notification_close(guint32 id, const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ANSWER_MS);
    g_autoptr(GDBusConnection) bus = hf_session_bus_open(&limit, error);
    if (!bus)
        return FALSE;
    Listening listening;
    HfNoticeOutcome outcome = {.id = id};
    g_autofree char *server = NULL;
    g_autoptr(GVariant) reply = NULL;
    if (listen_to(bus, &listening, deadline, error))
        reply = call_notification_server(bus, "CloseNotification", g_variant_new("(u)", id), "()",
                                         deadline, error);
    if (reply && bus_call(bus, "GetNameOwner", SERVICE, &server, deadline)) {
        HfDeadline until = hf_deadline_within_ms(deadline, CLOSED_MS);
        await_end(listening.watch, server, &until, &outcome);
    }
    stop_listening(bus, &listening);
    if (!reply || outcome.end)
        return reply != NULL;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the notification server does not say that it has closed notice %u", id);
    hf_error_suggest(error, "it may be gone already, or never have been there: use the id that "
                            "notification_send gave");
    return FALSE;
}
