/* SPDX-License-Identifier: Apache-2.0 */
/* Desktop notifications over the session bus. The body is plain text for our callers; it is escaped
 * for servers that take markup. */
#include "hand/desktop/notifications.h"

#include <gio/gio.h>

#include "hand/desktop/session-bus.h"
#include "shared/base/error.h"
#include "shared/base/waiter.h"

#define SERVICE "org.freedesktop.Notifications"
#define PATH    "/org/freedesktop/Notifications"
#define MATCH   "type='signal',interface='" SERVICE "'"
/* Signals about notifications that are kept; more are dropped. */
#define MAX_SIGNALS 1024
/* How long a server may take to confirm that it has closed one. */
#define CLOSED_MS 500
/* Enough time for a server that this call starts. */
#define ANSWER_MS 5000

static gboolean is_server_absent(const GError *error)
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
    if (is_server_absent(reason)) {
        hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop has no notification server: %s",
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

/* Signals may arrive before the reply with the id of our notification, so all are kept until then.
 */
typedef struct Signal {
    HfNoticeOutcome outcome;
    char sender[64];
} Signal;

typedef struct Listener {
    GMutex lock; /* guards the members below */
    GCond changed;
    GArray *signals; /* of Signal */
} Listener;

static gboolean parse_notice_signal(GDBusMessage *message, HfNoticeOutcome *ret_outcome)
{
    const char *name = g_dbus_message_get_member(message);
    GVariant *arguments = g_dbus_message_get_body(message);
    if (g_strcmp0(name, "ActionInvoked") == 0 && arguments &&
        g_variant_is_of_type(arguments, G_VARIANT_TYPE("(us)"))) {
        const char *key;
        g_variant_get(arguments, "(u&s)", &ret_outcome->id, &key);
        ret_outcome->end = HF_NOTICE_PRESSED;
        ret_outcome->action = (guint)g_ascii_strtoull(key, NULL, 10);
        return TRUE;
    }
    if (g_strcmp0(name, "NotificationClosed") == 0 && arguments &&
        g_variant_is_of_type(arguments, G_VARIANT_TYPE("(uu)"))) {
        guint32 reason;
        g_variant_get(arguments, "(uu)", &ret_outcome->id, &reason);
        ret_outcome->end = reason == 1   ? HF_NOTICE_EXPIRED
                           : reason == 3 ? HF_NOTICE_WITHDRAWN
                                         : HF_NOTICE_CLOSED;
        return TRUE;
    }
    return FALSE;
}

/* Runs on the thread of the bus. */
static GDBusMessage *on_notice_message(GDBusConnection *bus, GDBusMessage *message,
                                       gboolean incoming, gpointer data)
{
    Listener *listener = data;
    Signal signal = {0};
    const char *sender = g_dbus_message_get_sender(message);
    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_SIGNAL ||
        g_strcmp0(g_dbus_message_get_interface(message), SERVICE) != 0 ||
        !parse_notice_signal(message, &signal.outcome))
        return message;
    g_strlcpy(signal.sender, sender ? sender : "", sizeof signal.sender);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&listener->lock);
    if (listener->signals->len < MAX_SIGNALS)
        g_array_append_val(listener->signals, signal);
    g_cond_broadcast(&listener->changed);
    return message;
}

static gboolean call_bus(GDBusConnection *bus, const char *method, const char *argument,
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

/* With the lock held. Only signals from the server itself count. */
static const Signal *find_signal(const Listener *listener, guint32 id, const char *server)
{
    for (guint i = 0; i < listener->signals->len; i++) {
        const Signal *signal = &g_array_index(listener->signals, Signal, i);
        if (signal->outcome.id == id && g_str_equal(signal->sender, server))
            return signal;
    }
    return NULL;
}

/* Waits until the notification is pressed or gone, or until the deadline. */
static void wait_for_end(Listener *listener, const char *server, const HfDeadline *until,
                         HfNoticeOutcome *outcome)
{
    HfWaiter waiter;
    const Signal *signal;
    hf_waiter_begin(&waiter, &listener->lock, &listener->changed, until->cancellable);
    g_mutex_lock(&listener->lock);
    while (!(signal = find_signal(listener, outcome->id, server)) && hf_deadline_check(until, NULL))
        g_cond_wait_until(&listener->changed, &listener->lock, until->at_us);
    if (signal)
        *outcome = signal->outcome;
    g_mutex_unlock(&listener->lock);
    hf_waiter_end(&waiter);
}

static Listener *listener_new(void)
{
    Listener *listener = g_atomic_rc_box_new0(Listener);
    g_mutex_init(&listener->lock);
    g_cond_init(&listener->changed);
    listener->signals = g_array_new(FALSE, FALSE, sizeof(Signal));
    return listener;
}

static void listener_clear(gpointer data)
{
    Listener *listener = data;
    g_array_unref(listener->signals);
    g_mutex_clear(&listener->lock);
    g_cond_clear(&listener->changed);
}

/* The thread of the bus may still be in the filter when that is removed. */
static void listener_unref(gpointer listener)
{
    g_atomic_rc_box_release_full(listener, listener_clear);
}

static GVariant *build_notify_arguments(const HfNotification *notification, gboolean markup)
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
    g_autoptr(GVariant) known =
        call_notification_server(bus, "GetCapabilities", NULL, "(as)", deadline, error);
    if (!known)
        return FALSE;
    g_autofree const char **capabilities = NULL;
    g_variant_get(known, "(^a&s)", &capabilities);
    if (notification->actions && notification->actions[0] &&
        !g_strv_contains(capabilities, "actions")) {
        hf_fail(error, HF_ERROR_UNSUPPORTED,
                "the notification server of this desktop does not support buttons");
        hf_error_suggest(error, "send it without actions");
        return FALSE;
    }
    g_autoptr(GVariant) reply = call_notification_server(
        bus, "Notify",
        build_notify_arguments(notification, g_strv_contains(capabilities, "body-markup")), "(u)",
        deadline, error);
    if (!reply)
        return FALSE;
    g_variant_get(reply, "(u)", ret_id);
    return TRUE;
}

static gboolean close_notice(GDBusConnection *bus, guint32 id, const HfDeadline *deadline,
                             GError **error)
{
    g_autoptr(GVariant) reply = call_notification_server(
        bus, "CloseNotification", g_variant_new("(u)", id), "()", deadline, error);
    return reply != NULL;
}

/* Sends `notification`, or closes outcome->id when it is NULL. Then waits for what becomes of it,
 * unless `wait_ms` is 0. It listens before it sends, so that no signal is missed. */
static gboolean request_and_wait(const HfNotification *notification, gint64 wait_ms,
                                 HfNoticeOutcome *outcome, const HfDeadline *deadline,
                                 GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ANSWER_MS);
    g_autoptr(GDBusConnection) bus = hf_session_bus_open(&limit, error);
    if (!bus)
        return FALSE;
    if (wait_ms <= 0)
        return post_notice(bus, notification, &outcome->id, deadline, error);
    Listener *listener = listener_new();
    guint filter = g_dbus_connection_add_filter(bus, on_notice_message,
                                                g_atomic_rc_box_acquire(listener), listener_unref);
    g_autofree char *server = NULL;
    gboolean done = FALSE;
    if (!call_bus(bus, "AddMatch", MATCH, NULL, deadline))
        hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the session bus sends no signals");
    else
        done = notification ? post_notice(bus, notification, &outcome->id, deadline, error)
                            : close_notice(bus, outcome->id, deadline, error);
    if (done && call_bus(bus, "GetNameOwner", SERVICE, &server, deadline)) {
        HfDeadline until = hf_deadline_within_ms(deadline, wait_ms);
        wait_for_end(listener, server, &until, outcome);
    }
    g_dbus_connection_remove_filter(bus, filter);
    listener_unref(listener);
    return done;
}

gboolean hf_notification_send(const HfNotification *notification, HfNoticeOutcome *ret_outcome,
                              const HfDeadline *deadline, GError **error)
{
    *ret_outcome = (HfNoticeOutcome){0};
    return request_and_wait(notification, notification->wait_ms, ret_outcome, deadline, error) &&
           (!g_cancellable_is_cancelled(deadline->cancellable) ||
            hf_deadline_check(deadline, error));
}

gboolean hf_notification_close(guint32 id, const HfDeadline *deadline, GError **error)
{
    HfNoticeOutcome outcome = {.id = id};
    if (!request_and_wait(NULL, CLOSED_MS, &outcome, deadline, error))
        return FALSE;
    if (outcome.end)
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the notification server did not confirm that it closed notification %u", id);
    hf_error_suggest(error, "it may be gone already, or never have existed: use the id that "
                            "notification_send returned");
    return FALSE;
}
