/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel ends the test desk when the doctor ends, in whatever way. */
#include "cli/doctor/test-desk.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/desk-client.h"
#include "shared/base/deadline.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

#define START_MS 30000
#define END_MS   10000

/* Approves everything: there is nobody to ask, and nothing to protect. */
static const char test_config[] =
    "{\"security\": {\"permission_level\": \"L4\", \"client_level\": \"L4\"}, "
    "\"projects\": {\"default_approval_template\": \"full-auto\"}, \"http\": {\"enabled\": false}}";

struct HfTestDesk {
    char *folder;
    GSubprocess *desk;
    GError *problem; /* why it could not start */
    gboolean tried;
    json_t *environment;
};

HfTestDesk *hf_test_desk_new(void)
{
    return g_new0(HfTestDesk, 1);
}

static void end_with_doctor(gpointer data)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/* SIGTERM first: the desk has a desktop to end. */
static void end_desk(GSubprocess *desk)
{
    const char *pid = g_subprocess_get_identifier(desk);
    int process = pid ? pidfd_open((pid_t)atoi(pid), 0) : -1;
    struct pollfd ended = {process, POLLIN, 0};
    g_subprocess_send_signal(desk, SIGTERM);
    if (process >= 0 && poll(&ended, 1, END_MS) == 0)
        g_subprocess_force_exit(desk);
    if (process >= 0)
        close(process);
    g_subprocess_wait(desk, NULL, NULL);
}

void hf_test_desk_free(HfTestDesk *probe)
{
    if (!probe)
        return;
    if (probe->desk)
        end_desk(probe->desk);
    g_clear_object(&probe->desk);
    if (probe->folder)
        hf_remove_tree(probe->folder);
    g_free(probe->folder);
    g_clear_error(&probe->problem);
    json_decref(probe->environment);
    g_free(probe);
}

static gboolean make_folders(HfTestDesk *probe, GError **error)
{
    g_autoptr(GError) reason = NULL;
    /* Not in $TMPDIR, whose path may be too long for sockets. */
    probe->folder = g_mkdtemp(g_strdup("/tmp/hf-doctor-XXXXXX"));
    if (!probe->folder)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write in '/tmp': %s",
                       g_strerror(errno));
    g_autofree char *run = g_build_filename(probe->folder, "run", NULL);
    g_autofree char *config = g_build_filename(probe->folder, "config", "handfast", NULL);
    g_autofree char *file = g_build_filename(config, "config.json", NULL);
    if (g_mkdir(run, 0700) == 0 && g_mkdir_with_parents(config, 0700) == 0 &&
        g_file_set_contents_full(file, test_config, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                 &reason))
        return TRUE;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot write in '%s'", probe->folder);
}

static GSubprocess *spawn_test_desk(const HfTestDesk *probe, GError **error)
{
    static const struct {
        const char *variable, *folder;
    } places[] = {{"XDG_RUNTIME_DIR", "run"},
                  {"XDG_DATA_HOME", "data"},
                  {"XDG_CONFIG_HOME", "config"},
                  {"XDG_CACHE_HOME", "cache"},
                  {"HOME", "."}};
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_build_filename(probe->folder, places[i].folder, NULL);
        g_subprocess_launcher_setenv(launcher, places[i].variable, path, TRUE);
    }
    g_subprocess_launcher_set_child_setup(launcher, end_with_doctor, NULL, NULL);
    return g_subprocess_launcher_spawn(launcher, error, program ? program : "handfast", "serve",
                                       "--virtual", "--size", "640x480", NULL);
}

/* The desk prints that it runs; any other output says why it does not. */
static gboolean wait_ready(HfTestDesk *probe, GError **error)
{
    GInputStream *output = g_subprocess_get_stdout_pipe(probe->desk);
    int fd = g_unix_input_stream_get_fd(G_UNIX_INPUT_STREAM(output));
    HfDeadline deadline = hf_deadline_in_ms(START_MS, NULL);
    g_autoptr(GString) said = g_string_new(NULL);
    g_autofree char *bridge = g_build_filename(probe->folder, "run/handfast/bridge.sock", NULL);
    char piece[1024];
    while (hf_deadline_wait_readable(&deadline, fd, error)) {
        gssize got = g_input_stream_read(output, piece, sizeof piece, NULL, NULL);
        if (got <= 0)
            return hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE, "%s", g_strstrip(said->str));
        g_string_append_len(said, piece, got);
        if (g_file_test(bridge, G_FILE_TEST_EXISTS))
            return TRUE;
    }
    return FALSE;
}

static json_t *request_test_desk(HfTestDesk *probe, const char *method, json_t *take_params,
                                 GError **error)
{
    g_autofree char *bridge = g_build_filename(probe->folder, "run/handfast/bridge.sock", NULL);
    g_autoptr(json_t) answer = hf_cli_request_at(bridge, method, take_params, error);
    if (!answer)
        return NULL;
    if (hf_json_bool(answer, "ok", FALSE))
        return json_incref(json_object_get(answer, "result"));
    g_propagate_error(error, hf_error_new_from_json(json_object_get(answer, "error")));
    return NULL;
}

static gboolean start_test_desk(HfTestDesk *probe, GError **error)
{
    if (!make_folders(probe, error) || !(probe->desk = spawn_test_desk(probe, error)) ||
        !wait_ready(probe, error))
        return FALSE;
    g_autoptr(json_t) list = request_test_desk(probe, "desktop.list", json_object(), error);
    const json_t *first = json_array_get(json_object_get(list, "desktops"), 0);
    probe->environment = json_incref(json_object_get(first, "environment"));
    return list != NULL;
}

gboolean hf_test_desk_ensure(HfTestDesk *probe, GError **error)
{
    if (!probe->tried) {
        probe->tried = TRUE;
        start_test_desk(probe, &probe->problem);
    }
    if (!probe->problem)
        return TRUE;
    g_propagate_error(error, g_error_copy(probe->problem));
    return FALSE;
}

json_t *hf_test_desk_call(HfTestDesk *probe, const char *tool, json_t *take_params, GError **error)
{
    g_autoptr(json_t) params = take_params;
    if (!hf_test_desk_ensure(probe, error))
        return NULL;
    return request_test_desk(probe, "call", json_pack("{s:s, s:O}", "tool", tool, "params", params),
                             error);
}

const char *hf_test_desk_variable(HfTestDesk *probe, const char *name)
{
    return hf_json_string(probe->environment, name, NULL);
}

char *hf_test_desk_dup_data(HfTestDesk *probe, const char *name)
{
    return g_build_filename(probe->folder ? probe->folder : "", "data", "handfast", name, NULL);
}
