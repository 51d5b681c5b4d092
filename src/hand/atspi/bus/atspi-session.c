/* SPDX-License-Identifier: Apache-2.0 */
/* One session per desktop, made when it is first needed and kept with the desktop. */
#include "hand/atspi/bus/atspi-session.h"

#include "hand/atspi/atspi-limits.h"
#include "hand/desktop/session-bus.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static void close_event_connection(HfAtspi *access)
{
    if (access->programs)
        hf_bus_programs_set_event_connection(access->programs, NULL);
    g_clear_pointer(&access->ear, hf_bus_connection_free);
}

/* What hears outlives what is heard. */
static void close_bus(HfAtspi *access)
{
    close_event_connection(access);
    g_clear_pointer(&access->address, g_free);
    g_clear_pointer(&access->programs, hf_bus_programs_free);
    g_clear_pointer(&access->wire, hf_bus_connection_free);
    g_clear_pointer(&access->bus, hf_bus_connection_free);
    g_clear_pointer(&access->hearing, hf_event_listener_free);
}

/* ---- who listens ---- */

/* Somebody who has typed lately may type again at any moment. */
static gboolean is_person_around(const HfAtspi *access)
{
    gint64 pressed_us = hf_brake_get_pressed(access->desktop->brake);
    gint64 since_us = g_get_monotonic_time() - pressed_us;
    return pressed_us && since_us < HF_LIMIT_PERSON_AROUND_MS * (gint64)1000;
}

/* A program made with ATK asks the registry about each key that it gets, and hears other things
 * while it waits for the answer: if that is that the last listener is gone, it forgets whom it was
 * just asking, and crashes (GTK 3.24 with at-spi2-core 2.46). So nobody leaves while a key may be
 * on its way: only when no person types, and we press nothing until all that were listened to have
 * heard of it. FALSE: one of them does not answer, and is better left alone. */
static gboolean take_leave(HfAtspi *access, int within_ms)
{
    HfDeadline now = hf_deadline_in_ms(HF_LIMIT_ACCESS_ANSWER_MS, NULL);
    g_autoptr(GPtrArray) told = hf_bus_programs_dup_event_senders(access->programs);
    if (!hf_bus_programs_all_answer(access->programs, told, &now))
        return FALSE;
    g_autofree char *name = hf_bus_connection_dup_name(access->ear);
    close_event_connection(access);
    HfDeadline soon = hf_deadline_in_ms(within_ms, NULL);
    hf_bus_programs_await_leave(access->programs, told, name, &soon);
    return TRUE;
}

/* Not while somebody reads, who needs it. */
static gboolean pause_event_listener(gpointer data, gboolean typing)
{
    HfAtspi *access = data;
    gint64 until_us = g_get_monotonic_time() + HF_LIMIT_ACCESS_LEAVE_MS * (gint64)1000;
    g_mutex_lock(&access->lock);
    if (typing)
        access->hushed_us = g_get_monotonic_time();
    else
        hf_references_trim(access->references);
    while (typing && access->connecting &&
           g_cond_wait_until(&access->idle, &access->lock, until_us))
        ;
    gboolean listens = access->busy || access->ear;
    gboolean leave = !access->busy && access->ear && !is_person_around(access);
    access->busy = access->busy || leave;
    g_mutex_unlock(&access->lock);
    if (!leave)
        return !listens;
    gboolean left = take_leave(access, typing ? HF_LIMIT_ACCESS_LEAVE_MS : HF_LIMIT_ACCESS_REST_MS);
    hf_atspi_release(access);
    return left;
}

static gboolean is_listening_paused(HfAtspi *access)
{
    g_mutex_lock(&access->lock);
    gint64 since_us = g_get_monotonic_time() - access->hushed_us;
    gboolean hushed = access->hushed_us && since_us < HF_LIMIT_REST_AFTER_MS * (gint64)1000;
    g_mutex_unlock(&access->lock);
    return hushed || is_person_around(access);
}

static void wait_until_idle(HfAtspi *access)
{
    g_mutex_lock(&access->lock);
    while (access->busy)
        g_cond_wait(&access->idle, &access->lock);
    g_mutex_unlock(&access->lock);
}

static void atspi_free(gpointer data)
{
    HfAtspi *access = data;
    wait_until_idle(access);
    close_bus(access);
    hf_references_free(access->references);
    g_cond_clear(&access->idle);
    g_mutex_clear(&access->lock);
    g_free(access);
}

static HfAtspi *atspi_new(HfDesktop *desktop)
{
    HfAtspi *access = g_new0(HfAtspi, 1);
    access->desktop = desktop;
    access->references = hf_references_new(desktop->state_dir);
    g_mutex_init(&access->lock);
    g_cond_init(&access->idle);
    return access;
}

static HfAtspi *ensure_atspi(HfDesktop *desktop)
{
    static GMutex making;
    g_mutex_lock(&making);
    if (!desktop->above) {
        desktop->free_above = atspi_free;
        desktop->hush_above = pause_event_listener;
        g_atomic_pointer_set(&desktop->above, atspi_new(desktop));
    }
    g_mutex_unlock(&making);
    return desktop->above;
}

/* ---- the bus ---- */

static GVariant *call_bus_method(GDBusConnection *bus, const char *name, const char *path,
                                 const char *interface, const char *method, GVariant *arguments,
                                 const char *reply_type, const HfDeadline *deadline, GError **error)
{
    return g_dbus_connection_call_sync(bus, name, path, interface, method, arguments,
                                       G_VARIANT_TYPE(reply_type), G_DBUS_CALL_FLAGS_NONE,
                                       (int)MAX(1, hf_deadline_left_ms(deadline)),
                                       deadline->cancellable, error);
}

/* Asking for it starts the bus where the desktop has one but nobody has used it yet. */
static char *dup_address(const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autoptr(GDBusConnection) session = hf_session_bus_open(deadline, error);
    if (!session)
        return NULL;
    g_autoptr(GVariant) reply =
        call_bus_method(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
                        NULL, "(s)", deadline, &reason);
    g_dbus_connection_close_sync(session, NULL, NULL);
    char *address = NULL;
    if (reply)
        g_variant_get(reply, "(s)", &address);
    else if (hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop has no accessibility bus: %s",
                reason->message);
    return address;
}

static gboolean fail_bus(const HfDeadline *deadline, GError **error)
{
    return hf_deadline_check(deadline, error) &&
           hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the accessibility bus does not answer");
}

/* Two connections: one hears who comes and goes whenever that is, the other asks. */
static gboolean open_atspi_bus(HfAtspi *access, const HfDeadline *deadline, GError **error)
{
    g_autofree char *address = dup_address(deadline, error);
    GDBusConnection *connection = address ? hf_dbus_open(address, deadline, error) : NULL;
    if (!connection)
        return FALSE;
    HfDbusSocket *wire = hf_dbus_socket_join_bus(address, deadline);
    if (!wire) {
        g_object_unref(connection);
        return fail_bus(deadline, error);
    }
    access->wire = hf_bus_connection_new_socket(wire);
    access->hearing = hf_event_listener_new();
    access->address = g_steal_pointer(&address);
    access->bus = hf_bus_connection_new(connection, hf_event_listener_on_signal, access->hearing);
    access->programs =
        hf_bus_programs_new(access->bus, access->wire, access->address, access->hearing);
    access->opened_us = g_get_monotonic_time();
    hf_event_listener_subscribe_names(access->hearing, access->bus, deadline);
    return TRUE;
}

static gboolean ensure_atspi_bus(HfAtspi *access, const HfDeadline *deadline, GError **error)
{
    if (access->ear && !hf_bus_connection_is_open(access->ear))
        close_event_connection(access);
    if (access->bus && hf_bus_connection_is_open(access->bus) &&
        hf_bus_connection_is_open(access->wire))
        return TRUE;
    close_bus(access);
    return open_atspi_bus(access, deadline, error);
}

gboolean hf_atspi_listen(HfAtspi *access, const HfDeadline *deadline)
{
    if (access->ear)
        return TRUE;
    if (is_listening_paused(access))
        return FALSE;
    GDBusConnection *connection = hf_dbus_open(access->address, deadline, NULL);
    if (!connection)
        return FALSE;
    access->ear = hf_bus_connection_new(connection, hf_event_listener_on_signal, access->hearing);
    hf_event_listener_subscribe_events(access->ear, deadline);
    hf_bus_programs_set_event_connection(access->programs, access->ear);
    return TRUE;
}

/* ---- one at a time ---- */

static void wake_atspi_waiters(GCancellable *cancellable, gpointer data)
{
    HfAtspi *access = data;
    g_mutex_lock(&access->lock);
    g_cond_broadcast(&access->idle);
    g_mutex_unlock(&access->lock);
}

static gboolean become_busy(HfAtspi *access, const HfDeadline *deadline, GError **error)
{
    gulong waker = 0;
    if (deadline->cancellable)
        waker = g_cancellable_connect(deadline->cancellable, G_CALLBACK(wake_atspi_waiters), access,
                                      NULL);
    g_mutex_lock(&access->lock);
    while (access->busy && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&access->idle, &access->lock, deadline->at_us);
    gboolean got = !access->busy && hf_deadline_check(deadline, error);
    access->busy = access->busy || got;
    g_mutex_unlock(&access->lock);
    g_cancellable_disconnect(deadline->cancellable, waker);
    return got || hf_deadline_check(deadline, error);
}

HfAtspi *hf_atspi_acquire(HfDesktop *desktop, const HfDeadline *deadline, GError **error)
{
    HfAtspi *access = ensure_atspi(desktop);
    if (!become_busy(access, deadline, error))
        return NULL;
    if (ensure_atspi_bus(access, deadline, error))
        return access;
    hf_atspi_release(access);
    return NULL;
}

void hf_atspi_release(HfAtspi *access)
{
    g_mutex_lock(&access->lock);
    access->busy = access->connecting = FALSE;
    g_cond_broadcast(&access->idle);
    g_mutex_unlock(&access->lock);
}

static gpointer connect_and_release(gpointer data)
{
    HfAtspi *access = data;
    HfDeadline deadline = hf_deadline_in_ms(HF_LIMIT_ACCESS_CONNECT_MS, NULL);
    hf_bus_programs_connect(access->programs, &deadline);
    hf_atspi_release(access);
    return NULL;
}

static gboolean begin_connecting(HfAtspi *access)
{
    if (!hf_bus_programs_any_wants_direct_connection(access->programs) ||
        is_listening_paused(access))
        return FALSE;
    g_mutex_lock(&access->lock);
    access->connecting = TRUE;
    g_mutex_unlock(&access->lock);
    return TRUE;
}

void hf_atspi_release_later(HfAtspi *access)
{
    if (begin_connecting(access))
        g_thread_unref(g_thread_new("connect", connect_and_release, access));
    else
        hf_atspi_release(access);
}

HfReferences *hf_atspi_references(HfDesktop *desktop)
{
    return ensure_atspi(desktop)->references;
}
