/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a bus within a time limit. A daemon that accepts and never answers must not hold up a call,
 * and GIO's own blocking call has no limit. */
#include "hand/desktop/session-bus.h"

#include "shared/base/error.h"

/* GIO knows our name on a bus only when GIO itself has called Hello. */
#define OWN_NAME "handfast-name"

typedef struct Opening {
    gboolean done;
    GDBusConnection *bus;
    GError *error;
} Opening;

static void on_bus_opened(GObject *object, GAsyncResult *result, gpointer data)
{
    Opening *opening = data;
    opening->bus = g_dbus_connection_new_for_address_finish(result, &opening->error);
    opening->done = TRUE;
}

static gboolean wake_up(gpointer data)
{
    return G_SOURCE_REMOVE;
}

static gboolean wake_up_cancelled(GCancellable *cancellable, gpointer data)
{
    return G_SOURCE_REMOVE;
}

static void attach_source(GMainContext *context, GSource *take_source, GSourceFunc callback)
{
    g_source_set_callback(take_source, callback, NULL, NULL);
    g_source_attach(take_source, context);
    g_source_unref(take_source);
}

/* Waits until the bus is open, or until the deadline has passed and the attempt was cancelled. */
static void wait_until_opened(GMainContext *context, const HfDeadline *deadline, Opening *opening,
                              GCancellable *attempt)
{
    attach_source(context, g_timeout_source_new((guint)hf_deadline_left_ms(deadline)), wake_up);
    if (deadline->cancellable)
        attach_source(context, g_cancellable_source_new(deadline->cancellable),
                      G_SOURCE_FUNC(wake_up_cancelled));
    while (!opening->done) {
        g_main_context_iteration(context, TRUE);
        if (!hf_deadline_check(deadline, NULL))
            g_cancellable_cancel(attempt);
    }
}

static GDBusConnection *connect_to_bus(const char *address, const HfDeadline *deadline,
                                       GError **error)
{
    g_autoptr(GMainContext) context = g_main_context_new();
    g_autoptr(GCancellable) attempt = g_cancellable_new();
    Opening opening = {0};
    g_main_context_push_thread_default(context);
    g_dbus_connection_new_for_address(address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                                      attempt, on_bus_opened, &opening);
    wait_until_opened(context, deadline, &opening, attempt);
    g_main_context_pop_thread_default(context);
    g_autoptr(GError) reason = opening.error;
    if (!opening.bus && hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_UNSUPPORTED, "cannot connect to the bus: %s", reason->message);
    return opening.bus;
}

/* GIO's own Hello may take 25 seconds and cannot be cancelled. */
static gboolean call_bus_hello(GDBusConnection *bus, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autoptr(GVariant) name = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", NULL,
        G_VARIANT_TYPE("(s)"), G_DBUS_CALL_FLAGS_NONE, (int)MAX(1, hf_deadline_left_ms(deadline)),
        deadline->cancellable, &reason);
    if (!name && hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_UNSUPPORTED, "the bus refused the connection: %s", reason->message);
    if (!name)
        return FALSE;
    char *own;
    g_variant_get(name, "(s)", &own);
    g_object_set_data_full(G_OBJECT(bus), OWN_NAME, own, g_free);
    return TRUE;
}

const char *hf_dbus_get_name(GDBusConnection *bus)
{
    return g_object_get_data(G_OBJECT(bus), OWN_NAME);
}

GDBusConnection *hf_dbus_open(const char *address, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GDBusConnection) bus = connect_to_bus(address, deadline, error);
    return bus && call_bus_hello(bus, deadline, error) ? g_steal_pointer(&bus) : NULL;
}

GDBusConnection *hf_session_bus_open(const HfDeadline *deadline, GError **error)
{
    const char *address = g_getenv("DBUS_SESSION_BUS_ADDRESS");
    if (!hf_deadline_check(deadline, error))
        return NULL;
    if (!address || !*address) {
        hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop has no session bus");
        return NULL;
    }
    return hf_dbus_open(address, deadline, error);
}
