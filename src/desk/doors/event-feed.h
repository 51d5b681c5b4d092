/* SPDX-License-Identifier: Apache-2.0 */
/* One listener's way through the events, for any door: what this caller may see, of the types it
 * asked for, at the speed at which it reads. Nothing waits in memory for a slow one; what it has
 * missed it is told. Main thread only. */
#pragma once

#include "desk/records/events/events.h"

typedef struct HfEventFeed HfEventFeed;

typedef struct HfEventFeedOptions {
    gint64 since;        /* take up after this id; 0: only what comes */
    const json_t *types; /* array of types, or of families: "call" is "call.*"; NULL: all */
} HfEventFeedOptions;

/* On the main thread: there may be something to take. */
typedef void (*HfEventFeedReady)(gpointer data);

/* What the caller may see is decided now, once. NULL with INVALID_PARAMS for an unknown type. */
HfEventFeed *hf_event_feed_new(HfEvents *events, const HfCaller *caller,
                               const HfEventFeedOptions *options, HfEventFeedReady ready,
                               gpointer data, GError **error);
/* Afterwards `ready` is not called any more. */
void hf_event_feed_free(HfEventFeed *feed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEventFeed, hf_event_feed_free)

/* The next event as the doors show it; NULL: there is none for now, `ready` will tell. A gap is an
 * event of type HF_EVENT_MISSED whose id is that of the last one that is missing. */
json_t *hf_event_feed_take(HfEventFeed *feed);
/* The id to take up after. */
gint64 hf_event_feed_get_position(const HfEventFeed *feed);
