/* One session per desktop, made when it is first needed and kept with the desktop. */
#include "access/session.h"

#include "base/error.h"
#include "base/limits.h"
#include "platform/bus.h"

static void close_ear(HfAccess *access)
{
    if (access->programs)
        hf_programs_set_ear(access->programs, NULL);
    g_clear_pointer(&access->ear, hf_line_free);
}

/* What hears outlives what is heard. */
static void close_bus(HfAccess *access)
{
    close_ear(access);
    g_clear_pointer(&access->address, g_free);
    g_clear_pointer(&access->programs, hf_programs_free);
    g_clear_pointer(&access->wire, hf_line_free);
    g_clear_pointer(&access->bus, hf_line_free);
    g_clear_pointer(&access->hearing, hf_hearing_free);
}

/* ---- who listens ---- */

/* Somebody who has typed lately may type again at any moment. */
static gboolean is_person_around(const HfAccess *access)
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
static gboolean take_leave(HfAccess *access, int within_ms)
{
    HfDeadline now = hf_deadline_in_ms(HF_LIMIT_ACCESS_ANSWER_MS, NULL);
    g_autoptr(GPtrArray) told = hf_programs_dup_attending(access->programs);
    if (!hf_programs_all_answer(access->programs, told, &now))
        return FALSE;
    g_autofree char *name = hf_line_dup_name(access->ear);
    close_ear(access);
    HfDeadline soon = hf_deadline_in_ms(within_ms, NULL);
    hf_programs_await_leave(access->programs, told, name, &soon);
    return TRUE;
}

/* Not while somebody reads, who needs it. */
static gboolean access_hush(gpointer data, gboolean typing)
{
    HfAccess *access = data;
    gint64 until_us = g_get_monotonic_time() + HF_LIMIT_ACCESS_LEAVE_MS * (gint64)1000;
    g_mutex_lock(&access->lock);
    if (typing)
        access->hushed_us = g_get_monotonic_time();
    else
        hf_references_rest(access->references);
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
    hf_access_release(access);
    return left;
}

static gboolean is_hushed(HfAccess *access)
{
    g_mutex_lock(&access->lock);
    gint64 since_us = g_get_monotonic_time() - access->hushed_us;
    gboolean hushed = access->hushed_us && since_us < HF_LIMIT_REST_AFTER_MS * (gint64)1000;
    g_mutex_unlock(&access->lock);
    return hushed || is_person_around(access);
}

static void wait_until_idle(HfAccess *access)
{
    g_mutex_lock(&access->lock);
    while (access->busy)
        g_cond_wait(&access->idle, &access->lock);
    g_mutex_unlock(&access->lock);
}

static void access_free(gpointer data)
{
    HfAccess *access = data;
    wait_until_idle(access);
    close_bus(access);
    hf_references_free(access->references);
    g_cond_clear(&access->idle);
    g_mutex_clear(&access->lock);
    g_free(access);
}

static HfAccess *access_new(HfDesktop *desktop)
{
    HfAccess *access = g_new0(HfAccess, 1);
    access->desktop = desktop;
    access->references = hf_references_new(desktop->state_dir);
    g_mutex_init(&access->lock);
    g_cond_init(&access->idle);
    return access;
}

static HfAccess *ensure(HfDesktop *desktop)
{
    static GMutex making;
    g_mutex_lock(&making);
    if (!desktop->above) {
        desktop->free_above = access_free;
        desktop->hush_above = access_hush;
        g_atomic_pointer_set(&desktop->above, access_new(desktop));
    }
    g_mutex_unlock(&making);
    return desktop->above;
}

/* ---- the bus ---- */

static GVariant *call(GDBusConnection *bus, const char *name, const char *path,
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
    g_autoptr(GDBusConnection) session = hf_bus_open_session(deadline, error);
    if (!session)
        return NULL;
    g_autoptr(GVariant) reply = call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus",
                                     "GetAddress", NULL, "(s)", deadline, &reason);
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
static gboolean open_bus(HfAccess *access, const HfDeadline *deadline, GError **error)
{
    g_autofree char *address = dup_address(deadline, error);
    GDBusConnection *connection = address ? hf_bus_open(address, deadline, error) : NULL;
    if (!connection)
        return FALSE;
    HfWire *wire = hf_wire_join(address, deadline);
    if (!wire) {
        g_object_unref(connection);
        return fail_bus(deadline, error);
    }
    access->wire = hf_line_new_wire(wire);
    access->hearing = hf_hearing_new();
    access->address = g_steal_pointer(&address);
    access->bus = hf_line_new(connection, hf_hearing_hear, access->hearing);
    access->programs = hf_programs_new(access->bus, access->wire, access->address, access->hearing);
    access->opened_us = g_get_monotonic_time();
    hf_hearing_register(access->hearing, access->bus, deadline);
    return TRUE;
}

static gboolean ensure_bus(HfAccess *access, const HfDeadline *deadline, GError **error)
{
    if (access->ear && !hf_line_is_open(access->ear))
        close_ear(access);
    if (access->bus && hf_line_is_open(access->bus) && hf_line_is_open(access->wire))
        return TRUE;
    close_bus(access);
    return open_bus(access, deadline, error);
}

gboolean hf_access_listen(HfAccess *access, const HfDeadline *deadline)
{
    if (access->ear)
        return TRUE;
    if (is_hushed(access))
        return FALSE;
    GDBusConnection *connection = hf_bus_open(access->address, deadline, NULL);
    if (!connection)
        return FALSE;
    access->ear = hf_line_new(connection, hf_hearing_hear, access->hearing);
    hf_hearing_register_events(access->ear, deadline);
    hf_programs_set_ear(access->programs, access->ear);
    return TRUE;
}

/* ---- one at a time ---- */

static void wake(GCancellable *cancellable, gpointer data)
{
    HfAccess *access = data;
    g_mutex_lock(&access->lock);
    g_cond_broadcast(&access->idle);
    g_mutex_unlock(&access->lock);
}

static gboolean become_busy(HfAccess *access, const HfDeadline *deadline, GError **error)
{
    gulong waker = 0;
    if (deadline->cancellable)
        waker = g_cancellable_connect(deadline->cancellable, G_CALLBACK(wake), access, NULL);
    g_mutex_lock(&access->lock);
    while (access->busy && hf_deadline_check(deadline, NULL))
        g_cond_wait_until(&access->idle, &access->lock, deadline->at_us);
    gboolean got = !access->busy && hf_deadline_check(deadline, error);
    access->busy = access->busy || got;
    g_mutex_unlock(&access->lock);
    g_cancellable_disconnect(deadline->cancellable, waker);
    return got || hf_deadline_check(deadline, error);
}

HfAccess *hf_access_acquire(HfDesktop *desktop, const HfDeadline *deadline, GError **error)
{
    HfAccess *access = ensure(desktop);
    if (!become_busy(access, deadline, error))
        return NULL;
    if (ensure_bus(access, deadline, error))
        return access;
    hf_access_release(access);
    return NULL;
}

void hf_access_release(HfAccess *access)
{
    g_mutex_lock(&access->lock);
    access->busy = access->connecting = FALSE;
    g_cond_broadcast(&access->idle);
    g_mutex_unlock(&access->lock);
}

static gpointer connect_and_release(gpointer data)
{
    HfAccess *access = data;
    HfDeadline deadline = hf_deadline_in_ms(HF_LIMIT_ACCESS_CONNECT_MS, NULL);
    hf_programs_connect(access->programs, &deadline);
    hf_access_release(access);
    return NULL;
}

static gboolean begin_connecting(HfAccess *access)
{
    if (!hf_programs_any_wants_line(access->programs) || is_hushed(access))
        return FALSE;
    g_mutex_lock(&access->lock);
    access->connecting = TRUE;
    g_mutex_unlock(&access->lock);
    return TRUE;
}

void hf_access_release_later(HfAccess *access)
{
    if (begin_connecting(access))
        g_thread_unref(g_thread_new("connect", connect_and_release, access));
    else
        hf_access_release(access);
}

HfReferences *hf_access_references(HfDesktop *desktop)
{
    return ensure(desktop)->references;
}
