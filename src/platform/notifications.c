/* Desktop notices over the session bus. The body is plain text for our callers; servers that take
 * markup are given it escaped, the others as it is. */
#include "platform/notifications.h"

#include <gio/gio.h>

#include "base/error.h"
#include "platform/bus.h"

#define SERVICE "org.freedesktop.Notifications"
#define PATH    "/org/freedesktop/Notifications"
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

static GVariant *call(GDBusConnection *bus, const char *method, GVariant *arguments,
                      const char *reply_type, const HfDeadline *deadline, GError **error)
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

static gboolean takes_markup(GDBusConnection *bus, gboolean *ret_markup, const HfDeadline *deadline,
                             GError **error)
{
    g_autoptr(GVariant) reply = call(bus, "GetCapabilities", NULL, "(as)", deadline, error);
    if (!reply)
        return FALSE;
    g_autofree const char **capabilities = NULL;
    g_variant_get(reply, "(^a&s)", &capabilities);
    *ret_markup = g_strv_contains(capabilities, "body-markup");
    return TRUE;
}

gboolean hf_notification_send(const HfNotification *notification, guint32 *ret_id,
                              const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ANSWER_MS);
    g_autoptr(GDBusConnection) bus = hf_bus_open_session(&limit, error);
    gboolean markup;
    if (!bus || !takes_markup(bus, &markup, deadline, error))
        return FALSE;
    g_autofree char *body =
        markup ? g_markup_escape_text(notification->body, -1) : g_strdup(notification->body);
    g_auto(GVariantBuilder) hints = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "urgency",
                          g_variant_new_byte((guint8)notification->urgency));
    GVariant *arguments = g_variant_new("(susssasa{sv}i)", "Handfast", 0u, "", notification->title,
                                        body, NULL, &hints, -1);
    g_autoptr(GVariant) reply = call(bus, "Notify", arguments, "(u)", deadline, error);
    if (!reply)
        return FALSE;
    g_variant_get(reply, "(u)", ret_id);
    return TRUE;
}
