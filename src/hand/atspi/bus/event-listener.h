/* SPDX-License-Identifier: Apache-2.0 */
/* Records what programs change, so that a tree need not be read again. It subscribes only to events
 * that matter to a tree: every event costs its sender, and text events cost most. */
#pragma once

#include "hand/atspi/bus/bus-connection.h"
#include "shared/base/deadline.h"

typedef enum HfChangeKind {
    HF_CHANGE_STATE,  /* `state` is now set, or not */
    HF_CHANGE_NAME,   /* the name is now `text` */
    HF_CHANGE_BOUNDS, /* the element has moved, with everything in it */
    HF_CHANGE_VALUE,  /* of a scroll bar: something has scrolled */
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
void hf_event_listener_free(HfEventListener *listener);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfEventListener, hf_event_listener_free)

/* Fails the open calls of this connection when its program leaves the bus. */
void hf_event_listener_watch_connection(HfEventListener *listener, const char *bus,
                                        HfBusConnection *connection);
/* Call it before the connection is freed. */
void hf_event_listener_unwatch_connection(HfEventListener *listener, const char *bus);

/* For hf_bus_connection_new. */
void hf_event_listener_on_signal(GDBusMessage *message, gpointer listener);
/* Asks the bus to report who joins and leaves. */
void hf_event_listener_subscribe_names(HfEventListener *listener, HfBusConnection *bus,
                                       const HfDeadline *deadline);
/* Grows with each program that joins or leaves. 0: the bus does not report them. A program that has
 * only just joined may be missing. */
guint hf_event_listener_count_name_changes(HfEventListener *listener);
/* Asks the bus to forward events to a separate connection. Programs made with ATK take anyone who
 * wants events for a screen reader: they ask the registry about every key press before they use it,
 * which doubles the cost of typing, until that connection closes. So events have a connection that
 * can be closed, and calls use another. */
void hf_event_listener_subscribe_events(HfBusConnection *event_connection,
                                        const HfDeadline *deadline);
/* Asks this program alone to send events: programs that nobody reads must not slow down, least of
 * all while they start. Events stop when the connection closes, also when our process is killed. */
void hf_event_listener_request_events(HfCallBatch *batch, HfBusConnection *event_connection,
                                      const char *program);

/* Waits until a program has joined the bus since the last wait, or the time is over. */
gboolean hf_event_listener_wait_joined(HfEventListener *listener, const HfDeadline *deadline);

/* Records the changes of this program from now on. */
void hf_event_listener_follow(HfEventListener *listener, const char *bus);
void hf_event_listener_unfollow(HfEventListener *listener, const char *bus);
/* The changes since the last call (HfTreeChange, freed with the array). NULL: too many or too deep
 * to apply, or the program is not followed: read all of it again. */
GPtrArray *hf_event_listener_take_changes(HfEventListener *listener, const char *bus);
