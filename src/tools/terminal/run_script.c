/* run_script: run a script file of the workspace, with arguments, in a session. What is executable
 * runs as it is; else what its first line names runs it, or bash. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/paths.h"
#include "shell/quote.h"
#include "tools/terminal/shell-call.h"

#define FIRST_LINE_BYTES 256

/* What the first line names: "#!/usr/bin/env python3"; NULL: nothing. */
static char *dup_interpreter(const char *path)
{
    char line[FIRST_LINE_BYTES] = "";
    FILE *file = fopen(path, "re");
    gboolean read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    if (!read || strncmp(line, "#!", 2) != 0)
        return NULL;
    char *words = g_strstrip(line + 2);
    return *words ? g_strdup(words) : NULL;
}

/* As the kernel does: a program, and all the rest as one argument. */
static void append_interpreter(GString *text, const char *path)
{
    g_autofree char *named = dup_interpreter(path);
    g_auto(GStrv) words = g_strsplit_set(named ? named : "/bin/bash", " \t", 2);
    for (char **word = words; *word; word++) {
        hf_quote_append(text, g_strstrip(*word));
        g_string_append_c(text, ' ');
    }
}

static gboolean check_script(const HfSession *session, const char *path, GError **error)
{
    if (!hf_plan_shows(hf_session_plan(session), path)) {
        hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is outside the directories that shells may use",
                path);
        hf_error_take_details(
            error, json_pack("{s:o}", "walls", hf_plan_describe(hf_session_plan(session))));
        return FALSE;
    }
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "there is no script '%s'", path);
    return TRUE;
}

static char *make_command(HfCall *call, const char *path)
{
    GString *text = g_string_new(NULL);
    g_auto(GStrv) arguments = hf_call_dup_strings(call, "args");
    if (access(path, X_OK) != 0)
        append_interpreter(text, path);
    hf_quote_append(text, path);
    for (char **argument = arguments; *argument; argument++) {
        g_string_append_c(text, ' ');
        hf_quote_append(text, *argument);
    }
    return g_string_free(text, FALSE);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_autofree char *path = hf_path_dup_real(hf_call_string(call, "path"));
    if (!path) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "path: an absolute path is needed, or one with ~");
        return NULL;
    }
    g_autoptr(HfSession) session = hf_call_get_session(call, error);
    if (!session || !check_script(session, path, error))
        return NULL;
    g_autofree char *command = make_command(call, path);
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
    HF_PARAM_SESSION,
    HF_PARAM_COMMAND_TIMEOUT,
    HF_PARAM_WORKING_DIR,
    HF_PARAM_MAX_OUTPUT,
    HF_PARAM_ENCODING,
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
    .result = hf_ran_fields,
    .run = run,
};
