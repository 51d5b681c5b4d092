/* SPDX-License-Identifier: Apache-2.0 */
/* What happens, told to whoever listens: numbered, in order, and kept for a while so that a
 * listener that was away can take up where it left off. Events never carry parameters or results of
 * calls. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "desk/guard/policy/caller.h"

typedef struct HfEvents HfEvents;

typedef struct HfEvent {
    gint64 id;        /* rising by one; from one life of the desk to the next, by more */
    gint64 time_ms;   /* wall clock */
    const char *type; /* "call.finished", "approval.open", "stop": one of hf_event_types */
    char *subject;    /* whose it is (hf_caller_dup_key), others are not told; NULL: everybody's */
    char *text;       /* its data, an object; kept as text, which is a tenth of the size */
    gatomicrefcount refs;
} HfEvent;

HfEvent *hf_event_ref(HfEvent *event);
void hf_event_unref(HfEvent *event);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEvent, hf_event_unref)
/* {"id":..., "ts":..., "type":..., "data":{...}}: the shape at every door. */
json_t *hf_event_to_json(const HfEvent *event);

/* All types that there are, ended by NULL. */
extern const char *const hf_event_types[];
/* In place of events that a listener asked for and that are kept no longer. */
#define HF_EVENT_MISSED "events.missed"

HfEvents *hf_events_new(void);
void hf_events_free(HfEvents *events);
/* For tests: an event that event-schema.c does not describe ends the process. */
void hf_events_check_schema(HfEvents *events);

/* On any thread. `caller`: whose it is; NULL: everybody's. */
void hf_events_emit(HfEvents *events, const char *type, const HfCaller *caller, json_t *take_data);

/* On the thread of whoever emits, one at a time, in order. Must not block nor call this module.
 * `about`: the event's data, for as long as the call lasts. */
typedef void (*HfEventFunc)(HfEvent *event, const json_t *about, gpointer data);

/* Tells only what comes: what was is read below. Returns a number for taking it back. */
guint hf_events_listen(HfEvents *events, HfEventFunc func, gpointer data);
/* Afterwards `func` is not running and is not called any more. */
void hf_events_unlisten(HfEvents *events, guint listener);

/* The first id of this life of the desk. */
gint64 hf_events_get_first(HfEvents *events);
/* The id that was given last: what is read from there on is only what comes. */
gint64 hf_events_get_last(HfEvents *events);
/* What came after `since` and is kept, at most `most`, as references. `ret_missed`: something in
 * between is kept no longer, or `since` was never given. */
GPtrArray *hf_events_read(HfEvents *events, gint64 since, guint most, gboolean *ret_missed);
