/* What happens, told to whoever listens: numbered, in order, and kept for a while so that a
 * listener that was away can take up where it left off. Events never carry parameters or results of
 * calls. */
#pragma once

#include <glib.h>
#include <jansson.h>

typedef struct HfEvents HfEvents;

typedef struct HfEvent {
    gint64 id;      /* always rising, also from one life of the desk to the next */
    gint64 time_ms; /* wall clock */
    char *type;     /* "call.finished", "approval.open", "stop" */
    char *subject;  /* the caller whom it is about: others need not be told; NULL: everybody's */
    json_t *data;   /* an object; never changed any more */
    gatomicrefcount refs;
} HfEvent;

HfEvent *hf_event_ref(HfEvent *event);
void hf_event_unref(HfEvent *event);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEvent, hf_event_unref)
/* {"id":..., "ts":..., "type":..., "data":{...}}: the shape at every door. */
json_t *hf_event_to_json(const HfEvent *event);

HfEvents *hf_events_new(void);
void hf_events_free(HfEvents *events);

/* On any thread. */
void hf_events_emit(HfEvents *events, const char *type, const char *subject, json_t *take_data);

/* On the thread of whoever emits, one at a time, in order. Must not block nor call this module. */
typedef void (*HfEventFunc)(HfEvent *event, gpointer data);

/* With `since`, what is kept and came after that id is told first; `ret_missed` says whether there
 * was more that is kept no longer. 0: only what comes. Returns a number for taking it back. */
guint hf_events_listen(HfEvents *events, gint64 since, HfEventFunc func, gpointer data,
                       gboolean *ret_missed);
/* Afterwards `func` is not running and is not called any more. */
void hf_events_unlisten(HfEvents *events, guint listener);
