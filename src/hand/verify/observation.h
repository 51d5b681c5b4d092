/* SPDX-License-Identifier: Apache-2.0 */
/* What is seen of an action: before it, and after it. */
#pragma once

#include "hand/verify/element-changes.h"
#include "hand/verify/observer.h"
#include "hand/verify/window-changes.h"

struct HfEffect {
    HfObserver *eye;
    HfCall *call;
    const HfTool *tool;
    gboolean watching; /* and so the eye is ours */
    GPtrArray *before;
    gboolean windows_watched; /* for long before */
    HfTree *tree; /* of `window`, which is acted on; NULL: it has none that can be had soon */
    guint32 window;
    gboolean fresh;   /* it was read right before the action */
    gboolean watched; /* for long before */
    GArray *since;    /* where something was drawn since it was read last; NULL: not known */
    char *blind;      /* why nothing can be seen; NULL: it can */
};

typedef struct HfObservation {
    HfEffect *effect;
    const HfWindow *target; /* of the list before */
    HfPoint point;
    gboolean has_point;
    gboolean unread; /* the program has not read what was done */
    HfScreenChanges news;
    GPtrArray *after;
    HfWindowsChange windows;
    HfTree *tree; /* as it is now; may be NULL */
    HfElementsChange elements;
    HfTextSeen text;
    char *held;       /* the proof that there is, */
    gint64 held_us;   /* since when there is that one, */
    gint64 looked_us; /* and when it was seen last */
    GArray *later;    /* of HfRect: where something was drawn while it had to stay */
    HfStay stayed;    /* how long it did */
    gint64 waited_us;
} HfObservation;

/* What of it can only be the action's doing; NULL: nothing. Pure. */
const char *hf_observation_get_proof(const HfObservation *sight);

/* How much may be looked at before an action. */
typedef enum HfLookBudget {
    HF_LOOK_BUDGET_KNOWN, /* what costs nothing */
    HF_LOOK_BUDGET_SOON,  /* elements, if they can be had at once */
    HF_LOOK_BUDGET_READ,  /* elements */
} HfLookBudget;

/* Before the action, when it is known which window gets it. */
void hf_effect_observe_before(HfEffect *effect, const HfWindow *window, HfLookBudget look);
const HfWindow *hf_effect_find_window_at(const GPtrArray *windows, HfPoint point);

/* After it: waits for the screen to settle, and compares. FALSE when the display is lost or the
 * call was called off; what was seen until then holds. */
gboolean hf_observation_take(HfObservation *sight, HfEffect *effect, const HfResult *result,
                             GError **error);
/* Leaves what was seen to the next action, with the elements of the window that it will likely go
 * to. */
void hf_observation_keep_for_next(HfObservation *sight);
void hf_observation_clear(HfObservation *sight);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfObservation, hf_observation_clear)
