/* SPDX-License-Identifier: Apache-2.0 */
/* run_script: runs a script file of the workspace, with arguments, in a session. The interpreter of
 * its first line runs it, or bash. An executable that is not a script runs by itself. */
#include "hand/apps/apps-limits.h"
#include "hand/safety/handed-directories.h"
#include "hand/tools/run-file-hashes.h"
#include "hand/tools/terminal/call-shell.h"
#include "hand/tools/terminal/script-file.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* Within the walls of the call's session, whether it exists yet or not. */
static HfScriptFile *read_script(HfCall *call, GError **error)
{
    const char *path = hf_call_string(call, "path");
    if (!hf_handed_directories_check_seen(hf_call_walls(call), path, error))
        return NULL;
    g_autoptr(json_t) plan = hf_call_dup_sandbox_plan(call, error);
    return plan ? hf_script_file_read(plan, path, error) : NULL;
}

/* The script, and the files that it runs or sources itself. */
static json_t *hash_script_files(HfCall *call, const HfScriptFile *script, GError **error)
{
    const char *const command[] = {"bash", script->path, NULL};
    g_autofree char *directory = hf_call_dup_shell_directory(call, error);
    g_autoptr(HfScript) text = hf_script_read_arguments(command);
    return directory ? hf_run_files_hash(call, text, directory) : NULL;
}

static HfResult *inspect_script(HfCall *call, GError **error)
{
    g_autoptr(HfScriptFile) script = read_script(call, error);
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    json_t *files = script ? hash_script_files(call, script, error) : NULL;
    if (!files)
        return NULL;
    json_t *description = hf_script_file_describe(script, arguments);
    g_autofree char *digest = hf_run_files_dup_digest(files, script->sha256);
    json_object_set_new(description, "sha256", json_string(digest));
    json_object_set_new(description, "files", files);
    return hf_result_new(description);
}

/* The guard judged the content that the files had then. */
static gboolean check_judged_content(HfCall *call, const HfScriptFile *script, GError **error)
{
    g_autoptr(json_t) files = hash_script_files(call, script, error);
    g_autofree char *digest = files ? hf_run_files_dup_digest(files, script->sha256) : NULL;
    if (!files)
        return FALSE;
    if (g_strcmp0(hf_call_inspected_sha256(call), digest) == 0)
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "the script '%s', or one that it runs, changed after it was checked", script->path);
    hf_error_suggest(error, "call run_script again; the new content will be checked");
    return FALSE;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfShellSession) session = hf_call_get_session(call, error);
    g_autoptr(HfScriptFile) script = session ? read_script(call, error) : NULL;
    if (!script || !check_judged_content(call, script, error))
        return NULL;
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    g_autofree char *command = hf_script_file_command(script, arguments);
    return hf_call_run_command(call, session, command, error);
}

static const HfParam argument = {.type = HF_TYPE_STRING, .max = HF_LIMIT_ARGUMENT_BYTES};

static const HfParam params[] = {
    HF_STRING("path", "The script file, in a directory that shells may use", .required = TRUE,
              .min = 1, .max = HF_LIMIT_TITLE_BYTES, .means = HF_MEANS_PROGRAM),
    HF_ARRAY("args", "Arguments as the script gets them; no shell reads them",
             .max = HF_LIMIT_ARGUMENTS, .items = &argument, .means = HF_MEANS_ARGUMENTS),
    HF_PARAMS_OF_COMMAND,
    {0},
};

const HfTool hf_tool_run_script = {
    .name = "run_script",
    .title = "Run a script",
    .summary = "Run a script file of the workspace with arguments, in a session like those of "
               "bash_execute. Returns its output and exit code",
    .category = HF_CATEGORY_TERMINAL,
    .risk = HF_RISK_HIGH,
    .risk_inside = HF_RISK_MEDIUM,
    .level = HF_LEVEL_ELEVATED,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_SHELL,
    .effects = HF_EFFECT_RUNS_COMMANDS,
    .target = HF_TARGET_SHELL,
    .flags = HF_TOOL_WALLED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_ACCEPTED,
    .timeout_ms = HF_LIMIT_TIMEOUT_MS,
    .params = params,
    .result = hf_command_result_fields,
    .run = run,
    .inspect = inspect_script,
};
