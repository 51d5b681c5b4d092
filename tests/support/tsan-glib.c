/* SPDX-License-Identifier: Apache-2.0 */
/* Teaches ThreadSanitizer what GLib's locks mean: they are futexes inside a library that is not
 * instrumented, so it would take all that they guard for races. Linked, with --wrap, into the build
 * of ThreadSanitizer only. */
#include <gio/gio.h>
#include <jansson.h>
#include <sanitizer/tsan_interface.h>

#define WRAP(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

WRAP(void, g_mutex_lock, GMutex *mutex)
{
    __real_g_mutex_lock(mutex);
    __tsan_acquire(mutex);
}

WRAP(void, g_mutex_unlock, GMutex *mutex)
{
    __tsan_release(mutex);
    __real_g_mutex_unlock(mutex);
}

WRAP(gboolean, g_mutex_trylock, GMutex *mutex)
{
    gboolean locked = __real_g_mutex_trylock(mutex);
    if (locked)
        __tsan_acquire(mutex);
    return locked;
}

WRAP(void, g_rec_mutex_lock, GRecMutex *mutex)
{
    __real_g_rec_mutex_lock(mutex);
    __tsan_acquire(mutex);
}

WRAP(void, g_rec_mutex_unlock, GRecMutex *mutex)
{
    __tsan_release(mutex);
    __real_g_rec_mutex_unlock(mutex);
}

/* Whoever finds it done has seen what was done: the macros look with an atomic load. Their names
 * are macros too. */
#undef g_once_init_leave
WRAP(void, g_once_init_leave, void *location, gsize result)
{
    __tsan_release(location);
    __real_g_once_init_leave(location, result);
}

/* Who comes second waits inside GLib until the first has left. */
#undef g_once_init_enter
WRAP(gboolean, g_once_init_enter, void *location)
{
    gboolean first = __real_g_once_init_enter(location);
    if (!first)
        __tsan_acquire(location);
    return first;
}

/* Filters run on GDBus's own thread: after they were added, before they are freed (GLib counts its
 * references), and before the connection, which that same thread closes, is closed. */
typedef struct Filter {
    GDBusMessageFilterFunction run;
    gpointer data;
    GDestroyNotify free;
} Filter;

static GDBusMessage *run_filter(GDBusConnection *connection, GDBusMessage *message,
                                gboolean incoming, gpointer data)
{
    Filter *filter = data;
    __tsan_acquire(filter);
    GDBusMessage *rest = filter->run(connection, message, incoming, filter->data);
    __tsan_release(connection);
    __tsan_release(filter);
    return rest;
}

static void free_filter(gpointer data)
{
    Filter *filter = data;
    __tsan_acquire(filter);
    if (filter->free)
        filter->free(filter->data);
    g_free(filter);
}

WRAP(guint, g_dbus_connection_add_filter, GDBusConnection *connection,
     GDBusMessageFilterFunction run, gpointer data, GDestroyNotify free)
{
    Filter *filter = g_new(Filter, 1);
    *filter = (Filter){run, data, free};
    __tsan_release(filter);
    return __real_g_dbus_connection_add_filter(connection, run_filter, filter, free_filter);
}

WRAP(gboolean, g_dbus_connection_close_finish, GDBusConnection *connection, GAsyncResult *result,
     GError **error)
{
    gboolean closed = __real_g_dbus_connection_close_finish(connection, result, error);
    __tsan_acquire(connection);
    return closed;
}

typedef struct Once {
    GOnce *once;
    GThreadFunc run;
    gpointer data;
} Once;

static gpointer run_once(gpointer data)
{
    Once *call = data;
    gpointer result = call->run(call->data);
    __tsan_release((gpointer)&call->once->status);
    return result;
}

WRAP(gpointer, g_once_impl, GOnce *once, GThreadFunc run, gpointer data)
{
    Once call = {once, run, data};
    gpointer result = __real_g_once_impl(once, run_once, &call);
    __tsan_acquire((gpointer)&once->status);
    return result;
}

WRAP(void, g_cond_wait, GCond *cond, GMutex *mutex)
{
    __tsan_release(mutex);
    __real_g_cond_wait(cond, mutex);
    __tsan_acquire(mutex);
}

WRAP(gboolean, g_cond_wait_until, GCond *cond, GMutex *mutex, gint64 end_time)
{
    __tsan_release(mutex);
    gboolean woken = __real_g_cond_wait_until(cond, mutex, end_time);
    __tsan_acquire(mutex);
    return woken;
}

WRAP(gulong, g_cancellable_connect, GCancellable *cancellable, GCallback callback, gpointer data,
     GDestroyNotify destroy)
{
    __tsan_release(cancellable);
    return __real_g_cancellable_connect(cancellable, callback, data, destroy);
}

WRAP(void, g_cancellable_disconnect, GCancellable *cancellable, gulong handler)
{
    __real_g_cancellable_disconnect(cancellable, handler);
    __tsan_acquire(cancellable);
}

WRAP(void, g_cancellable_cancel, GCancellable *cancellable)
{
    __tsan_acquire(cancellable);
    __tsan_release(cancellable);
    __real_g_cancellable_cancel(cancellable);
}

WRAP(gboolean, g_cancellable_is_cancelled, GCancellable *cancellable)
{
    gboolean cancelled = __real_g_cancellable_is_cancelled(cancellable);
    if (cancellable)
        __tsan_acquire(cancellable);
    return cancelled;
}

WRAP(gboolean, g_atomic_ref_count_dec, gatomicrefcount *count)
{
    __tsan_release((gpointer)count);
    gboolean last = __real_g_atomic_ref_count_dec(count);
    if (last)
        __tsan_acquire((gpointer)count);
    return last;
}

WRAP(void, g_object_unref, gpointer object)
{
    __tsan_release(object);
    __real_g_object_unref(object);
}

/* What is pushed happens before it is run. */
typedef struct Pool {
    GFunc run;
    gpointer data;
} Pool;

static void run_task(gpointer task, gpointer data)
{
    Pool *pool = data;
    __tsan_acquire(pool);
    pool->run(task, pool->data);
    __tsan_release(pool);
}

WRAP(GThreadPool *, g_thread_pool_new, GFunc run, gpointer data, gint most, gboolean exclusive,
     GError **error)
{
    Pool *pool = g_new(Pool, 1);
    *pool = (Pool){run, data};
    return __real_g_thread_pool_new(run_task, pool, most, exclusive, error);
}

WRAP(GThreadPool *, g_thread_pool_new_full, GFunc run, gpointer data, GDestroyNotify drop,
     gint most, gboolean exclusive, GError **error)
{
    Pool *pool = g_new(Pool, 1);
    *pool = (Pool){run, data};
    return __real_g_thread_pool_new_full(run_task, pool, drop, most, exclusive, error);
}

WRAP(gboolean, g_thread_pool_push, GThreadPool *pool, gpointer task, GError **error)
{
    __tsan_release(pool->user_data);
    return __real_g_thread_pool_push(pool, task, error);
}

WRAP(void, g_thread_pool_free, GThreadPool *pool, gboolean immediate, gboolean wait)
{
    Pool *own = pool->user_data;
    __real_g_thread_pool_free(pool, immediate, wait);
    __tsan_acquire(own);
    g_free(own);
}

/* And what is put into a queue, before it is taken out. */
WRAP(void, g_async_queue_push, GAsyncQueue *queue, gpointer item)
{
    __tsan_release(queue);
    __real_g_async_queue_push(queue, item);
}

WRAP(gpointer, g_async_queue_try_pop, GAsyncQueue *queue)
{
    gpointer item = __real_g_async_queue_try_pop(queue);
    __tsan_acquire(queue);
    return item;
}

/* And what is left to the main loop, before that does it. */
typedef struct Idle {
    GSourceFunc run;
    gpointer data;
    GDestroyNotify drop;
} Idle;

static gboolean run_idle(gpointer data)
{
    Idle *idle = data;
    __tsan_acquire(idle);
    return idle->run(idle->data);
}

static void drop_idle(gpointer data)
{
    Idle *idle = data;
    if (idle->drop)
        idle->drop(idle->data);
    g_free(idle);
}

WRAP(guint, g_idle_add_full, gint priority, GSourceFunc run, gpointer data, GDestroyNotify drop)
{
    Idle *idle = g_new(Idle, 1);
    *idle = (Idle){run, data, drop};
    __tsan_release(idle);
    return __real_g_idle_add_full(priority, run_idle, idle, drop_idle);
}

/* jansson's functions are ignored (see tsan-suppressions), but json_delete() leaves by a jump to
 * free(), which is then called from our code. */
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

WRAP(void, json_delete, json_t *json)
{
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    __real_json_delete(json);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}
