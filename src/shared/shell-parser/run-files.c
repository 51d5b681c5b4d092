/* SPDX-License-Identifier: Apache-2.0 */
/* A command runs the file that its first word names. A shell or an interpreter also runs the file
 * of its first argument, its input, and what is piped into it. Options may name files too
 * (--rcfile FILE), so every word up to the script is a candidate. */
#include "shared/shell-parser/run-files.h"

#include <string.h>

#include "shared/shell-parser/command-wrappers.h"
#include "shared/shell-parser/shell-parser-limits.h"

void hf_run_files_free(HfRunFiles *files)
{
    if (!files)
        return;
    g_ptr_array_unref(files->names);
    g_ptr_array_unref(files->directories);
    g_free(files);
}

static void add_run_name(GPtrArray *names, const char *text)
{
    if (!*text || strchr(text, HF_SCRIPT_UNKNOWN) || names->len >= HF_LIMIT_RUN_FILES ||
        g_ptr_array_find_with_equal_func(names, text, g_str_equal, NULL))
        return;
    g_ptr_array_add(names, g_strdup(text));
}

static const char *run_word(const HfScriptCommand *command, guint index)
{
    return ((const HfScriptWord *)command->words->pdata[index])->text;
}

/* Ends with the first word that cannot be the value of an option: what follows are arguments of the
 * script. */
static void add_script_words(HfRunFiles *files, const HfScriptCommand *command)
{
    gboolean after_option = FALSE;
    for (guint i = 1; i < command->words->len; i++) {
        const char *word = run_word(command, i), *value = strchr(word, '=');
        gboolean option = word[0] == '-' || word[0] == '+';
        if (!option)
            add_run_name(files->names, word);
        else if (value)
            add_run_name(files->names, value + 1);
        if (!option && !after_option)
            return;
        after_option = option;
    }
}

static void add_all_words(HfRunFiles *files, const HfScriptCommand *command)
{
    for (guint i = 1; i < command->words->len; i++)
        if (run_word(command, i)[0] != '-')
            add_run_name(files->names, run_word(command, i));
}

static void add_read_files(HfRunFiles *files, const HfScriptCommand *command)
{
    for (guint i = 0; i < command->redirects->len; i++) {
        const HfScriptRedirect *redirect = command->redirects->pdata[i];
        if (!redirect->writes)
            add_run_name(files->names, redirect->target.text);
    }
}

/* What an interpreter reads from its input: redirections, and files of commands before the pipe. */
static void add_input_files(HfRunFiles *files, const HfScript *script,
                            const HfScriptCommand *command)
{
    add_read_files(files, command);
    for (guint i = 0; i < script->commands->len; i++) {
        const HfScriptCommand *from = script->commands->pdata[i];
        if (from == command || !hf_script_feeds(script, from, command))
            continue;
        add_all_words(files, from);
        add_read_files(files, from);
    }
}

static void add_make_files(HfRunFiles *files, const HfScriptCommand *command)
{
    static const char *const usual[] = {"GNUmakefile", "makefile", "Makefile"};
    for (gsize i = 0; i < G_N_ELEMENTS(usual); i++)
        add_run_name(files->names, usual[i]);
    add_all_words(files, command);
    for (guint i = 1; i + 1 < command->words->len; i++)
        if (strcmp(run_word(command, i), "-C") == 0)
            add_run_name(files->directories, run_word(command, i + 1));
}

static void add_run_command(HfRunFiles *files, const HfScript *script,
                            const HfScriptCommand *command)
{
    const HfCommandWrapper *runner = hf_command_wrapper_find(command->name);
    if (command->words->len == 0)
        return;
    add_run_name(files->names, run_word(command, 0));
    if (strcmp(command->name, "cd") == 0 || strcmp(command->name, "pushd") == 0) {
        if (command->words->len > 1)
            add_run_name(files->directories, run_word(command, command->words->len - 1));
    } else if (strcmp(command->name, "make") == 0 || strcmp(command->name, "gmake") == 0) {
        add_make_files(files, command);
    } else if (runner && (runner->kind == HF_WRAPPER_SHELL || runner->kind == HF_WRAPPER_CODE ||
                          runner->kind == HF_WRAPPER_SOURCE || runner->kind == HF_WRAPPER_INPUT)) {
        add_script_words(files, command);
        add_input_files(files, script, command);
    }
}

HfRunFiles *hf_run_files_of_script(const HfScript *script)
{
    HfRunFiles *files = g_new0(HfRunFiles, 1);
    files->names = g_ptr_array_new_with_free_func(g_free);
    files->directories = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < script->commands->len; i++)
        add_run_command(files, script, script->commands->pdata[i]);
    return files;
}
