/* SPDX-License-Identifier: Apache-2.0 */
/* bash_execute: runs a command in a persistent shell and returns its output, its error output and
 * its exit code. */
#include "hand/shell/shell-limits.h"
#include "hand/tools/run-file-hashes.h"
#include "hand/tools/terminal/call-shell.h"
#include "shared/base/limits.h"

/* The files that the command would run now, in the directory where the session is; NULL: there is
 * no such session. */
static json_t *hash_command_files(HfCall *call, GError **error)
{
    g_autofree char *directory = hf_call_dup_shell_directory(call, error);
    g_autoptr(HfScript) script = hf_script_read(hf_call_string(call, "command"));
    return directory ? hf_run_files_hash(call, script, directory) : NULL;
}

static HfResult *inspect_command(HfCall *call, GError **error)
{
    json_t *files = hash_command_files(call, error);
    if (!files)
        return NULL;
    g_autofree char *digest = hf_run_files_dup_digest(files, NULL);
    return hf_result_new(json_pack("{s:s, s:o}", "sha256", digest ? digest : "", "files", files));
}

/* Only a call that the owner was asked about is bound to the content of files. */
static gboolean check_approved_files(HfCall *call, GError **error)
{
    if (!hf_call_inspected_sha256(call))
        return TRUE;
    g_autoptr(json_t) files = hash_command_files(call, error);
    g_autofree char *digest = files ? hf_run_files_dup_digest(files, NULL) : NULL;
    return files && hf_run_files_check(call, files, digest ? digest : "", error);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfShellSession) session = hf_call_get_session(call, error);
    return session && check_approved_files(call, error)
               ? hf_call_run_command(call, session, hf_call_string(call, "command"), error)
               : NULL;
}

static const HfParam params[] = {
    HF_STRING("command", "What bash runs: one command or many lines; its input is empty",
              .required = TRUE, .min = 1, .max = HF_LIMIT_COMMAND_BYTES, .means = HF_MEANS_COMMAND),
    HF_PARAMS_OF_COMMAND,
    {0},
};

const HfTool hf_tool_bash_execute = {
    .name = "bash_execute",
    .title = "Run a command",
    .summary = "Run a command in a bash that stays between calls: directory, variables and "
               "functions are kept. Returns stdout, stderr and the exit code. For programs that "
               "ask questions or fill the screen use bash_session",
    .category = HF_CATEGORY_TERMINAL,
    .risk = HF_RISK_HIGH,
    .risk_inside = HF_RISK_MEDIUM,
    .level = HF_LEVEL_ELEVATED,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_SHELL,
    .effects = HF_EFFECT_RUNS_COMMANDS,
    .target = HF_TARGET_SHELL,
    .flags = HF_TOOL_WALLED | HF_TOOL_INSPECT_IF_ASKED,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_ACCEPTED,
    .timeout_ms = HF_LIMIT_TIMEOUT_MS,
    .params = params,
    .result = hf_command_result_fields,
    .run = run,
    .inspect = inspect_command,
};
