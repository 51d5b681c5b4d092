/* SPDX-License-Identifier: Apache-2.0 */
/* What the terminal tools share: the session of a call, and the result of a command. */
#pragma once

#include "hand/shell/session/shell-sessions.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* The named session, or the caller's usual one, which is created when missing. */
HfShellSession *hf_call_get_session(HfCall *call, GError **error);
/* Runs the text there, with the call's parameters `timeout`, `working_dir`, `max_output_bytes` and
 * `encoding`. */
HfResult *hf_call_run_command(HfCall *call, HfShellSession *session, const char *text,
                              GError **error);

/* The sandbox plan of that session, or of the one that would be created. */
json_t *hf_call_dup_sandbox_plan(HfCall *call, GError **error);

/* The directory where the call's command would begin; "/" where the session is not known yet. */
char *hf_call_dup_shell_directory(HfCall *call, GError **error);

/* NULL with PRECONDITION_FAILED when the session has no terminal; NULL stays NULL. */
HfShellSession *hf_call_check_terminal(HfShellSession *take_session, GError **error);
/* For a dry run, the session that the call would use: {"session_id", "exists", "cwd", "pty",
 * "walls", "command"?}. */
gboolean hf_call_describe_session(HfCall *call, json_t *target, GError **error);

/* Result of hf_call_run_command, and `walls` of a session. */
extern const HfParam hf_command_result_fields[];
extern const HfParam hf_walls_fields[];
extern const char *const hf_command_output_encodings[];

/* What every command takes. */
#define HF_PARAMS_OF_COMMAND                                                                       \
    HF_STRING("session_id", "The session; default: your usual one, which is created when missing", \
              .min = 1, .max = HF_LIMIT_NAME_BYTES, .means = HF_MEANS_PLAIN),                      \
        HF_INTEGER("timeout",                                                                      \
                   "After this many milliseconds the command is interrupted; the session stays",   \
                   .fallback = "120000", .min = 1, .max = HF_LIMIT_TIMEOUT_MS),                    \
        HF_STRING("working_dir", "Go to this directory first; the session stays there", .min = 1,  \
                  .max = HF_LIMIT_TITLE_BYTES, .means = HF_MEANS_PATH),                            \
        HF_INTEGER("max_output_bytes",                                                             \
                   "A longer output is cut in the middle; a file has all of it",                   \
                   .fallback = "131072", .min = 256, .max = HF_LIMIT_SHELL_OUTPUT_BYTES),          \
        HF_STRING("encoding", "base64 also returns the exact bytes, besides the text",             \
                  .choices = hf_command_output_encodings, .fallback = "\"text\"")
