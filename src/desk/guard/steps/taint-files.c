/* SPDX-License-Identifier: Apache-2.0 */
/* Would the call run a file that came from elsewhere? Then the policy may be stricter, whoever the
 * caller is. The tool's table declares which parameter is a command, a program or the script that
 * it runs. */
#include "desk/guard/policy/tainted-files.h"
#include "desk/guard/steps/steps.h"

static void append_texts(GPtrArray *words, const json_t *value)
{
    if (json_is_string(value))
        g_ptr_array_add(words, (char *)json_string_value(value));
    hf_json_each (member, value)
        if (json_is_string(member))
            g_ptr_array_add(words, (char *)json_string_value(member));
}

/* A program with its arguments, which are in another parameter. */
static json_t *find_in_program(const HfPassage *passage, const json_t *program, gint64 keep_ms)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    append_texts(words, program);
    for (const HfParam *param = passage->tool->params; param->name; param++)
        if (param->means == HF_MEANS_ARGUMENTS)
            append_texts(words, json_object_get(passage->params, param->name));
    g_ptr_array_add(words, NULL);
    return hf_tainted_files_in_arguments(passage->guard->tainted_files,
                                         (const char *const *)words->pdata, keep_ms);
}

static json_t *find_in_param(const HfPassage *passage, const HfParam *param, gint64 keep_ms)
{
    HfTaintedFiles *files = passage->guard->tainted_files;
    const json_t *value = json_object_get(passage->params, param->name);
    const char *text = json_string_value(value);
    if (!text)
        return NULL;
    if (param->means == HF_MEANS_COMMAND)
        return hf_tainted_files_in_command(files, text, keep_ms);
    if (param->means == HF_MEANS_PROGRAM)
        return find_in_program(passage, value, keep_ms);
    if (param->means == HF_MEANS_PATH && passage->tool->inspect) /* the script that it runs */
        return hf_tainted_files_at_path(files, text, keep_ms);
    return NULL;
}

gboolean hf_step_taint_files(HfPassage *passage, GError **error)
{
    if (!(passage->judgement.effects & HF_EFFECT_RUNS_COMMANDS))
        return TRUE;
    gint64 keep_ms = hf_taint_keep_ms(passage->config);
    json_t *found = NULL;
    for (const HfParam *param = passage->tool->params; param && param->name && !found; param++)
        found = find_in_param(passage, param, keep_ms);
    if (!found && passage->typed.line) /* a line that is sent to a shell */
        found = hf_tainted_files_in_command(passage->guard->tainted_files, passage->typed.line,
                                            keep_ms);
    passage->judgement.tainted_file = found;
    return TRUE;
}
