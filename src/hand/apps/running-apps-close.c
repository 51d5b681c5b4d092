/* SPDX-License-Identifier: Apache-2.0 */
/* Ending applications: by asking their windows, or by force. Force never reaches a process of
 * another user, init, one of ours, or one that only carries the windows of programs elsewhere
 * (`ssh -X`: with it the user's session there would end); and it is sent by a descriptor, so that
 * it cannot hit a process that has got the same number meanwhile. */
#include "hand/apps/running-apps.h"

#include <signal.h>
#include <unistd.h>

#include "hand/apps/apps-limits.h"
#include "hand/apps/process-info.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

/* How long a program may take to end after its last window. */
#define EXIT_MS 500

static gboolean is_of_app(const HfRunningApp *app, const HfWindow *window)
{
    if (app->pid)
        return window->pid == app->pid;
    return hf_windows_find(app->windows, window->id) != NULL;
}

/* What of the application is open now, topmost first, borrowed from `windows`. */
static GPtrArray *find_app_windows(const GPtrArray *windows, const HfRunningApp *app)
{
    GPtrArray *open = g_ptr_array_new();
    for (guint i = 0; i < windows->len; i++)
        if (is_of_app(app, windows->pdata[i]))
            g_ptr_array_add(open, windows->pdata[i]);
    return open;
}

/* Dialogs come last: with the window that they belong to they go by themselves, and to close a
 * question is an answer that nobody gave. */
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

/* A window that went by itself, with the one that it belonged to, is as good as closed. */
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

/* One after the other, looking anew each time: closing one may close or open others. */
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
                           "the application '%s' opens its windows again", app->name);
        if (!close_app_window(context, window->id, deadline, error))
            return FALSE;
        g_hash_table_add(tried, GUINT_TO_POINTER(window->id));
    }
}

/* Waits for its end; TRUE when it has ended, FALSE without error when it has not within `ms`. */
static gboolean wait_for_app_end(int process_fd, int ms, const HfDeadline *deadline, GError **error)
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
        gboolean ended = process_fd < 0 || wait_for_app_end(process_fd, EXIT_MS, deadline, NULL);
        *ret_closed = (HfAppClosed){app->windows->len, !ended};
    }
    if (process_fd >= 0)
        close(process_fd);
    return done;
}

/* Programs on other machines show their windows through one of these. */
static gboolean is_carrier(const char *process)
{
    static const char *const carriers[] = {"ssh",     "sshd",      "sshd-session", "dbclient",
                                           "nxagent", "x2goagent", "xpra",         NULL};
    return process && g_strv_contains(carriers, process);
}

static gboolean runs_here(const HfRunningApp *app, GError **error)
{
    g_autofree char *process = hf_process_dup_name(app->pid);
    const char *machine = NULL;
    for (guint i = 0; i < app->windows->len && !machine; i++)
        machine = ((const HfWindow *)app->windows->pdata[i])->machine;
    if (!machine && !is_carrier(process))
        return TRUE;
    return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "'%s' runs on %s%s%s; the process %d ('%s') here only carries its windows, so "
                   "nothing is ended by force: close it without force, or end it there",
                   app->name, machine ? "the machine '" : "another machine", machine ? machine : "",
                   machine ? "'" : "", app->pid, process ? process : "?");
}

static gboolean may_end(const HfRunningApp *app, GError **error)
{
    uid_t owner;
    if (app->pid <= 1)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                       "the process of '%s' is not known, so it cannot be ended by force",
                       app->name);
    if (!runs_here(app, error))
        return FALSE;
    if (hf_process_is_ours(app->pid))
        return hf_fail(error, HF_ERROR_FORBIDDEN, "the process %d is part of Handfast itself",
                       app->pid);
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
        if (wait_for_app_end(process_fd, signals[i].wait_ms, deadline, &reason))
            return TRUE;
        if (reason) {
            g_propagate_error(error, g_steal_pointer(&reason));
            return FALSE;
        }
    }
    return hf_fail(error, HF_ERROR_VERIFY_FAILED, "the process %d of '%s' did not end", app->pid,
                   app->name);
}

/* Its windows go when the display has noticed. */
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

/* With a process all its windows go: one that may not be touched protects it. */
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
    if (!hf_call_context_check(context, error) || !may_end(app, error))
        return FALSE;
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, error);
    if (!watch)
        return FALSE;
    int process_fd = hf_process_open(app->pid);
    /* Looked at again with the descriptor open: it is still the one that shows the windows. */
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
