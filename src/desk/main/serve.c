/* SPDX-License-Identifier: Apache-2.0 */
/* The desk's main: one per runtime directory, with `main` as a private desktop, or on the user's
 * display if they say so. The main thread only does input and output; SIGINT and SIGTERM end
 * everything in order. */
#include "desk/main/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "desk/desktops/adopted-processes.h"
#include "desk/desktops/desk.h"
#include "desk/desktops/stale-desktops.h"
#include "desk/doors/bridge/bridge-events.h"
#include "desk/doors/bridge/bridge-mcp.h"
#include "desk/doors/bridge/bridge.h"
#include "desk/doors/http/routes/openapi.h"
#include "desk/doors/http/server/http-server.h"
#include "desk/doors/methods/method-results.h"
#include "desk/doors/methods/methods.h"
#include "desk/guard/stop/stop-control.h"
#include "desk/policy/identity/agent-mark.h"
#include "desk/policy/identity/caller.h"
#include "desk/records/events/events.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/paths.h"
#include "shared/process/processes.h"
#include "shared/tool/schema.h"
#include "shared/wire/desk-lock.h"

typedef struct HfDoors HfDoors;

static void doors_close(HfDoors *doors);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfDoors, doors_close)

struct HfDoors {
    HfWorkers *workers;
    HfMcpServer *mcp;
    HfBridge *bridge;
    HfHttp *http; /* NULL: disabled, or it could not be opened */
};

/* A busy port must not prevent the desk from starting. */
static void open_http(HfDoors *doors, HfDesk *desk)
{
    g_autoptr(GError) problem = NULL;
    doors->http = hf_http_new(desk, doors->workers, doors->mcp, &problem);
    if (doors->http)
        hf_desk_set_door(desk, "http", hf_http_describe(doors->http));
    else if (problem)
        hf_desk_set_door(desk, "http", json_pack("{s:o}", "problem", hf_error_to_json(problem)));
}

/* On the main thread. `extras`: see hf_mcp_server_new. */
static HfDoors *doors_open(HfDesk *desk, const HfMcpExtras *extras, GError **error)
{
    g_autofree char *path = hf_path_dup_bridge();
    g_autoptr(HfDoors) doors = g_new0(HfDoors, 1);
    doors->workers = hf_workers_new();
    doors->mcp = hf_mcp_server_new(desk, doors->workers, extras);
    doors->bridge = hf_bridge_new(desk, doors->workers, doors->mcp, path, error);
    if (!doors->bridge)
        return NULL;
    open_http(doors, desk);
    return g_steal_pointer(&doors);
}

/* Accepts nobody any more, cancels the calls in flight, waits for them. */
static void doors_close(HfDoors *doors)
{
    if (!doors)
        return;
    if (doors->bridge)
        hf_bridge_shut(doors->bridge);
    if (doors->http)
        hf_http_shut(doors->http);
    hf_workers_free(doors->workers);
    hf_bridge_free(doors->bridge);
    hf_http_free(doors->http);
    hf_mcp_server_free(doors->mcp);
    g_free(doors);
}

/* The methods that the bridge handles itself. */
static void add_bridge(json_t *methods)
{
    json_object_set_new(methods, "stop", hf_schema_of_table(hf_method_stop_params));
    json_object_set_new(methods, "events.subscribe",
                        hf_schema_of_table(hf_bridge_subscribe_params));
    json_object_set_new(methods, "events.unsubscribe", hf_schema_of_table(hf_method_no_params));
    json_object_set_new(methods, "mcp.open", hf_schema_of_table(hf_bridge_mcp_params));
    json_object_set_new(methods, "cancel",
                        json_pack("{s:s, s:{s:{}}}", "type", "object", "properties", "id"));
}

/* Made from the tables that check requests; nothing runs for it. */
static json_t *doors_describe(void)
{
    json_t *methods = hf_methods_describe();
    add_bridge(methods);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "methods", methods, "results",
                     hf_method_results_describe(), "routes", hf_http_describe_routes(), "answers",
                     hf_http_describe_answers(), "events", hf_event_schema_describe());
}

#define START_LIMIT_MS 30000

typedef struct Arguments {
    char *display;
    char *size;
    double scale;
    int depth;
    gboolean use_virtual;
    gboolean private_home;
    gboolean describe;
} Arguments;

static gboolean parse_serve_arguments(int argc, char **argv, Arguments *arguments, GError **error)
{
    GOptionEntry entries[] = {
        {"display", 'd', 0, G_OPTION_ARG_STRING, &arguments->display,
         "Let agents use your own display as 'main'", ":N"},
        {"virtual", 'v', 0, G_OPTION_ARG_NONE, &arguments->use_virtual,
         "Make 'main' a private virtual desktop (the default)", NULL},
        {"size", 's', 0, G_OPTION_ARG_STRING, &arguments->size,
         "Size of the virtual desktop (default: 1920x1080)", "WxH"},
        {"scale", 0, 0, G_OPTION_ARG_DOUBLE, &arguments->scale,
         "Scale of the virtual desktop (default: 1)", "S"},
        {"depth", 0, 0, G_OPTION_ARG_INT, &arguments->depth,
         "Colour depth of the virtual desktop: 16, 24 or 30", "N"},
        {"private-home", 0, 0, G_OPTION_ARG_NONE, &arguments->private_home,
         "Give the virtual desktop a private HOME", NULL},
        {"describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &arguments->describe,
         "Print what the doors accept and answer, as JSON, and exit", NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new("- run the desk");
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_summary(
        context,
        "Serves desktops to agents and to 'handfast TOOL'. 'main' is a private desktop with\n"
        "its own X server, in a container. Ctrl+C ends everything.");
    if (!g_option_context_parse(context, &argc, &argv, error))
        return FALSE;
    return argc == 1 ||
           hf_fail(error, HF_ERROR_INVALID_PARAMS, "unexpected argument '%s'", argv[1]);
}

static gboolean fill_seat_options(const Arguments *arguments, HfSeatOptions *seat, GError **error)
{
    *seat = (HfSeatOptions){
        .name = "main", .size = {1920, 1080}, .scale = arguments->scale > 0 ? arguments->scale : 1};
    seat->depth = arguments->depth ? arguments->depth : 24;
    seat->private_home = arguments->private_home;
    char rest;
    if (arguments->size &&
        sscanf(arguments->size, "%dx%d%c", &seat->size.width, &seat->size.height, &rest) != 2)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "--size expects WIDTHxHEIGHT, not '%s'",
                       arguments->size);
    if (!arguments->use_virtual && arguments->display && *arguments->display)
        seat->display = arguments->display;
    return TRUE;
}

/* The lock is held until the process ends. What the file says: shared/wire/desk-lock.h. */
static int lock_file = -1;
static guint stops, durable_stops;

static gboolean write_lock_file(void)
{
    char text[64];
    g_snprintf(text, sizeof text, HF_DESK_LOCK_FORMAT, (int)getpid(), stops, durable_stops);
    return pwrite(lock_file, text, strlen(text), 0) == (ssize_t)strlen(text);
}

static gboolean take_lock(const char *runtime, GError **error)
{
    g_autofree char *path = g_build_filename(runtime, HF_DESK_LOCK_NAME, NULL);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot open '%s': %s", path,
                       g_strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        lock_file = fd;
        return (ftruncate(fd, 0) == 0 && write_lock_file()) ||
               hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write '%s'", path);
    }
    hf_fail(error, HF_ERROR_CONFLICT, "a desk is already running (in %s)", runtime);
    hf_error_suggest(error, "use it, or start another one with a different XDG_RUNTIME_DIR");
    close(fd);
    return FALSE;
}

static gboolean on_quit_signal(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

static void print_http_state(HfDesk *desk)
{
    g_autoptr(json_t) doors = hf_desk_dup_doors(desk);
    const json_t *http = json_object_get(doors, "http");
    const json_t *problem = json_object_get(http, "problem");
    if (problem)
        g_print(_("\n  HTTP     not open: %s\n           → %s"),
                hf_json_string(problem, "message", "?"), hf_json_string(problem, "suggestion", ""));
    else if (http)
        g_print(_("\n  HTTP     %s (a token: handfast token new NAME)"),
                hf_json_string(http, "url", "?"));
}

/* A desktop without walls must not go unnoticed. Somebody's own has none, but a namespace. */
static void print_walls_state(const json_t *seat)
{
    const json_t *programs = json_object_get(seat, "programs");
    const json_t *walls = programs ? programs : json_object_get(seat, "walls");
    const char *problem = hf_json_string(walls, "network_problem", NULL);
    if (!walls || hf_json_bool(programs, "namespace", FALSE))
        return;
    if (!hf_json_bool(walls, "contained", FALSE))
        g_print(_("\n  walls    NONE, so agents have to ask more often: %s\n           → %s"),
                hf_json_string(walls, "reason", "?"), hf_json_string(walls, "suggestion", ""));
    else
        g_print("%s", _("\n  walls    a container; what it can reach: handfast desktop show main"));
    if (problem)
        g_print(_("\n  network  %s"), problem);
}

static void print_banner(HfDesk *desk, const json_t *seat, const char *bridge)
{
    g_print(_("Handfast %s is running.\n"), HF_VERSION);
    g_print(_("  desktop  main: display %s"), hf_json_string(seat, "display", ""));
    if (json_object_get(seat, "width"))
        g_print(_(", virtual, %d x %d"), (int)hf_json_int(seat, "width", 0),
                (int)hf_json_int(seat, "height", 0));
    print_walls_state(seat);
    g_print(_("\n  address  %s"), bridge);
    print_http_state(desk);
    g_print(_("\n\nTry, in another terminal:\n"));
    g_print("  handfast screenshot -o screen.jpg\n  handfast app_launch mousepad\n"
            "  handfast type_text '你好, world'\n  handfast tools\n");
    g_print(_("\nCtrl+C ends it.\n"));
}

static void print_loosened(const json_t *changes)
{
    if (json_array_size(changes) == 0)
        return;
    g_print(_("\nconfig.json allows more than when Handfast last ran, and holds since you started "
              "it here:\n"));
    hf_json_each (change, changes)
        g_print("  %s\n", hf_json_string(change, "field", "?"));
}

static void print_held(HfDesk *desk)
{
    HfLiveConfig *live_config = hf_guard_get_live_config(hf_desk_get_guard(desk));
    g_autoptr(json_t) described = hf_live_config_describe(live_config);
    const json_t *fields = json_object_get(described, "held");
    if (!fields)
        return;
    g_print("\n%s", _("A change of the configuration would allow more and waits for you: handfast "
                      "config accept\n"));
    hf_json_each (field, fields)
        g_print("  %s\n", json_string_value(field));
}

/* A stop survives a restart of the desk. */
static void print_stop_state(HfDesk *desk)
{
    g_autoptr(json_t) holds = hf_guard_describe_stop_state(hf_desk_get_guard(desk));
    const json_t *stopped = json_object_get(holds, "stopped");
    if (json_is_object(stopped))
        g_print(_("\nIt is STOPPED, by %s: every tool is refused until you run: handfast resume\n"),
                hf_json_string(stopped, "by", "?"));
    else if (json_array_size(json_object_get(holds, "paused")) > 0)
        g_print(_("\nSomething is paused: see handfast status\n"));
}

/* SIGUSR2 stops everything: the last resort when the socket does not answer. The handler only
 * writes a byte. A signal that arrives before the desk exists takes effect as soon as it does. */
static int stop_pipe[2] = {-1, -1};
static GThread *stop_thread;

static void on_stop_signal(int number)
{
    int saved = errno;
    ssize_t written = write(stop_pipe[1], "s", 1);
    (void)written;
    errno = saved;
}

/* Call it first in the process: from now on SIGUSR2 does not kill it. */
static void prepare_stop_signal(void)
{
    if (!g_unix_open_pipe(stop_pipe, FD_CLOEXEC, NULL))
        return;
    fcntl(stop_pipe[1], F_SETFL, O_NONBLOCK);
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_stop_signal, .sa_flags = SA_RESTART},
              NULL);
}

static void count_stops(guint *count)
{
    static GMutex lock;
    g_mutex_lock(&lock);
    *count += 1;
    write_lock_file();
    g_mutex_unlock(&lock);
}

static void on_stop_done(const json_t *outcome, gpointer data)
{
    if (hf_json_bool(outcome, "durable", FALSE))
        count_stops(&durable_stops);
}

/* A dedicated thread waits for the signal, whatever the main thread is doing. */
static gpointer wait_for_signals(gpointer desk)
{
    char what;
    for (;;) {
        ssize_t got = read(stop_pipe[0], &what, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != 1 || what != 's')
            return NULL;
        hf_guard_stop(hf_desk_get_guard(desk), NULL, "a signal (SIGUSR2)", NULL, on_stop_done,
                      NULL);
        count_stops(&stops); /* nothing gets through from now on */
    }
}

static void begin_stop_signal(HfDesk *desk)
{
    stop_thread = g_thread_new("stop-signal", wait_for_signals, desk);
}

static void end_stop_signal(void)
{
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    ssize_t written = write(stop_pipe[1], "q", 1);
    if (written == 1 && stop_thread)
        g_thread_join(g_steal_pointer(&stop_thread));
}

/* Whether the owner has started us in a terminal: read before we are marked as a desk. */
static gboolean started_in_person;

static gboolean is_started_in_person(void)
{
    HfProcess own;
    if (!hf_process_read(getpid(), &own))
        return FALSE;
    HfCaller starter = {.kind = HF_CALLER_CLIENT,
                        .pid = own.pid,
                        .start_time = own.start_time,
                        .uid = geteuid(),
                        .terminal = hf_caller_read_terminal(own.pid)};
    return !hf_agent_mark_is_inherited() && hf_caller_is_owner(&starter, NULL);
}

/* The only place where the desk asks whether it runs in a test. */
static HfDeskOptions read_desk_options(const char *policy_file)
{
    gboolean test = g_getenv("HANDFAST_TEST") != NULL;
    return (HfDeskOptions){.policy_file = policy_file,
                           .in_person = started_in_person,
                           .check_contract = test,
                           .http_port = test ? g_getenv("HANDFAST_HTTP_PORT") : NULL};
}

static gboolean serve_desktops(const Arguments *arguments, const HfServeOptions *options,
                               GError **error)
{
    g_autofree char *runtime = hf_path_ensure_runtime(error);
    HfSeatOptions seat;
    if (!runtime || !fill_seat_options(arguments, &seat, error) || !take_lock(runtime, error))
        return FALSE;
    hf_adopted_processes_begin();
    hf_stale_desktops_remove(runtime);
    hf_seat_remove_stale_state();
    g_autofree char *policy_file = hf_path_dup_policy();
    HfDeskOptions desk_options = read_desk_options(policy_file);
    g_autoptr(HfDesk) desk = hf_desk_new(&desk_options, error);
    if (!desk)
        return FALSE;
    HfDeadline deadline = hf_deadline_in_ms(START_LIMIT_MS, NULL);
    g_autoptr(json_t) described = hf_desk_add_desktop(desk, &seat, &deadline, error);
    g_autofree char *path = hf_path_dup_bridge();
    if (!described)
        return FALSE;
    g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
    g_unix_signal_add(SIGINT, on_quit_signal, loop);
    g_unix_signal_add(SIGTERM, on_quit_signal, loop);
    g_autoptr(HfDoors) doors = doors_open(desk, options->mcp_extras, error);
    if (!doors)
        return FALSE;
    print_banner(desk, described, path);
    print_loosened(hf_desk_get_loosened(desk));
    print_held(desk);
    print_stop_state(desk);
    begin_stop_signal(desk);
    g_main_loop_run(loop);
    end_stop_signal();
    g_print(_("\nEnding all desktops...\n"));
    return TRUE;
}

static gboolean print_description(void)
{
    g_autoptr(json_t) described = doors_describe();
    g_autofree char *text = hf_json_dump(described);
    g_print("%s\n", text);
    return TRUE;
}

int hf_serve_main(int argc, char **argv, const HfServeOptions *options)
{
    g_autoptr(GError) error = NULL;
    Arguments arguments = {0};
    /* A client that disconnected, and a file that may not grow, are errors to answer, not reasons
     * to die. */
    prepare_stop_signal();
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    started_in_person = is_started_in_person();
    hf_agent_mark_begin();
    gboolean parsed = parse_serve_arguments(argc, argv, &arguments, &error);
    gboolean done = parsed && (arguments.describe ? print_description()
                                                  : serve_desktops(&arguments, options, &error));
    hf_adopted_processes_end();
    g_free(arguments.display);
    g_free(arguments.size);
    if (done)
        return EXIT_SUCCESS;
    g_autoptr(json_t) problem = hf_error_to_json(error);
    g_printerr("handfast serve: %s\n  → %s\n", error->message,
               _(hf_json_string(problem, "suggestion", "?")));
    return parsed ? EXIT_FAILURE : 2;
}
