/* SPDX-License-Identifier: Apache-2.0 */
/* The session around a desktop. The screen counts as locked when anyone who can know says so: the
 * display, the desktop environment's screen saver, or the login manager. A thread listens to the
 * buses and keeps one flag up to date, so that a call never waits for a bus. It must never start a
 * service: a screen saver that does not run cannot have locked anything. */
#include "hand/desktop/desktop-session.h"

#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

/* Only the watch thread waits for this, so a bus that does not answer delays no call. */
#define BUS_CALL_MS 2000

#define LOGIND         "org.freedesktop.login1"
#define LOGIND_PATH    "/org/freedesktop/login1"
#define LOGIND_SESSION "org.freedesktop.login1.Session"

/* Screen savers on the session bus; all have the same interface. */
static const struct {
    const char *name, *path;
} savers[] = {
    {"org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"}, /* KDE and many others */
    {"org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"},
    {"org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"},
    {"org.mate.ScreenSaver", "/org/mate/ScreenSaver"},
    {"org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"},
};

#define SAVER_COUNT  G_N_ELEMENTS(savers)
#define LOGIND_INDEX SAVER_COUNT

/* A service that can report a lock. */
typedef struct Source {
    HfLockWatch *watch;
    guint index;
    guint name_watch;
} Source;

struct HfLockWatch {
    char *display;
    GMainContext *context;
    GCancellable *cancellable;
    GThread *thread;
    int stopping;

    /* Used by the thread only. */
    GDBusConnection *session_bus, *system_bus;
    Source sources[SAVER_COUNT + 1];

    GMutex lock; /* guards the members below */
    GCond answered;
    guint pending; /* a bit for each source that has not answered yet */
    guint locked;  /* a bit for each source that reports a lock */
};

static void set_locked(HfLockWatch *watch, guint index, gboolean locked)
{
    guint bit = 1u << index;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&watch->lock);
    watch->locked = locked ? watch->locked | bit : watch->locked & ~bit;
    watch->pending &= ~bit;
    g_cond_broadcast(&watch->answered);
}

static GVariant *call_lock_service(HfLockWatch *watch, GDBusConnection *bus, const char *name,
                                   const char *path, const char *interface, const char *method,
                                   GVariant *arguments, const char *reply_type)
{
    return g_dbus_connection_call_sync(bus, name, path, interface, method, arguments,
                                       G_VARIANT_TYPE(reply_type), G_DBUS_CALL_FLAGS_NO_AUTO_START,
                                       BUS_CALL_MS, watch->cancellable, NULL);
}

static void saver_appeared(GDBusConnection *bus, const char *name, const char *owner, gpointer data)
{
    Source *source = data;
    g_autoptr(GVariant) reply = call_lock_service(
        source->watch, bus, owner, savers[source->index].path, name, "GetActive", NULL, "(b)");
    /* A screen saver that does not answer counts as a lock: typing into one would be worse. */
    gboolean active = !g_cancellable_is_cancelled(source->watch->cancellable);
    if (reply)
        g_variant_get(reply, "(b)", &active);
    set_locked(source->watch, source->index, active);
}

static void source_vanished(GDBusConnection *bus, const char *name, gpointer data)
{
    Source *source = data;
    set_locked(source->watch, source->index, FALSE);
}

static void saver_changed(GDBusConnection *bus, const char *sender, const char *path,
                          const char *interface, const char *signal, GVariant *arguments,
                          gpointer data)
{
    Source *source = data;
    gboolean active;
    if (!g_variant_is_of_type(arguments, G_VARIANT_TYPE("(b)")))
        return;
    g_variant_get(arguments, "(b)", &active);
    set_locked(source->watch, source->index, active);
}

/* The number in ":0", ":0.0" or "unix:0"; NULL when there is none. */
static char *display_number(const char *display)
{
    const char *colon = display ? strrchr(display, ':') : NULL;
    return colon ? g_strndup(colon + 1, strcspn(colon + 1, ".")) : NULL;
}

/* A login session belongs to this desktop when it names this display, or when it names none and we
 * run in it. The session of a virtual desktop's owner does not: its lock covers another screen. */
static gboolean is_our_session(HfLockWatch *watch, GVariantDict *properties)
{
    g_autofree char *display = NULL, *type = NULL, *id = NULL;
    g_variant_dict_lookup(properties, "Display", "s", &display);
    g_variant_dict_lookup(properties, "Type", "s", &type);
    g_variant_dict_lookup(properties, "Id", "s", &id);
    if (display && *display) {
        g_autofree char *theirs = display_number(display), *ours = display_number(watch->display);
        return g_strcmp0(theirs, ours) == 0;
    }
    return id && g_strcmp0(type, "x11") == 0 && g_strcmp0(id, g_getenv("XDG_SESSION_ID")) == 0;
}

static gboolean is_session_locked(HfLockWatch *watch, const char *path)
{
    g_autoptr(GVariant) reply =
        call_lock_service(watch, watch->system_bus, LOGIND, path, "org.freedesktop.DBus.Properties",
                          "GetAll", g_variant_new("(s)", LOGIND_SESSION), "(a{sv})");
    if (!reply)
        return FALSE;
    g_autoptr(GVariant) values = g_variant_get_child_value(reply, 0);
    g_auto(GVariantDict) properties = G_VARIANT_DICT_INIT(values);
    gboolean locked = FALSE;
    g_variant_dict_lookup(&properties, "LockedHint", "b", &locked);
    return locked && is_our_session(watch, &properties);
}

static void query_logind(HfLockWatch *watch)
{
    g_autoptr(GVariant) reply =
        call_lock_service(watch, watch->system_bus, LOGIND, LOGIND_PATH, LOGIND ".Manager",
                          "ListSessions", NULL, "(a(susso))");
    gboolean locked = FALSE;
    if (reply) {
        g_autoptr(GVariantIter) sessions = NULL;
        guint32 user;
        const char *path;
        g_variant_get(reply, "(a(susso))", &sessions);
        while (g_variant_iter_next(sessions, "(&su&s&s&o)", NULL, &user, NULL, NULL, &path))
            locked |= user == getuid() && is_session_locked(watch, path);
    }
    set_locked(watch, LOGIND_INDEX, locked);
}

static void logind_appeared(GDBusConnection *bus, const char *name, const char *owner,
                            gpointer data)
{
    query_logind(((Source *)data)->watch);
}

static void logind_changed(GDBusConnection *bus, const char *sender, const char *path,
                           const char *interface, const char *signal, GVariant *arguments,
                           gpointer data)
{
    query_logind(((Source *)data)->watch);
}

static void subscribe_lock_signal(GDBusConnection *bus, const char *sender, const char *interface,
                                  const char *member, GDBusSignalCallback callback, Source *source)
{
    g_dbus_connection_signal_subscribe(bus, sender, interface, member, NULL, NULL,
                                       G_DBUS_SIGNAL_FLAGS_NONE, callback, source, NULL);
}

static void session_bus_opened(GObject *object, GAsyncResult *result, gpointer data)
{
    HfLockWatch *watch = data;
    watch->session_bus = g_dbus_connection_new_for_address_finish(result, NULL);
    for (guint i = 0; i < SAVER_COUNT; i++) {
        Source *source = &watch->sources[i];
        if (!watch->session_bus) {
            set_locked(watch, i, FALSE);
            continue;
        }
        /* Subscribe first, so that no change after the query is missed. */
        subscribe_lock_signal(watch->session_bus, savers[i].name, savers[i].name, "ActiveChanged",
                              saver_changed, source);
        source->name_watch = g_bus_watch_name_on_connection(
            watch->session_bus, savers[i].name, G_BUS_NAME_WATCHER_FLAGS_NONE, saver_appeared,
            source_vanished, source, NULL);
    }
}

static void system_bus_opened(GObject *object, GAsyncResult *result, gpointer data)
{
    HfLockWatch *watch = data;
    Source *source = &watch->sources[LOGIND_INDEX];
    watch->system_bus = g_dbus_connection_new_for_address_finish(result, NULL);
    if (!watch->system_bus) {
        set_locked(watch, LOGIND_INDEX, FALSE);
        return;
    }
    subscribe_lock_signal(watch->system_bus, LOGIND, "org.freedesktop.DBus.Properties",
                          "PropertiesChanged", logind_changed, source);
    subscribe_lock_signal(watch->system_bus, LOGIND, LOGIND ".Manager", "SessionNew",
                          logind_changed, source);
    subscribe_lock_signal(watch->system_bus, LOGIND, LOGIND ".Manager", "SessionRemoved",
                          logind_changed, source);
    source->name_watch =
        g_bus_watch_name_on_connection(watch->system_bus, LOGIND, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                       logind_appeared, source_vanished, source, NULL);
}

/* The callback also runs when the bus cannot be opened. */
static void open_lock_bus(HfLockWatch *watch, const char *address, GAsyncReadyCallback callback)
{
    g_dbus_connection_new_for_address(address ? address : "",
                                      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                      NULL, watch->cancellable, callback, watch);
}

static gpointer watch_buses(gpointer data)
{
    HfLockWatch *watch = data;
    g_main_context_push_thread_default(watch->context);
    g_autofree char *system_address =
        g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, watch->cancellable, NULL);
    open_lock_bus(watch, g_getenv("DBUS_SESSION_BUS_ADDRESS"), session_bus_opened);
    open_lock_bus(watch, system_address, system_bus_opened);
    while (!g_atomic_int_get(&watch->stopping))
        g_main_context_iteration(watch->context, TRUE);
    while (g_main_context_iteration(watch->context, FALSE))
        continue;
    for (guint i = 0; i < G_N_ELEMENTS(watch->sources); i++)
        g_clear_handle_id(&watch->sources[i].name_watch, g_bus_unwatch_name);
    g_clear_object(&watch->session_bus);
    g_clear_object(&watch->system_bus);
    g_main_context_pop_thread_default(watch->context);
    return NULL;
}

HfLockWatch *hf_lock_watch_new(const char *display)
{
    HfLockWatch *watch = g_new0(HfLockWatch, 1);
    watch->display = g_strdup(display);
    watch->context = g_main_context_new();
    watch->cancellable = g_cancellable_new();
    for (guint i = 0; i < G_N_ELEMENTS(watch->sources); i++)
        watch->sources[i] = (Source){watch, i, 0};
    watch->pending = (1u << G_N_ELEMENTS(watch->sources)) - 1;
    g_mutex_init(&watch->lock);
    g_cond_init(&watch->answered);
    watch->thread = g_thread_new("lock-watch", watch_buses, watch);
    return watch;
}

void hf_lock_watch_free(HfLockWatch *watch)
{
    if (!watch)
        return;
    g_atomic_int_set(&watch->stopping, TRUE);
    g_cancellable_cancel(watch->cancellable);
    g_main_context_wakeup(watch->context);
    g_thread_join(watch->thread);
    g_main_context_unref(watch->context);
    g_object_unref(watch->cancellable);
    g_cond_clear(&watch->answered);
    g_mutex_clear(&watch->lock);
    g_free(watch->display);
    g_free(watch);
}

/* Waits for the first answers, at most HF_LOCK_FIRST_ANSWER_MS and only once. */
static gboolean is_locked_on_bus(HfLockWatch *watch)
{
    gint64 until = g_get_monotonic_time() + HF_LOCK_FIRST_ANSWER_MS * G_TIME_SPAN_MILLISECOND;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&watch->lock);
    while (watch->pending && g_cond_wait_until(&watch->answered, &watch->lock, until))
        continue;
    watch->pending = 0; /* never wait for the others again */
    return watch->locked != 0;
}

gboolean hf_desktop_session_get_lock(HfDesktop *desktop, gboolean *ret_locked, GError **error)
{
    const HfSessionOps *ops = desktop->backend->session;
    gboolean locked = FALSE;
    if (ops && ops->get_lock && !ops->get_lock(desktop, &locked, error))
        return FALSE;
    *ret_locked = locked || is_locked_on_bus(desktop->lock_watch);
    return TRUE;
}

const char *hf_desktop_session_backend(const HfDesktop *desktop)
{
    return desktop->backend->name;
}

gboolean hf_desktop_session_dup_window_manager(HfDesktop *desktop, char **ret_name, GError **error)
{
    const HfSessionOps *ops = desktop->backend->session;
    if (ops && ops->dup_window_manager)
        return ops->dup_window_manager(desktop, ret_name, error);
    return hf_desktop_fail_unsupported(desktop, "report its window manager", error);
}

gboolean hf_desktop_session_dup_layout(HfDesktop *desktop, char **ret_layout, GError **error)
{
    const HfSessionOps *ops = desktop->backend->session;
    if (ops && ops->dup_layout)
        return ops->dup_layout(desktop, ret_layout, error);
    return hf_desktop_fail_unsupported(desktop, "report its keyboard layout", error);
}
