/* The plan of a session: what of the caller's walls (guard/walls.h) a sandbox can keep, and the
 * shell that runs in it. */
#pragma once

#include "base/json.h"

typedef enum HfWanted { HF_WANTED_UNSAID, HF_WANTED_YES, HF_WANTED_NO } HfWanted;

typedef struct HfPlanWish {
    const char *shell;     /* "bash", "sh" */
    const char *directory; /* to begin in; NULL: the first that may be written */
    HfWanted network;
    gboolean display;  /* the desktop's own, to draw and type on */
    gboolean terminal; /* a terminal in place of pipes */
    int rows, columns;
} HfPlanWish;

/* That of sandbox.h and keeper-link.h, and {"unenforced": [pattern]}: what the agreement denies and
 * no wall can express. FORBIDDEN for a wish that lies outside the walls. */
json_t *hf_plan_new(const json_t *walls, const HfPlanWish *wish, GError **error);

/* Makes empty directories where something denied could be made otherwise. */
gboolean hf_plan_prepare(const json_t *plan, GError **error);
/* Whether a shell of this plan sees what the path leads to, besides the system's own. */
gboolean hf_plan_shows(const json_t *plan, const char *path);

/* What holds for it, for people: {"open", "network", "writable", "readable", "hidden",
 * "unenforced"}. */
json_t *hf_plan_describe(const json_t *plan);
