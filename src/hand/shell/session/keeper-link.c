/* SPDX-License-Identifier: Apache-2.0 */
/* A keeper is not the hand's child, so nobody has to wait for it. A pidfd from the keeper names its
 * process, so no other process can be hit. A session with walls ends by SIGKILL to their first
 * process; without walls the hand closes the channel, and the keeper kills the family. */
#include "hand/shell/session/keeper-link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "hand/apps/process-info.h"
#include "hand/shell/session/keeper.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"
#include "shared/wire/channel.h"
#include "shared/wire/stage-protocol.h"

#define END_ROUNDS   3
#define END_ROUND_MS 50

static void close_keeper_descriptor(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void hf_keeper_free(HfKeeper *keeper)
{
    if (!keeper)
        return;
    hf_keeper_end(keeper);
    close_keeper_descriptor(&keeper->channel);
    close_keeper_descriptor(&keeper->process);
    close_keeper_descriptor(&keeper->commands);
    close_keeper_descriptor(&keeper->output);
    close_keeper_descriptor(&keeper->errors);
    close_keeper_descriptor(&keeper->terminal);
    close_keeper_descriptor(&keeper->folder);
    g_free(keeper->folder_path);
    g_free(keeper);
}

/* Only these variables: the keeper's environment can be read in /proc. The stage mark says whose
 * process it is, and sanitizers get the same options as the hand. */
static char **make_keeper_environment(void)
{
    static const char *const kept[] = {HF_MARK_STAGE,  "LANG",          "TMPDIR",
                                       "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"};
    char **environment = g_new0(char *, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
        if (g_getenv(kept[i]))
            environment = g_environ_setenv(environment, kept[i], g_getenv(kept[i]), TRUE);
    return environment;
}

static gboolean spawn_keeper(int end, GError **error)
{
    const char *const arguments[] = {"/proc/self/exe", "keeper", NULL};
    const int target = HF_INHERITED_DESCRIPTOR;
    g_autoptr(GError) failed = NULL;
    g_auto(GStrv) environment = make_keeper_environment();
    if (g_spawn_async_with_pipes_and_fds("/", arguments, (const char *const *)environment,
                                         G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                                         NULL, NULL, -1, -1, -1, &end, &target, 1, NULL, NULL, NULL,
                                         NULL, &failed))
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "cannot start a shell: %s", failed->message);
}

static int *find_descriptor_slot(HfKeeper *keeper, const char *type)
{
    const struct {
        const char *type;
        int *place;
    } places[] = {{HF_KEEPER_PROCESS, &keeper->process},   {HF_KEEPER_COMMANDS, &keeper->commands},
                  {HF_KEEPER_OUTPUT, &keeper->output},     {HF_KEEPER_ERRORS, &keeper->errors},
                  {HF_KEEPER_TERMINAL, &keeper->terminal}, {HF_KEEPER_FOLDER, &keeper->folder}};
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
        if (g_str_equal(places[i].type, type))
            return places[i].place;
    return NULL;
}

static void store_keeper_descriptor(HfKeeper *keeper, const json_t *message, int descriptor)
{
    const char *type = hf_json_string(message, "type", "");
    int *place = find_descriptor_slot(keeper, type);
    if (place) {
        close_keeper_descriptor(place);
        *place = descriptor;
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    if (g_str_equal(type, HF_KEEPER_FOLDER)) {
        g_free(keeper->folder_path);
        keeper->folder_path = g_strdup(hf_json_string(message, "path", "/tmp"));
    }
}

static gboolean fail_walls(const json_t *message, GError **error)
{
    g_autoptr(GError) reported = hf_error_new_from_json(json_object_get(message, "error"));
    hf_fail(error, hf_error_code(reported), "%s", reported->message);
    if (hf_error_code(reported) == HF_ERROR_UNSUPPORTED)
        hf_error_suggest(error, "commands only run inside a complete sandbox; 'handfast doctor' "
                                "shows what is missing");
    return FALSE;
}

/* Two processes write to the channel: a short command may end before the keeper has named itself.
 */
static void note_shell_end(HfKeeper *keeper, const json_t *message)
{
    if (g_str_equal(hf_json_string(message, "type", ""), HF_KEEPER_ENDED))
        keeper->status = (int)hf_json_int(message, "status", -1);
}

static gboolean receive_descriptors(HfKeeper *keeper, const HfDeadline *deadline, GError **error)
{
    gboolean ready = FALSE;
    while (!ready || keeper->process < 0) {
        int descriptor = -1;
        if (!hf_deadline_wait_readable(deadline, keeper->channel, error))
            return FALSE;
        g_autoptr(json_t) message = hf_channel_receive(keeper->channel, &descriptor, error);
        if (!message) {
            g_prefix_error(error, "the shell's keeper process has ended: ");
            return FALSE;
        }
        store_keeper_descriptor(keeper, message, descriptor);
        if (g_str_equal(hf_json_string(message, "type", ""), HF_KEEPER_FAILED))
            return fail_walls(message, error);
        ready = ready || g_str_equal(hf_json_string(message, "type", ""), HF_KEEPER_READY);
        note_shell_end(keeper, message);
    }
    return TRUE;
}

static void set_nonblocking(int fd)
{
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

HfKeeper *hf_keeper_start(const json_t *plan, const HfDeadline *deadline, GError **error)
{
    int ends[2];
    if (!hf_channel_pair(ends, error))
        return NULL;
    gboolean started = spawn_keeper(ends[1], error);
    close(ends[1]);
    g_autoptr(HfKeeper) keeper = g_new(HfKeeper, 1);
    *keeper = (HfKeeper){.channel = ends[0],
                         .process = -1,
                         .commands = -1,
                         .output = -1,
                         .errors = -1,
                         .terminal = -1,
                         .folder = -1,
                         .open = hf_json_bool(plan, "open", FALSE),
                         .status = -1};
    HfDeadline limit = hf_deadline_within_ms(deadline, HF_LIMIT_SHELL_START_MS);
    if (!started || !hf_channel_send(keeper->channel, plan, -1, error) ||
        !receive_descriptors(keeper, &limit, error))
        return NULL;
    set_nonblocking(keeper->commands);
    set_nonblocking(keeper->output);
    set_nonblocking(keeper->errors);
    set_nonblocking(keeper->terminal);
    return g_steal_pointer(&keeper);
}

/* 0 or less: it has ended. */
static pid_t read_keeper_pid(int process)
{
    g_autofree char *path = g_strdup_printf("/proc/self/fdinfo/%d", process);
    g_autofree char *text = NULL;
    const char *line = g_file_get_contents(path, &text, NULL, NULL) ? strstr(text, "Pid:") : NULL;
    return line ? (pid_t)g_ascii_strtoll(line + strlen("Pid:"), NULL, 10) : 0;
}

/* Without walls, the keeper ends what its shell has started. But at an emergency stop the stage
 * stops the keeper, too. */
static void end_open_family(int process)
{
    for (int round = 0; round < END_ROUNDS; round++) {
        pid_t pid = read_keeper_pid(process);
        g_autoptr(GArray) family = pid > 1 ? hf_processes_list_family(pid) : NULL;
        if (!family || family->len == 0)
            return;
        hf_processes_end(family, SIGKILL, END_ROUND_MS);
    }
}

void hf_keeper_end(HfKeeper *keeper)
{
    if (keeper->channel >= 0)
        shutdown(keeper->channel, SHUT_RDWR);
    if (keeper->process < 0)
        return;
    hf_process_signal(keeper->process, keeper->open ? SIGCONT : SIGKILL);
    if (keeper->open)
        end_open_family(keeper->process);
}

gboolean hf_keeper_await_end(HfKeeper *keeper, int milliseconds)
{
    struct pollfd end = {keeper->process, POLLIN, 0};
    return keeper->process < 0 || poll(&end, 1, milliseconds) > 0;
}

void hf_keeper_interrupt(HfKeeper *keeper, int signal_number, guint64 since_ticks)
{
    g_autoptr(json_t) order = json_pack("{s:s, s:i, s:I}", "type", HF_KEEPER_INTERRUPT, "signal",
                                        signal_number, "since", (json_int_t)since_ticks);
    hf_channel_send(keeper->channel, order, -1, NULL);
}

gboolean hf_keeper_signal(HfKeeper *keeper, int signal_number, guint64 since_ticks, GError **error)
{
    g_autoptr(json_t) order = json_pack("{s:s, s:i, s:I}", "type", HF_KEEPER_SIGNAL, "signal",
                                        signal_number, "since", (json_int_t)since_ticks);
    return hf_channel_send(keeper->channel, order, -1, error);
}

guint64 hf_keeper_now_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    guint64 per_second = (guint64)sysconf(_SC_CLK_TCK);
    return (guint64)now.tv_sec * per_second + (guint64)now.tv_nsec * per_second / 1000000000u;
}

int hf_keeper_take_status(HfKeeper *keeper)
{
    HfDeadline soon = hf_deadline_in_ms(HF_LIMIT_SHELL_END_MS, NULL);
    while (keeper->status < 0 && hf_deadline_wait_readable(&soon, keeper->channel, NULL)) {
        int descriptor = -1;
        g_autoptr(json_t) message = hf_channel_receive(keeper->channel, &descriptor, NULL);
        if (descriptor >= 0)
            close(descriptor);
        if (!message)
            break;
        note_shell_end(keeper, message);
    }
    return keeper->status;
}

/* The shell leads its terminal's session. The master reports both ids as seen outside the walls. */
gboolean hf_keeper_is_busy(const HfKeeper *keeper)
{
    pid_t shell = tcgetsid(keeper->terminal), front = tcgetpgrp(keeper->terminal);
    return shell > 0 && front > 0 && front != shell;
}

char *hf_keeper_dup_directory(const HfKeeper *keeper)
{
    pid_t shell = tcgetsid(keeper->terminal);
    g_autofree char *link = g_strdup_printf("/proc/%d/cwd", (int)shell);
    char *directory = shell > 0 ? g_file_read_link(link, NULL) : NULL;
    if (directory && *directory != '/')
        g_clear_pointer(&directory, g_free);
    return directory;
}
