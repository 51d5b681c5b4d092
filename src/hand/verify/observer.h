/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered from one action to the next, for one action at a time: the windows, titles
 * that change by themselves, the elements of one window, and where something was drawn since they
 * were read. Reading elements takes a program's time and ours, so what was read after one action
 * serves as the look before the next: where nothing was drawn since, nothing has changed. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "hand/desktop/screen-watch.h"
#include "hand/desktop/windows.h"
#include "hand/verify/effect.h"
#include "hand/verify/idle-drawing.h"

struct HfObserver {
    HfDesktop *desktop;
    GMutex lock;     /* one action at a time; guards what follows */
    gint overlooked; /* atomic: something was done that was not looked at */
    HfScreenWatch *watch;
    HfIdleDrawing *restless;
    GPtrArray *last; /* the windows after the last action; may be NULL */
    gint64 last_us;  /* since when they are as they are then */
    HfTree *tree;    /* the elements after it, of `window`; may be NULL */
    gint64 read_us;  /* when they were read */
    guint32 window;
    GArray *since;       /* of HfRect: where something was drawn since `tree` was read */
    guint32 slow_window; /* whose elements could not be had in time, and until when to leave it */
    gint64 slow_until_us;
    guint32 hurried_window; /* the same for those that had to be had soon */
    gint64 hurried_until_us;
    GHashTable *elements; /* those that change by themselves */
    GHashTable *titles;   /* windows whose title or place changes by itself: by their ids */
};

/* Begins to listen, and learns what has happened while nobody acted. Returns the windows. */
GPtrArray *hf_observer_open(HfObserver *eye, GError **error);
/* After a failure a fresh connection is tried the next time. */
void hf_observer_close(HfObserver *eye, gboolean failed);

/* A title that changes twice after one action does not stop there. */
void hf_observer_note_title_changes(HfObserver *eye, const GPtrArray *before,
                                    const GPtrArray *meanwhile, const GPtrArray *now);

/* Reads the elements of a window, within `max_ms`. NULL when there are none, or not all of them in
 * that time: then it is not tried again for a while. */
HfTree *hf_observer_read(HfObserver *eye, const HfCallContext *context, guint32 window,
                         guint max_ms, const HfDeadline *deadline);
/* The same when somebody waits: within HF_EFFECT_SOON_MS. */
HfTree *hf_observer_read_soon(HfObserver *eye, const HfCallContext *context, guint32 window,
                              const HfDeadline *deadline);
/* Those that are known already, which hold but for where `ret_since` (HfRect) says; NULL: none.
 * Costs nothing. */
HfTree *hf_observer_get_cached(HfObserver *eye, const HfWindow *window, GArray **ret_since);
/* Whether something that was seen then, and has not changed, was still for long. */
gboolean hf_observer_was_still_long(gint64 then_us);
/* What is drawn from here on is drawn after a reading that begins now. */
void hf_observer_begin_reading(HfObserver *eye);
/* For the next action: `take_tree`, which may be NULL, is of `window`. */
void hf_observer_cache(HfObserver *eye, GPtrArray *take_windows, HfTree *take_tree, guint32 window);
