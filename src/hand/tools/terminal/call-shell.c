/* SPDX-License-Identifier: Apache-2.0 */
/* A path that a caller names is the user's, "~" included; the shell gets it as it is written. */
#include "hand/tools/terminal/call-shell.h"

#include "hand/tools/call-undo.h"
#include "shared/base/error.h"

/* From here on a text goes beside the result. */
#define LONG_BYTES 4096

const char *const hf_command_output_encodings[] = {"text", "base64", NULL};

HfShellSession *hf_call_get_session(HfCall *call, GError **error)
{
    const json_t *walls = hf_call_walls(call);
    const char *id = hf_call_string(call, "session_id");
    HfSandboxRequest usual = {0};
    return id ? hf_shell_sessions_get(id, walls, error)
              : hf_shell_sessions_ensure(HF_SESSION_DEFAULT, walls, &usual, hf_call_deadline(call),
                                         error);
}

json_t *hf_call_dup_sandbox_plan(HfCall *call, GError **error)
{
    const json_t *walls = hf_call_walls(call);
    const char *id = hf_call_string(call, "session_id");
    g_autoptr(HfShellSession) session = id ? hf_shell_sessions_get(id, walls, error)
                                           : hf_shell_sessions_find(HF_SESSION_DEFAULT, walls);
    HfSandboxRequest usual = {0};
    if (session)
        return json_deep_copy(hf_shell_session_plan(session));
    return id ? NULL : hf_sandbox_plan_new(walls, &usual, error);
}

static char *dup_directory(const HfCall *call)
{
    const char *path = hf_call_string(call, "working_dir");
    if (path && path[0] == '~' && (path[1] == '/' || !path[1]))
        return g_build_filename(g_get_home_dir(), path + 1, NULL);
    return g_strdup(path);
}

static void add_output_text(HfResult *result, const HfCommandOutput *output, const char *name)
{
    gsize length;
    char *text = hf_command_output_dup_text(output, &length);
    if (length > LONG_BYTES) {
        hf_result_add_attachment(result, name, HF_MEDIA_TEXT, g_bytes_new_take(text, length));
        return;
    }
    json_object_set_new(result->json, name, json_stringn_nocheck(text, length));
    g_free(text);
}

static void add_command_output(HfResult *result, const HfCall *call, const HfShellSession *session,
                               const HfCommandOutput *output, const char *name)
{
    json_t *json = result->json;
    g_autofree char *bytes = g_strdup_printf("%s_bytes", name);
    g_autofree char *file = g_strdup_printf("%s_file", name);
    g_autofree char *base64 = g_strdup_printf("%s_base64", name);
    add_output_text(result, output, name);
    json_object_set_new(json, bytes, json_integer((json_int_t)hf_command_output_total(output)));
    const char *spill = hf_command_output_get_spill(output);
    if (spill) {
        g_autofree char *path = g_build_filename(hf_shell_session_folder(session), spill, NULL);
        json_object_set_new(json, file, hf_json_text(path));
    }
    if (g_str_equal(hf_call_string(call, "encoding"), "base64"))
        json_object_set_new(json, base64, hf_command_output_to_base64(output));
}

static const char *note_of(const HfCommandResult *ran)
{
    if (ran->interrupted && ran->ended)
        return "the command did not end in time and could not be interrupted; its session was "
               "ended with it";
    if (ran->interrupted)
        return "the command did not end in time and was interrupted; this is its output until "
               "then, and the session goes on";
    if (ran->ended)
        return "the shell has ended; what it had started has ended with it";
    return NULL;
}

static HfResult *to_result(const HfCall *call, const HfShellSession *session,
                           const HfCommandResult *ran)
{
    gboolean truncated =
        hf_command_output_is_truncated(ran->output) || hf_command_output_is_truncated(ran->errors);
    json_t *json = json_pack("{s:i, s:s, s:f, s:b, s:b, s:b}", "exit_code", ran->status,
                             "session_id", hf_shell_session_id(session), "duration_ms",
                             (double)ran->took_us / 1000, "truncated", truncated, "interrupted",
                             ran->interrupted, "session_ended", ran->ended);
    HfResult *result = hf_result_new(json);
    add_command_output(result, call, session, ran->output, "stdout");
    add_command_output(result, call, session, ran->errors, "stderr");
    if (ran->directory)
        json_object_set_new(json, "cwd", hf_json_text(ran->directory));
    const char *note = note_of(ran);
    if (note)
        json_object_set_new(json, "note", json_string(note));
    return result;
}

HfResult *hf_call_run_command(HfCall *call, HfShellSession *session, const char *text,
                              GError **error)
{
    g_autofree char *directory = dup_directory(call);
    HfShellCommand command = {.text = text,
                              .directory = directory,
                              .timeout_ms = hf_call_int(call, "timeout"),
                              .output_bytes = (gsize)hf_call_int(call, "max_output_bytes")};
    g_autoptr(HfCommandResult) ran =
        hf_shell_session_run(session, &command, hf_call_deadline(call), error);
    if (!ran)
        return NULL;
    hf_call_refuse_undo(call, "what a command has done is not known");
    return to_result(call, session, ran);
}

/* One that is not there yet is described by what it would be. */
static gboolean describe_new(HfCall *call, const char *id, json_t *target, GError **error)
{
    HfSandboxRequest usual = {0};
    g_autoptr(json_t) plan = hf_sandbox_plan_new(hf_call_walls(call), &usual, error);
    if (!plan)
        return FALSE;
    if (*id)
        json_object_set_new(target, "session_id", hf_json_text(id));
    json_object_set_new(target, "exists", json_false());
    json_object_set_new(target, "cwd", hf_json_text(hf_json_string(plan, "directory", "/")));
    json_object_set_new(target, "walls", hf_sandbox_plan_describe(plan));
    return TRUE;
}

HfShellSession *hf_call_check_terminal(HfShellSession *take_session, GError **error)
{
    g_autoptr(HfShellSession) session = take_session;
    if (!session || hf_shell_session_terminal(session))
        return g_steal_pointer(&session);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the session '%s' has no terminal",
            hf_shell_session_id(session));
    hf_error_suggest(error, "use bash_execute there, or make one with action create and pty true");
    return NULL;
}

static gboolean is_session_action_in(const char *action, const char *const *actions)
{
    return action && g_strv_contains(actions, action);
}

/* The session that the call would work in; NULL without an error: one that it would make. What the
 * call would be refused for, its dry run is. */
static HfShellSession *find_meant(const HfCall *call, const char *action, const char **ret_id,
                                  GError **error)
{
    static const char *const typing[] = {"write", "read", "resize", NULL};
    static const char *const making[] = {"create", "list", NULL};
    const json_t *walls = hf_call_walls(call);
    const char *named = hf_call_string(call, "session_id");
    gboolean types = is_session_action_in(action, typing);
    *ret_id = named ? named : types ? HF_SESSION_TERMINAL : HF_SESSION_DEFAULT;
    if (is_session_action_in(action, making)) {
        g_autoptr(HfShellSession) there = named ? hf_shell_sessions_find(named, walls) : NULL;
        if (there)
            hf_fail(error, HF_ERROR_CONFLICT, "a session '%s' exists already", named);
        *ret_id = named ? named : "";
        return NULL;
    }
    HfShellSession *session =
        named ? hf_shell_sessions_get(named, walls, error) : hf_shell_sessions_find(*ret_id, walls);
    return types ? hf_call_check_terminal(session, error) : session;
}

gboolean hf_call_describe_session(HfCall *call, json_t *target, GError **error)
{
    const char *id, *command = hf_call_string(call, "command");
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfShellSession) session =
        find_meant(call, hf_call_string(call, "action"), &id, &problem);
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    if (command)
        json_object_set_new(target, "command", hf_json_text(command));
    if (!session)
        return describe_new(call, id, target, error);
    g_autoptr(json_t) told = hf_shell_session_describe(session);
    json_object_set_new(told, "exists", json_true());
    json_object_update_missing(target, told);
    return TRUE;
}

static const HfParam text_item = {.type = HF_TYPE_STRING};

const HfParam hf_walls_fields[] = {
    {.name = "open",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There are none: its caller has full control"},
    {.name = "network",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "It shares the machine's network; else it has only itself"},
    {.name = "writable",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text_item,
     .about = "Directories that are there to read and write, besides /tmp of its own"},
    {.name = "readable",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text_item,
     .about = "Directories that are there to read, besides the system's own programs"},
    {.name = "hidden",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text_item,
     .about = "Places within these that cannot be opened"},
    {.name = "unenforced",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &text_item,
     .about = "Patterns that the agreement denies and no wall can express"},
    {0},
};

const HfParam hf_command_result_fields[] = {
    {.name = "stdout",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "Its output; bytes that are no UTF-8 as U+FFFD"},
    {.name = "stderr",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .others = TRUE,
     .about = "What it wrote about errors, apart from its output"},
    {.name = "exit_code",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "0: all is well; 128 and more: ended by a signal"},
    {.name = "session_id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Where it ran: directory and variables are kept there"},
    {.name = "duration_ms",
     .type = HF_TYPE_NUMBER,
     .required = TRUE,
     .about = "How long the command took"},
    {.name = "cwd", .type = HF_TYPE_STRING, .about = "The session's directory afterwards"},
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Something in the middle of an output is left out; a line says where"},
    {.name = "stdout_bytes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "All that it wrote, in bytes"},
    {.name = "stderr_bytes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "All that it wrote about errors, in bytes"},
    {.name = "stdout_file",
     .type = HF_TYPE_STRING,
     .about = "Where commands of this session can read all of a long output, up to 64 MB"},
    {.name = "stderr_file", .type = HF_TYPE_STRING, .about = "The same for stderr"},
    {.name = "stdout_base64",
     .type = HF_TYPE_STRING,
     .others = TRUE,
     .about = "The bytes of stdout that were kept; if it is truncated: the beginning, then the "
              "end"},
    {.name = "stderr_base64", .type = HF_TYPE_STRING, .others = TRUE, .about = "Those of stderr"},
    {.name = "interrupted",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "It took longer than its time limit and was interrupted"},
    {.name = "session_ended",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "The session has ended: by exit, by set -e, or since nothing else stopped the "
              "command"},
    {.name = "note", .type = HF_TYPE_STRING, .about = "What to make of an end that is unusual"},
    {0},
};
