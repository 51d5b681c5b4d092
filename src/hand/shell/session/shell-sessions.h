/* SPDX-License-Identifier: Apache-2.0 */
/* All sessions of this hand. One belongs to the caller that made it, and to the walls that held
 * then: nobody else can see it, use it or end it. */
#pragma once

#include "hand/shell/session/shell-session.h"

/* The one that is used when none is named; made when it is missing. */
#define HF_SESSION_DEFAULT  "default"
#define HF_SESSION_TERMINAL "terminal"

/* LIMIT_EXCEEDED, CONFLICT for an id that the caller has in use. `id` NULL: one is chosen. */
HfShellSession *hf_shell_sessions_create(const char *id, const json_t *walls,
                                         const HfSandboxWish *wish, const HfDeadline *deadline,
                                         GError **error);
/* SESSION_NOT_FOUND when the caller has none of that name; PRECONDITION_FAILED when its walls have
 * changed since it was made. */
HfShellSession *hf_shell_sessions_get(const char *id, const json_t *walls, GError **error);
/* The same, and makes it when it is missing: for the two above. */
HfShellSession *hf_shell_sessions_ensure(const char *id, const json_t *walls,
                                         const HfSandboxWish *wish, const HfDeadline *deadline,
                                         GError **error);
/* Ends it and waits until nothing of it runs any more. Also when the walls have changed. */
gboolean hf_shell_sessions_kill(const char *id, const json_t *walls, GError **error);
/* Those of the caller, oldest first. */
json_t *hf_shell_sessions_list(const json_t *walls);
/* NULL when the caller has no such session. */
HfShellSession *hf_shell_sessions_find(const char *id, const json_t *walls);

/* Stop: all of everybody, at once. Does not wait. */
void hf_shell_sessions_end_all(void);
/* The hand ends: the same, and waits for it. */
void hf_shell_sessions_close(void);
