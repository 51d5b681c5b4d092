/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a session: what of the caller's walls (desk/guard/policy/walls.h) a sandbox can keep,
 * and the shell that runs in it. */
#pragma once

#include "shared/base/json.h"

typedef enum HfThreeState {
    HF_THREE_STATE_UNSAID,
    HF_THREE_STATE_YES,
    HF_THREE_STATE_NO
} HfThreeState;

typedef struct HfSandboxWish {
    const char *shell;     /* "bash", "sh" */
    const char *directory; /* to begin in; NULL: the first that may be written */
    HfThreeState network;
    gboolean display;  /* the desktop's own, to draw and type on */
    gboolean terminal; /* a terminal in place of pipes */
    int rows, columns;
} HfSandboxWish;

/* That of sandbox.h and keeper-link.h, and {"unenforced": [pattern]}: what the agreement denies and
 * no wall can express. FORBIDDEN for a wish that lies outside the walls. */
json_t *hf_sandbox_plan_new(const json_t *walls, const HfSandboxWish *wish, GError **error);

/* Makes empty directories where something denied could be made otherwise. */
gboolean hf_sandbox_plan_prepare(const json_t *plan, GError **error);
/* Whether a shell of this plan sees what the path leads to, besides the system's own. */
gboolean hf_sandbox_plan_shows(const json_t *plan, const char *path);

/* What holds for it, for people: {"open", "network", "writable", "readable", "hidden",
 * "unenforced"}. */
json_t *hf_sandbox_plan_describe(const json_t *plan);
