/* SPDX-License-Identifier: Apache-2.0 */
/* Which window is the one that was launched? By its process or one started by it, by the startup
 * id that it was given, or (for programs of which only one runs, where another process shows the
 * window) by its class. Never claims a window that was there before, unless it came to the front.
 */
#include "hand/apps/launch.h"

#include <string.h>
#include <unistd.h>

#include "hand/apps/process-info.h"
#include "hand/apps/spawn-detached.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/base/processes.h"
#include "shared/text/text.h"

/* How long after its own end a program's window may still come from another process. */
#define ENDED_GRACE_MS 1500
/* A window that is known but not yet shown is looked at again after this. */
#define SHOW_MS 50
/* How long a new window may take to get the focus before we ask for it. */
#define FOCUS_MS 300

typedef struct Launch {
    const HfCallContext *context;
    HfDesktop *desktop; /* the context's */
    const HfProgram *program;
    HfWindowWatch *watch;
    GHashTable *before;     /* ids of the windows that were there */
    guint32 focused_before; /* the one that had the focus; 0: none */
    char *startup_id;
    pid_t pid;
    int process_fd;       /* -1 once it has ended */
    gboolean left_family; /* it has ended, but something that it started goes on */
} Launch;

static void launch_clear(Launch *launch)
{
    g_clear_pointer(&launch->watch, hf_window_watch_free);
    g_clear_pointer(&launch->before, g_hash_table_unref);
    g_free(launch->startup_id);
    if (launch->process_fd >= 0)
        close(launch->process_fd);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Launch, launch_clear)

void hf_launched_free(HfLaunched *launched)
{
    if (!launched)
        return;
    hf_window_free(launched->window);
    g_free(launched);
}

static gboolean has_class(const HfWindow *window, const char *name)
{
    return name &&
           (hf_text_equal(window->class_name, name) || hf_text_equal(window->instance, name));
}

static gboolean is_of_program(const Launch *launch, const HfWindow *window)
{
    const HfProgram *program = launch->program;
    g_autofree char *base = g_path_get_basename(program->arguments[0]);
    if (has_class(window, program->wm_class) || has_class(window, base) ||
        hf_text_equal(window->process, base))
        return TRUE;
    const char *id = program->desktop_id;
    const char *dot = id ? strrchr(id, '.') : NULL;
    return id && (has_class(window, id) || (dot && has_class(window, dot + 1)));
}

/* How surely a new window is the launched one; 0: it is not. */
static int rank_new(const Launch *launch, const HfWindow *window)
{
    if (g_hash_table_contains(launch->before, GUINT_TO_POINTER(window->id)) ||
        window->kind == HF_WINDOW_DOCK || window->kind == HF_WINDOW_DESKTOP)
        return 0;
    int rank = 0;
    if ((window->pid > 0 && hf_process_descends(window->pid, launch->pid)) ||
        g_strcmp0(window->startup_id, launch->startup_id) == 0)
        rank = 4;
    else if (is_of_program(launch, window))
        rank = 2;
    /* A splash screen will do when nothing else comes. */
    return rank && window->kind == HF_WINDOW_SPLASH ? 1 : rank;
}

static HfWindow *find_new(const Launch *launch, const GPtrArray *windows, int *ret_rank)
{
    HfWindow *best = NULL;
    *ret_rank = 0;
    for (guint i = 0; i < windows->len; i++) {
        int rank = rank_new(launch, windows->pdata[i]);
        if (rank > *ret_rank) {
            *ret_rank = rank;
            best = windows->pdata[i];
        }
    }
    return best;
}

/* Of a program that ended at once: its other instance, if that is in front now. */
static HfWindow *find_activated(const Launch *launch, const GPtrArray *windows, gboolean last)
{
    if (launch->process_fd >= 0)
        return NULL;
    HfWindow *focused = hf_windows_find_focused(windows);
    if (!focused || !is_of_program(launch, focused))
        return NULL;
    return last || focused->id != launch->focused_before ? focused : NULL;
}

static gboolean prepare_launch(Launch *launch, GError **error)
{
    launch->watch = hf_window_watch_new(launch->desktop, error);
    g_autoptr(GPtrArray) windows = launch->watch ? hf_windows_list(launch->desktop, error) : NULL;
    if (!windows)
        return FALSE;
    launch->before = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        g_hash_table_add(launch->before, GUINT_TO_POINTER(window->id));
        if (window->focused)
            launch->focused_before = window->id;
    }
    /* The time lets the window manager see that this was asked for just now. */
    launch->startup_id =
        g_strdup_printf("handfast-%d-%" G_GINT64_FORMAT "_TIME%u", (int)getpid(),
                        g_get_monotonic_time(), hf_window_watch_time(launch->watch));
    return TRUE;
}

static gboolean spawn_program(Launch *launch, GError **error)
{
    g_auto(GStrv) environment = g_get_environ();
    environment = g_environ_setenv(environment, "DESKTOP_STARTUP_ID", launch->startup_id, TRUE);
    environment = g_environ_unsetenv(environment, "NOTIFY_SOCKET");
    HfDetached what = {
        .arguments = launch->program->arguments,
        .environment = environment,
        .directory = launch->program->directory ? launch->program->directory : g_get_home_dir(),
    };
    launch->pid = hf_spawn_detached(&what, &launch->process_fd, error);
    return launch->pid > 0;
}

static HfLaunched *launched_new(const Launch *launch, HfLaunchEnd end, GPtrArray *windows,
                                HfWindow *window)
{
    HfLaunched *launched = g_new0(HfLaunched, 1);
    launched->pid = launch->pid;
    launched->end = end;
    guint index;
    if (window && g_ptr_array_find(windows, window, &index))
        launched->window = g_ptr_array_steal_index(windows, index);
    return launched;
}

/* What there is to say now; NULL when it is too early to say. */
static HfLaunched *judge_launch(const Launch *launch, GPtrArray *windows, gboolean last,
                                gboolean *ret_almost)
{
    int rank;
    HfWindow *window = find_new(launch, windows, &rank);
    *ret_almost = window && !window->visible;
    if (window && window->visible && (rank > 1 || last))
        return launched_new(launch, HF_LAUNCH_WINDOW, windows, window);
    HfWindow *activated = find_activated(launch, windows, last);
    if (activated)
        return launched_new(launch, HF_LAUNCH_ACTIVATED, windows, activated);
    if (!last)
        return NULL;
    gboolean ended = launch->process_fd < 0 && !launch->left_family;
    return launched_new(launch, ended ? HF_LAUNCH_ENDED : HF_LAUNCH_WAITING, windows, window);
}

/* Something of the session that began with the program. */
static gboolean has_family(pid_t session)
{
    g_autoptr(GArray) all = hf_processes_list();
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        if (process->session == session && process->state != 'Z')
            return TRUE;
    }
    return FALSE;
}

static void note_process_end(Launch *launch, HfDeadline *limit)
{
    GPollFD poll = {.fd = launch->process_fd, .events = G_IO_IN};
    if (launch->process_fd < 0 || g_poll(&poll, 1, 0) <= 0)
        return;
    close(launch->process_fd);
    launch->process_fd = -1;
    launch->left_family = has_family(launch->pid);
    if (!launch->left_family)
        *limit = hf_deadline_within_ms(limit, ENDED_GRACE_MS);
}

static HfLaunched *wait_for_window(Launch *launch, guint wait_ms, const HfDeadline *deadline,
                                   GError **error)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, wait_ms);
    for (;;) {
        note_process_end(launch, &limit);
        g_autoptr(GPtrArray) windows = hf_windows_list(launch->desktop, error);
        if (!windows)
            return NULL;
        gboolean almost = FALSE;
        HfLaunched *launched = judge_launch(launch, windows, hf_deadline_passed(&limit), &almost);
        if (launched)
            return launched;
        HfDeadline next = almost ? hf_deadline_within_ms(&limit, SHOW_MS) : limit;
        g_autoptr(GError) reason = NULL;
        if (hf_window_watch_wait(launch->watch, launch->process_fd, &next, &reason) ||
            hf_error_code(reason) == HF_ERROR_DESKTOP_TIMEOUT)
            continue;
        g_propagate_error(error, g_steal_pointer(&reason));
        return NULL;
    }
}

/* Waits until it has the focus; FALSE when it does not get it by itself. */
static gboolean await_focus(const Launch *launch, HfLaunched *launched, const HfDeadline *limit)
{
    for (;;) {
        HfWindow *now = hf_windows_get(launch->desktop, launched->window->id, NULL);
        if (!now)
            return TRUE; /* gone again: what was seen of it has to do */
        hf_window_free(launched->window);
        launched->window = now;
        if (now->focused)
            return TRUE;
        if (!hf_window_watch_wait(launch->watch, -1, limit, NULL))
            return FALSE;
    }
}

/* Who launches a program means to use it next. A window manager gives a new window the focus, but
 * some time after it has shown it, and not always. */
static void focus_launched(const Launch *launch, HfLaunched *launched, const HfDeadline *deadline)
{
    HfDeadline limit = hf_deadline_within_ms(deadline, FOCUS_MS);
    if (await_focus(launch, launched, &limit))
        return;
    HfWindowChange change = {.action = HF_WINDOW_FOCUS};
    hf_windows_change(launch->context, launched->window->id, &change, deadline, NULL);
    await_focus(launch, launched, &limit);
}

static gboolean check_may_start(const HfCallContext *context, const HfProgram *program,
                                GError **error)
{
    g_autofree char *base = g_path_get_basename(program->arguments[0]);
    const char *const names[] = {base, program->arguments[0], program->name, program->desktop_id,
                                 NULL};
    return hf_fence_check_program(context, names, error);
}

HfLaunched *hf_launch(const HfCallContext *context, const HfProgram *program, guint wait_ms,
                      const HfDeadline *deadline, GError **error)
{
    if (!check_may_start(context, program, error))
        return NULL;
    g_auto(Launch) launch = {.context = context,
                             .desktop = hf_call_context_desktop(context),
                             .program = program,
                             .process_fd = -1};
    if (!prepare_launch(&launch, error) || !spawn_program(&launch, error))
        return NULL;
    HfLaunched *launched = wait_for_window(&launch, wait_ms, deadline, error);
    if (!launched)
        hf_error_take_details(error, json_pack("{s:i}", "pid", (int)launch.pid));
    else if (launched->window)
        focus_launched(&launch, launched, deadline);
    return launched;
}
