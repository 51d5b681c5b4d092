/* SPDX-License-Identifier: Apache-2.0 */
/* All sessions of this hand. A session belongs to the caller that made it, with the walls of that
 * time: no other caller can see, use or end it. */
#pragma once

#include "hand/shell/session/shell-session.h"

/* The sessions that calls use if they name none; created on demand. */
#define HF_SESSION_DEFAULT  "default"
#define HF_SESSION_TERMINAL "terminal"

/* LIMIT_EXCEEDED, or CONFLICT if the caller has a session with that id. `id` NULL chooses one. */
HfShellSession *hf_shell_sessions_create(const char *id, const json_t *walls,
                                         const HfSandboxRequest *request,
                                         const HfDeadline *deadline, GError **error);
/* SESSION_NOT_FOUND if the caller has no such session; PRECONDITION_FAILED if its walls have
 * changed since. */
HfShellSession *hf_shell_sessions_get(const char *id, const json_t *walls, GError **error);
/* The same, but creates a missing session. */
HfShellSession *hf_shell_sessions_ensure(const char *id, const json_t *walls,
                                         const HfSandboxRequest *request,
                                         const HfDeadline *deadline, GError **error);
/* Ends it and waits until nothing of it runs. Works after the walls have changed, too. */
gboolean hf_shell_sessions_kill(const char *id, const json_t *walls, GError **error);
/* The caller's sessions, oldest first. */
json_t *hf_shell_sessions_list(const json_t *walls);
/* NULL if the caller has no such session. */
HfShellSession *hf_shell_sessions_find(const char *id, const json_t *walls);

/* Stop: ends all sessions of all callers. Does not wait. */
void hf_shell_sessions_end_all(void);
/* The hand exits: the same, and waits. */
void hf_shell_sessions_close(void);
