/* SPDX-License-Identifier: Apache-2.0 */
/* A session's plan: which of the caller's walls (desk/guard/steps/risk.c) a sandbox can enforce,
 * and the shell that runs inside. */
#pragma once

#include "shared/base/json.h"

typedef enum HfThreeState {
    HF_THREE_STATE_UNSET,
    HF_THREE_STATE_YES,
    HF_THREE_STATE_NO
} HfThreeState;

typedef struct HfSandboxRequest {
    const char *shell;     /* "bash", "sh" */
    const char *directory; /* where the shell starts; NULL: the first writable directory */
    HfThreeState network;
    gboolean display;  /* access to the desktop's display */
    gboolean terminal; /* a terminal instead of pipes */
    int rows, columns;
} HfSandboxRequest;

/* The plan of sandbox.h and keeper-link.h, plus {"unenforced": [pattern]}: what the owner denies
 * but no wall can express. FORBIDDEN if the request goes beyond the walls. */
json_t *hf_sandbox_plan_new(const json_t *walls, const HfSandboxRequest *request, GError **error);

/* Creates an empty directory for each denied one that is missing: otherwise the shell could create
 * it. */
gboolean hf_sandbox_plan_prepare(const json_t *plan, GError **error);
/* Whether a shell with this plan can see the path, apart from system directories. */
gboolean hf_sandbox_plan_shows(const json_t *plan, const char *path);

/* The plan for people: {"open", "network", "writable", "readable", "hidden", "unenforced"}. */
json_t *hf_sandbox_plan_describe(const json_t *plan);
