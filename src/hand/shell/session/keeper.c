/* SPDX-License-Identifier: Apache-2.0 */
/* One thread and one poll(). In walls it is the first process of their namespace, which nothing in
 * there can signal, and whose end is the end of all others by the kernel's own doing. Without walls
 * it adopts every orphan of the session, and ends the family by itself. */
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
#include "shared/base/processes.h"
#include "shared/base/remove-tree.h"
#include "shared/wire/channel.h"
#include "shared/wire/stage-protocol.h"

#define MOST_ROUNDS   50
#define ROUND_WAIT_MS 100

typedef struct Keeper {
    json_t *plan;
    int channel, signals;
    int terminal; /* the master; -1: the shell has none */
    ino_t input;  /* the socket that the shell reads commands from */
    char *folder; /* to be removed; NULL: it goes with the walls */
    pid_t shell;
    gboolean over;
} Keeper;

/* The shell's ends; `hushed`: what its errors are while it comes up; -1: the same. */
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

static void tell_failure(Keeper *keeper, const GError *error)
{
    send_to_hand(
        keeper, json_pack("{s:s, s:o}", "type", HF_KEEPER_FAILED, "error", hf_error_to_json(error)),
        -1);
}

/* ---- the shell ---- */

static gboolean fail_shell_start(const char *what, GError **error)
{
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "a shell cannot get %s: %s", what,
                   g_strerror(errno));
}

/* Wide, so that a burst of output does not wait for its reader. */
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

/* An interactive bash keeps a copy of what its errors are when it begins, takes that for its
 * terminal, and sets its modes whenever a program has ended by a signal; it complains, in the
 * errors of the command, where that is none. So they are one that is nobody's controlling terminal
 * and that no program gets, until shell-session.c turns them to where errors go. The master stays
 * open here as long as we live. One that cannot be had costs no more than those complaints. */
static int open_hushed(int errors)
{
    int master = -1, slave = open_pair(&master);
    return slave >= 0 ? slave : fcntl(errors, F_DUPFD_CLOEXEC, 0);
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
    if (hf_json_bool(keeper->plan, "hushed", FALSE))
        ret_ends->hushed = open_hushed(ret_ends->errors);
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
    size_t index;
    json_t *text;
    json_array_foreach (list, index, text)
        g_strv_builder_add(builder, json_string_value(text));
    return g_strv_builder_end(builder);
}

/* The numbers below are free for it: what we hold there is copied out of the way first. */
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

/* ---- a place for long outputs ---- */

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

/* What the current command has started: processes under the shell that are younger than it. */
static void signal_command(const Keeper *keeper, int number, guint64 since)
{
    g_autoptr(GArray) family = hf_processes_list_family(keeper->shell);
    for (guint i = 0; i < family->len; i++) {
        const HfProcess *process = &g_array_index(family, HfProcess, i);
        if (process->start_time >= since)
            kill(process->pid, number);
    }
}

/* While a command is run the shell's input is /dev/null (shell-session.c). Otherwise it reads or
 * takes apart what it has read, and a trap that leaves from there has ended it with SIGSEGV. */
static gboolean has_command_begun(const Keeper *keeper)
{
    char path[64];
    struct stat info;
    g_snprintf(path, sizeof path, "/proc/%d/fd/0", (int)keeper->shell);
    return stat(path, &info) != 0 || !S_ISSOCK(info.st_mode) || info.st_ino != keeper->input;
}

/* Of that there is no event; what was sent before comes to be run within a few of these. One that
 * reads for longer is as good as gone. */
static void await_begun(const Keeper *keeper)
{
    for (int wait = 0; wait < HF_SHELL_STEP_MS / 2 && !has_command_begun(keeper); wait++)
        poll(NULL, 0, 1);
}

/* A shell that waits for a program takes no notice of an interrupt that the program has outlived;
 * but it does of a signal that it has a trap for, as soon as the program has ended, and that trap
 * interrupts it (shell-session.c). Later it is interrupted besides, should it hang in something of
 * its own. Jobs in the background do not hear SIGINT: the shell has seen to that. */
static void interrupt_command(const Keeper *keeper, int number, guint64 since)
{
    await_begun(keeper);
    if (!has_command_begun(keeper))
        return; /* it has ended meanwhile, and is about to say so */
    kill(keeper->shell, SIGRTMAX);
    signal_command(keeper, number, since);
    if (number != SIGINT)
        kill(keeper->shell, SIGINT);
}

static void signal_front(const Keeper *keeper, int number, guint64 since)
{
    pid_t front = keeper->terminal >= 0 ? tcgetpgrp(keeper->terminal) : 0;
    if (front > 1)
        kill(-front, number);
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

/* In walls the kernel does it, when we end. Each round finds the children of those that were killed
 * in the last: we adopt them. */
static void end_family(Keeper *keeper)
{
    for (int round = 0; round < MOST_ROUNDS && getpid() != 1; round++) {
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

static void take_order(Keeper *keeper)
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
        keeper->over = TRUE; /* the hand is gone, or has let go */
    else if (g_str_equal(type, HF_KEEPER_INTERRUPT))
        interrupt_command(keeper, number, since);
    else if (g_str_equal(type, HF_KEEPER_SIGNAL))
        signal_front(keeper, number, since);
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
            take_order(keeper);
    }
}

static gboolean listen_to_signals(Keeper *keeper)
{
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    sigaddset(&heard, SIGTERM);
    sigprocmask(SIG_SETMASK, &heard, NULL);
    keeper->signals = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
    return keeper->signals >= 0;
}

/* In the child that stays. Nobody in the walls may look into us. */
static int serve_shell(Keeper *keeper)
{
    g_autoptr(GError) error = NULL;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!listen_to_signals(keeper) || !hf_sandbox_close(keeper->plan, &error) ||
        !open_session_folder(keeper, &error) || !start_shell(keeper, &error)) {
        if (!error)
            fail_shell_start("signals", &error);
        tell_failure(keeper, error);
        end_family(keeper);
        return EXIT_FAILURE;
    }
    send_to_hand(keeper,
                 json_pack("{s:s, s:i}", "type", HF_KEEPER_READY, "shell", (int)keeper->shell), -1);
    run_keeper_loop(keeper);
    end_family(keeper);
    return EXIT_SUCCESS;
}

/* The process that stays is nobody's child but the stage's: it is named by a descriptor that is
 * opened while it cannot have been reaped. */
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
    tell_failure(keeper, error);
    return EXIT_FAILURE;
}

static int print_probe(void)
{
    g_autoptr(json_t) told = hf_sandbox_probe();
    g_autofree char *text = hf_json_dump(told);
    puts(text);
    return EXIT_SUCCESS;
}

int hf_keeper_main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--probe") == 0)
        return print_probe();
    struct stat info;
    Keeper keeper = {.channel = HF_INHERITED_DESCRIPTOR, .terminal = -1};
    if (fstat(keeper.channel, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        g_printerr("handfast keeper: it is started by a hand: run 'handfast serve'\n");
        return 2;
    }
    fcntl(keeper.channel, F_SETFD, FD_CLOEXEC);
    close_range(HF_INHERITED_DESCRIPTOR + 1, ~0U, 0);
    prctl(PR_SET_NAME, "handfast-keeper");
    signal(SIGPIPE, SIG_IGN);
    int descriptor = -1;
    keeper.plan = hf_channel_receive(keeper.channel, &descriptor, NULL);
    /* Without ceremony: what is left to do at an end would be done in a namespace that is not ours
     * any more. */
    _exit(keeper.plan ? fork_into_walls(&keeper) : EXIT_FAILURE);
}
