/* SPDX-License-Identifier: Apache-2.0 */
/* app_launch: start a program, without a shell, and wait until its window is there. Says honestly
 * when none came. */
#include "hand/apps/apps-limits.h"
#include "hand/apps/launch.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/limits.h"
#include "shared/base/processes.h"
#include "shared/tool/call.h"

static const char *const outcomes[] = {
    [HF_LAUNCH_WINDOW] = "window",
    [HF_LAUNCH_ACTIVATED] = "activated",
    [HF_LAUNCH_WAITING] = "no_window",
    [HF_LAUNCH_ENDED] = "ended",
    NULL,
};

static const char *const notes[] = {
    [HF_LAUNCH_ACTIVATED] = "it was running already; that instance came to the front",
    [HF_LAUNCH_WAITING] = "it runs, but has shown no window yet; see window_list later",
    [HF_LAUNCH_ENDED] = "the process has ended without showing a window",
};

static json_t *arguments_to_json(char *const *arguments)
{
    json_t *list = json_array();
    for (; *arguments; arguments++)
        json_array_append_new(list, hf_json_text(*arguments));
    return list;
}

/* A program with a window can be closed again as a person would. */
static void note_launch_undo(HfCall *call, const HfLaunched *launched)
{
    HfProcess process;
    if (!hf_call_wants_undo(call))
        return;
    if (launched->end != HF_LAUNCH_WINDOW) {
        hf_call_refuse_undo(call, launched->end == HF_LAUNCH_ACTIVATED ? "it was running already"
                                                                       : "it has shown no window");
        return;
    }
    int pid = launched->window->pid > 0 ? launched->window->pid : launched->pid;
    if (!hf_process_read(pid, &process)) {
        hf_call_refuse_undo(call, "it has ended");
        return;
    }
    hf_call_take_undo(call, json_pack("{s:s, s:{s:i}, s:{s:{s:i, s:I}}}", "tool", "app_close",
                                      "params", "pid", pid, "expect", "process", "pid", pid,
                                      "start_time", (json_int_t)process.start_time));
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    g_autoptr(HfProgram) program =
        hf_program_resolve(hf_call_string(call, "name"), (const char *const *)arguments, error);
    if (!program)
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
    {.name = "name",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PROGRAM,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "Name of an installed application, command in PATH, or absolute path"},
    {.name = "args",
     .type = HF_TYPE_ARRAY,
     .max = HF_LIMIT_ARGUMENTS,
     .items = &argument,
     .means = HF_MEANS_ARGUMENTS,
     .about = "Arguments as the program gets them; no shell reads them"},
    {.name = "wait_ms",
     .type = HF_TYPE_INTEGER,
     .fallback = "5000",
     .max = HF_LIMIT_LAUNCH_WAIT_MS,
     .about = "How long to wait for its window; 0 does not wait"},
    {0},
};

static const HfParam command_item = {.type = HF_TYPE_STRING};

static const HfParam result[] = {
    {.name = "name", .type = HF_TYPE_STRING, .required = TRUE, .about = "What people call it"},
    {.name = "pid",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "The process that was started"},
    {.name = "outcome",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = outcomes,
     .about = "window: it has a new one; activated: a running instance came to the front; "
              "no_window: none yet; ended: it ended without one"},
    {.name = "command",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &command_item,
     .about = "What was executed"},
    {.name = "desktop_id", .type = HF_TYPE_STRING, .about = "Of an installed application"},
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .fields = hf_window_fields,
     .about = "Its window, if there is one"},
    {.name = "note", .type = HF_TYPE_STRING, .about = "What to make of it without a new window"},
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
    .needs = HF_NEEDS_INPUT,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_PROGRAMS,
    .effects = HF_EFFECT_RUNS_COMMANDS,
    .target = HF_TARGET_PROGRAM,
    .pace = HF_PACE_TASK,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 30000,
    .params = params,
    .result = result,
    .run = run,
};
