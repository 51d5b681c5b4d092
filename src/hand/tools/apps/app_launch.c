/* SPDX-License-Identifier: Apache-2.0 */
/* app_launch: starts a program, without a shell, and waits for its window. The result says when
 * none appeared. */
#include "hand/apps/apps-limits.h"
#include "hand/apps/launch.h"
#include "hand/apps/program-facts.h"
#include "hand/safety/handed-directories.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/run-file-hashes.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/limits.h"
#include "shared/process/processes.h"
#include "shared/tool/call.h"

static const char *const outcomes[] = {
    [HF_LAUNCH_WINDOW] = "window",
    [HF_LAUNCH_ACTIVATED] = "activated",
    [HF_LAUNCH_WAITING] = "no_window",
    [HF_LAUNCH_ENDED] = "ended",
    NULL,
};

static const char *const notes[] = {
    [HF_LAUNCH_ACTIVATED] = "it was already running; that instance came to the front",
    [HF_LAUNCH_WAITING] = "it runs, but has not shown a window yet; check window_list later",
    [HF_LAUNCH_ENDED] = "the process ended without showing a window",
};

static json_t *arguments_to_json(char *const *arguments)
{
    json_t *list = json_array();
    for (; *arguments; arguments++)
        json_array_append_new(list, hf_json_text(*arguments));
    return list;
}

/* Undo closes the program as a person would, so it needs a window. */
static void note_launch_undo(HfCall *call, const HfLaunched *launched)
{
    HfProcess process;
    if (!hf_call_wants_undo(call))
        return;
    if (launched->end != HF_LAUNCH_WINDOW) {
        hf_call_refuse_undo(call, launched->end == HF_LAUNCH_ACTIVATED
                                      ? "the application was already running"
                                      : "it showed no window");
        return;
    }
    int pid = launched->window->pid > 0 ? launched->window->pid : launched->pid;
    if (!hf_process_read(pid, &process)) {
        hf_call_refuse_undo(call, "its process has ended");
        return;
    }
    hf_call_take_undo(call, json_pack("{s:s, s:{s:i}, s:{s:{s:i, s:I}}}", "tool", "app_close",
                                      "params", "pid", pid, "expect", "process", "pid", pid,
                                      "start_time", (json_int_t)process.start_time));
}

/* A program that is given a file that it cannot see would show an empty one. */
static gboolean check_arguments_seen(const HfCall *call, const char *name, char *const *arguments,
                                     GError **error)
{
    gboolean seen = !g_path_is_absolute(name) ||
                    hf_handed_directories_check_seen(hf_call_walls(call), name, error);
    for (; seen && *arguments; arguments++)
        seen = !g_path_is_absolute(*arguments) ||
               hf_handed_directories_check_seen(hf_call_walls(call), *arguments, error);
    return seen;
}

static HfProgram *resolve_launch(const HfCall *call, GError **error)
{
    const char *name = hf_call_string(call, "name");
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    return check_arguments_seen(call, name, arguments, error)
               ? hf_program_resolve(name, (const char *const *)arguments, error)
               : NULL;
}

/* {"arguments", "sha256", "program", "files"}: what would be started, for the guard. */
static json_t *describe_launch(const HfCall *call, const HfProgram *program)
{
    g_auto(GStrv) given = hf_call_dup_strings(call, "args");
    json_t *facts = hf_program_describe(program, (const char *const *)given);
    json_t *command = arguments_to_json(program->arguments);
    g_autoptr(HfScript) script = hf_script_read_arguments((const char *const *)program->arguments);
    json_t *files = hf_run_files_hash(call, script, hf_json_string(facts, "directory", "/"));
    g_autoptr(json_t) judged = json_pack("[O, O]", command, facts);
    g_autofree char *more = hf_json_dump(judged);
    g_autofree char *digest = hf_run_files_dup_digest(files, more);
    return json_pack("{s:o, s:s, s:o, s:o}", "arguments", command, "sha256", digest, "program",
                     facts, "files", files);
}

static HfResult *inspect_launch(HfCall *call, GError **error)
{
    g_autoptr(HfProgram) program = resolve_launch(call, error);
    return program ? hf_result_new(describe_launch(call, program)) : NULL;
}

static gboolean check_judged_program(const HfCall *call, const HfProgram *program, GError **error)
{
    g_autoptr(json_t) now = describe_launch(call, program);
    return hf_run_files_check(call, json_object_get(now, "files"),
                              hf_json_string(now, "sha256", ""), error);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfProgram) program = resolve_launch(call, error);
    if (!program || !check_judged_program(call, program, error))
        return NULL;
    g_autoptr(HfLaunched) launched =
        hf_launch(hf_call_context(call), program, (guint)hf_call_int(call, "wait_ms"),
                  hf_call_deadline(call), error);
    if (!launched)
        return NULL;
    note_launch_undo(call, launched);
    json_t *json = json_pack("{s:o, s:i, s:s, s:o}", "name", hf_json_text(program->name), "pid",
                             launched->pid, "outcome", outcomes[launched->end], "command",
                             arguments_to_json(program->arguments));
    if (program->desktop_id)
        json_object_set_new(json, "desktop_id", hf_json_text(program->desktop_id));
    if (launched->window)
        json_object_set_new(json, "window", hf_window_to_json(launched->window));
    if (notes[launched->end])
        json_object_set_new(json, "note", json_string(notes[launched->end]));
    return hf_result_new(json);
}

static const HfParam argument = {.type = HF_TYPE_STRING, .max = HF_LIMIT_ARGUMENT_BYTES};

static const HfParam params[] = {
    HF_STRING("name", "Name of an installed application, command in PATH, or absolute path",
              .required = TRUE, .means = HF_MEANS_PROGRAM, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_ARRAY("args", "Arguments as the program gets them; no shell reads them",
             .max = HF_LIMIT_ARGUMENTS, .items = &argument, .means = HF_MEANS_ARGUMENTS),
    HF_INTEGER("wait_ms", "How many milliseconds to wait for its window; 0: do not wait",
               .fallback = "5000", .max = HF_LIMIT_LAUNCH_WAIT_MS),
    {0},
};

static const HfParam command_item = {.type = HF_TYPE_STRING};

static const HfParam result[] = {
    HF_STRING("name", "Name of the application", .required = TRUE),
    HF_INTEGER("pid", "Id of the started process", .required = TRUE),
    HF_STRING("outcome",
              "window: it has a new one; activated: a running instance came to the front; "
              "no_window: none yet; ended: it ended without one",
              .required = TRUE, .choices = outcomes),
    HF_ARRAY("command", "The executed command and its arguments", .required = TRUE,
             .items = &command_item),
    HF_STRING("desktop_id", "Id of its .desktop file, when it is installed"),
    HF_OBJECT("window", "Its window, if there is one", .fields = hf_window_fields),
    HF_STRING("note", "Explains the outcome when there is no new window"),
    {0},
};

const HfTool hf_tool_app_launch = {
    .name = "app_launch",
    .title = "Start an application",
    .summary = "Start an application by its name, a command or a path, and wait for its window. "
               "Returns its pid and window",
    .category = HF_CATEGORY_APPS,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .command = {HF_RISK_HIGH, HF_LEVEL_ELEVATED},
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_RUNS_COMMANDS,
    .target = HF_TARGET_PROGRAM,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_TASK,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
    .inspect = inspect_launch,
};
