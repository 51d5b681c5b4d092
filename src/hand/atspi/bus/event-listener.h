/* SPDX-License-Identifier: Apache-2.0 */
/* Hearing what programs change, so that what was read of them need not be read again. Only events
 * that matter to a tree are asked for: every event costs the program that sends it, and those of
 * texts most of all. */
#pragma once

#include "hand/atspi/bus/bus-connection.h"
#include "shared/base/deadline.h"

typedef enum HfChangeKind {
    HF_CHANGE_STATE,  /* `state` is now set, or not */
    HF_CHANGE_NAME,   /* `text` is its name now */
    HF_CHANGE_BOUNDS, /* it has moved, with all that is in it */
    HF_CHANGE_VALUE,  /* of a scroll bar this means that something has moved */
} HfChangeKind;

typedef struct HfTreeChange {
    HfChangeKind kind;
    char *path;
    int state;
    gboolean set;
    char *text;
} HfTreeChange;

typedef struct HfEventListener HfEventListener;

HfEventListener *hf_event_listener_new(void);
void hf_event_listener_free(HfEventListener *hearing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEventListener, hf_event_listener_free)

/* The line to a program that may end while it is asked something: then its questions end, too. */
void hf_event_listener_watch_connection(HfEventListener *hearing, const char *bus,
                                        HfBusConnection *line);
/* To be called before the line is freed. */
void hf_event_listener_unwatch_connection(HfEventListener *hearing, const char *bus);

/* For hf_bus_connection_new. */
void hf_event_listener_on_signal(GDBusMessage *message, gpointer hearing);
/* Asks the bus to tell who comes and goes. */
void hf_event_listener_subscribe_names(HfEventListener *hearing, HfBusConnection *bus,
                                       const HfDeadline *deadline);
/* Grows with each who comes or goes. 0: the bus has not agreed to tell. What was heard so far: who
 * has only just come may be missing. */
guint hf_event_listener_count_name_changes(HfEventListener *hearing);
/* Asks the bus to pass events on, to a line of their own. Programs made with ATK take whoever asks
 * for events for a screen reader, and ask the registry about every key that is pressed before they
 * use it, which makes typing cost twice as much; until its line is closed. So that is done on a
 * line that can be closed, and what is only asked goes over another. */
void hf_event_listener_subscribe_events(HfBusConnection *ear, const HfDeadline *deadline);
/* Asks one program to send them, and no other: those that nobody looks at are not to be slowed
 * down, least of all while they start. They stop when the line is closed, also when our process is
 * killed.
 */
void hf_event_listener_request_events(HfCallBatch *batch, HfBusConnection *ear,
                                      const char *program);

/* Waits until a program has joined the bus since it was last asked, or the time is over. */
gboolean hf_event_listener_wait_joined(HfEventListener *hearing, const HfDeadline *deadline);

/* From now on, what this program changes is kept. */
void hf_event_listener_follow(HfEventListener *hearing, const char *bus);
void hf_event_listener_unfollow(HfEventListener *hearing, const char *bus);
/* What it has changed since it was followed or last asked for (HfChange, freed with the array).
 * NULL: more than can be told, or it is not followed: all has to be read again. */
GPtrArray *hf_event_listener_take_changes(HfEventListener *hearing, const char *bus);
