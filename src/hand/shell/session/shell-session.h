/* SPDX-License-Identifier: Apache-2.0 */
/* One session: a shell with its keeper, whose it is, and within which walls it was made. On pipes
 * it runs one command at a time and keeps what is written apart; with a terminal (terminal.h) it is
 * typed into and looked at. */
#pragma once

#include "hand/shell/sandbox/sandbox-plan.h"
#include "hand/shell/session/command-output.h"
#include "shared/base/deadline.h"

typedef struct HfShellSession HfShellSession;
typedef struct HfTerminal HfTerminal;

typedef struct HfShellCommand {
    const char *text;
    const char *directory; /* to go to first, and stay in; NULL: none */
    gint64 timeout_ms;
    gsize output_bytes; /* of each output that are kept */
} HfShellCommand;

/* What became of it. */
typedef struct HfCommandResult {
    HfCommandOutput *output, *errors;
    int status;           /* as a shell tells it: 128 and the signal for what was killed */
    gboolean interrupted; /* it took too long; this is what there was until then */
    gboolean ended;       /* the session has ended with it */
    char *directory;      /* where the shell is now */
    gint64 took_us;
} HfCommandResult;

void hf_command_result_free(HfCommandResult *ran);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCommandResult, hf_command_result_free)

/* `walls` and `plan` are kept. */
HfShellSession *hf_shell_session_new(const char *id, const json_t *walls, json_t *take_plan,
                                     const HfDeadline *deadline, GError **error);
HfShellSession *hf_shell_session_ref(HfShellSession *session);
void hf_shell_session_unref(HfShellSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfShellSession, hf_shell_session_unref)

/* Waits for its turn, then for the command. An error means that it was not run, or that the call
 * was called off: then details say what there was until then. */
HfCommandResult *hf_shell_session_run(HfShellSession *session, const HfShellCommand *command,
                                      const HfDeadline *deadline, GError **error);
/* Ends the shell and everything that it has started. Returns at once; what is being run there
 * returns soon. */
void hf_shell_session_end(HfShellSession *session);
gboolean hf_shell_session_await_end(HfShellSession *session, int milliseconds);
gboolean hf_shell_session_has_ended(HfShellSession *session);
/* To the command that is being run, or what is in front on the terminal. */
gboolean hf_shell_session_signal(HfShellSession *session, int signal_number, GError **error);

const char *hf_shell_session_id(const HfShellSession *session);
const json_t *hf_shell_session_walls(const HfShellSession *session);
const json_t *hf_shell_session_plan(const HfShellSession *session);
/* NULL: it is on pipes. */
HfTerminal *hf_shell_session_terminal(const HfShellSession *session);
/* Where long outputs are, as the shell sees it. */
const char *hf_shell_session_folder(const HfShellSession *session);
/* What can be said of it: {"session_id", "pty", "busy", "cwd", "commands", "age_ms", "idle_ms",
 * "walls"}. */
json_t *hf_shell_session_describe(HfShellSession *session);
