/* SPDX-License-Identifier: Apache-2.0 */
/* What the tools of the terminal share: which session a call means, and how what was run is told.
 */
#pragma once

#include "hand/shell/session/shell-sessions.h"
#include "hand/shell/shell-limits.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

/* The session that the call names, or the caller's usual one, which is made when it is missing. */
HfShellSession *hf_call_get_session(HfCall *call, GError **error);
/* Runs the text there as the call's parameters `timeout`, `working_dir`, `max_output_bytes` and
 * `encoding` say. */
HfResult *hf_call_run_command(HfCall *call, HfShellSession *session, const char *text,
                              GError **error);

/* The plan of that session; of one that is not there yet: as it would be made. Owned. */
json_t *hf_call_dup_sandbox_plan(HfCall *call, GError **error);

/* NULL with PRECONDITION_FAILED when the session has no terminal; NULL stays NULL. */
HfShellSession *hf_call_check_terminal(HfShellSession *take_session, GError **error);
/* Where a dry run says that the call would go: {"session_id", "exists", "cwd", "pty", "walls",
 * "command"?}. */
gboolean hf_call_describe_session(HfCall *call, json_t *target, GError **error);

/* Of a result of hf_call_run_command; an initialiser for each member of its table. */
extern const HfParam hf_command_result_fields[];
extern const HfParam hf_walls_fields[];

#define HF_PARAM_SESSION                                                                           \
    {                                                                                              \
        .name = "session_id", .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES,        \
        .means = HF_MEANS_PLAIN,                                                                   \
        .about = "The session; none: your usual one, which is made when it is missing"             \
    }
#define HF_PARAM_COMMAND_TIMEOUT                                                                   \
    {                                                                                              \
        .name = "timeout", .type = HF_TYPE_INTEGER, .fallback = "120000", .min = 1,                \
        .max = HF_LIMIT_TIMEOUT_MS,                                                                \
        .about = "After so many milliseconds the command is interrupted; the session stays"        \
    }
#define HF_PARAM_WORKING_DIR                                                                       \
    {                                                                                              \
        .name = "working_dir", .type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_TITLE_BYTES,      \
        .means = HF_MEANS_PATH, .about = "Go to this directory first; the session stays there"     \
    }
#define HF_PARAM_MAX_OUTPUT                                                                        \
    {                                                                                              \
        .name = "max_output_bytes", .type = HF_TYPE_INTEGER, .fallback = "131072", .min = 256,     \
        .max = HF_LIMIT_SHELL_OUTPUT_BYTES,                                                        \
        .about = "Of each output, more than this is cut in the middle; all of it is in a file"     \
    }
#define HF_PARAM_ENCODING                                                                          \
    {                                                                                              \
        .name = "encoding", .type = HF_TYPE_STRING, .choices = hf_command_output_encodings,        \
        .fallback = "\"text\"", .about = "base64 gives the bytes as they are, besides the text"    \
    }
extern const char *const hf_command_output_encodings[];

/* What every command takes, in this order. */
#define HF_PARAMS_OF_COMMAND                                                                       \
    HF_PARAM_SESSION, HF_PARAM_COMMAND_TIMEOUT, HF_PARAM_WORKING_DIR, HF_PARAM_MAX_OUTPUT,         \
        HF_PARAM_ENCODING
