/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the session of a call, runs a command in it, and makes a result of its output. */
#include "hand/tools/terminal/call-shell.h"

#include "hand/safety/handed-directories.h"
#include "hand/tools/call-undo.h"
#include "shared/base/error.h"

/* A longer text goes beside the result. */
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

char *hf_call_dup_shell_directory(HfCall *call, GError **error)
{
    const json_t *walls = hf_call_walls(call);
    const char *id = hf_call_string(call, "session_id");
    g_autoptr(HfShellSession) session = id ? hf_shell_sessions_get(id, walls, error)
                                           : hf_shell_sessions_find(HF_SESSION_DEFAULT, walls);
    if (id && !session)
        return NULL;
    g_autoptr(json_t) place =
        session ? hf_shell_session_describe(session) : hf_call_dup_sandbox_plan(call, error);
    const char *began = hf_json_string(place, session ? "cwd" : "directory", "/");
    g_autofree char *asked = dup_directory(call);
    if (!place)
        return NULL;
    return asked ? g_canonicalize_filename(asked, began) : g_strdup(began);
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

static const char *explain_end(const HfCommandResult *ran)
{
    if (ran->interrupted && ran->ended)
        return "the command exceeded its time limit and could not be interrupted, so its session "
               "was "
               "ended too";
    if (ran->interrupted)
        return "the command exceeded its time limit and was interrupted; this is its output so "
               "far, "
               "and the session continues";
    if (ran->ended)
        return "the shell has ended, and all that it had started";
    return NULL;
}

static HfResult *command_to_result(const HfCall *call, const HfShellSession *session,
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
    const char *note = explain_end(ran);
    if (note)
        json_object_set_new(json, "note", json_string(note));
    return result;
}

HfResult *hf_call_run_command(HfCall *call, HfShellSession *session, const char *text,
                              GError **error)
{
    g_autofree char *directory = dup_directory(call);
    if (directory && g_path_is_absolute(directory) &&
        !hf_handed_directories_check_seen(hf_call_walls(call), directory, error))
        return NULL;
    HfShellCommand command = {.text = text,
                              .directory = directory,
                              .timeout_ms = hf_call_int(call, "timeout"),
                              .output_bytes = (gsize)hf_call_int(call, "max_output_bytes")};
    g_autoptr(HfCommandResult) ran =
        hf_shell_session_run(session, &command, hf_call_deadline(call), error);
    if (!ran)
        return NULL;
    hf_call_refuse_undo(call, "nobody knows what the command has changed");
    return command_to_result(call, session, ran);
}

/* A session that does not exist yet, as it would be created. */
static gboolean describe_new_session(HfCall *call, const char *id, json_t *target, GError **error)
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
    hf_error_suggest(error, "use bash_execute there, or create a session with pty true");
    return NULL;
}

static gboolean is_session_action_in(const char *action, const char *const *actions)
{
    return action && g_strv_contains(actions, action);
}

/* The session that the call would use; NULL without an error: it would create one. A dry run fails
 * for the same reasons as the call. */
static HfShellSession *find_previewed_session(const HfCall *call, const char *action,
                                              const char **ret_id, GError **error)
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
            hf_fail(error, HF_ERROR_CONFLICT,
                    "the session '%s' exists already; choose another session_id", named);
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
        find_previewed_session(call, hf_call_string(call, "action"), &id, &problem);
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    if (command)
        json_object_set_new(target, "command", hf_json_text(command));
    if (!session)
        return describe_new_session(call, id, target, error);
    g_autoptr(json_t) description = hf_shell_session_describe(session);
    json_object_set_new(description, "exists", json_true());
    json_object_update_missing(target, description);
    return TRUE;
}

static const HfParam text_item = {.type = HF_TYPE_STRING};

const HfParam hf_walls_fields[] = {
    HF_BOOLEAN("open", "There are no limits: its caller has full control", .required = TRUE),
    HF_BOOLEAN("network", "It uses the machine's network; otherwise it has none", .required = TRUE),
    HF_ARRAY("writable", "Directories that it can read and write, besides its private /tmp",
             .required = TRUE, .items = &text_item),
    HF_ARRAY("readable", "Directories that it can read, besides the system's programs",
             .required = TRUE, .items = &text_item),
    HF_ARRAY("hidden", "Paths within these that it cannot open", .required = TRUE,
             .items = &text_item),
    HF_ARRAY("unenforced", "Patterns that the configuration denies and the sandbox cannot enforce",
             .required = TRUE, .items = &text_item),
    {0},
};

const HfParam hf_command_result_fields[] = {
    HF_STRING("stdout", "Its output; bytes that are not UTF-8 become U+FFFD", .required = TRUE,
              .others = TRUE),
    HF_STRING("stderr", "Its error output", .required = TRUE, .others = TRUE),
    HF_INTEGER("exit_code", "0: success; 128 and more: ended by a signal", .required = TRUE),
    HF_STRING("session_id", "The session that it ran in, which keeps directory and variables",
              .required = TRUE),
    HF_NUMBER("duration_ms", "How long the command took", .required = TRUE),
    HF_STRING("cwd", "Directory of the session afterwards"),
    HF_BOOLEAN("truncated", "The middle of an output was cut; a line there says so",
               .required = TRUE),
    HF_INTEGER("stdout_bytes", "Length of the whole output, in bytes", .required = TRUE),
    HF_INTEGER("stderr_bytes", "Length of the whole error output, in bytes", .required = TRUE),
    HF_STRING("stdout_file",
              "File with all of a long output, up to 64 MB, for commands of this session"),
    HF_STRING("stderr_file", "The same for stderr"),
    HF_STRING("stdout_base64", "The bytes of stdout; when truncated: the beginning, then the end",
              .others = TRUE),
    HF_STRING("stderr_base64", "The bytes of stderr", .others = TRUE),
    HF_BOOLEAN("interrupted", "It took longer than its time limit and was interrupted",
               .required = TRUE),
    HF_BOOLEAN(
        "session_ended",
        "The session has ended: by exit, by set -e, or because nothing else stopped the command",
        .required = TRUE),
    HF_STRING("note", "Explains an unusual end"),
    {0},
};
