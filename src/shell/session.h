/* One session: a shell with its keeper, whose it is, and within which walls it was made. On pipes
 * it runs one command at a time and keeps what is written apart; with a terminal (terminal.h) it is
 * typed into and looked at. */
#pragma once

#include "base/deadline.h"
#include "shell/output.h"
#include "shell/plan.h"

typedef struct HfSession HfSession;
typedef struct HfTerminal HfTerminal;

typedef struct HfCommand {
    const char *text;
    const char *directory; /* to go to first, and stay in; NULL: none */
    gint64 timeout_ms;
    gsize output_bytes; /* of each output that are kept */
} HfCommand;

/* What became of it. */
typedef struct HfRan {
    HfOutput *output, *errors;
    int status;           /* as a shell tells it: 128 and the signal for what was killed */
    gboolean interrupted; /* it took too long; this is what there was until then */
    gboolean ended;       /* the session has ended with it */
    char *directory;      /* where the shell is now */
    gint64 took_us;
} HfRan;

void hf_ran_free(HfRan *ran);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRan, hf_ran_free)

/* `walls` and `plan` are kept. */
HfSession *hf_session_new(const char *id, const json_t *walls, json_t *take_plan,
                          const HfDeadline *deadline, GError **error);
HfSession *hf_session_ref(HfSession *session);
void hf_session_unref(HfSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfSession, hf_session_unref)

/* Waits for its turn, then for the command. An error means that it was not run, or that the call
 * was called off: then details say what there was until then. */
HfRan *hf_session_run(HfSession *session, const HfCommand *command, const HfDeadline *deadline,
                      GError **error);
/* Ends the shell and everything that it has started. Returns at once; what is being run there
 * returns soon. */
void hf_session_end(HfSession *session);
gboolean hf_session_await_end(HfSession *session, int milliseconds);
gboolean hf_session_has_ended(HfSession *session);
/* To the command that is being run, or what is in front on the terminal. */
gboolean hf_session_signal(HfSession *session, int signal_number, GError **error);

const char *hf_session_id(const HfSession *session);
const json_t *hf_session_walls(const HfSession *session);
const json_t *hf_session_plan(const HfSession *session);
/* NULL: it is on pipes. */
HfTerminal *hf_session_terminal(const HfSession *session);
/* Where long outputs are, as the shell sees it. */
const char *hf_session_folder(const HfSession *session);
/* What can be said of it: {"session_id", "pty", "busy", "cwd", "commands", "age_ms", "idle_ms",
 * "walls"}. */
json_t *hf_session_describe(HfSession *session);
