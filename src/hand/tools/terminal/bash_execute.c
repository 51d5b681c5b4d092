/* SPDX-License-Identifier: Apache-2.0 */
/* bash_execute: run a command in a shell that stays, and give back all that it wrote, apart, with
 * its exit code. */
#include "hand/shell/shell-limits.h"
#include "hand/tools/terminal/call-shell.h"
#include "shared/base/limits.h"

static HfResult *run(HfCall *call, GError **error)
{
    g_autoptr(HfShellSession) session = hf_call_get_session(call, error);
    return session ? hf_call_run_command(call, session, hf_call_string(call, "command"), error)
                   : NULL;
}

static const HfParam params[] = {
    {.name = "command",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_COMMAND_BYTES,
     .means = HF_MEANS_COMMAND,
     .about = "What bash shall run: one command or many lines; its input is empty"},
    HF_PARAMS_OF_COMMAND,
    {0},
};

const HfTool hf_tool_bash_execute = {
    .name = "bash_execute",
    .title = "Run a command",
    .summary = "Run a command in a bash that stays between calls: directory, variables and "
               "functions are kept. Returns stdout and stderr apart and the exit code. For "
               "programs that ask something or fill the screen use bash_session",
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
};
