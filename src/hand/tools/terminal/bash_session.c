/* SPDX-License-Identifier: Apache-2.0 */
/* bash_session: shells that stay: made, listed, ended; and those with a terminal are typed into and
 * looked at, for programs that ask something or fill the screen. */
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

static HfSandboxRequest read_wish(const HfCall *call, gboolean terminal)
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
    HfSandboxRequest wish = read_wish(call, FALSE);
    g_autoptr(HfShellSession) session =
        hf_shell_sessions_create(hf_call_string(call, "session_id"), hf_call_walls(call), &wish,
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
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "session_id: kill needs one");
        return NULL;
    }
    if (!hf_shell_sessions_kill(id, hf_call_walls(call), error))
        return NULL;
    return hf_result_new(json_pack("{s:s, s:b}", "session_id", id, "ended", TRUE));
}

/* The session that is named, or the caller's usual one with a terminal. */
static HfShellSession *get_terminal(HfCall *call, GError **error)
{
    const char *id = hf_call_string(call, "session_id");
    HfSandboxRequest wish = read_wish(call, TRUE);
    g_autoptr(HfShellSession) session =
        id ? hf_shell_sessions_get(id, hf_call_walls(call), error)
           : hf_shell_sessions_ensure(HF_SESSION_TERMINAL, hf_call_walls(call), &wish,
                                      hf_call_deadline(call), error);
    return hf_call_check_terminal(g_steal_pointer(&session), error);
}

static HfResult *read_terminal_screen(HfCall *call, HfShellSession *session, gboolean written,
                                      GError **error)
{
    HfTerminalWait wait = {hf_call_int(call, "wait_ms"), hf_call_string(call, "until"), written};
    json_t *told =
        hf_terminal_look(hf_shell_session_terminal(session), &wait,
                         (guint)hf_call_int(call, "former"), hf_call_deadline(call), error);
    if (!told)
        return NULL;
    json_object_set_new(told, "session_id", hf_json_text(hf_shell_session_id(session)));
    gboolean over = hf_terminal_is_over(hf_shell_session_terminal(session));
    json_object_set_new(told, "ended", json_boolean(over || hf_shell_session_has_ended(session)));
    return hf_result_new(told);
}

static HfResult *do_write(HfCall *call, GError **error)
{
    gboolean typed = hf_call_has(call, "text"), pressed = hf_call_has(call, "keys");
    if (typed == pressed) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "write needs either text or keys");
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
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "resize needs rows and columns");
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
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "signal needs session_id and signal");
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
    hf_call_refuse_undo(call, "what a shell has done is not known");
    for (gsize i = 0; actions[i]; i++)
        if (strcmp(actions[i], action) == 0)
            return handlers[i](call, error);
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "action: unknown");
    return NULL;
}

static const HfParam key_item = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};

static const HfParam params[] = {
    {.name = "action",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .choices = actions,
     .about = "write and read are for sessions with a terminal, and give its screen"},
    {.name = "session_id",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .means = HF_MEANS_PLAIN,
     .about = "create: its name (default: one is chosen); write and read: none: your usual one "
              "with a terminal, which is made when it is missing"},
    {.name = "shell",
     .type = HF_TYPE_STRING,
     .choices = shells,
     .fallback = "\"bash\"",
     .about = "create: which shell; sh always has a terminal"},
    {.name = "pty",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "create: with a terminal, to be typed into and looked at, not for bash_execute"},
    {.name = "network",
     .type = HF_TYPE_BOOLEAN,
     .about = "create: false: without the network (default: as the owner has it)"},
    {.name = "display",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "create: with the display of the desktop; only for callers with full control"},
    {.name = "working_dir",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .means = HF_MEANS_PATH,
     .about = "create: the directory to begin in"},
    {.name = "rows",
     .type = HF_TYPE_INTEGER,
     .min = 2,
     .max = HF_LIMIT_TERMINAL_ROWS,
     .about = "create, resize: rows of the terminal (default: 24)"},
    {.name = "columns",
     .type = HF_TYPE_INTEGER,
     .min = 2,
     .max = HF_LIMIT_TERMINAL_COLUMNS,
     .about = "create, resize: columns of the terminal (default: 80)"},
    {.name = "text",
     .type = HF_TYPE_STRING,
     .secret = TRUE,
     .min = 1,
     .max = HF_LIMIT_TERMINAL_TEXT,
     .means = HF_MEANS_TERMINAL,
     .about = "write: what is typed; a new line is the enter key"},
    {.name = "keys",
     .type = HF_TYPE_ARRAY,
     .secret = TRUE,
     .min = 1,
     .max = HF_LIMIT_TERMINAL_KEYS,
     .items = &key_item,
     .means = HF_MEANS_TERMINAL_KEYS,
     .about = "write: keys, one after the other: [\"ctrl+c\"], [\"escape\", \":\", \"q\", "
              "\"enter\"]"},
    {.name = "wait_ms",
     .type = HF_TYPE_INTEGER,
     .fallback = "500",
     .min = 0,
     .max = HF_LIMIT_TERMINAL_WAIT_MS,
     .about = "write, read: wait at most so long until the screen has changed and rests; after an "
              "enter key what was typed is no change"},
    {.name = "until",
     .type = HF_TYPE_STRING,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .means = HF_MEANS_PLAIN,
     .about = "wait for this text instead: write: until it has come since, besides what was typed; "
              "read: until it is on the screen"},
    {.name = "former",
     .type = HF_TYPE_INTEGER,
     .fallback = "0",
     .min = 0,
     .max = HF_LIMIT_TERMINAL_LINES,
     .about = "write, read: so many of the lines that have left the screen at its top, too"},
    {.name = "signal",
     .type = HF_TYPE_STRING,
     .choices = signal_names,
     .about = "signal: to the command that is running there"},
    {0},
};

static const HfParam cursor_fields[] = {
    {.name = "row", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "From 1, at the top"},
    {.name = "column", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "From 1, at the left"},
    {.name = "visible", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Whether it is shown"},
    {0},
};

#define SESSION_FIELDS                                                                             \
    {.name = "pty", .type = HF_TYPE_BOOLEAN, .about = "It has a terminal"},                        \
        {.name = "busy", .type = HF_TYPE_BOOLEAN, .about = "A command is running in it"},          \
        {.name = "cwd", .type = HF_TYPE_STRING, .about = "Its directory, as far as it is known"},  \
        {.name = "commands", .type = HF_TYPE_INTEGER, .about = "How many commands it has run"},    \
        {.name = "age_ms", .type = HF_TYPE_INTEGER, .about = "Since it was made"},                 \
        {.name = "idle_ms", .type = HF_TYPE_INTEGER, .about = "Since its last command"},           \
    {                                                                                              \
        .name = "walls", .type = HF_TYPE_OBJECT, .fields = hf_walls_fields,                        \
        .about = "Within which it runs"                                                            \
    }

static const HfParam session_fields[] = {
    {.name = "session_id", .type = HF_TYPE_STRING, .required = TRUE, .about = "Its name"},
    SESSION_FIELDS,
    {0},
};
static const HfParam session_item = {.type = HF_TYPE_OBJECT, .fields = session_fields};

static const HfParam result[] = {
    {.name = "session_id", .type = HF_TYPE_STRING, .about = "The session"},
    SESSION_FIELDS,
    {.name = "sessions",
     .type = HF_TYPE_ARRAY,
     .items = &session_item,
     .about = "list: all of yours on this desktop, oldest first"},
    {.name = "ended",
     .type = HF_TYPE_BOOLEAN,
     .about = "The shell has ended, and all that it had started"},
    {.name = "signal", .type = HF_TYPE_STRING, .about = "signal: the one that was sent"},
    {.name = "screen",
     .type = HF_TYPE_STRING,
     .others = TRUE,
     .about = "write, read, resize: the rows of the terminal"},
    {.name = "former",
     .type = HF_TYPE_STRING,
     .others = TRUE,
     .about = "Lines that have left the screen at its top, oldest first"},
    {.name = "scrolled", .type = HF_TYPE_INTEGER, .about = "How many have ever left it"},
    {.name = "found", .type = HF_TYPE_BOOLEAN, .about = "Whether the text of `until` is there"},
    {.name = "rows", .type = HF_TYPE_INTEGER, .about = "Of the terminal"},
    {.name = "columns", .type = HF_TYPE_INTEGER, .about = "Of the terminal"},
    {.name = "cursor",
     .type = HF_TYPE_OBJECT,
     .fields = cursor_fields,
     .about = "Where the next letter would be drawn"},
    {.name = "title",
     .type = HF_TYPE_STRING,
     .others = TRUE,
     .about = "What the program calls the terminal's window"},
    {.name = "full_screen",
     .type = HF_TYPE_BOOLEAN,
     .about = "A program has the whole screen, as editors and pagers do"},
    {0},
};

const HfTool hf_tool_bash_session = {
    .name = "bash_session",
    .title = "Use shells that stay",
    .summary = "Make, list and end shells, and use those with a terminal: write text and keys, and "
               "read the screen as text. For prompts, editors, pagers and all that fills a screen",
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
    .timeout_ms = 90000,
    .params = params,
    .result = result,
    .run = run,
};
