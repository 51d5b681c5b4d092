/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a program and decides which window is its own: by its process or a descendant, by its
 * startup id, or by its class (where a running instance shows the window). Never claims a window
 * that was there before, unless it came to the front.
 *
 * A double fork starts the program: the child in between exits at once, so the program outlives us
 * and never becomes our zombie. Between fork and exec only async-signal-safe calls are made, since
 * other threads may hold any lock. The program waits before exec until its pidfd is open here, so
 * even one that exits at once is never confused with another. In a namespace of its own it has
 * another pid for itself; ours is the one that X and D-Bus see. */
#include "hand/apps/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand/apps/process-info.h"
#include "hand/desktop/desktop.h"
#include "hand/desktop/launch-namespace.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"
#include "shared/text/text.h"

/* How long after a program exits another process may still show its window. */
#define ENDED_GRACE_MS 1500
/* How often a window that is not yet visible is looked at again. */
#define SHOW_MS 50
/* How long a new window may take to get the focus before we request it. */
#define FOCUS_MS 300

typedef struct Launch {
    const HfCallContext *context;
    HfDesktop *desktop; /* the context's */
    const HfProgram *program;
    HfWindowWatch *watch;
    GHashTable *before;     /* ids of the windows before the launch */
    guint32 focused_before; /* the focused one of these; 0: none */
    char *startup_id;
    pid_t pid;
    int process_fd;        /* -1 once it has exited */
    gboolean has_children; /* it has exited, but something that it started still runs */
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

/* How likely a new window is the launched one; 0: it is not. */
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
    /* A splash screen is accepted when nothing else appears. */
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

/* When the program exited at once: the window of its running instance, if it is in front now. */
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
    /* The time tells the window manager that the launch is recent. */
    launch->startup_id =
        g_strdup_printf("handfast-%d-%" G_GINT64_FORMAT "_TIME%u", (int)getpid(),
                        g_get_monotonic_time(), hf_window_watch_time(launch->watch));
    return TRUE;
}

/* ---- starting a process that is nobody's child ---- */

typedef struct SpawnRequest {
    char *const *arguments;   /* the first is an absolute path */
    char *const *environment; /* NAME=value */
    const char *directory;
    int namespace; /* a pidfd of its first process; -1: none */
} SpawnRequest;

/* The child in between reports the program's pid. Then, only if something fails, comes the error.
 */
typedef struct Report {
    pid_t pid;
    int error;
} Report;

typedef struct Pipes {
    int report[2], go[2];
} Pipes;

static void close_spawn_pipes(Pipes *pipes)
{
    int *fds[] = {&pipes->report[0], &pipes->report[1], &pipes->go[0], &pipes->go[1]};
    for (gsize i = 0; i < G_N_ELEMENTS(fds); i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pipes, close_spawn_pipes)

static ssize_t read_uninterrupted(int fd, void *data, gsize size)
{
    ssize_t count;
    do
        count = read(fd, data, size);
    while (count < 0 && errno == EINTR);
    return count;
}

static G_NORETURN void fail_in_child(const Pipes *pipes, int number)
{
    Report report = {0, number};
    ssize_t written = write(pipes->report[1], &report, sizeof report);
    (void)written;
    _exit(127);
}

static void reset_detached_signals(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void use_null_device(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; fd++)
        dup2(null, fd);
    if (null > 2)
        close(null);
}

static G_NORETURN void exec_program(const SpawnRequest *request, const Pipes *pipes)
{
    setsid();
    char go;
    if (read_uninterrupted(pipes->go[0], &go, 1) != 1)
        _exit(127); /* nobody waits any more */
    use_null_device();
    if (chdir(request->directory) != 0 && chdir("/") != 0)
        fail_in_child(pipes, errno);
    reset_detached_signals();
    execve(request->arguments[0], request->arguments, request->environment);
    fail_in_child(pipes, errno);
}

/* Closed at once, not only by exec: the children must not hold our descriptors open. Without go[1]
 * the program notices when we exit. */
static void close_other_fds(const Pipes *pipes)
{
    unsigned low = (unsigned)MIN(pipes->report[1], pipes->go[0]);
    unsigned high = (unsigned)MAX(pipes->report[1], pipes->go[0]);
    if (low > 3)
        close_range(3, low - 1, 0);
    if (high > low + 1)
        close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0u, 0);
}

static G_NORETURN void run_middle_child(const SpawnRequest *request, const Pipes *pipes)
{
    if (request->namespace >= 0 && !hf_launch_namespace_enter(request->namespace))
        fail_in_child(pipes, errno);
    close_other_fds(pipes);
    pid_t program = _Fork();
    if (program == 0)
        exec_program(request, pipes);
    if (program < 0)
        fail_in_child(pipes, errno);
    Report report = {program, 0};
    _exit(write(pipes->report[1], &report, sizeof report) == sizeof report ? 0 : 127);
}

static gboolean fail_exec(const SpawnRequest *request, int number, GError **error)
{
    HfErrorCode code = number == ENOENT ? HF_ERROR_APP_NOT_FOUND : HF_ERROR_PRECONDITION_FAILED;
    return hf_fail(error, code, "cannot start '%s': %s", request->arguments[0], g_strerror(number));
}

/* The children still have our signal handlers, which must not run there. */
static pid_t fork_with_signals_blocked(const SpawnRequest *request, const Pipes *pipes)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t middle = fork();
    if (middle == 0)
        run_middle_child(request, pipes);
    int number = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return middle;
}

/* Until it has exited it shares our memory, and with a mapped file the lock on it. */
static void wait_for_exit(int process_fd)
{
    struct pollfd ended = {process_fd, POLLIN, 0};
    while (poll(&ended, 1, -1) < 0 && errno == EINTR)
        continue;
}

/* Returns its real pid, which is also its session; `ret_process_fd` becomes readable when it exits.
 * 0 with APP_NOT_FOUND or PRECONDITION_FAILED when the program could not be executed. */
static pid_t spawn_detached(const SpawnRequest *request, int *ret_process_fd, GError **error)
{
    g_auto(Pipes) pipes = {{-1, -1}, {-1, -1}};
    if (pipe2(pipes.report, O_CLOEXEC) != 0 || pipe2(pipes.go, O_CLOEXEC) != 0)
        return fail_exec(request, errno, error);
    pid_t middle = fork_with_signals_blocked(request, &pipes);
    if (middle < 0)
        return fail_exec(request, errno, error);
    close(pipes.report[1]);
    pipes.report[1] = -1;
    Report report = {0};
    gboolean reported =
        read_uninterrupted(pipes.report[0], &report, sizeof report) == sizeof report;
    while (waitpid(middle, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (!reported || report.error)
        return fail_exec(request, reported ? report.error : EAGAIN, error);
    int process_fd = hf_process_open(report.pid);
    Report failure = {0};
    if (process_fd < 0 || write(pipes.go[1], "g", 1) != 1)
        return fail_exec(request, errno, error);
    if (read_uninterrupted(pipes.report[0], &failure, sizeof failure) == sizeof failure) {
        wait_for_exit(process_fd);
        close(process_fd);
        return fail_exec(request, failure.error, error);
    }
    *ret_process_fd = process_fd;
    return report.pid;
}

/* ---- the launch ---- */

static gboolean spawn_program(Launch *launch, GError **error)
{
    HfLaunchNamespace *launches = hf_desktop_get_launch_namespace(launch->desktop);
    int namespace = launches ? hf_launch_namespace_open(launches, error) : -1;
    if (launches && namespace < 0)
        return FALSE;
    g_auto(GStrv) environment = g_get_environ();
    environment = g_environ_setenv(environment, "DESKTOP_STARTUP_ID", launch->startup_id, TRUE);
    environment = g_environ_unsetenv(environment, "NOTIFY_SOCKET");
    SpawnRequest request = {
        .arguments = launch->program->arguments,
        .environment = environment,
        .directory = launch->program->directory ? launch->program->directory : g_get_home_dir(),
        .namespace = namespace,
    };
    launch->pid = spawn_detached(&request, &launch->process_fd, error);
    if (namespace >= 0)
        close(namespace);
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

/* NULL when it is too early to say. */
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
    gboolean ended = launch->process_fd < 0 && !launch->has_children;
    return launched_new(launch, ended ? HF_LAUNCH_ENDED : HF_LAUNCH_WAITING, windows, window);
}

/* A process of the session that began with the program. */
static gboolean is_session_alive(pid_t session)
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
    launch->has_children = is_session_alive(launch->pid);
    if (!launch->has_children)
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

/* Waits for the focus; FALSE when the window does not get it by itself. */
static gboolean await_focus(const Launch *launch, HfLaunched *launched, const HfDeadline *limit)
{
    for (;;) {
        HfWindow *now = hf_windows_get(launch->desktop, launched->window->id, NULL);
        if (!now)
            return TRUE; /* closed again: what was seen of it has to do */
        hf_window_free(launched->window);
        launched->window = now;
        if (now->focused)
            return TRUE;
        if (!hf_window_watch_wait(launch->watch, -1, limit, NULL))
            return FALSE;
    }
}

/* The caller wants to use the program next. A window manager focuses a new window some time after
 * it appears, and not always. */
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
