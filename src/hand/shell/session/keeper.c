/* SPDX-License-Identifier: Apache-2.0 */
/* One thread, one poll(). Inside walls the keeper is the first process of the namespace: nothing
 * inside can signal it, and when it exits the kernel kills all others. Without walls it adopts
 * every orphan of the session and kills the process family itself. */
#include "hand/shell/session/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand/shell/sandbox/sandbox.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"
#include "shared/process/processes.h"
#include "shared/wire/channel.h"
#include "shared/wire/stage-protocol.h"

#define MAX_ROUNDS    50
#define ROUND_WAIT_MS 100

typedef struct Keeper {
    json_t *plan;
    int channel, signals;
    int terminal; /* the master; -1 without a terminal */
    ino_t input;  /* the socket from which the shell reads commands */
    char *folder; /* to remove at the end; NULL if it disappears with the walls */
    pid_t shell;
    gboolean over;
} Keeper;

/* The shell's ends of its streams. `hushed`: a stand-in for its errors while it starts; -1: none.
 */
typedef struct Ends {
    int input, output, errors, hushed;
} Ends;

static void send_to_hand(Keeper *keeper, json_t *take_message, int descriptor)
{
    g_autoptr(json_t) message = take_message;
    hf_channel_send(keeper->channel, message, descriptor, NULL);
}

static void send_descriptor_to_hand(Keeper *keeper, const char *type, int take_descriptor)
{
    send_to_hand(keeper, json_pack("{s:s}", "type", type), take_descriptor);
    close(take_descriptor);
}

static void report_failure(Keeper *keeper, const GError *error)
{
    send_to_hand(
        keeper, json_pack("{s:s, s:o}", "type", HF_KEEPER_FAILED, "error", hf_error_to_json(error)),
        -1);
}

/* ---- the shell ---- */

static gboolean fail_shell_start(const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "cannot create %s for a shell: %s", what,
                   g_strerror(errno));
}

/* A large buffer: a burst of output does not wait for its reader. */
static gboolean open_stream(Keeper *keeper, const char *type, int *ret_end, GError **error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail_shell_start("a pipe", error);
    fcntl(ends[0], F_SETPIPE_SZ, HF_SHELL_PIPE_BYTES);
    send_descriptor_to_hand(keeper, type, ends[0]);
    *ret_end = ends[1];
    return TRUE;
}

static int open_pair(int *ret_master)
{
    char name[64];
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
        ptsname_r(master, name, sizeof name) == 0) {
        *ret_master = master;
        return open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    if (master >= 0)
        close(master);
    return -1;
}

static gboolean open_streams(Keeper *keeper, Ends *ret_ends, GError **error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail_shell_start("a socket", error);
    struct stat info;
    send_descriptor_to_hand(keeper, HF_KEEPER_COMMANDS, ends[0]);
    keeper->input = fstat(ends[1], &info) == 0 ? info.st_ino : 0;
    ret_ends->input = ends[1];
    if (!open_stream(keeper, HF_KEEPER_OUTPUT, &ret_ends->output, error) ||
        !open_stream(keeper, HF_KEEPER_ERRORS, &ret_ends->errors, error))
        return FALSE;
    /* An interactive bash duplicates its standard error at start, treats it as its terminal and
     * sets terminal modes when a program dies by a signal; without a terminal it complains in the
     * command's errors. So bash starts with a terminal that is nobody's controlling terminal, until
     * shell-session.c switches to the real descriptor. The master stays open as long as the keeper
     * lives. If no terminal is available, only the complaints appear. */
    if (hf_json_bool(keeper->plan, "hushed", FALSE)) {
        int master = -1, slave = open_pair(&master);
        ret_ends->hushed = slave >= 0 ? slave : fcntl(ret_ends->errors, F_DUPFD_CLOEXEC, 0);
    }
    return TRUE;
}

static gboolean open_terminal(Keeper *keeper, Ends *ret_ends, GError **error)
{
    struct winsize size = {
        .ws_row = (unsigned short)hf_json_int(keeper->plan, "rows", HF_TERMINAL_ROWS),
        .ws_col = (unsigned short)hf_json_int(keeper->plan, "columns", HF_TERMINAL_COLUMNS)};
    int slave = open_pair(&keeper->terminal);
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0)
        return fail_shell_start("a terminal", error);
    *ret_ends = (Ends){slave, slave, slave, -1};
    send_to_hand(keeper, json_pack("{s:s}", "type", HF_KEEPER_TERMINAL), keeper->terminal);
    return TRUE;
}

static void reset_shell_signals(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static char **dup_plan_strings(const json_t *list)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    hf_json_each (text, list)
        g_strv_builder_add(builder, json_string_value(text));
    return g_strv_builder_end(builder);
}

/* Moves the descriptors out of the way first, because they may occupy the target numbers. */
static void take_ends(const Ends *ends)
{
    int from[] = {ends->input, ends->output, ends->hushed < 0 ? ends->errors : ends->hushed,
                  ends->errors};
    int count = ends->hushed < 0 ? HF_SHELL_ERRORS : HF_SHELL_ERRORS + 1;
    for (int i = 0; i < count; i++)
        from[i] = fcntl(from[i], F_DUPFD, HF_SHELL_ERRORS + 1);
    for (int i = 0; i < count; i++)
        dup2(from[i], i);
    close_range((unsigned)count, ~0U, 0);
}

static G_NORETURN void become_shell(const Keeper *keeper, const Ends *ends)
{
    g_auto(GStrv) environment = dup_plan_strings(json_object_get(keeper->plan, "environment"));
    g_auto(GStrv) arguments = dup_plan_strings(json_object_get(keeper->plan, "arguments"));
    const char *directory = hf_json_string(keeper->plan, "directory", "/");
    setsid();
    if (keeper->terminal >= 0)
        ioctl(ends->input, TIOCSCTTY, 0);
    take_ends(ends);
    umask((mode_t)hf_json_int(keeper->plan, "umask", 022));
    if (chdir(directory) != 0 && chdir("/") != 0)
        _exit(126);
    if (!hf_sandbox_limit(keeper->plan, NULL))
        _exit(125);
    reset_shell_signals();
    execve(arguments[0], arguments, environment);
    _exit(127);
}

static gboolean start_shell(Keeper *keeper, GError **error)
{
    Ends ends = {-1, -1, -1, -1};
    gboolean opened = hf_json_bool(keeper->plan, "terminal", FALSE)
                          ? open_terminal(keeper, &ends, error)
                          : open_streams(keeper, &ends, error);
    if (!opened)
        return FALSE;
    keeper->shell = fork();
    if (keeper->shell == 0)
        become_shell(keeper, &ends);
    close(ends.input);
    if (ends.output != ends.input) {
        close(ends.output);
        close(ends.errors);
    }
    if (ends.hushed >= 0)
        close(ends.hushed);
    return keeper->shell > 0 || fail_shell_start("a process", error);
}

/* ---- the folder for long outputs ---- */

static gboolean open_session_folder(Keeper *keeper, GError **error)
{
    gboolean open_plan = hf_json_bool(keeper->plan, "open", FALSE);
    g_autofree char *path =
        open_plan ? g_dir_make_tmp("handfast-shell-XXXXXX", NULL) : g_strdup("/tmp");
    int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd < 0)
        return fail_shell_start("a folder", error);
    send_to_hand(keeper,
                 json_pack("{s:s, s:o}", "type", HF_KEEPER_FOLDER, "path", hf_json_text(path)), fd);
    close(fd);
    if (open_plan)
        keeper->folder = g_steal_pointer(&path);
    return TRUE;
}

/* ---- signals ---- */

/* Signals what the current command started: descendants of the shell that are younger than it. */
static void signal_command(const Keeper *keeper, int number, guint64 since)
{
    g_autoptr(GArray) family = hf_processes_list_family(keeper->shell);
    for (guint i = 0; i < family->len; i++) {
        const HfProcess *process = &g_array_index(family, HfProcess, i);
        if (process->start_time >= since)
            kill(process->pid, number);
    }
}

/* While a command runs, the shell's input is /dev/null (shell-session.c). At other times the shell
 * reads or parses, and leaving from there by a trap has crashed it with SIGSEGV. */
static gboolean has_command_begun(const Keeper *keeper)
{
    char path[64];
    struct stat info;
    g_snprintf(path, sizeof path, "/proc/%d/fd/0", (int)keeper->shell);
    return stat(path, &info) != 0 || !S_ISSOCK(info.st_mode) || info.st_ino != keeper->input;
}

/* A shell that waits for a program ignores an interrupt that the program survives, but it runs a
 * trap as soon as the program ends, and the trap interrupts the shell (shell-session.c). Later
 * steps also interrupt the shell directly, in case a builtin hangs. Background jobs ignore SIGINT:
 * the shell arranges that. No event says that a command has begun, hence the poll. */
static void interrupt_command(const Keeper *keeper, int number, guint64 since)
{
    for (int wait = 0; wait < HF_SHELL_STEP_MS / 2 && !has_command_begun(keeper); wait++)
        poll(NULL, 0, 1);
    if (!has_command_begun(keeper))
        return; /* it has ended, and the shell is about to report that */
    kill(keeper->shell, SIGRTMAX);
    signal_command(keeper, number, since);
    if (number != SIGINT)
        kill(keeper->shell, SIGINT);
}

static void signal_foreground(const Keeper *keeper, int number, guint64 since)
{
    pid_t foreground = keeper->terminal >= 0 ? tcgetpgrp(keeper->terminal) : 0;
    if (foreground > 1)
        kill(-foreground, number);
    else if (keeper->terminal < 0)
        signal_command(keeper, number, since);
}

/* ---- the end ---- */

static void reap_children(Keeper *keeper)
{
    pid_t pid;
    int status;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != keeper->shell)
            continue;
        keeper->over = TRUE;
        keeper->shell = 0;
        send_to_hand(keeper, json_pack("{s:s, s:i}", "type", HF_KEEPER_ENDED, "status", status),
                     -1);
    }
}

/* Inside walls the kernel does this when the keeper exits. Each round finds the children of those
 * killed in the last one, because the keeper adopts them. */
static void end_family(Keeper *keeper)
{
    for (int round = 0; round < MAX_ROUNDS && getpid() != 1; round++) {
        g_autoptr(GArray) family = hf_processes_list_family(getpid());
        if (family->len == 0)
            break;
        hf_processes_end(family, SIGKILL, ROUND_WAIT_MS);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
    if (keeper->folder)
        hf_remove_tree(keeper->folder);
}

/* ---- the process ---- */

static void handle_order(Keeper *keeper)
{
    g_autoptr(GError) error = NULL;
    int descriptor = -1;
    g_autoptr(json_t) order = hf_channel_receive(keeper->channel, &descriptor, &error);
    const char *type = hf_json_string(order, "type", "");
    int number = (int)hf_json_int(order, "signal", 0);
    guint64 since = (guint64)hf_json_int(order, "since", 0);
    if (descriptor >= 0)
        close(descriptor);
    if (!order)
        keeper->over = TRUE; /* the hand is gone, or has closed the channel */
    else if (g_str_equal(type, HF_KEEPER_INTERRUPT))
        interrupt_command(keeper, number, since);
    else if (g_str_equal(type, HF_KEEPER_SIGNAL))
        signal_foreground(keeper, number, since);
}

static void run_keeper_loop(Keeper *keeper)
{
    struct signalfd_siginfo info;
    while (!keeper->over) {
        struct pollfd waits[] = {{keeper->signals, POLLIN, 0}, {keeper->channel, POLLIN, 0}};
        if (poll(waits, G_N_ELEMENTS(waits), -1) < 0 && errno != EINTR)
            return;
        if (waits[0].revents)
            while (read(keeper->signals, &info, sizeof info) == sizeof info)
                keeper->over = keeper->over || info.ssi_signo != SIGCHLD;
        reap_children(keeper);
        if (waits[1].revents && !keeper->over)
            handle_order(keeper);
    }
}

static gboolean listen_to_signals(Keeper *keeper)
{
    sigset_t handled;
    sigemptyset(&handled);
    sigaddset(&handled, SIGCHLD);
    sigaddset(&handled, SIGTERM);
    sigprocmask(SIG_SETMASK, &handled, NULL);
    keeper->signals = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
    return keeper->signals >= 0;
}

/* Runs in the child that stays. It is not dumpable, so that nothing inside the walls can inspect
 * it. */
static int serve_shell(Keeper *keeper)
{
    g_autoptr(GError) error = NULL;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!listen_to_signals(keeper) || !hf_sandbox_close(keeper->plan, &error) ||
        !open_session_folder(keeper, &error) || !start_shell(keeper, &error)) {
        if (!error)
            fail_shell_start("a signal descriptor", &error);
        report_failure(keeper, error);
        end_family(keeper);
        return EXIT_FAILURE;
    }
    send_to_hand(keeper,
                 json_pack("{s:s, s:i}", "type", HF_KEEPER_READY, "shell", (int)keeper->shell), -1);
    run_keeper_loop(keeper);
    end_family(keeper);
    return EXIT_SUCCESS;
}

/* The process that stays becomes a child of the stage. The hand gets a pidfd, opened while the
 * process cannot have been reaped. */
static int fork_into_walls(Keeper *keeper)
{
    g_autoptr(GError) error = NULL;
    pid_t child = hf_sandbox_unshare(keeper->plan, &error) ? fork() : -1;
    if (child == 0)
        return serve_shell(keeper);
    int process = child > 0 ? pidfd_open(child, 0) : -1;
    if (process >= 0) {
        send_to_hand(keeper, json_pack("{s:s}", "type", HF_KEEPER_PROCESS), process);
        return EXIT_SUCCESS;
    }
    if (!error)
        fail_shell_start("a process", &error);
    report_failure(keeper, error);
    return EXIT_FAILURE;
}

int hf_keeper_main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--probe") == 0) {
        g_autoptr(json_t) result = hf_sandbox_probe();
        g_autofree char *text = hf_json_dump(result);
        puts(text);
        return EXIT_SUCCESS;
    }
    struct stat info;
    Keeper keeper = {.channel = HF_INHERITED_DESCRIPTOR, .terminal = -1};
    if (fstat(keeper.channel, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        g_printerr("handfast keeper: only a hand starts this process; run 'handfast serve'\n");
        return 2;
    }
    fcntl(keeper.channel, F_SETFD, FD_CLOEXEC);
    close_range(HF_INHERITED_DESCRIPTOR + 1, ~0U, 0);
    prctl(PR_SET_NAME, "handfast-keeper");
    signal(SIGPIPE, SIG_IGN);
    int descriptor = -1;
    keeper.plan = hf_channel_receive(keeper.channel, &descriptor, NULL);
    /* _exit: the usual handlers would run in a namespace that is no longer ours. */
    _exit(keeper.plan ? fork_into_walls(&keeper) : EXIT_FAILURE);
}
