/* SPDX-License-Identifier: Apache-2.0 */
/* What the hand remembers from one action to the next: the windows, titles that change by
 * themselves, the elements of one window, and where something was drawn since they were read. To
 * read elements costs time, so those read after one action serve as the look before the next:
 * where nothing was drawn since, nothing has changed. Serves one action at a time. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/desktop/screen-watch.h"
#include "hand/desktop/windows.h"
#include "hand/verify/effect.h"
#include "hand/verify/idle-drawing.h"

/* A window whose elements could not be read in time is left alone for a while. */
typedef struct HfReadBackOff {
    guint32 window;
    gint64 until_us;
} HfReadBackOff;

struct HfObserver {
    HfDesktop *desktop;
    GMutex lock;      /* one action at a time; guards what follows */
    gint invalidated; /* atomic: something was done that nobody observed */
    HfScreenWatch *watch;
    HfIdleDrawing *idle;
    GPtrArray *last; /* the windows after the last action; may be NULL */
    gint64 last_us;  /* when they were listed */
    HfTree *tree;    /* the elements of `window` after the last action; may be NULL */
    gint64 read_us;  /* when they were read */
    guint32 window;
    GArray *since;                     /* of HfRect: drawn since `tree` was read */
    HfReadBackOff slow, slow_soon;     /* after a normal read, and after a short one */
    GHashTable *elements;              /* those that change by themselves */
    GHashTable *self_changing_windows; /* by id: title or place changes by itself */
};

/* Begins to listen, and learns what happened while nobody acted. Returns the windows. */
GPtrArray *hf_observer_open(HfObserver *observer, GError **error);
/* After a failure the next action tries a new connection. */
void hf_observer_close(HfObserver *observer, gboolean failed);

/* A title that changes twice after one action changes by itself. */
void hf_observer_note_title_changes(HfObserver *observer, const GPtrArray *before,
                                    const GPtrArray *meanwhile, const GPtrArray *now);
/* Adds rectangles (HfRect) and joins those that grow too many. */
void hf_observer_add_rects(GArray *list, const GArray *rects);

/* Reads the elements of a window, within HF_EFFECT_TREE_MS, or HF_EFFECT_SOON_MS when somebody
 * waits. NULL when there are none, or not all of them in that time. */
HfTree *hf_observer_read(HfObserver *observer, const HfCallContext *context, guint32 window,
                         gboolean soon, const HfDeadline *deadline);
/* The elements that are known already, which are valid except in `ret_since` (HfRect); NULL: none.
 * Costs nothing. */
HfTree *hf_observer_get_cached(HfObserver *observer, const HfWindow *window, GArray **ret_since);
/* Whether something that was seen then, and has not changed, was still for long. */
gboolean hf_observer_was_still_long(gint64 then_us);
/* From here on, drawing counts as later than a reading that begins now. */
void hf_observer_begin_reading(HfObserver *observer);
/* For the next action: `take_tree`, which may be NULL, is of `window`. */
void hf_observer_cache(HfObserver *observer, GPtrArray *take_windows, HfTree *take_tree,
                       guint32 window);
