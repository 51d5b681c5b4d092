/* SPDX-License-Identifier: Apache-2.0 */
/* What was seen before an action and after it. */
#pragma once

#include "hand/verify/element-changes.h"
#include "hand/verify/observer.h"
#include "hand/verify/window-changes.h"

struct HfEffect {
    HfObserver *observer;
    HfCall *call;
    const HfTool *tool;
    gboolean watching;        /* it holds the observer's lock */
    GPtrArray *before;        /* the windows */
    gboolean windows_watched; /* they were still for long before the action */
    HfTree *tree;             /* the elements of `window`; NULL: they could not be read in time */
    guint32 window;           /* the one that is acted on */
    gboolean fresh;           /* the elements were read right before the action */
    gboolean watched;         /* they were still for long before the action */
    GArray *since;            /* of HfRect: drawn since they were last read; NULL: unknown */
    char *blind;              /* why nothing can be seen; NULL: it can */
};

struct HfObservation {
    HfEffect *effect;
    const HfWindow *target; /* borrowed from the windows before the action */
    HfPoint point;
    gboolean has_point;
    gboolean input_unread; /* the program has not read its input yet */
    HfScreenChanges changes;
    GPtrArray *after; /* the windows */
    HfWindowsChange windows;
    HfTree *tree; /* the elements after the action; may be NULL */
    HfElementsChange elements;
    HfTextSeen text;
    char *proof;         /* the current proof; NULL: none */
    gint64 proof_us;     /* when that proof was first seen */
    gint64 looked_us;    /* when it was last seen */
    GArray *drawn_later; /* of HfRect: drawn while the proof had to stay */
    HfStay stayed;       /* how long it stayed */
    gint64 waited_us;
};

/* What only the action can have done; NULL: nothing. Pure. */
const char *hf_observation_get_proof(const HfObservation *observation);

/* Call it before the action, when it is known which window gets it. `soon`: only take elements that
 * can be read at once. */
void hf_effect_observe_before(HfEffect *effect, const HfWindow *window, gboolean soon);
const HfWindow *hf_effect_find_window_at(const GPtrArray *windows, HfPoint point);

/* Call it after the action: waits for the screen to settle, and compares. FALSE when the display is
 * lost or the call was cancelled; what was seen until then stays valid. */
gboolean hf_observation_take(HfObservation *observation, HfEffect *effect, const HfResult *result,
                             GError **error);
/* Leaves what was seen to the next action, with the elements of the window that it will likely go
 * to. */
void hf_observation_keep_for_next(HfObservation *observation);
void hf_observation_clear(HfObservation *observation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfObservation, hf_observation_clear)
