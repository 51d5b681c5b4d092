/* SPDX-License-Identifier: Apache-2.0 */
/* A command is one line that the shell reads: the text as one quoted word for eval, which it cannot
 * escape from, and a report of how it ended. The shell's input is a socket, and the report goes
 * back through it with a random token that only this line has. While the command runs, its input is
 * /dev/null, and no process it starts has the socket.
 *
 * The shell is interactive but has no terminal: only an interactive shell abandons whatever it runs
 * when it is interrupted, loops and functions included, and survives. */
#include "hand/shell/session/shell-session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hand/safety/handed-directories.h"
#include "hand/shell/session/keeper-link.h"
#include "hand/shell/session/keeper.h"
#include "hand/shell/session/shell-quote.h"
#include "hand/shell/shell-limits.h"
#include "hand/shell/terminal/terminal.h"
#include "shared/base/error.h"

#define CHUNK_BYTES ((gsize)64 * 1024)
/* INT, TERM, then KILL several times; then the shell itself is killed. */
#define MAX_STEPS 6

/* Switches to the real standard error, and sets the trap that leads out of a running command:
 * keeper.c explains both. */
static const char prelude[] =
    HF_SHELL_TAKE_ERRORS "; set +o history +H; unset HISTFILE HISTSIZE MAILCHECK; shopt -u "
                         "checkwinsize; trap 'builtin kill -INT $$' SIGRTMAX; "
                         "__handfast_status() { return \"$1\"; }";

struct HfShellSession {
    gatomicrefcount refs;
    char *id;
    json_t *walls, *plan;
    HfKeeper *keeper;
    HfTerminal *terminal;
    gint ended;  /* atomic */
    GMutex lock; /* guards the members below */
    GCond free;
    gboolean busy;
    char *directory;
    guint64 commands;
    guint64 token, since_ticks; /* of the running command */
    gint64 made_us, used_us;
    /* Only for the thread that holds the turn. */
    GString *report;
    char *chunk;
    int last_status;
    guint spills;
};

void hf_command_result_free(HfCommandResult *ran)
{
    if (!ran)
        return;
    hf_command_output_free(ran->output);
    hf_command_output_free(ran->errors);
    g_free(ran->directory);
    g_free(ran);
}

/* ---- one command ---- */

typedef struct Run {
    HfShellSession *session;
    HfCommandResult *ran;
    guint64 token;
    const HfDeadline *deadline; /* of the call */
    gint64 until_us;            /* timeout of the command */
    int step;                   /* number of signals sent */
    gint64 next_step_us;
    gboolean cancelled;
    gboolean reported, no_directory;
    gboolean left; /* the shell was interrupted and has abandoned the command */
} Run;

static void append_report(GString *line, char kind, guint64 token)
{
    g_string_append_printf(line,
                           "{ builtin printf '%%s %%s %%s\\0' %c%016" G_GINT64_MODIFIER
                           "x \"$?\" \"$PWD\" >&0; PS1= PS2= PROMPT_COMMAND=; } 2>/dev/null",
                           kind, token);
}

/* After a syntax error bash does not recognize a reserved word (if, case, {) at the start of the
 * next line, so each line begins with a plain command. $? of the last command is available to the
 * next one, as it is between two typed lines. */
static GString *make_command_line(const Run *run, const HfShellCommand *command)
{
    GString *line = g_string_sized_new(strlen(command->text) + 512);
    g_string_append(line, ":; ");
    if (command->directory) {
        g_string_append(line, "if builtin cd -- ");
        hf_shell_quote_append(line, command->directory);
        g_string_append(line, " </dev/null; then ");
    }
    if (run->session->last_status != 0)
        g_string_append_printf(line, "case $- in *e*) ;; *) __handfast_status %d;; esac; ",
                               run->session->last_status);
    g_string_append(line, "eval ");
    hf_shell_quote_append(line, command->text);
    g_string_append(line, " </dev/null; ");
    append_report(line, 'd', run->token);
    if (command->directory) {
        g_string_append(line, "; else ");
        append_report(line, 'c', run->token);
        g_string_append(line, "; fi");
    }
    g_string_append_c(line, '\n');
    return line;
}

static void read_report(Run *run, const char *text)
{
    char kind = text[0];
    char *at = NULL;
    guint64 token = kind ? g_ascii_strtoull(text + 1, &at, 16) : 0;
    if (!at || token != run->token || *at != ' ' || !strchr("dic", kind))
        return; /* a report of an earlier, interrupted command, or a fake */
    run->ran->status = (int)g_ascii_strtoll(at + 1, &at, 10) & 0xff;
    if (kind == 'i') /* the status does not always show the interrupt */
        run->ran->status = MAX(run->ran->status, 128 + SIGINT);
    if (*at == ' ') {
        g_free(run->ran->directory);
        run->ran->directory = g_strdup(at + 1);
    }
    run->no_directory = kind == 'c';
    run->left = kind == 'i';
    run->reported = TRUE;
}

static void take_reports(Run *run)
{
    GString *report = run->session->report;
    const char *end;
    while ((end = memchr(report->str, 0, report->len))) {
        read_report(run, report->str);
        g_string_erase(report, 0, end - report->str + 1);
    }
    if (report->len > HF_LIMIT_COMMAND_BYTES) /* too long for a report */
        g_string_truncate(report, 0);
}

static void read_shell_reports(Run *run)
{
    HfShellSession *session = run->session;
    ssize_t count = read(session->keeper->commands, session->chunk, CHUNK_BYTES);
    if (count > 0) {
        g_string_append_len(session->report, session->chunk, count);
        take_reports(run);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        g_atomic_int_set(&session->ended, 1);
        run->ran->ended = TRUE;
    }
}

/* FALSE at the end of the stream, or if nothing is there. */
static gboolean read_output(Run *run, int *fd, HfCommandOutput *output, gsize most)
{
    ssize_t count = read(*fd, run->session->chunk, MIN(most, CHUNK_BYTES));
    if (count > 0)
        hf_command_output_add(output, run->session->chunk, (gsize)count);
    if (count == 0) {
        close(*fd);
        *fd = -1;
    }
    return count > 0;
}

/* What the command wrote before its report is in the pipe by now. Background jobs that go on
 * writing do not delay the result. */
static void drain_pending_output(Run *run, int *fd, HfCommandOutput *output)
{
    int waiting = 0;
    if (*fd < 0 || ioctl(*fd, FIONREAD, &waiting) != 0)
        return;
    for (gsize left = (gsize)waiting; left > 0 && *fd >= 0;) {
        guint64 before = hf_command_output_total(output);
        if (!read_output(run, fd, output, left))
            return;
        left -= (gsize)(hf_command_output_total(output) - before);
    }
}

static gboolean send_text(Run *run, const char *text, gsize length)
{
    int fd = run->session->keeper->commands;
    while (length > 0) {
        ssize_t count = send(fd, text, length, MSG_NOSIGNAL);
        if (count > 0) {
            text += count;
            length -= (gsize)count;
        } else if (errno == EAGAIN) {
            struct pollfd room = {fd, POLLOUT, 0};
            if (g_get_monotonic_time() >= run->until_us || poll(&room, 1, HF_SHELL_STEP_MS) < 0)
                return FALSE;
        } else if (errno != EINTR) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Sends a signal, and a line that the shell reads once it has abandoned the command. If the line
 * does not fit, the shell has other lines to read. */
static void interrupt_running_command(HfShellSession *session, int number, guint64 token,
                                      guint64 since)
{
    g_autoptr(GString) line = g_string_new(":; ");
    append_report(line, 'i', token);
    g_string_append_c(line, '\n');
    hf_keeper_interrupt(session->keeper, number, since);
    ssize_t sent = send(session->keeper->commands, line->str, line->len, MSG_NOSIGNAL);
    (void)sent;
}

static void escalate_interrupt(Run *run)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    HfShellSession *session = run->session;
    if (run->step >= MAX_STEPS) {
        hf_keeper_end(session->keeper);
        run->next_step_us = G_MAXINT64;
        return;
    }
    interrupt_running_command(session, signals[MIN(run->step, (int)G_N_ELEMENTS(signals) - 1)],
                              run->token, session->since_ticks);
    run->step++;
    run->next_step_us = g_get_monotonic_time() + HF_SHELL_STEP_MS * (gint64)1000;
}

static gint64 next_wakeup(const Run *run)
{
    return run->step > 0 ? run->next_step_us : MIN(run->until_us, run->deadline->at_us);
}

static void check_time(Run *run)
{
    gboolean now_cancelled =
        run->deadline->cancellable && g_cancellable_is_cancelled(run->deadline->cancellable);
    if (run->step == 0 && now_cancelled)
        run->cancelled = TRUE;
    else if (run->step == 0 && g_get_monotonic_time() >= next_wakeup(run))
        run->ran->interrupted = TRUE;
    else if (run->step == 0 || g_get_monotonic_time() < run->next_step_us)
        return;
    escalate_interrupt(run);
}

static void wait_once(Run *run, int cancel_fd)
{
    HfKeeper *keeper = run->session->keeper;
    struct pollfd waits[] = {{keeper->commands, POLLIN, 0},
                             {keeper->output, POLLIN, 0},
                             {keeper->errors, POLLIN, 0},
                             {run->step > 0 ? -1 : cancel_fd, POLLIN, 0}};
    gint64 left = MAX(0, next_wakeup(run) - g_get_monotonic_time());
    struct timespec limit = {MIN(left / G_USEC_PER_SEC, 3600), left % G_USEC_PER_SEC * 1000};
    if (ppoll(waits, G_N_ELEMENTS(waits), &limit, NULL) > 0) {
        if (waits[1].revents)
            read_output(run, &keeper->output, run->ran->output, CHUNK_BYTES);
        if (waits[2].revents)
            read_output(run, &keeper->errors, run->ran->errors, CHUNK_BYTES);
        if (waits[0].revents)
            read_shell_reports(run);
    }
    if (!run->reported && !run->ran->ended)
        check_time(run);
}

static int exit_status_of_wait(int status)
{
    if (status < 0)
        return 128 + SIGKILL;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void follow_command(Run *run)
{
    HfKeeper *keeper = run->session->keeper;
    GCancellable *cancellable = run->deadline->cancellable;
    GPollFD cancel = {.fd = -1};
    gboolean watched = cancellable && g_cancellable_make_pollfd(cancellable, &cancel);
    while (!run->reported && !run->ran->ended)
        wait_once(run, cancel.fd);
    if (watched)
        g_cancellable_release_fd(cancellable);
    if (run->ran->ended) {
        run->ran->status = exit_status_of_wait(hf_keeper_take_status(keeper));
        hf_keeper_end(keeper);
        hf_keeper_await_end(keeper, HF_LIMIT_SHELL_END_MS);
    }
    drain_pending_output(run, &keeper->output, run->ran->output);
    drain_pending_output(run, &keeper->errors, run->ran->errors);
    if (run->left) /* bash ends the interrupted line */
        hf_command_output_drop_last(run->ran->errors, '\n');
}

/* ---- turns ---- */

static gboolean fail_session_ended(const HfShellSession *session, GError **error)
{
    return hf_fail(error, HF_ERROR_SESSION_NOT_FOUND,
                   "the session '%s' has ended; create another one", session->id);
}

/* Waits at most until the call's deadline. */
static gboolean take_session_turn(HfShellSession *session, const HfDeadline *deadline,
                                  GError **error)
{
    gboolean taken = FALSE;
    g_mutex_lock(&session->lock);
    while (session->busy && hf_deadline_check(deadline, NULL) &&
           !hf_shell_session_has_ended(session))
        g_cond_wait_until(&session->free, &session->lock,
                          MIN(deadline->at_us, g_get_monotonic_time() + 100000));
    if (!session->busy && !hf_shell_session_has_ended(session))
        taken = session->busy = TRUE;
    g_mutex_unlock(&session->lock);
    if (taken || (hf_shell_session_has_ended(session) && !fail_session_ended(session, error)))
        return taken;
    if (hf_deadline_check(deadline, error))
        return FALSE;
    g_prefix_error(error, "the session '%s' is busy with another command: ", session->id);
    return FALSE;
}

static void leave_turn(HfShellSession *session, const HfCommandResult *ran)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&session->lock);
    session->busy = FALSE;
    session->used_us = g_get_monotonic_time();
    if (ran->directory) {
        g_free(session->directory);
        session->directory = g_strdup(ran->directory);
    }
    g_cond_broadcast(&session->free);
}

/* ---- running ---- */

/* Removes the oldest files of long outputs. */
static void forget_spills(HfShellSession *session, guint number)
{
    static const char *const names[] = {"output", "errors"};
    if (number < HF_LIMIT_SHELL_SPILLS)
        return;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name =
            g_strdup_printf("handfast-%s-%u.txt", names[i], number - HF_LIMIT_SHELL_SPILLS);
        unlinkat(session->keeper->folder, name, 0);
    }
}

static HfCommandResult *new_ran(HfShellSession *session, gsize bytes)
{
    HfCommandResult *ran = g_new0(HfCommandResult, 1);
    guint number = session->spills;
    g_autofree char *output = g_strdup_printf("handfast-output-%u.txt", number);
    g_autofree char *errors = g_strdup_printf("handfast-errors-%u.txt", number);
    ran->output = hf_command_output_new(bytes, session->keeper->folder, output);
    ran->errors = hf_command_output_new(bytes, session->keeper->folder, errors);
    return ran;
}

static gboolean fail_directory(const Run *run, const HfShellCommand *command, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "working_dir: the shell cannot change to '%s'; the command was not run",
            command->directory);
    hf_error_take_details(
        error, json_pack("{s:o}", "stderr", hf_command_output_to_text(run->ran->errors)));
    return FALSE;
}

static gboolean fail_cancelled(const Run *run, GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_ABORTED, "the command was cancelled while it ran");
    hf_error_take_details(error, json_pack("{s:o, s:o, s:b}", "stdout",
                                           hf_command_output_to_text(run->ran->output), "stderr",
                                           hf_command_output_to_text(run->ran->errors),
                                           "session_ended", run->ran->ended));
    return FALSE;
}

static gboolean run_line(Run *run, const HfShellCommand *command, GError **error)
{
    HfShellSession *session = run->session;
    g_autoptr(GString) line = make_command_line(run, command);
    gint64 began = g_get_monotonic_time();
    run->until_us = began + command->timeout_ms * 1000;
    g_mutex_lock(&session->lock);
    session->since_ticks = hf_keeper_now_ticks();
    session->token = run->token;
    g_mutex_unlock(&session->lock);
    if (!send_text(run, line->str, line->len)) {
        hf_shell_session_end(session);
        return fail_session_ended(session, error);
    }
    follow_command(run);
    run->ran->took_us = g_get_monotonic_time() - began;
    session->last_status = run->ran->status;
    if (hf_command_output_get_spill(run->ran->output) ||
        hf_command_output_get_spill(run->ran->errors))
        forget_spills(session, ++session->spills);
    if (run->cancelled && (!run->reported || run->step > 0))
        return fail_cancelled(run, error);
    return !run->no_directory || fail_directory(run, command, error);
}

HfCommandResult *hf_shell_session_run(HfShellSession *session, const HfShellCommand *command,
                                      const HfDeadline *deadline, GError **error)
{
    if (session->terminal) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "the session '%s' has a terminal and takes no commands this way", session->id);
        hf_error_suggest(error, "use bash_session with the actions write and read, or run the "
                                "command in another session");
        return NULL;
    }
    if (!take_session_turn(session, deadline, error))
        return NULL;
    session->commands++;
    g_autoptr(HfCommandResult) ran = new_ran(session, command->output_bytes);
    Run run = {.session = session,
               .ran = ran,
               .token = (guint64)g_random_int() << 32 | g_random_int(),
               .deadline = deadline};
    gboolean done = run_line(&run, command, error);
    leave_turn(session, ran);
    return done ? g_steal_pointer(&ran) : NULL;
}

/* ---- life cycle ---- */

static void session_free(HfShellSession *session)
{
    hf_keeper_end(session->keeper);
    hf_terminal_free(session->terminal);
    hf_keeper_free(session->keeper);
    g_free(session->id);
    json_decref(session->walls);
    json_decref(session->plan);
    g_free(session->directory);
    g_string_free(session->report, TRUE);
    g_free(session->chunk);
    g_mutex_clear(&session->lock);
    g_cond_clear(&session->free);
    g_free(session);
}

/* Drops the warnings that bash prints at start. */
static gboolean run_prelude(HfShellSession *session, const HfDeadline *deadline, GError **error)
{
    HfShellCommand first = {
        .text = prelude, .timeout_ms = HF_LIMIT_SHELL_START_MS, .output_bytes = 4096};
    g_autoptr(HfCommandResult) ran = hf_shell_session_run(session, &first, deadline, error);
    session->commands = 0;
    if (!ran)
        return FALSE;
    if (!ran->ended && !ran->interrupted)
        return TRUE;
    g_autoptr(json_t) errors = hf_command_output_to_text(ran->errors);
    return hf_fail(error, HF_ERROR_INTERNAL, "the shell did not start (status %d): %s", ran->status,
                   json_string_value(errors));
}

HfShellSession *hf_shell_session_new(const char *id, const json_t *walls, json_t *take_plan,
                                     const HfDeadline *deadline, GError **error)
{
    g_autoptr(json_t) plan = take_plan;
    HfKeeper *keeper = hf_keeper_start(plan, deadline, error);
    if (!keeper)
        return NULL;
    g_autoptr(HfShellSession) session = g_new0(HfShellSession, 1);
    g_atomic_ref_count_init(&session->refs);
    g_mutex_init(&session->lock);
    g_cond_init(&session->free);
    session->id = g_strdup(id);
    session->walls = hf_handed_directories_dup_without(walls);
    session->plan = g_steal_pointer(&plan);
    session->keeper = keeper;
    session->made_us = session->used_us = g_get_monotonic_time();
    session->directory = g_strdup(hf_json_string(session->plan, "directory", "/"));
    session->report = g_string_new(NULL);
    session->chunk = g_malloc(CHUNK_BYTES);
    if (keeper->terminal >= 0)
        session->terminal = hf_terminal_new(keeper, session->plan);
    else if (!run_prelude(session, deadline, error))
        return NULL;
    return g_steal_pointer(&session);
}

HfShellSession *hf_shell_session_ref(HfShellSession *session)
{
    g_atomic_ref_count_inc(&session->refs);
    return session;
}

void hf_shell_session_unref(HfShellSession *session)
{
    if (session && g_atomic_ref_count_dec(&session->refs))
        session_free(session);
}

void hf_shell_session_end(HfShellSession *session)
{
    g_atomic_int_set(&session->ended, 1);
    hf_keeper_end(session->keeper);
}

gboolean hf_shell_session_await_end(HfShellSession *session, int milliseconds)
{
    return hf_keeper_await_end(session->keeper, milliseconds);
}

gboolean hf_shell_session_has_ended(HfShellSession *session)
{
    if (!g_atomic_int_get(&session->ended) && hf_keeper_await_end(session->keeper, 0))
        g_atomic_int_set(&session->ended, 1);
    return g_atomic_int_get(&session->ended);
}

gboolean hf_shell_session_signal(HfShellSession *session, int signal_number, GError **error)
{
    if (hf_shell_session_has_ended(session))
        return fail_session_ended(session, error);
    if (session->terminal)
        return hf_keeper_signal(session->keeper, signal_number, 0, error);
    g_mutex_lock(&session->lock);
    gboolean busy = session->busy;
    guint64 since = session->since_ticks, token = session->token;
    g_mutex_unlock(&session->lock);
    if (!busy)
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "no command is running in '%s'",
                       session->id);
    if (signal_number == SIGINT)
        interrupt_running_command(session, SIGINT, token, since);
    else
        return hf_keeper_signal(session->keeper, signal_number, since, error);
    return TRUE;
}

const char *hf_shell_session_id(const HfShellSession *session)
{
    return session->id;
}

const json_t *hf_shell_session_walls(const HfShellSession *session)
{
    return session->walls;
}

const json_t *hf_shell_session_plan(const HfShellSession *session)
{
    return session->plan;
}

HfTerminal *hf_shell_session_terminal(const HfShellSession *session)
{
    return session->terminal;
}

const char *hf_shell_session_folder(const HfShellSession *session)
{
    return session->keeper->folder_path;
}

json_t *hf_shell_session_describe(HfShellSession *session)
{
    gint64 now = g_get_monotonic_time();
    gboolean busy = session->terminal && hf_keeper_is_busy(session->keeper);
    g_autofree char *place = session->terminal ? hf_keeper_dup_directory(session->keeper) : NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&session->lock);
    return json_pack("{s:s, s:b, s:b, s:o, s:I, s:I, s:I, s:o}", "session_id", session->id, "pty",
                     session->terminal != NULL, "busy", busy || session->busy, "cwd",
                     hf_json_text(place ? place : session->directory), "commands",
                     (json_int_t)session->commands, "age_ms",
                     (json_int_t)((now - session->made_us) / 1000), "idle_ms",
                     (json_int_t)((now - session->used_us) / 1000), "walls",
                     hf_sandbox_plan_describe(session->plan));
}
