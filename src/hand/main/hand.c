/* SPDX-License-Identifier: Apache-2.0 */
/* The hand's main loop. The main thread reads messages; each call runs on a thread of a bounded
 * pool. When the desk closes the connection, the hand cancels every call, restores what it changed,
 * and exits. */
#include "hand/main/hand.h"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand/desktop/desktop.h"
#include "hand/files/change/change-journal.h"
#include "hand/files/change/undo-store.h"
#include "hand/files/file-walls.h"
#include "hand/files/path-watches.h"
#include "hand/main/approval-notifications.h"
#include "hand/main/brake-control.h"
#include "hand/main/jobs.h"
#include "hand/safety/handed-directories.h"
#include "hand/shell/session/shell-sessions.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/wire/frame.h"

/* Up to this much freed memory stays in the process: returning a picture's memory to the system and
 * getting it again took 4 % of the time of a picture. An idle hand returns all of it. That works
 * for the main arena only; the others keep a megabyte or more after a few pictures. So there is one
 * arena. */
#define KEPT_BYTES (8 * 1024 * 1024)
#define ARENAS     1

/* The connection to the display is lost; the desk starts a new hand. */
#define EXIT_DISPLAY_LOST 75

static int desk_fd = -1;

/* The reader sees the end of the stream and exits cleanly. */
static void on_terminate(int number)
{
    shutdown(desk_fd, SHUT_RD);
}

typedef struct Options {
    int fd;
    char *state_dir;
    char *home;
    double scale;
    int proxy_port;
    gboolean namespace;
} Options;

static gboolean parse_hand_options(int argc, char **argv, Options *options, GError **error)
{
    GOptionEntry entries[] = {
        {"fd", 0, 0, G_OPTION_ARG_INT, &options->fd, "Socket to the desk", "N"},
        {"state-dir", 0, 0, G_OPTION_ARG_FILENAME, &options->state_dir,
         "Directory of the journal of changed keys and buttons", "DIR"},
        {"home", 0, 0, G_OPTION_ARG_FILENAME, &options->home, "Home directory of the desk", "DIR"},
        {"proxy-port", 0, 0, G_OPTION_ARG_INT, &options->proxy_port,
         "Port of the desktop's proxy on loopback", "N"},
        {"scale", 0, 0, G_OPTION_ARG_DOUBLE, &options->scale, "Scale of the desktop", "S"},
        {"namespace", 0, 0, G_OPTION_ARG_NONE, &options->namespace,
         "Start programs in the namespace that the stage has made", NULL},
        {NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("- see and act on one desktop (started by the desk)");
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, error))
        return FALSE;
    if (options->fd < 0 || !options->state_dir)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "only the desk starts the hand: run 'handfast serve' instead");
    return TRUE;
}

static gboolean send_hello(int fd, const GError *failure)
{
    json_t *hello =
        json_pack("{s:s, s:i, s:s}", "type", "hello", "pid", (int)getpid(), "version", HF_VERSION);
    if (failure)
        json_object_set_new(hello, "error", hf_error_to_json(failure));
    g_autoptr(HfFrame) frame = hf_frame_new(hello);
    return hf_frame_write(fd, frame, NULL);
}

/* Returns cached memory to the system when the desk has sent nothing for a while. */
static void trim_memory_while_idle(HfDesktop *desktop, int fd)
{
    struct pollfd desk = {fd, POLLIN, 0};
    gboolean trimmed = FALSE;
    while (!trimmed && poll(&desk, 1, HF_LIMIT_REST_AFTER_MS) == 0) {
        trimmed = hf_desktop_trim_memory(desktop);
        malloc_trim(0);
    }
}

static void serve_desk(HfDesktop *desktop, HfJobs *jobs, HfBrakeControl *control,
                       HfApprovalNotifications *questions, int fd)
{
    for (;;) {
        trim_memory_while_idle(desktop, fd);
        g_autoptr(HfFrame) frame = hf_frame_receive(fd, NULL);
        if (!frame)
            return;
        if (!hf_brake_control_receive(control, frame->json) &&
            !hf_approval_notifications_receive(questions, frame->json))
            hf_jobs_receive(jobs, frame);
    }
}

/* FALSE if there is no undo store: then files cannot be changed, but everything else works. */
static gboolean open_undo_store(HfFrame *frame, GError **error)
{
    const json_t *store = json_object_get(frame->json, "store");
    gsize place = (gsize)hf_json_int(store, "fd", -1);
    if (!store || place >= frame->fds->len)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the desk has no directory for the store");
    int *fd = &g_array_index(frame->fds, int, place);
    return hf_undo_store_open_at(hf_fd_steal(fd), hf_json_string(store, "path", ""), error);
}

/* Repairs files that an earlier hand was changing when it was killed, before anybody sees them. */
static gboolean open_files(const Options *options, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfFrame) frame = hf_frame_receive(options->fd, error);
    if (!frame)
        return (error && *error)
                   ? FALSE
                   : hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "the desk has closed");
    json_t *walls = json_object_get(frame->json, "walls");
    if (options->home)
        hf_file_walls_set_home(options->home);
    if (!open_undo_store(frame, &problem)) {
        g_debug("files: %s", problem->message);
        return TRUE;
    }
    hf_handed_directories_set(walls, json_object_get(frame->json, "opened"), frame->fds);
    g_autoptr(HfFileWalls) opened = hf_file_walls_open(walls, NULL);
    if (opened)
        hf_file_changes_recover(opened);
    return TRUE;
}

static int run_hand(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(HfHoldTable) holds = hf_hold_table_receive(options->fd, &error);
    if (!holds || !open_files(options, &error)) {
        g_printerr("handfast hand: %s\n", error->message);
        return EXIT_FAILURE;
    }
    HfDesktopOptions wanted = {.display = g_getenv("DISPLAY"),
                               .state_dir = options->state_dir,
                               .scale = options->scale,
                               .proxy_port = (guint16)options->proxy_port,
                               .namespace = options->namespace};
    HfDesktop *desktop = hf_desktop_open(&wanted, &error);
    if (!send_hello(options->fd, error) || !desktop) {
        hf_desktop_close(desktop);
        return EXIT_FAILURE;
    }
    HfJobs *jobs = hf_jobs_new(desktop, options->fd, g_steal_pointer(&holds));
    HfBrakeControl *control = hf_brake_control_new(desktop, jobs);
    HfApprovalNotifications *questions = hf_approval_notifications_new(desktop, jobs);
    serve_desk(desktop, jobs, control, questions, options->fd);
    hf_approval_notifications_free(questions);
    hf_brake_control_free(control);
    hf_shell_sessions_end_all(); /* else calls would wait for their commands */
    hf_jobs_free(jobs);
    hf_shell_sessions_close();
    hf_file_watches_end();
    gboolean alive = hf_desktop_alive(desktop);
    hf_desktop_close(desktop);
    return alive ? EXIT_SUCCESS : EXIT_DISPLAY_LOST;
}

int hf_hand_main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    Options options = {.fd = -1};
    if (!parse_hand_options(argc, argv, &options, &error)) {
        g_printerr("handfast hand: %s\n", error->message);
        return 2;
    }
    desk_fd = options.fd;
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_ARENA_MAX, ARENAS);
    struct sigaction terminate = {.sa_handler = on_terminate, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &terminate, NULL);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    prctl(PR_SET_NAME, "handfast-hand");
    int status = run_hand(&options);
    g_free(options.state_dir);
    g_free(options.home);
    return status;
}
