/* One session per desktop, made when it is first needed and kept with the desktop. */
#include "access/session.h"

#include "base/error.h"
#include "platform/bus.h"

/* What hears outlives what is heard. */
static void close_bus(HfAccess *access)
{
    g_clear_pointer(&access->programs, hf_programs_free);
    g_clear_pointer(&access->bus, hf_line_free);
    g_clear_pointer(&access->hearing, hf_hearing_free);
}

static void access_free(gpointer data)
{
    HfAccess *access = data;
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
        desktop->above = access_new(desktop);
        desktop->free_above = access_free;
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

static gboolean open_bus(HfAccess *access, const HfDeadline *deadline, GError **error)
{
    g_autofree char *address = dup_address(deadline, error);
    GDBusConnection *connection = address ? hf_bus_open(address, deadline, error) : NULL;
    if (!connection)
        return FALSE;
    access->hearing = hf_hearing_new();
    access->bus = hf_line_new(connection, hf_hearing_hear, access->hearing);
    access->programs = hf_programs_new(access->bus, access->hearing);
    access->opened_us = g_get_monotonic_time();
    hf_hearing_register(access->bus, deadline);
    return TRUE;
}

static gboolean ensure_bus(HfAccess *access, const HfDeadline *deadline, GError **error)
{
    if (access->bus && hf_line_is_open(access->bus))
        return TRUE;
    close_bus(access);
    return open_bus(access, deadline, error);
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
    access->busy = FALSE;
    g_cond_broadcast(&access->idle);
    g_mutex_unlock(&access->lock);
}

HfReferences *hf_access_references(HfDesktop *desktop)
{
    return ensure(desktop)->references;
}
