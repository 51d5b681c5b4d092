/* SPDX-License-Identifier: Apache-2.0 */
/* One session: a shell with its keeper, its owner and the walls it was made with. A session on
 * pipes runs one command at a time and separates output from errors; a session with a terminal
 * (terminal.h) is typed into and read from its screen. */
#pragma once

#include "hand/shell/sandbox/sandbox-plan.h"
#include "hand/shell/session/command-output.h"
#include "shared/base/deadline.h"

typedef struct HfShellSession HfShellSession;
typedef struct HfTerminal HfTerminal;

typedef struct HfShellCommand {
    const char *text;
    const char *directory; /* to change to first, for good; NULL: none */
    gint64 timeout_ms;
    gsize output_bytes; /* kept of each stream */
} HfShellCommand;

typedef struct HfCommandResult {
    HfCommandOutput *output, *errors;
    int status;           /* 128 plus the signal if a signal killed it */
    gboolean interrupted; /* it took too long; the output up to then is here */
    gboolean ended;       /* the session ended with it */
    char *directory;      /* the shell's directory afterwards */
    gint64 took_us;
} HfCommandResult;

void hf_command_result_free(HfCommandResult *ran);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCommandResult, hf_command_result_free)

/* Keeps copies of `walls`. */
HfShellSession *hf_shell_session_new(const char *id, const json_t *walls, json_t *take_plan,
                                     const HfDeadline *deadline, GError **error);
HfShellSession *hf_shell_session_ref(HfShellSession *session);
void hf_shell_session_unref(HfShellSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfShellSession, hf_shell_session_unref)

/* Waits for its turn, then for the command. An error means that the command was not run or that the
 * call was cancelled; then the details hold the output so far. */
HfCommandResult *hf_shell_session_run(HfShellSession *session, const HfShellCommand *command,
                                      const HfDeadline *deadline, GError **error);
/* Ends the shell and everything it started. Returns at once; a running command returns soon. */
void hf_shell_session_end(HfShellSession *session);
gboolean hf_shell_session_await_end(HfShellSession *session, int milliseconds);
gboolean hf_shell_session_has_ended(HfShellSession *session);
/* Signals the running command, or the terminal's foreground program. */
gboolean hf_shell_session_signal(HfShellSession *session, int signal_number, GError **error);

const char *hf_shell_session_id(const HfShellSession *session);
const json_t *hf_shell_session_walls(const HfShellSession *session);
const json_t *hf_shell_session_plan(const HfShellSession *session);
/* NULL for a session on pipes. */
HfTerminal *hf_shell_session_terminal(const HfShellSession *session);
/* The directory of long outputs, as the shell sees it. */
const char *hf_shell_session_folder(const HfShellSession *session);
/* {"session_id", "pty", "busy", "cwd", "commands", "age_ms", "idle_ms", "walls"}. */
json_t *hf_shell_session_describe(HfShellSession *session);
