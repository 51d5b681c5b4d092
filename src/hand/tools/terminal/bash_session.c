/* SPDX-License-Identifier: Apache-2.0 */
/* bash_session: creates, lists and ends persistent shells. Those with a terminal can be typed into
 * and read, for programs that ask questions or fill the screen. */
#include <signal.h>
#include <string.h>

#include "hand/shell/shell-limits.h"
#include "hand/shell/terminal/terminal.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/terminal/call-shell.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

static const char *const actions[] = {"create", "list",   "kill",   "write",
                                      "read",   "resize", "signal", NULL};
static const char *const shells[] = {"bash", "sh", NULL};
static const char *const signal_names[] = {"INT",  "TERM", "KILL", "HUP",  "QUIT",
                                           "STOP", "CONT", "USR1", "USR2", NULL};
static const int signal_numbers[] = {SIGINT,  SIGTERM, SIGKILL, SIGHUP, SIGQUIT,
                                     SIGSTOP, SIGCONT, SIGUSR1, SIGUSR2};

static HfThreeState get_three_state(const HfCall *call, const char *name)
{
    if (!hf_call_has(call, name))
        return HF_THREE_STATE_UNSET;
    return hf_call_bool(call, name) ? HF_THREE_STATE_YES : HF_THREE_STATE_NO;
}

static HfSandboxRequest read_sandbox_request(const HfCall *call, gboolean terminal)
{
    const char *shell = hf_call_string(call, "shell");
    return (HfSandboxRequest){
        .shell = shell,
        .directory = hf_call_string(call, "working_dir"),
        .network = get_three_state(call, "network"),
        .display = hf_call_bool(call, "display"),
        .terminal = terminal || hf_call_bool(call, "pty") || g_str_equal(shell, "sh"),
        .rows = (int)hf_call_int(call, "rows"),
        .columns = (int)hf_call_int(call, "columns"),
    };
}

static HfResult *do_create(HfCall *call, GError **error)
{
    HfSandboxRequest request = read_sandbox_request(call, FALSE);
    g_autoptr(HfShellSession) session =
        hf_shell_sessions_create(hf_call_string(call, "session_id"), hf_call_walls(call), &request,
                                 hf_call_deadline(call), error);
    return session ? hf_result_new(hf_shell_session_describe(session)) : NULL;
}

static HfResult *do_list(HfCall *call, GError **error)
{
    hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    return hf_result_new(
        json_pack("{s:o}", "sessions", hf_shell_sessions_list(hf_call_walls(call))));
}

static HfResult *do_kill(HfCall *call, GError **error)
{
    const char *id = hf_call_string(call, "session_id");
    if (!id) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "session_id: is required for kill");
        return NULL;
    }
    if (!hf_shell_sessions_kill(id, hf_call_walls(call), error))
        return NULL;
    return hf_result_new(json_pack("{s:s, s:b}", "session_id", id, "ended", TRUE));
}

/* The named session, or the caller's usual one with a terminal. */
static HfShellSession *get_terminal(HfCall *call, GError **error)
{
    const char *id = hf_call_string(call, "session_id");
    HfSandboxRequest request = read_sandbox_request(call, TRUE);
    g_autoptr(HfShellSession) session =
        id ? hf_shell_sessions_get(id, hf_call_walls(call), error)
           : hf_shell_sessions_ensure(HF_SESSION_TERMINAL, hf_call_walls(call), &request,
                                      hf_call_deadline(call), error);
    return hf_call_check_terminal(g_steal_pointer(&session), error);
}

static HfResult *read_terminal_screen(HfCall *call, HfShellSession *session, gboolean written,
                                      GError **error)
{
    HfTerminalWait wait = {hf_call_int(call, "wait_ms"), hf_call_string(call, "until"), written};
    json_t *screen =
        hf_terminal_look(hf_shell_session_terminal(session), &wait,
                         (guint)hf_call_int(call, "former"), hf_call_deadline(call), error);
    if (!screen)
        return NULL;
    json_object_set_new(screen, "session_id", hf_json_text(hf_shell_session_id(session)));
    gboolean over = hf_terminal_is_over(hf_shell_session_terminal(session));
    json_object_set_new(screen, "ended", json_boolean(over || hf_shell_session_has_ended(session)));
    return hf_result_new(screen);
}

static HfResult *do_write(HfCall *call, GError **error)
{
    gboolean typed = hf_call_has(call, "text"), pressed = hf_call_has(call, "keys");
    if (typed == pressed) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "text or keys: write needs exactly one of them");
        return NULL;
    }
    g_autoptr(HfShellSession) session = get_terminal(call, error);
    if (!session)
        return NULL;
    g_auto(GStrv) keys = hf_call_dup_strings(call, "keys");
    HfTerminal *terminal = hf_shell_session_terminal(session);
    const HfDeadline *deadline = hf_call_deadline(call);
    gboolean done = typed
                        ? hf_terminal_type(terminal, hf_call_string(call, "text"), deadline, error)
                        : hf_terminal_press(terminal, keys, deadline, error);
    return done ? read_terminal_screen(call, session, TRUE, error) : NULL;
}

static HfResult *do_read(HfCall *call, GError **error)
{
    hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    g_autoptr(HfShellSession) session = get_terminal(call, error);
    return session ? read_terminal_screen(call, session, FALSE, error) : NULL;
}

static HfResult *do_resize(HfCall *call, GError **error)
{
    int rows = (int)hf_call_int(call, "rows"), columns = (int)hf_call_int(call, "columns");
    if (!rows || !columns) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "rows and columns: are required for resize");
        return NULL;
    }
    g_autoptr(HfShellSession) session = get_terminal(call, error);
    if (!session || !hf_terminal_resize(hf_shell_session_terminal(session), rows, columns, error))
        return NULL;
    return read_terminal_screen(call, session, FALSE, error);
}

static HfResult *do_signal(HfCall *call, GError **error)
{
    const char *id = hf_call_string(call, "session_id"), *name = hf_call_string(call, "signal");
    if (!id || !name) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "session_id and signal: are required for signal");
        return NULL;
    }
    g_autoptr(HfShellSession) session = hf_shell_sessions_get(id, hf_call_walls(call), error);
    if (!session)
        return NULL;
    int number = 0;
    for (gsize i = 0; signal_names[i]; i++)
        if (strcmp(signal_names[i], name) == 0)
            number = signal_numbers[i];
    if (!hf_shell_session_signal(session, number, error))
        return NULL;
    return hf_result_new(json_pack("{s:s, s:s}", "session_id", id, "signal", name));
}

static HfResult *run(HfCall *call, GError **error)
{
    static HfResult *(*const handlers[])(HfCall *, GError **) = {
        do_create, do_list, do_kill, do_write, do_read, do_resize, do_signal};
    const char *action = hf_call_string(call, "action");
    hf_call_refuse_undo(call, "nobody knows what the shell has changed");
    gsize number = 0; /* the parameter allows only these */
    while (!g_str_equal(actions[number], action))
        number++;
    return handlers[number](call, error);
}

static const HfParam key_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};

static const HfParam params[] = {
    HF_STRING("action", "write and read are for sessions with a terminal, and return its screen",
              .required = TRUE, .choices = actions),
    HF_STRING("session_id",
              "create: its name (default: one is chosen); write and read: default: your usual one "
              "with a terminal, which is created when missing",
              .min = 1, .max = HF_LIMIT_NAME_BYTES, .means = HF_MEANS_PLAIN),
    HF_STRING("shell", "create: which shell; sh always has a terminal", .choices = shells,
              .fallback = "\"bash\""),
    HF_BOOLEAN("pty", "create: with a terminal, for write and read, not for bash_execute",
               .fallback = "false"),
    HF_BOOLEAN("network",
               "create: false: without the network (default: as the owner configured it)"),
    HF_BOOLEAN("display",
               "create: with access to the desktop's display; only for callers with full control",
               .fallback = "false"),
    HF_STRING("working_dir", "create: the directory to start in", .min = 1,
              .max = HF_LIMIT_TITLE_BYTES, .means = HF_MEANS_PATH),
    HF_INTEGER("rows", "create, resize: rows of the terminal (default: 24)", .min = 2,
               .max = HF_LIMIT_TERMINAL_ROWS),
    HF_INTEGER("columns", "create, resize: columns of the terminal (default: 80)", .min = 2,
               .max = HF_LIMIT_TERMINAL_COLUMNS),
    HF_STRING("text", "write: the text to type; a new line is the enter key", .secret = TRUE,
              .min = 1, .max = HF_LIMIT_TERMINAL_TEXT, .means = HF_MEANS_TERMINAL),
    HF_ARRAY("keys",
             "write: keys to press, one after the other: [\"ctrl+c\"], [\"escape\", \":\", \"q\", "
             "\"enter\"]",
             .secret = TRUE, .min = 1, .max = HF_LIMIT_TERMINAL_KEYS, .items = &key_item,
             .means = HF_MEANS_TERMINAL_KEYS),
    HF_INTEGER("wait_ms",
               "write, read: the most time to wait until the screen has changed and settled; after "
               "an enter key the typed text itself does not count",
               .fallback = "500", .min = 0, .max = HF_LIMIT_TERMINAL_WAIT_MS),
    HF_STRING("until",
              "wait for this text instead: write: until it appears after the write, other than as "
              "what was typed; read: until it is on the screen",
              .min = 1, .max = HF_LIMIT_TITLE_BYTES, .means = HF_MEANS_PLAIN),
    HF_INTEGER("former",
               "write, read: how many of the lines that scrolled off the top to return, too",
               .fallback = "0", .min = 0, .max = HF_LIMIT_TERMINAL_LINES),
    HF_STRING("signal", "signal: the one to send to the running command", .choices = signal_names),
    {0},
};

static const HfParam cursor_fields[] = {
    HF_INTEGER("row", "From 1, at the top", .required = TRUE),
    HF_INTEGER("column", "From 1, at the left", .required = TRUE),
    HF_BOOLEAN("visible", "Whether it is visible", .required = TRUE),
    {0},
};

#define SESSION_FIELDS                                                                             \
    HF_BOOLEAN("pty", "It has a terminal"), HF_BOOLEAN("busy", "A command is running in it"),      \
        HF_STRING("cwd", "Its directory, as far as known"),                                        \
        HF_INTEGER("commands", "How many commands it has run"),                                    \
        HF_INTEGER("age_ms", "Time since it was created"),                                         \
        HF_INTEGER("idle_ms", "Time since its last command"),                                      \
        HF_OBJECT("walls", "The limits within which it runs", .fields = hf_walls_fields)

static const HfParam session_fields[] = {
    HF_STRING("session_id", "Its name", .required = TRUE),
    SESSION_FIELDS,
    {0},
};
static const HfParam session_item = {.type = HF_TYPE_OBJECT, .fields = session_fields};

static const HfParam result[] = {
    HF_STRING("session_id", "The session"),
    SESSION_FIELDS,
    HF_ARRAY("sessions", "list: all of yours on this desktop, oldest first",
             .items = &session_item),
    HF_BOOLEAN("ended", "The shell and all that it had started have ended"),
    HF_STRING("signal", "signal: the one that was sent"),
    HF_STRING("screen", "write, read, resize: the rows of the terminal", .others = TRUE),
    HF_STRING("former", "Lines that scrolled off the top, oldest first", .others = TRUE),
    HF_INTEGER("scrolled", "How many lines have ever scrolled off"),
    HF_BOOLEAN("found", "Whether the text of `until` was found"),
    HF_INTEGER("rows", "Of the terminal"),
    HF_INTEGER("columns", "Of the terminal"),
    HF_OBJECT("cursor", "Where the next character goes", .fields = cursor_fields),
    HF_STRING("title", "Title of the terminal, as the program sets it", .others = TRUE),
    HF_BOOLEAN("full_screen", "A program uses the whole screen, as editors and pagers do"),
    {0},
};

const HfTool hf_tool_bash_session = {
    .name = "bash_session",
    .title = "Use persistent shells",
    .summary = "Create, list and end persistent shells, and use those with a terminal: write text "
               "and keys, and read the screen as text. For prompts, editors, pagers and other "
               "programs that fill the screen",
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
    .timeout_ms = 90000,
    .params = params,
    .result = result,
    .run = run,
};
