/* SPDX-License-Identifier: Apache-2.0 */
/* Events for listeners: numbered, in order, and kept for a while so that a listener can resume
 * where it stopped. Events never carry parameters or results of calls. */
#pragma once

#include "desk/policy/identity/caller.h"

#include <glib.h>
#include <jansson.h>

/* The members of each event, which listeners rely on. Whether the schema has every member of the
 * data. */
gboolean hf_event_schema_fits(const char *type, const json_t *data, const char **ret_wrong);
/* {type: [members]}. */
json_t *hf_event_schema_describe(void);

typedef struct HfEvents HfEvents;

typedef struct HfEvent {
    gint64 id;        /* rises by one; by more when the desk restarts */
    gint64 time_ms;   /* wall clock */
    const char *type; /* "call.finished", "approval.open", "stop": one of hf_event_types */
    char *subject;    /* only this caller gets it (hf_caller_dup_key); NULL: everybody */
    char *text;       /* its data as JSON text, a tenth of the size of an object */
    gatomicrefcount refs;
} HfEvent;

HfEvent *hf_event_ref(HfEvent *event);
void hf_event_unref(HfEvent *event);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEvent, hf_event_unref)
/* {"id":..., "ts":..., "type":..., "data":{...}}, at every door. */
json_t *hf_event_to_json(const HfEvent *event);

/* All types, ended by NULL. */
extern const char *const hf_event_types[];
/* Stands for events that a listener asked for and that are no longer kept. */
#define HF_EVENT_MISSED "events.missed"

HfEvents *hf_events_new(void);
void hf_events_free(HfEvents *events);
/* For tests: an event that the schema does not describe ends the process. */
void hf_events_check_schema(HfEvents *events);

/* Any thread. `caller`: who gets it; NULL: everybody. */
void hf_events_emit(HfEvents *events, const char *type, const HfCaller *caller, json_t *take_data);

/* Runs on the emitting thread, one at a time, in order. Must not block nor call this module.
 * `about`: the event's data, valid during the call. */
typedef void (*HfEventFunc)(HfEvent *event, const json_t *about, gpointer data);

/* Only for new events; earlier ones are read below. Returns a number for hf_events_unlisten. */
guint hf_events_listen(HfEvents *events, HfEventFunc func, gpointer data);
/* When this returns, `func` does not run and will not be called again. */
void hf_events_unlisten(HfEvents *events, guint listener);

/* The first id since the desk started. */
gint64 hf_events_get_first(HfEvents *events);
/* The latest id: reading from there gives only new events. */
gint64 hf_events_get_last(HfEvents *events);
/* The kept events after `since`, at most `most`, as references. `ret_missed`: some are no longer
 * kept, or `since` is no valid id. */
GPtrArray *hf_events_read(HfEvents *events, gint64 since, guint most, gboolean *ret_missed);
