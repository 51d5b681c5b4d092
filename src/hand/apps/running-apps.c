/* SPDX-License-Identifier: Apache-2.0 */
/* Groups windows into applications, finds one by name, and ends it: by asking its windows to close,
 * or by force. Force never reaches a process of another user, init, one of ours, or one that only
 * forwards the windows of programs elsewhere (`ssh -X`: the user's session there would end with
 * it). Signals go to a pidfd, so they cannot hit a process that reuses the pid. */
#include "hand/apps/running-apps.h"

#include <signal.h>
#include <unistd.h>

#include "hand/apps/app-catalog.h"
#include "hand/apps/apps-limits.h"
#include "hand/apps/process-info.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#define MAX_CANDIDATES   50
#define MAX_QUOTED_BYTES 120
/* How long a program may take to exit after its last window closed. */
#define EXIT_MS 500

static void app_free(gpointer data)
{
    HfRunningApp *app = data;
    g_free(app->name);
    g_free(app->desktop_id);
    g_ptr_array_unref(app->windows);
    g_free(app);
}

void hf_running_apps_free(HfRunningApps *apps)
{
    if (!apps)
        return;
    g_ptr_array_unref(apps->apps);
    g_ptr_array_unref(apps->windows);
    g_free(apps);
}

static gboolean belongs_to_app(const HfRunningApp *app, const HfWindow *window)
{
    if (app->pid || window->pid)
        return app->pid == window->pid;
    const HfWindow *first = app->windows->pdata[0];
    return g_str_equal(first->class_name, window->class_name);
}

static HfRunningApp *find_app_of(const GPtrArray *apps, const HfWindow *window)
{
    for (guint i = 0; i < apps->len; i++)
        if (belongs_to_app(apps->pdata[i], window))
            return apps->pdata[i];
    return NULL;
}

/* The main window names a program better than a dialog in front of it. */
static const HfWindow *main_window(const HfRunningApp *app)
{
    for (guint i = 0; i < app->windows->len; i++) {
        const HfWindow *window = app->windows->pdata[i];
        if (window->kind == HF_WINDOW_NORMAL)
            return window;
    }
    return app->windows->pdata[0];
}

static void name_app(HfRunningApp *app, const GPtrArray *catalog)
{
    const HfWindow *window = main_window(app);
    const HfCatalogEntry *entry =
        hf_catalog_find_for_window(catalog, window->class_name, window->instance, window->process);
    app->process = window->process;
    if (entry) {
        app->name = g_strdup(entry->name);
        app->desktop_id = g_strdup(entry->id);
    } else {
        app->name = g_strdup(*window->class_name ? window->class_name
                             : window->process   ? window->process
                                                 : window->title);
    }
}

HfRunningApps *hf_running_apps_list(HfDesktop *desktop, GError **error)
{
    GPtrArray *windows = hf_windows_list(desktop, error);
    return windows ? hf_running_apps_new(windows) : NULL;
}

HfRunningApps *hf_running_apps_new(GPtrArray *take_windows)
{
    GPtrArray *windows = take_windows;
    HfRunningApps *apps = g_new0(HfRunningApps, 1);
    apps->windows = windows;
    apps->apps = g_ptr_array_new_with_free_func(app_free);
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *window = windows->pdata[i];
        HfRunningApp *app = find_app_of(apps->apps, window);
        if (!app) {
            app = g_new0(HfRunningApp, 1);
            app->pid = window->pid;
            app->windows = g_ptr_array_new();
            g_ptr_array_add(apps->apps, app);
        }
        g_ptr_array_add(app->windows, window);
        app->focused = app->focused || window->focused;
    }
    g_autoptr(GPtrArray) catalog = hf_catalog_ref();
    for (guint i = 0; i < apps->apps->len; i++)
        name_app(apps->apps->pdata[i], catalog);
    return apps;
}

/* For programs that run in an interpreter: the name that they were started by. */
static gboolean was_started_as(const HfRunningApp *app, const char *folded)
{
    g_auto(GStrv) arguments = app->pid > 0 ? hf_process_dup_arguments(app->pid) : NULL;
    for (guint i = 0; arguments && arguments[i] && i < 2; i++) {
        g_autofree char *base = g_path_get_basename(arguments[i]);
        if (hf_text_equals_folded(base, folded))
            return TRUE;
    }
    return FALSE;
}

/* 2: this is its name, 1: a part of it, 0: it is not. */
static int rank_running_app(const HfRunningApp *app, const char *folded)
{
    const HfWindow *window = main_window(app);
    const char *const names[] = {app->name, app->desktop_id, window->class_name, window->instance,
                                 app->process};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (hf_text_equals_folded(names[i], folded))
            return 2;
    if (was_started_as(app, folded))
        return 2;
    return hf_text_contains_folded(app->name, folded) ||
                   hf_text_contains_folded(app->process, folded)
               ? 1
               : 0;
}

static GPtrArray *find_best_apps(const HfRunningApps *apps, const HfAppQuery *query)
{
    GPtrArray *found = g_ptr_array_new();
    g_autofree char *folded = query->name ? hf_text_fold(query->name) : NULL;
    int best = 1;
    for (guint i = 0; i < apps->apps->len; i++) {
        HfRunningApp *app = apps->apps->pdata[i];
        int rank = folded ? rank_running_app(app, folded) : 2;
        if (rank < best || (query->pid && app->pid != query->pid))
            continue;
        if (rank > best)
            g_ptr_array_set_size(found, 0);
        best = rank;
        g_ptr_array_add(found, app);
    }
    return found;
}

static json_t *apps_to_details(const char *key, const GPtrArray *apps)
{
    json_t *list = json_array();
    for (guint i = 0; i < MIN(apps->len, MAX_CANDIDATES); i++) {
        const HfRunningApp *app = apps->pdata[i];
        const HfWindow *window = main_window(app);
        g_autofree char *title = hf_text_shorten(window->title, MAX_QUOTED_BYTES);
        json_array_append_new(list, json_pack("{s:o, s:i, s:o}", "name", hf_json_text(app->name),
                                              "pid", app->pid, "title", hf_json_text(title)));
    }
    return json_pack("{s:o}", key, list);
}

static char *describe_app_query(const HfAppQuery *query)
{
    g_autofree char *name = query->name ? hf_text_shorten(query->name, MAX_QUOTED_BYTES) : NULL;
    if (query->pid && name)
        return g_strdup_printf("'%s' with the pid %d", name, query->pid);
    return query->pid ? g_strdup_printf("with the pid %d", query->pid)
                      : g_strdup_printf("'%s'", name ? name : "");
}

static gboolean are_one_program(const GPtrArray *found)
{
    const HfRunningApp *first = found->pdata[0];
    for (guint i = 1; i < found->len; i++) {
        const HfRunningApp *other = found->pdata[i];
        if (g_strcmp0(first->process, other->process) != 0 ||
            !g_str_equal(first->name, other->name))
            return FALSE;
    }
    return TRUE;
}

const HfRunningApp *hf_running_apps_find(const HfRunningApps *apps, const HfAppQuery *query,
                                         GError **error)
{
    g_autoptr(GPtrArray) found = find_best_apps(apps, query);
    g_autofree char *words = describe_app_query(query);
    if (found->len == 0) {
        hf_fail(error, HF_ERROR_APP_NOT_FOUND, "no application %s has a window; see app_list",
                words);
        hf_error_take_details(error, apps_to_details("running", apps->apps));
        return NULL;
    }
    if (found->len == 1 || (!query->single && are_one_program(found)))
        return found->pdata[0];
    hf_fail(error, HF_ERROR_WINDOW_AMBIGUOUS, "%u applications match %s; choose one by its pid",
            found->len, words);
    hf_error_take_details(error, apps_to_details("candidates", found));
    hf_error_suggest(error, "%s", "choose one of details.candidates by its pid");
    return NULL;
}

/* ---- ending ---- */

static gboolean is_of_app(const HfRunningApp *app, const HfWindow *window)
{
    if (app->pid)
        return window->pid == app->pid;
    return hf_windows_find(app->windows, window->id) != NULL;
}

/* The windows of the application that are open now, topmost first; borrowed from `windows`. */
static GPtrArray *find_app_windows(const GPtrArray *windows, const HfRunningApp *app)
{
    GPtrArray *open = g_ptr_array_new();
    for (guint i = 0; i < windows->len; i++)
        if (is_of_app(app, windows->pdata[i]))
            g_ptr_array_add(open, windows->pdata[i]);
    return open;
}

/* Dialogs come last: they close with their window, and closing a question would answer it. */
static const HfWindow *find_next_to_close(const GPtrArray *open, GHashTable *tried)
{
    const HfWindow *dialog = NULL;
    for (guint i = 0; i < open->len; i++) {
        const HfWindow *window = open->pdata[i];
        if (g_hash_table_contains(tried, GUINT_TO_POINTER(window->id)))
            continue;
        if (!window->modal && !hf_windows_find(open, window->transient_for))
            return window;
        dialog = dialog ? dialog : window;
    }
    return dialog;
}

/* A window that closed with the one that it belongs to is as good as closed. */
static gboolean close_app_window(const HfCallContext *context, guint32 id,
                                 const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) reason = NULL;
    HfWindowChange change = {.action = HF_WINDOW_CLOSE};
    if (hf_windows_change(context, id, &change, deadline, &reason) ||
        hf_error_code(reason) == HF_ERROR_WINDOW_NOT_FOUND)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&reason));
    return FALSE;
}

/* One after the other, with a new list each time: closing one may close or open others. */
static gboolean close_windows(const HfCallContext *context, const HfRunningApp *app,
                              const HfDeadline *deadline, GError **error)
{
    g_autoptr(GHashTable) tried = g_hash_table_new(NULL, NULL);
    for (;;) {
        g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_context_desktop(context), error);
        if (!windows)
            return FALSE;
        g_autoptr(GPtrArray) open = find_app_windows(windows, app);
        if (open->len == 0)
            return TRUE;
        const HfWindow *window = find_next_to_close(open, tried);
        if (!window || g_hash_table_size(tried) >= HF_LIMIT_WINDOWS)
            return hf_fail(error, HF_ERROR_VERIFY_FAILED,
                           "the application '%s' reopens its windows", app->name);
        if (!close_app_window(context, window->id, deadline, error))
            return FALSE;
        g_hash_table_add(tried, GUINT_TO_POINTER(window->id));
    }
}

/* TRUE when the process has exited; FALSE without an error when it has not within `ms`. */
static gboolean wait_for_app_exit(int process_fd, int ms, const HfDeadline *deadline,
                                  GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, ms);
    g_autoptr(GError) reason = NULL;
    if (hf_deadline_wait_readable(&limit, process_fd, &reason))
        return TRUE;
    if (hf_error_code(reason) != HF_ERROR_DESKTOP_TIMEOUT || hf_deadline_passed(deadline))
        g_propagate_error(error, g_steal_pointer(&reason));
    return FALSE;
}

gboolean hf_running_apps_close(const HfCallContext *context, const HfRunningApp *app,
                               HfAppClosed *ret_closed, const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    int process_fd = app->pid > 0 ? hf_process_open(app->pid) : -1;
    gboolean done = close_windows(context, app, deadline, error);
    if (done) {
        gboolean ended = process_fd < 0 || wait_for_app_exit(process_fd, EXIT_MS, deadline, NULL);
        *ret_closed = (HfAppClosed){app->windows->len, !ended};
    }
    if (process_fd >= 0)
        close(process_fd);
    return done;
}

static gboolean check_runs_here(const HfRunningApp *app, GError **error)
{
    /* Programs on other machines show their windows through one of these. */
    static const char *const forwarders[] = {"ssh",     "sshd",      "sshd-session", "dbclient",
                                             "nxagent", "x2goagent", "xpra",         NULL};
    g_autofree char *process = hf_process_dup_name(app->pid);
    const char *machine = NULL;
    for (guint i = 0; i < app->windows->len && !machine; i++)
        machine = ((const HfWindow *)app->windows->pdata[i])->machine;
    if (!machine && !(process && g_strv_contains(forwarders, process)))
        return TRUE;
    return hf_fail(
        error, HF_ERROR_PRECONDITION_FAILED,
        "'%s' runs on %s%s%s; the local process %d ('%s') only forwards its windows: close "
        "it without force, or end it there",
        app->name, machine ? "the machine '" : "another machine", machine ? machine : "",
        machine ? "'" : "", app->pid, process ? process : "?");
}

static gboolean check_may_end(const HfRunningApp *app, GError **error)
{
    uid_t owner;
    if (app->pid <= 1)
        return hf_fail(
            error, HF_ERROR_PRECONDITION_FAILED,
            "the process of '%s' is unknown, so force cannot end it; close it without force",
            app->name);
    if (!check_runs_here(app, error))
        return FALSE;
    if (hf_process_is_ours(app->pid))
        return hf_fail(error, HF_ERROR_FORBIDDEN,
                       "the process %d is part of Handfast and must not be ended", app->pid);
    if (hf_process_get_owner(app->pid, &owner) && owner != geteuid())
        return hf_fail(error, HF_ERROR_FORBIDDEN, "the process %d belongs to another user",
                       app->pid);
    return TRUE;
}

static gboolean terminate_process(int process_fd, const HfRunningApp *app,
                                  const HfDeadline *deadline, GError **error)
{
    static const struct {
        int number, wait_ms;
    } signals[] = {{SIGTERM, HF_LIMIT_TERMINATE_MS}, {SIGKILL, HF_LIMIT_KILL_MS}};
    for (gsize i = 0; i < G_N_ELEMENTS(signals); i++) {
        g_autoptr(GError) reason = NULL;
        hf_process_signal(process_fd, signals[i].number);
        if (wait_for_app_exit(process_fd, signals[i].wait_ms, deadline, &reason))
            return TRUE;
        if (reason) {
            g_propagate_error(error, g_steal_pointer(&reason));
            return FALSE;
        }
    }
    return hf_fail(error, HF_ERROR_VERIFY_FAILED,
                   "the process %d of '%s' did not exit, even after SIGKILL", app->pid, app->name);
}

/* Its windows close when the display has noticed its end. */
static gboolean wait_until_closed(HfDesktop *desktop, HfWindowWatch *watch, const HfRunningApp *app,
                                  const HfDeadline *deadline, GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, HF_LIMIT_WINDOW_CLOSE_MS);
    for (;;) {
        g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
        if (!windows)
            return FALSE;
        g_autoptr(GPtrArray) open = find_app_windows(windows, app);
        if (open->len == 0)
            return TRUE;
        if (!hf_window_watch_wait(watch, -1, &limit, error))
            return FALSE;
    }
}

/* All windows close with their process: one that must not be touched protects it. */
static gboolean check_windows_fenced(const HfCallContext *context, const GPtrArray *open,
                                     GError **error)
{
    for (guint i = 0; i < open->len; i++)
        if (!hf_fence_check_window(context, ((const HfWindow *)open->pdata[i])->id, error))
            return FALSE;
    return TRUE;
}

gboolean hf_running_apps_kill(const HfCallContext *context, const HfRunningApp *app,
                              HfAppClosed *ret_closed, const HfDeadline *deadline, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    if (!hf_call_context_check(context, error) || !check_may_end(app, error))
        return FALSE;
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, error);
    if (!watch)
        return FALSE;
    int process_fd = hf_process_open(app->pid);
    /* Listed again with the pidfd open: it is still the process that shows the windows. */
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    g_autoptr(GPtrArray) open = windows ? find_app_windows(windows, app) : NULL;
    gboolean done = open && check_windows_fenced(context, open, error);
    if (done && open->len > 0 && process_fd >= 0)
        done = terminate_process(process_fd, app, deadline, error);
    if (process_fd >= 0)
        close(process_fd);
    if (!done || !wait_until_closed(desktop, watch, app, deadline, error))
        return FALSE;
    *ret_closed = (HfAppClosed){app->windows->len, FALSE};
    return TRUE;
}
