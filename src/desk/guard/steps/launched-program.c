/* SPDX-License-Identifier: Apache-2.0 */
/* Does the call start a program that runs what it is told? A shell, an interpreter or a command
 * that is launched can do what bash_execute can, without its walls. So it needs the risk and the
 * level that the tool declares for commands, unless the desktop is contained. */
#include "desk/guard/policy/command-programs.h"
#include "desk/guard/steps/steps.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

gboolean hf_step_launched_program(HfPassage *passage, GError **error)
{
    const json_t *program = json_object_get(passage->inspected, "program");
    const char *reason = program ? hf_command_program_reason(program) : NULL;
    const HfTool *tool = passage->tool;
    if (!reason || passage->contained || tool->command.risk == HF_RISK_NONE)
        return TRUE;
    passage->judgement.risk = MAX(passage->judgement.risk, tool->command.risk);
    if (hf_permission_check_level(passage, tool->command.level, error))
        return TRUE;
    g_prefix_error(error,
                   "'%s' counts as a command (%s): ", hf_json_string(program, "executable", "?"),
                   reason);
    return FALSE;
}
