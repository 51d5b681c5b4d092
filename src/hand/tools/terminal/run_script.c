/* SPDX-License-Identifier: Apache-2.0 */
/* run_script: run a script file of the workspace, with arguments, in a session. What its first line
 * names runs it, or bash; what is no script and may be executed runs by itself. */
#include "hand/apps/apps-limits.h"
#include "hand/tools/terminal/call-shell.h"
#include "hand/tools/terminal/script-file.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* By the walls of the session that the call means, whether it is there yet or not. */
static HfScriptFile *read_script(HfCall *call, GError **error)
{
    g_autoptr(json_t) plan = hf_call_dup_sandbox_plan(call, error);
    return plan ? hf_script_file_read(plan, hf_call_string(call, "path"), error) : NULL;
}

static HfResult *inspect_script(HfCall *call, GError **error)
{
    g_autoptr(HfScriptFile) script = read_script(call, error);
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    return script ? hf_result_new(hf_script_file_describe(script, arguments)) : NULL;
}

/* The guard judged the content that the file had then. */
static gboolean check_weighed(const HfCall *call, const HfScriptFile *script, GError **error)
{
    if (g_strcmp0(hf_call_weighed(call), script->sha256) == 0)
        return TRUE;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the script '%s' changed after it was checked",
            script->path);
    hf_error_suggest(error, "call run_script again; the new content will be checked");
    return FALSE;
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfShellSession) session = hf_call_get_session(call, error);
    g_autoptr(HfScriptFile) script = session ? read_script(call, error) : NULL;
    if (!script || !check_weighed(call, script, error))
        return NULL;
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    g_autofree char *command = hf_script_file_command(script, arguments);
    return hf_call_run_command(call, session, command, error);
}

static const HfParam argument = {.type = HF_TYPE_STRING, .max = HF_LIMIT_ARGUMENT_BYTES};

static const HfParam params[] = {
    {.name = "path",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .means = HF_MEANS_PROGRAM,
     .about = "The script file, within the directories that shells may use"},
    {.name = "args",
     .type = HF_TYPE_ARRAY,
     .max = HF_LIMIT_ARGUMENTS,
     .items = &argument,
     .means = HF_MEANS_ARGUMENTS,
     .about = "Arguments as the script gets them; no shell reads them"},
    HF_PARAMS_OF_COMMAND,
    {0},
};

const HfTool hf_tool_run_script = {
    .name = "run_script",
    .title = "Run a script",
    .summary = "Run a script file of the workspace with arguments, in a session as bash_execute "
               "has them. Returns what it wrote and its exit code",
    .category = HF_CATEGORY_TERMINAL,
    .risk = HF_RISK_HIGH,
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
