/* SPDX-License-Identifier: Apache-2.0 */
/* `handfast doctor`: runs all checks and prints them, with a summary. */
#include "cli/doctor/doctor.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/desk-client.h"
#include "cli/print.h"
#include "shared/base/deadline.h"
#include "shared/base/error.h"
#include "shared/base/i18n.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/base/remove-tree.h"
#include "shared/process/container-check.h"

static const char *const health_names[] = {"ok", "warn", "fail"};
static const char *const health_colours[] = {"\033[32m", "\033[33m", "\033[31m"};

static const HfCheck *const groups[] = {hf_doctor_file_checks, hf_doctor_machine_checks,
                                        hf_doctor_desktop_checks};

void hf_finding_set(HfFinding *finding, HfHealth health, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_free(finding->message);
    finding->message = g_strdup_vprintf(format, arguments);
    finding->health = health;
    va_end(arguments);
}

void hf_finding_repair(HfFinding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_free(finding->repair);
    finding->repair = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

/* Printed at once, because some checks take long. */
static void show_finding(const HfCheck *check, const HfFinding *finding)
{
    gboolean colours = isatty(1) && !g_getenv("NO_COLOR");
    printf("%s%-4s%s  %-14s %s\n", colours ? health_colours[finding->health] : "",
           health_names[finding->health], colours ? "\033[0m" : "", check->name, finding->message);
    if (finding->repair)
        printf("                      → %s\n", finding->repair);
    fflush(stdout);
}

static json_t *finding_to_json(const HfCheck *check, const HfFinding *finding)
{
    json_t *json =
        json_pack("{s:s, s:s, s:o}", "check", check->name, "health", health_names[finding->health],
                  "message", hf_json_text(finding->message));
    if (finding->repair)
        json_object_set_new(json, "repair", hf_json_text(finding->repair));
    return json;
}

static void run_check(HfDoctor *doctor, const HfCheck *check, json_t *checks, guint *counts)
{
    HfFinding finding = {.message = g_strdup("")};
    check->run(doctor, &finding);
    counts[finding.health]++;
    if (!hf_print_is_json())
        show_finding(check, &finding);
    json_array_append_new(checks, finding_to_json(check, &finding));
    g_free(finding.message);
    g_free(finding.repair);
}

static HfConfig *load_config(void)
{
    g_autofree char *file = hf_path_dup_config(), *policy = hf_path_dup_policy();
    HfConfig *config = hf_config_load(file, policy, NULL);
    return config ? config : hf_config_new_default();
}

static json_t *ask_status(GError **error)
{
    g_autoptr(json_t) answer = hf_cli_request("status", json_object(), error);
    json_t *result = json_object_get(answer, "result");
    return result ? json_incref(result) : NULL;
}

int hf_command_doctor(const HfCommandArguments *words)
{
    guint counts[G_N_ELEMENTS(health_names)] = {0};
    g_autoptr(HfConfig) config = load_config();
    g_autoptr(HfTestDesk) probe = hf_test_desk_new();
    g_autoptr(GError) unanswered = NULL;
    g_autoptr(json_t) status = ask_status(&unanswered), checks = json_array();
    HfDoctor doctor = {config, probe, status, unanswered};
    for (gsize i = 0; i < G_N_ELEMENTS(groups); i++)
        for (const HfCheck *check = groups[i]; check->name; check++)
            run_check(&doctor, check, checks, counts);
    gboolean well = counts[HF_HEALTH_FAIL] == 0;
    g_autoptr(json_t) report =
        json_pack("{s:b, s:s, s:O}", "ok", well, "version", HF_VERSION, "checks", checks);
    g_autofree char *sentence =
        g_strdup_printf(_("%u ok, %u warnings, %u failed"), counts[HF_HEALTH_OK],
                        counts[HF_HEALTH_WARN], counts[HF_HEALTH_FAIL]);
    printf("%s", hf_print_is_json() ? "" : "\n");
    hf_print_result(report, sentence);
    return well ? HF_EXIT_OK : HF_EXIT_FAILED;
}

/* The kernel ends the test desk when the doctor ends, in whatever way. */
#define START_MS 30000
#define END_MS   10000

/* Approves everything: there is nobody to ask, and nothing to protect. A desktop that should be in
 * a container and is not would ask all the same. */
static const char test_config[] =
    "{\"security\": {\"permission_level\": \"L4\", \"client_level\": \"L4\"}, "
    "\"projects\": {\"default_approval_template\": \"full-auto\"}, \"http\": {\"enabled\": false}, "
    "\"container\": {\"enabled\": %s}}";

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
    g_autofree char *text =
        g_strdup_printf(test_config, hf_container_check(NULL) ? "true" : "false");
    if (g_mkdir(run, 0700) == 0 && g_mkdir_with_parents(config, 0700) == 0 &&
        g_file_set_contents_full(file, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &reason))
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
