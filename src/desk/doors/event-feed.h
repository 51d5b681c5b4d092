/* SPDX-License-Identifier: Apache-2.0 */
/* One listener's position in the events, for any door: the events that this caller may see, of the
 * requested types, at the speed of the reader. A slow reader uses no memory; it learns what it
 * missed. Main thread only. */
#pragma once

#include "desk/records/events/events.h"

typedef struct HfEventFeed HfEventFeed;

typedef struct HfEventFeedOptions {
    gint64 since;        /* start after this id; 0: only new events */
    const json_t *types; /* array of types or families: "call" means "call.*"; NULL: all */
} HfEventFeedOptions;

/* On the main thread: there may be an event to take. */
typedef void (*HfEventFeedReady)(gpointer data);

/* What the caller may see is decided now, once. NULL with INVALID_PARAMS for an unknown type. */
HfEventFeed *hf_event_feed_new(HfEvents *events, const HfCaller *caller,
                               const HfEventFeedOptions *options, HfEventFeedReady ready,
                               gpointer data, GError **error);
/* Afterwards `ready` is not called any more. */
void hf_event_feed_free(HfEventFeed *feed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEventFeed, hf_event_feed_free)

/* The next event in the doors' form; NULL: none for now, wait for `ready`. A gap is an event of
 * type HF_EVENT_MISSED with the id of the last missing event. */
json_t *hf_event_feed_take(HfEventFeed *feed);
/* The id to resume after. */
gint64 hf_event_feed_get_position(const HfEventFeed *feed);
