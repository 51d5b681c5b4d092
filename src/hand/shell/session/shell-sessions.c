/* SPDX-License-Identifier: Apache-2.0 */
/* A table from "caller length, caller, newline, id" to the session, behind one lock. The length
 * keeps callers apart whose names contain each other. Each access removes sessions that have ended.
 */
#include "hand/shell/session/shell-sessions.h"

#include <string.h>

#include "hand/safety/handed-directories.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"

static GMutex lock;
static GHashTable *table; /* key → HfShellSession */
static guint64 next_number = 1;

static const char *get_walls_caller(const json_t *walls)
{
    return hf_json_string(walls, "caller", "");
}

/* All keys of that caller, and no others, begin with this. */
static char *dup_prefix(const char *caller)
{
    return g_strdup_printf("%zu:%s\n", strlen(caller), caller);
}

static char *dup_key(const char *id, const json_t *walls)
{
    g_autofree char *prefix = dup_prefix(get_walls_caller(walls));
    return g_strconcat(prefix, id, NULL);
}

static void drop_session_ref(gpointer session)
{
    hf_shell_session_unref(session);
}

/* With the lock held. Ended sessions go into `dropped`: the last reference must not go under the
 * lock, because freeing waits for threads. */
static void remove_ended_sessions(GPtrArray *dropped)
{
    GHashTableIter iter;
    gpointer session;
    if (!table)
        table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_iter_init(&iter, table);
    while (g_hash_table_iter_next(&iter, NULL, &session))
        if (hf_shell_session_has_ended(session)) {
            g_ptr_array_add(dropped, session);
            g_hash_table_iter_remove(&iter);
        }
}

static guint count_caller_sessions(const char *caller)
{
    GHashTableIter iter;
    gpointer key;
    g_autofree char *prefix = dup_prefix(caller);
    guint count = 0;
    g_hash_table_iter_init(&iter, table);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        count += g_str_has_prefix(key, prefix);
    return count;
}

/* With the lock held. */
static gboolean check_session_room(const char *key, const json_t *walls, GError **error)
{
    if (g_hash_table_contains(table, key)) {
        hf_fail(error, HF_ERROR_CONFLICT,
                "the session '%s' exists already; choose another session_id",
                strrchr(key, '\n') + 1);
        hf_error_suggest(error,
                         "use it, end it with the action kill, or choose another session_id");
        return FALSE;
    }
    if (g_hash_table_size(table) < HF_LIMIT_SHELLS &&
        count_caller_sessions(get_walls_caller(walls)) < HF_LIMIT_CALLER_SHELLS)
        return TRUE;
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
            "too many sessions: at most %u per caller and %u in total", HF_LIMIT_CALLER_SHELLS,
            HF_LIMIT_SHELLS);
    hf_error_suggest(error, "end one that you no longer need: bash_session with the action kill");
    return FALSE;
}

/* Another thread may have been quicker and taken the id or the last free slot. */
static HfShellSession *register_session(HfShellSession *take_session, const json_t *walls,
                                        const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfShellSession) session = take_session;
    g_autoptr(GPtrArray) dropped = g_ptr_array_new_with_free_func(drop_session_ref);
    g_autofree char *key = dup_key(hf_shell_session_id(session), walls);
    g_mutex_lock(&lock);
    remove_ended_sessions(dropped);
    /* Nothing may start after a stop, and a stop cannot end a session that is not in the table. */
    gboolean room = hf_deadline_check(deadline, error) && check_session_room(key, walls, error);
    if (room)
        g_hash_table_insert(table, g_steal_pointer(&key), hf_shell_session_ref(session));
    g_mutex_unlock(&lock);
    return room ? g_steal_pointer(&session) : NULL;
}

HfShellSession *hf_shell_sessions_create(const char *id, const json_t *walls,
                                         const HfSandboxRequest *request,
                                         const HfDeadline *deadline, GError **error)
{
    g_autoptr(GPtrArray) dropped = g_ptr_array_new_with_free_func(drop_session_ref);
    if (id && !hf_desktop_name_check(id, error)) {
        g_prefix_error(error, "session_id: ");
        return NULL;
    }
    g_mutex_lock(&lock);
    remove_ended_sessions(dropped);
    g_autofree char *name =
        id ? g_strdup(id) : g_strdup_printf("shell-%" G_GUINT64_FORMAT, next_number++);
    g_autofree char *key = dup_key(name, walls);
    gboolean room = check_session_room(key, walls, error);
    g_mutex_unlock(&lock);
    json_t *plan = room ? hf_sandbox_plan_new(walls, request, error) : NULL;
    if (plan && !hf_sandbox_plan_prepare(plan, error))
        g_clear_pointer(&plan, json_decref);
    HfShellSession *session =
        plan ? hf_shell_session_new(name, walls, plan, deadline, error) : NULL;
    return session ? register_session(session, walls, deadline, error) : NULL;
}

HfShellSession *hf_shell_sessions_find(const char *id, const json_t *walls)
{
    g_autoptr(GPtrArray) dropped = g_ptr_array_new_with_free_func(drop_session_ref);
    g_autofree char *key = dup_key(id, walls);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    remove_ended_sessions(dropped);
    HfShellSession *session = g_hash_table_lookup(table, key);
    if (session)
        hf_shell_session_ref(session);
    return session;
}

static HfShellSession *check_walls(HfShellSession *take_session, const json_t *walls,
                                   GError **error)
{
    g_autoptr(json_t) lasting = hf_handed_directories_dup_without(walls);
    if (json_equal(hf_shell_session_walls(take_session), lasting))
        return take_session;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the caller's permissions have changed since the session '%s' was created",
            hf_shell_session_id(take_session));
    hf_error_suggest(error, "end it (bash_session with the action kill) and create another one");
    hf_shell_session_unref(take_session);
    return NULL;
}

/* Another caller's session gets the same message: nobody learns that it exists. */
static gboolean fail_session_missing(const char *id, GError **error)
{
    return hf_fail(error, HF_ERROR_SESSION_NOT_FOUND,
                   "no session '%s', or it has ended; see "
                   "bash_session with the action list",
                   id);
}

HfShellSession *hf_shell_sessions_get(const char *id, const json_t *walls, GError **error)
{
    HfShellSession *session = hf_shell_sessions_find(id, walls);
    if (session)
        return check_walls(session, walls, error);
    fail_session_missing(id, error);
    return NULL;
}

HfShellSession *hf_shell_sessions_ensure(const char *id, const json_t *walls,
                                         const HfSandboxRequest *request,
                                         const HfDeadline *deadline, GError **error)
{
    HfShellSession *session = hf_shell_sessions_find(id, walls);
    if (session)
        return check_walls(session, walls, error);
    g_autoptr(GError) problem = NULL;
    session = hf_shell_sessions_create(id, walls, request, deadline, &problem);
    if (!session && hf_error_code(problem) == HF_ERROR_CONFLICT)
        return hf_shell_sessions_get(id, walls, error); /* another call created it meanwhile */
    if (!session)
        g_propagate_error(error, g_steal_pointer(&problem));
    return session;
}

gboolean hf_shell_sessions_kill(const char *id, const json_t *walls, GError **error)
{
    g_autoptr(HfShellSession) session = hf_shell_sessions_find(id, walls);
    if (!session)
        return fail_session_missing(id, error);
    hf_shell_session_end(session);
    if (hf_shell_session_await_end(session, HF_LIMIT_SHELL_END_MS))
        return TRUE;
    return hf_fail(error, HF_ERROR_VERIFY_FAILED,
                   "the session '%s' was ended, but some of its processes are still running", id);
}

static int by_age(gconstpointer a, gconstpointer b)
{
    json_int_t one = hf_json_int(*(json_t *const *)a, "age_ms", 0);
    json_int_t other = hf_json_int(*(json_t *const *)b, "age_ms", 0);
    return one < other ? 1 : one > other ? -1 : 0;
}

static GPtrArray *list_caller_sessions(const char *caller)
{
    g_autoptr(GPtrArray) dropped = g_ptr_array_new_with_free_func(drop_session_ref);
    GPtrArray *sessions = g_ptr_array_new_with_free_func(drop_session_ref);
    g_autofree char *prefix = caller ? dup_prefix(caller) : g_strdup("");
    GHashTableIter iter;
    gpointer key, session;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    remove_ended_sessions(dropped);
    g_hash_table_iter_init(&iter, table);
    while (g_hash_table_iter_next(&iter, &key, &session))
        if (g_str_has_prefix(key, prefix))
            g_ptr_array_add(sessions, hf_shell_session_ref(session));
    return sessions;
}

json_t *hf_shell_sessions_list(const json_t *walls)
{
    g_autoptr(GPtrArray) sessions = list_caller_sessions(get_walls_caller(walls));
    g_autoptr(GPtrArray) described = g_ptr_array_new();
    for (guint i = 0; i < sessions->len; i++)
        g_ptr_array_add(described, hf_shell_session_describe(sessions->pdata[i]));
    g_ptr_array_sort(described, by_age);
    json_t *list = json_array();
    for (guint i = 0; i < described->len; i++)
        json_array_append_new(list, described->pdata[i]);
    return list;
}

/* Only signals them: their users see them end, and free them later. */
void hf_shell_sessions_end_all(void)
{
    GHashTableIter iter;
    gpointer session;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    if (table) {
        g_hash_table_iter_init(&iter, table);
        while (g_hash_table_iter_next(&iter, NULL, &session))
            hf_shell_session_end(session);
    }
}

void hf_shell_sessions_close(void)
{
    hf_shell_sessions_end_all();
    g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(drop_session_ref);
    g_mutex_lock(&lock);
    if (table)
        remove_ended_sessions(left);
    g_clear_pointer(&table, g_hash_table_unref);
    g_mutex_unlock(&lock);
    for (guint i = 0; i < left->len; i++)
        hf_shell_session_await_end(left->pdata[i], HF_LIMIT_SHELL_END_MS);
}
