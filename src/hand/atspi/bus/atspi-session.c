/* SPDX-License-Identifier: Apache-2.0 */
/* One session per desktop, created on first use and kept with the desktop. It decides when we may
 * listen to events, and when we must stop so that no program crashes on a key. */
#include "hand/atspi/bus/atspi-session.h"

#include "hand/atspi/atspi-limits.h"
#include "hand/desktop/session-bus.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static void close_event_connection(HfAtspi *atspi)
{
    if (atspi->programs)
        hf_bus_programs_set_event_connection(atspi->programs, NULL);
    g_clear_pointer(&atspi->event_connection, hf_bus_connection_free);
}

/* The listener must outlive the connections that call it. */
static void close_bus(HfAtspi *atspi)
{
    close_event_connection(atspi);
    g_clear_pointer(&atspi->address, g_free);
    g_clear_pointer(&atspi->programs, hf_bus_programs_free);
    g_clear_pointer(&atspi->socket, hf_bus_connection_free);
    g_clear_pointer(&atspi->bus, hf_bus_connection_free);
    g_clear_pointer(&atspi->listener, hf_event_listener_free);
}

/* ---- when we listen ---- */

/* A person who typed a short while ago may type again at any moment. */
static gboolean is_person_around(const HfAtspi *atspi)
{
    gint64 pressed_us = hf_brake_get_pressed(atspi->desktop->brake);
    return pressed_us &&
           g_get_monotonic_time() - pressed_us < HF_LIMIT_PERSON_AROUND_MS * (gint64)1000;
}

/* A program made with ATK asks the registry about each key, and processes other messages while it
 * waits for the reply. If one of them says that the last listener has left, the program drops the
 * listener it is waiting for and crashes (GTK 3.24 with at-spi2-core 2.46). So we leave only while
 * no person types, and press nothing until every sender has heard of it. FALSE: one of them does
 * not answer, so we keep listening. */
static gboolean stop_listening(HfAtspi *atspi, int within_ms)
{
    HfDeadline now = hf_deadline_in_ms(HF_LIMIT_ACCESS_ANSWER_MS, NULL);
    g_autoptr(GPtrArray) senders = hf_bus_programs_dup_event_senders(atspi->programs);
    if (!hf_bus_programs_all_answer(atspi->programs, senders, &now))
        return FALSE;
    g_autofree char *name = hf_bus_connection_dup_name(atspi->event_connection);
    close_event_connection(atspi);
    HfDeadline soon = hf_deadline_in_ms(within_ms, NULL);
    hf_bus_programs_await_leave(atspi->programs, senders, name, &soon);
    return TRUE;
}

/* Not while a reader needs the events. TRUE: nobody listens now. */
static gboolean pause_event_listener(gpointer data, gboolean typing)
{
    HfAtspi *atspi = data;
    gint64 until_us = g_get_monotonic_time() + HF_LIMIT_ACCESS_LEAVE_MS * (gint64)1000;
    g_mutex_lock(&atspi->lock);
    if (typing)
        atspi->typed_us = g_get_monotonic_time();
    else
        hf_references_trim(atspi->references);
    while (typing && atspi->connecting && g_cond_wait_until(&atspi->idle, &atspi->lock, until_us))
        ;
    gboolean listens = atspi->busy || atspi->event_connection;
    gboolean leave = !atspi->busy && atspi->event_connection && !is_person_around(atspi);
    atspi->busy = atspi->busy || leave;
    g_mutex_unlock(&atspi->lock);
    if (!leave)
        return !listens;
    gboolean left =
        stop_listening(atspi, typing ? HF_LIMIT_ACCESS_LEAVE_MS : HF_LIMIT_ACCESS_REST_MS);
    hf_atspi_release(atspi);
    return left;
}

static gboolean is_listening_paused(HfAtspi *atspi)
{
    g_mutex_lock(&atspi->lock);
    gint64 since_us = g_get_monotonic_time() - atspi->typed_us;
    gboolean paused = atspi->typed_us && since_us < HF_LIMIT_REST_AFTER_MS * (gint64)1000;
    g_mutex_unlock(&atspi->lock);
    return paused || is_person_around(atspi);
}

static void atspi_free(gpointer data)
{
    HfAtspi *atspi = data;
    g_mutex_lock(&atspi->lock);
    while (atspi->busy)
        g_cond_wait(&atspi->idle, &atspi->lock);
    g_mutex_unlock(&atspi->lock);
    close_bus(atspi);
    hf_references_free(atspi->references);
    g_cond_clear(&atspi->idle);
    g_mutex_clear(&atspi->lock);
    g_free(atspi);
}

static HfAtspi *ensure_atspi(HfDesktop *desktop)
{
    static GMutex making;
    g_mutex_lock(&making);
    if (!desktop->atspi) {
        HfAtspi *atspi = g_new0(HfAtspi, 1);
        atspi->desktop = desktop;
        atspi->references = hf_references_new(desktop->state_dir);
        g_mutex_init(&atspi->lock);
        g_cond_init(&atspi->idle);
        desktop->free_atspi = atspi_free;
        desktop->pause_atspi = pause_event_listener;
        g_atomic_pointer_set(&desktop->atspi, atspi);
    }
    g_mutex_unlock(&making);
    return desktop->atspi;
}

/* ---- the bus ---- */

/* The question also starts the bus, on a desktop where nobody has used it yet. */
static char *dup_address(const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autoptr(GDBusConnection) session = hf_session_bus_open(deadline, error);
    if (!session)
        return NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
        session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", NULL,
        G_VARIANT_TYPE("(s)"), G_DBUS_CALL_FLAGS_NONE, (int)MAX(1, hf_deadline_left_ms(deadline)),
        deadline->cancellable, &reason);
    g_dbus_connection_close_sync(session, NULL, NULL);
    char *address = NULL;
    if (reply)
        g_variant_get(reply, "(s)", &address);
    else if (hf_deadline_check(deadline, error))
        hf_fail(error, HF_ERROR_UNSUPPORTED, "this desktop has no accessibility bus: %s",
                reason->message);
    return address;
}

/* Two connections: one receives signals at any time, the other makes calls. */
static gboolean open_atspi_bus(HfAtspi *atspi, const HfDeadline *deadline, GError **error)
{
    g_autofree char *address = dup_address(deadline, error);
    GDBusConnection *connection = address ? hf_dbus_open(address, deadline, error) : NULL;
    if (!connection)
        return FALSE;
    HfDbusSocket *socket = hf_dbus_socket_join_bus(address, deadline);
    if (!socket) {
        g_object_unref(connection);
        return hf_deadline_check(deadline, error) &&
               hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
                       "the accessibility bus does not answer");
    }
    atspi->socket = hf_bus_connection_new_socket(socket);
    atspi->listener = hf_event_listener_new();
    atspi->address = g_steal_pointer(&address);
    atspi->bus = hf_bus_connection_new(connection, hf_event_listener_on_signal, atspi->listener);
    atspi->programs =
        hf_bus_programs_new(atspi->bus, atspi->socket, atspi->address, atspi->listener);
    atspi->opened_us = g_get_monotonic_time();
    hf_event_listener_subscribe_names(atspi->listener, atspi->bus, deadline);
    return TRUE;
}

static gboolean ensure_atspi_bus(HfAtspi *atspi, const HfDeadline *deadline, GError **error)
{
    if (atspi->event_connection && !hf_bus_connection_is_open(atspi->event_connection))
        close_event_connection(atspi);
    if (atspi->bus && hf_bus_connection_is_open(atspi->bus) &&
        hf_bus_connection_is_open(atspi->socket))
        return TRUE;
    close_bus(atspi);
    return open_atspi_bus(atspi, deadline, error);
}

gboolean hf_atspi_listen(HfAtspi *atspi, const HfDeadline *deadline)
{
    if (atspi->event_connection)
        return TRUE;
    if (is_listening_paused(atspi))
        return FALSE;
    GDBusConnection *connection = hf_dbus_open(atspi->address, deadline, NULL);
    if (!connection)
        return FALSE;
    atspi->event_connection =
        hf_bus_connection_new(connection, hf_event_listener_on_signal, atspi->listener);
    hf_event_listener_subscribe_events(atspi->event_connection, deadline);
    hf_bus_programs_set_event_connection(atspi->programs, atspi->event_connection);
    return TRUE;
}

/* ---- one reader at a time ---- */

static void wake_atspi_waiters(GCancellable *cancellable, gpointer data)
{
    HfAtspi *atspi = data;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&atspi->lock);
    g_cond_broadcast(&atspi->idle);
}

static gboolean become_busy(HfAtspi *atspi, const HfDeadline *deadline, GError **error)
{
    gulong waker = 0;
    if (deadline->cancellable)
        waker = g_cancellable_connect(deadline->cancellable, G_CALLBACK(wake_atspi_waiters), atspi,
                                      NULL);
    g_mutex_lock(&atspi->lock);
    while (atspi->busy && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&atspi->idle, &atspi->lock, deadline->at_us);
    gboolean got = !atspi->busy && hf_deadline_check(deadline, error);
    atspi->busy = atspi->busy || got;
    g_mutex_unlock(&atspi->lock);
    g_cancellable_disconnect(deadline->cancellable, waker);
    return got || hf_deadline_check(deadline, error);
}

HfAtspi *hf_atspi_acquire(HfDesktop *desktop, const HfDeadline *deadline, GError **error)
{
    HfAtspi *atspi = ensure_atspi(desktop);
    if (!become_busy(atspi, deadline, error))
        return NULL;
    if (ensure_atspi_bus(atspi, deadline, error))
        return atspi;
    hf_atspi_release(atspi);
    return NULL;
}

void hf_atspi_release(HfAtspi *atspi)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&atspi->lock);
    atspi->busy = atspi->connecting = FALSE;
    g_cond_broadcast(&atspi->idle);
}

static gpointer connect_and_release(gpointer data)
{
    HfAtspi *atspi = data;
    HfDeadline deadline = hf_deadline_in_ms(HF_LIMIT_ACCESS_CONNECT_MS, NULL);
    hf_bus_programs_connect(atspi->programs, &deadline);
    hf_atspi_release(atspi);
    return NULL;
}

void hf_atspi_release_later(HfAtspi *atspi)
{
    if (!hf_bus_programs_any_wants_direct_connection(atspi->programs) ||
        is_listening_paused(atspi)) {
        hf_atspi_release(atspi);
        return;
    }
    g_mutex_lock(&atspi->lock);
    atspi->connecting = TRUE;
    g_mutex_unlock(&atspi->lock);
    g_thread_unref(g_thread_new("connect", connect_and_release, atspi));
}

HfReferences *hf_atspi_references(HfDesktop *desktop)
{
    return ensure_atspi(desktop)->references;
}
