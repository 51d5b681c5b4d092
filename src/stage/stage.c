/* SPDX-License-Identifier: Apache-2.0 */
/* The stage starts the servers of a desktop and the hand, reports to the desk what happens to
 * them, and ends everything when it is told to, when the desk is gone, or when the X server is.
 * It has one thread and one poll(). It never talks to a server and never waits for one, so it
 * always hears the desk; a child does what takes a conversation (display-probe.c). When the hand
 * crashes, the stage only reports it: the X server and the programs stay. */
#include "stage/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/process/processes.h"
#include "shared/wire/channel.h"
#include "shared/wire/desktop-directory.h"
#include "shared/wire/stage-protocol.h"
#include "stage/display-probe.h"
#include "stage/environment.h"
#include "stage/freeze.h"
#include "stage/namespace-init.h"
#include "stage/program-namespace.h"
#include "stage/proxy-listener.h"
#include "stage/server.h"
#include "stage/session-files.h"
#include "stage/spawn.h"
#include "stage/stage-limits.h"
#include "stage/stage-process.h"

typedef struct Stage {
    HfStageOptions options;
    json_t *opening; /* owns the strings of the options */
    gint64 opened_us;

    int channel, signals;
    int desk; /* becomes readable when the desk's process ends */
    gboolean over;

    HfDesktopDirectory place;
    guint8 cookie[HF_COOKIE_BYTES];
    HfEnvironment *environment;
    int listener; /* for the proxy, until the desk has it; -1: none */
    gboolean accessible;
    HfServer servers[HF_SERVER_COUNT];
    gboolean x_died, ready;

    int display_pipe, bus_pipe, settings_pipe, probe_pipe; /* -1: not awaited */
    char number[16];                                       /* of the display, as it arrives */
    gboolean bus_ready, settings_ready, probe_failed;
    HfDisplayProbeReport probe;

    HfProgramNamespace programs; /* somebody's own display: where programs run */
    gboolean frozen;
    pid_t hand;
} Stage;

static void report_with_descriptor(Stage *stage, json_t *take_message, int descriptor)
{
    g_autoptr(json_t) message = take_message;
    /* Ignores errors: other signs tell that the desk has gone or hangs. */
    hf_channel_send(stage->channel, message, descriptor, NULL);
}

static void report_to_desk(Stage *stage, json_t *take_message)
{
    report_with_descriptor(stage, take_message, -1);
}

static void close_pipe(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* ---- the hand ---- */

static void note_death(Stage *stage, pid_t pid, int status);

/* The desk sees the end of a hand on its socket before we can reap it, and gives up on one that
 * hangs. So whoever asks for a new hand has no use for the former one. */
static void end_former_hand(Stage *stage)
{
    int status = 0;
    if (stage->hand == 0)
        return;
    kill(stage->hand, SIGKILL);
    if (waitpid(stage->hand, &status, 0) == stage->hand)
        note_death(stage, stage->hand, status);
}

static void start_new_hand(Stage *stage, const json_t *message, int descriptor)
{
    g_autoptr(GError) error = NULL;
    g_autofree const char **arguments = hf_spawn_new_hand_command(message);
    pid_t pid = 0;
    end_former_hand(stage);
    if (!stage->ready || descriptor < 0) {
        hf_fail(&error, HF_ERROR_CONFLICT, "%s",
                descriptor < 0 ? "a hand needs a socket" : "the desktop is not ready");
    } else {
        HfSpawn what = {arguments, hf_environment_list(stage->environment), -1, descriptor};
        pid = stage->hand = hf_spawn(&what, &error);
    }
    if (pid != 0)
        report_to_desk(stage,
                       json_pack("{s:s, s:i}", "type", HF_STAGE_HAND_STARTED, "pid", (int)pid));
    else
        report_to_desk(stage, json_pack("{s:s, s:i, s:i, s:o}", "type", HF_STAGE_HAND_EXITED, "pid",
                                        0, "status", 127 << 8, "error", hf_error_to_json(error)));
}

/* ---- the brake ---- */

static void list_servers(const Stage *stage, pid_t servers[HF_SERVER_COUNT])
{
    for (int i = 0; i < HF_SERVER_COUNT; i++)
        servers[i] = stage->servers[i].pid;
}

static void start_programs_namespace(Stage *stage)
{
    if (stage->options.namespace)
        hf_program_namespace_start(&stage->programs, stage->options.runtime_dir,
                                   stage->options.display, hf_environment_list(stage->environment));
}

/* On somebody's own display. Nothing can be started until the stop ends, because there is no
 * namespace. */
static guint stop_own_programs(Stage *stage, const HfFreezeExempt *exempt)
{
    if (stage->frozen)
        return hf_end_programs(exempt, stage->programs.owner);
    stage->programs.starts = 0;
    if (stage->programs.pid == 0)
        start_programs_namespace(stage);
    return 0;
}

static void freeze_or_thaw(Stage *stage, const json_t *message, int answer)
{
    pid_t servers[HF_SERVER_COUNT];
    guint32 running = 0;
    list_servers(stage, servers);
    gboolean own = stage->options.kind == HF_STAGE_ATTACHED;
    const HfFreezeExempt exempt = {servers, HF_SERVER_COUNT, stage->hand, own};
    stage->frozen = hf_json_bool(message, "frozen", TRUE);
    if (own)
        running = stop_own_programs(stage, &exempt);
    else if (stage->frozen)
        running = hf_freeze_programs(&exempt);
    else
        hf_thaw_programs();
    /* A desk that no longer waits for the answer is no error. */
    ssize_t written = answer >= 0 ? write(answer, &running, sizeof running) : 0;
    (void)written;
}

/* ---- what poll() brings ---- */

static void take_message(Stage *stage)
{
    g_autoptr(GError) error = NULL;
    int descriptor = -1;
    g_autoptr(json_t) message = hf_channel_receive(stage->channel, &descriptor, &error);
    const char *type = hf_json_string(message, "type", "");
    if (!message)
        stage->over = stage->over || hf_error_code(error) == HF_ERROR_DESKTOP_UNAVAILABLE;
    else if (g_str_equal(type, HF_STAGE_STOP))
        stage->over = TRUE;
    else if (g_str_equal(type, HF_STAGE_START_HAND))
        start_new_hand(stage, message, descriptor);
    else if (g_str_equal(type, HF_STAGE_KILL_HAND) && stage->hand != 0)
        kill(stage->hand, SIGKILL);
    else if (g_str_equal(type, HF_STAGE_FREEZE))
        freeze_or_thaw(stage, message, descriptor);
    if (descriptor >= 0)
        close(descriptor);
}

static void report_server(Stage *stage, const HfServer *server, gboolean restarting)
{
    if (stage->ready)
        report_to_desk(stage, json_pack("{s:s, s:s, s:b}", "type", HF_STAGE_SERVER_DIED, "which",
                                        server->name, "restarting", restarting));
}

static void note_death(Stage *stage, pid_t pid, int status)
{
    if (pid == stage->hand) {
        stage->hand = 0;
        report_to_desk(stage, json_pack("{s:s, s:i, s:i}", "type", HF_STAGE_HAND_EXITED, "pid",
                                        (int)pid, "status", status));
    }
    if (pid == stage->programs.pid && hf_program_namespace_note_end(&stage->programs) &&
        !stage->frozen)
        start_programs_namespace(stage);
    for (int i = 0; i < HF_SERVER_COUNT; i++) {
        HfServer *server = &stage->servers[i];
        if (server->pid != pid)
            continue;
        stage->x_died = stage->x_died || i == HF_SERVER_X;
        if (!hf_server_died(server))
            report_server(stage, server, FALSE);
    }
}

static void take_signals(Stage *stage)
{
    struct signalfd_siginfo info;
    pid_t pid;
    int status;
    /* Programs inside our container may not end it; for the kernel, who is outside has no pid. */
    while (read(stage->signals, &info, sizeof info) == sizeof info)
        stage->over =
            stage->over || (info.ssi_signo != SIGCHLD && (getpid() != 1 || info.ssi_pid == 0));
    /* Our own children and adopted orphans. */
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        note_death(stage, pid, status);
}

/* The X server writes its display number and a newline when it is ready. */
static void take_display(Stage *stage)
{
    gsize length = strlen(stage->number);
    ssize_t count =
        read(stage->display_pipe, stage->number + length, sizeof stage->number - 1 - length);
    if (count <= 0 || strchr(stage->number, '\n'))
        close_pipe(&stage->display_pipe);
}

/* The content does not matter, only that they write. */
static gboolean take_readiness(int *pipe)
{
    char text[256];
    gboolean ready = read(*pipe, text, sizeof text) > 0;
    close_pipe(pipe);
    return ready;
}

static void take_bus(Stage *stage)
{
    stage->bus_ready = take_readiness(&stage->bus_pipe);
}

static void take_settings(Stage *stage)
{
    stage->settings_ready = take_readiness(&stage->settings_pipe);
}

static void take_probe(Stage *stage)
{
    HfDisplayProbeReport probe;
    if (read(stage->probe_pipe, &probe, sizeof probe) == sizeof probe)
        stage->probe = probe;
    else
        close_pipe(&stage->probe_pipe);
    HfDisplayProbeStep last = stage->options.kind == HF_STAGE_VIRTUAL ? HF_DISPLAY_PROBE_MANAGED
                                                                      : HF_DISPLAY_PROBE_CONNECTED;
    stage->probe_failed = stage->probe_pipe < 0 && stage->probe.step < last;
}

static void take_programs(Stage *stage)
{
    hf_program_namespace_take(&stage->programs);
}

static void take_desk(Stage *stage)
{
    stage->over = TRUE;
}

static gboolean start_probe(Stage *stage, gboolean write_resources, GError **error)
{
    HfDisplayProbeOrder order = {
        .display = hf_environment_get(stage->environment, "DISPLAY"),
        .authority = hf_environment_get(stage->environment, "XAUTHORITY"),
        .dpi = write_resources ? (int)round(96 * stage->options.scale) : 0,
        .cursor_size = (int)round(24 * stage->options.scale),
        .await_manager = stage->options.kind == HF_STAGE_VIRTUAL,
    };
    return hf_display_probe_start(&order, &stage->probe_pipe, error) != 0;
}

static void restart_server(Stage *stage, HfServerKind kind)
{
    HfServer *server = &stage->servers[kind];
    gboolean started = hf_server_start(server, stage->environment, -1, NULL);
    report_server(stage, server, started || hf_server_died(server));
    /* The probe's questions wake a window manager that has overlooked a window while it started. */
    close_pipe(&stage->probe_pipe);
    if (started && kind == HF_SERVER_MANAGER)
        start_probe(stage, FALSE, NULL);
}

/* Restarts what is due and returns when the next one is. Reports the death only now, because a
 * window manager that dies with its X server is seen first. */
static gint64 restart_due(Stage *stage, gint64 until_us)
{
    for (int i = 0; i < HF_SERVER_COUNT; i++) {
        HfServer *server = &stage->servers[i];
        if (server->due_us == 0)
            continue;
        if (server->due_us > g_get_monotonic_time())
            until_us = MIN(until_us, server->due_us);
        else
            restart_server(stage, i);
    }
    return until_us;
}

/* One round: waits for events, until `until_us` at most, and handles them. */
static void run_stage_once(Stage *stage, gint64 until_us)
{
    const struct {
        int descriptor;
        void (*take)(Stage *stage);
    } sources[] = {
        {stage->signals, take_signals},  {stage->channel, take_message},
        {stage->desk, take_desk},        {stage->display_pipe, take_display},
        {stage->bus_pipe, take_bus},     {stage->settings_pipe, take_settings},
        {stage->probe_pipe, take_probe}, {stage->programs.channel, take_programs},
    };
    struct pollfd waits[G_N_ELEMENTS(sources) + HF_SERVER_COUNT];
    gsize count = G_N_ELEMENTS(sources);
    for (gsize i = 0; i < count; i++)
        waits[i] = (struct pollfd){sources[i].descriptor, POLLIN, 0};
    for (gsize i = 0; i < HF_SERVER_COUNT; i++)
        waits[count + i] = (struct pollfd){
            stage->servers[i].log.path ? stage->servers[i].log.input : -1, POLLIN, 0};
    gint64 left_us = restart_due(stage, until_us) - g_get_monotonic_time();
    int limit_ms = (int)CLAMP((left_us + 999) / 1000, 0, 3600 * 1000);
    if (poll(waits, G_N_ELEMENTS(waits), limit_ms) <= 0)
        return;
    for (gsize i = 0; i < HF_SERVER_COUNT; i++)
        if (waits[count + i].revents)
            hf_server_log_take(&stage->servers[i].log);
    for (gsize i = 0; i < count; i++)
        if (waits[i].revents)
            sources[i].take(stage);
}

/* ---- the beginning ---- */

static gboolean has_display(const Stage *stage)
{
    return strchr(stage->number, '\n') != NULL;
}

static gboolean is_connected(const Stage *stage)
{
    return stage->probe.step >= HF_DISPLAY_PROBE_CONNECTED && !stage->programs.starting;
}

static gboolean is_furnished(const Stage *stage)
{
    gboolean has_settings = stage->servers[HF_SERVER_SETTINGS].arguments != NULL;
    return stage->bus_ready && stage->settings_ready == has_settings &&
           stage->probe.step == HF_DISPLAY_PROBE_MANAGED;
}

/* Waiting is pointless once a server has died or given up. */
static gboolean check_still_starting(Stage *stage, GError **error)
{
    if (stage->over)
        return hf_fail(error, HF_ERROR_DESKTOP_ABORTED, "the desk no longer needs it");
    for (int i = 0; i < HF_SERVER_COUNT; i++) {
        if (stage->servers[i].deaths == 0)
            continue;
        hf_server_fail(&stage->servers[i], "ended at once", error);
        return FALSE;
    }
    if (stage->probe_failed)
        return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "cannot connect to the X server '%s'",
                       hf_environment_get(stage->environment, "DISPLAY"));
    return TRUE;
}

static gboolean wait_until_stage(Stage *stage, gboolean (*is_done)(const Stage *), const char *what,
                                 GError **error)
{
    gint64 until = stage->opened_us + HF_LIMIT_STAGE_START_MS * (gint64)1000;
    while (!is_done(stage)) {
        if (!check_still_starting(stage, error))
            return FALSE;
        if (g_get_monotonic_time() >= until)
            return hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "%s was not ready within %d seconds",
                           what, HF_LIMIT_STAGE_START_MS / 1000);
        run_stage_once(stage, until);
    }
    return TRUE;
}

/* Starts a server that reports on a pipe. */
static gboolean start_reporting(Stage *stage, HfServerKind kind, int *ret_pipe, GError **error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return hf_fail(error, HF_ERROR_INTERNAL, "cannot make a pipe: %s", g_strerror(errno));
    gboolean started = hf_server_start(&stage->servers[kind], stage->environment, ends[1], error);
    close(ends[1]);
    *ret_pipe = ends[0];
    return started;
}

static gboolean prepare_virtual(Stage *stage, GError **error)
{
    const HfStageOptions *options = &stage->options;
    if (!options->directory)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "the desktop has no directory");
    hf_desktop_directory_adopt(options->directory, options->id, HF_INHERITED_LOCK, &stage->place);
    if (!hf_session_files_write(options, stage->place.path, &stage->accessible, error) ||
        !hf_session_files_make_cookie(stage->cookie, error) ||
        !hf_session_files_write_authority(stage->place.path, stage->cookie, NULL, error))
        return FALSE;
    stage->environment = hf_environment_new(options, stage->place.path);
    if (options->proxy && !hf_proxy_listener_open(stage->environment, &stage->listener, error))
        return FALSE;
    for (int i = 0; i < HF_SERVER_COUNT; i++)
        if (!hf_server_init(&stage->servers[i], i, options, stage->environment, error))
            return FALSE;
    return TRUE;
}

static gboolean start_x(Stage *stage, GError **error)
{
    if (!start_reporting(stage, HF_SERVER_X, &stage->display_pipe, error) ||
        !wait_until_stage(stage, has_display, "the X server", error))
        return FALSE;
    *strchr(stage->number, '\n') = 0;
    g_autofree char *display = g_strconcat(":", stage->number, NULL);
    hf_environment_set(stage->environment, "DISPLAY", display);
    return hf_session_files_write_authority(stage->place.path, stage->cookie, stage->number,
                                            error) &&
           hf_desktop_directory_set_display(&stage->place, atoi(stage->number), error);
}

/* The bus needs the display for the services that it starts, and the window manager needs the
 * resolution, which it reads only once. Then both start in parallel. */
static gboolean start_rest(Stage *stage, const char **ret_step, GError **error)
{
    *ret_step = "session-bus";
    if (!start_reporting(stage, HF_SERVER_BUS, &stage->bus_pipe, error))
        return FALSE;
    *ret_step = "settings";
    if (stage->servers[HF_SERVER_SETTINGS].arguments &&
        !start_reporting(stage, HF_SERVER_SETTINGS, &stage->settings_pipe, error))
        return FALSE;
    *ret_step = "display";
    if (!start_probe(stage, TRUE, error) ||
        !wait_until_stage(stage, is_connected, "the screen's resolution", error))
        return FALSE;
    *ret_step = "window-manager";
    return hf_server_start(&stage->servers[HF_SERVER_MANAGER], stage->environment, -1, error) &&
           wait_until_stage(stage, is_furnished, "the window manager or the session bus", error);
}

static gboolean start_virtual(Stage *stage, const char **ret_step, GError **error)
{
    *ret_step = "directory";
    if (!prepare_virtual(stage, error))
        return FALSE;
    *ret_step = "x-server";
    return start_x(stage, error) && start_rest(stage, ret_step, error);
}

static gboolean start_attached(Stage *stage, const char **ret_step, GError **error)
{
    *ret_step = "display";
    stage->environment = hf_environment_new_attached(stage->options.display);
    start_programs_namespace(stage);
    return start_probe(stage, FALSE, error) &&
           wait_until_stage(stage, is_connected, "the X server", error);
}

static json_t *new_ready_message(const Stage *stage)
{
    json_t *pids = json_pack("{s:i}", "stage", (int)getpid());
    for (int i = 0; i < HF_SERVER_COUNT; i++)
        if (stage->servers[i].pid != 0)
            json_object_set_new(pids, stage->servers[i].name, json_integer(stage->servers[i].pid));
    gint64 took_ms = (g_get_monotonic_time() - stage->opened_us) / 1000;
    gboolean virtual = stage->options.kind == HF_STAGE_VIRTUAL;
    return json_pack(
        "{s:s, s:s, s:s?, s:b, s:o, s:o, s:i, s:i, s:i, s:f, s:I, s:s?, s:o}", "type",
        HF_STAGE_READY, "display", hf_environment_get(stage->environment, "DISPLAY"), "session_bus",
        hf_environment_get(stage->environment, "DBUS_SESSION_BUS_ADDRESS"), "accessibility",
        stage->accessible, "environment", hf_environment_to_json(stage->environment), "pids", pids,
        "width", stage->probe.width, "height", stage->probe.height, "depth", stage->probe.depth,
        "scale", virtual ? stage->options.scale : 0.0, "took_ms", (json_int_t)took_ms, "directory",
        stage->place.path, "namespace", hf_program_namespace_describe(&stage->programs));
}

static gboolean open_stage(Stage *stage)
{
    g_autoptr(GError) error = NULL;
    const char *step = "options";
    gboolean begun =
        hf_stage_options_from_json(stage->opening, &stage->options, &error) &&
        (stage->options.kind == HF_STAGE_VIRTUAL ? start_virtual(stage, &step, &error)
                                                 : start_attached(stage, &step, &error));
    stage->ready = begun;
    report_with_descriptor(stage,
                           begun ? new_ready_message(stage)
                                 : json_pack("{s:s, s:s, s:o}", "type", HF_STAGE_FAILED, "step",
                                             step, "error", hf_error_to_json(error)),
                           stage->listener);
    close_pipe(&stage->listener);
    return begun;
}

/* ---- the end ---- */

static void close_stage(Stage *stage)
{
    guint left = 0;
    /* From now on orders get an error instead of silence. */
    shutdown(stage->channel, SHUT_RD);
    if (stage->options.kind == HF_STAGE_ATTACHED) {
        hf_shutdown_end_child(stage->hand, HF_LIMIT_HAND_GRACE_MS);
    } else {
        pid_t servers[HF_SERVER_COUNT];
        list_servers(stage, servers);
        left = hf_shutdown_run(servers, HF_SERVER_COUNT);
    }
    for (int i = 0; i < HF_SERVER_COUNT; i++)
        hf_server_clear(&stage->servers[i]);
    hf_program_namespace_clear(&stage->programs);
    hf_desktop_directory_clear(&stage->place);
    report_to_desk(stage, json_pack("{s:s, s:i}", "type", HF_STAGE_STOPPED, "left", (int)left));
    hf_environment_free(stage->environment);
    json_decref(stage->opening);
}

/* ---- the process ---- */

/* Also watches the desk as a process, because another process could keep its end of the channel
 * open. */
static gboolean set_up_stage(Stage *stage)
{
    sigset_t handled;
    if (!hf_stage_process_prepare(&handled))
        return FALSE;
    pid_t desk = getppid();
    *stage = (Stage){
        .channel = HF_INHERITED_DESCRIPTOR,
        .signals = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK),
        .desk = desk > 0 ? pidfd_open(desk, 0) : -1,
        .place.lock = -1,
        .listener = -1,
        .display_pipe = -1,
        .bus_pipe = -1,
        .settings_pipe = -1,
        .probe_pipe = -1,
    };
    hf_program_namespace_init(&stage->programs);
    stage->over = getppid() != desk;
    return stage->signals >= 0;
}

int hf_stage_main(int argc, char **argv)
{
    Stage stage;
    if (argc == 3 && g_str_equal(argv[1], "--settings"))
        return hf_xsettings_main(g_ascii_strtod(argv[2], NULL));
    if (argc == 3 && g_str_equal(argv[1], "--init"))
        return hf_namespace_init_main();
    if (!set_up_stage(&stage)) {
        fprintf(stderr, "handfast stage is started by the desk; see: handfast desktop new\n");
        return 2;
    }
    stage.opening = hf_channel_receive(stage.channel, NULL, NULL);
    stage.opened_us = g_get_monotonic_time();
    if (!stage.opening)
        return 1;
    /* On somebody's own display nothing ends with us; but while we run, everything that a hand
     * started is recognisable as our descendant. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    gboolean begun = open_stage(&stage);
    while (begun && !stage.over && !stage.x_died)
        run_stage_once(&stage, G_MAXINT64 / 2);
    close_stage(&stage);
    return begun ? 0 : 1;
}
