/* SPDX-License-Identifier: Apache-2.0 */
/* The programs on the accessibility bus. A program that does not answer is set aside: it gets no
 * calls until it has answered the ping that was left with it. */
#pragma once

#include "hand/atspi/bus/call-batch.h"
#include "hand/atspi/bus/event-listener.h"
#include "hand/atspi/bus/toolkit-quirks.h"

typedef struct HfTreeReader HfTreeReader;

typedef struct HfBusProgram {
    guint id; /* never reused */
    char *bus, *root;
    int pid; /* 0: unknown */
    char *name, *toolkit, *version, *address;
    const HfToolkitTraits *traits; /* NULL: not asked yet */
    HfBusConnection *direct;       /* to the program itself; NULL: over the bus */
    gboolean wants_direct;         /* it is read often */
    int direct_tries;              /* that failed */
    gboolean set_aside;
    gint64 looked_us;           /* when it was last read; 0: never */
    gboolean large;             /* it had too many objects to read all of them then */
    gboolean slow_bulk;         /* it has too many objects to send all of them in one reply */
    GHashTable *actions;        /* path of an object → its actions, which do not change */
    GHashTable *cells;          /* see tree-reader.c; NULL: no cells remembered */
    HfTreeReader *cached;       /* the last reading, kept up to date by events; NULL: none */
    GDestroyNotify free_cached; /* set with `cached` */
    HfEventListener *listener;  /* borrowed */
    HfBusConnection *event_connection; /* borrowed; NULL: closed */
    gboolean events_requested;         /* over that connection */
    gboolean sends_events;             /* it has confirmed the request */
} HfBusProgram;

void hf_bus_program_drop_cached(HfBusProgram *program);

typedef struct HfBusPrograms HfBusPrograms;

/* Borrows the connections and the listener. */
HfBusPrograms *hf_bus_programs_new(HfBusConnection *bus, HfBusConnection *socket,
                                   const char *address, HfEventListener *listener);
void hf_bus_programs_free(HfBusPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBusPrograms, hf_bus_programs_free)

/* Borrowed; NULL: closed. Drops every cached tree. */
void hf_bus_programs_set_event_connection(HfBusPrograms *programs,
                                          HfBusConnection *event_connection);
/* Asks the registry which programs are there; asks the programs nothing. */
gboolean hf_bus_programs_refresh(HfBusPrograms *programs, const HfDeadline *deadline,
                                 GError **error);
/* TRUE: no program is known to have joined or left since the refresh. One that joins this very
 * moment may be missing. */
gboolean hf_bus_programs_are_fresh(const HfBusPrograms *programs);
/* All of them (HfBusProgram), borrowed. */
GPtrArray *hf_bus_programs_list(HfBusPrograms *programs);
/* Asks the programs in the list for name and toolkit, unless they have answered before. */
void hf_bus_programs_query_identity(HfBusPrograms *programs, GPtrArray *list,
                                    const HfDeadline *deadline);
/* A direct connection is half as fast again, and sends all objects in one reply. The program walks
 * all of them when we first connect, at 50 us each: not for gigantic programs. */
void hf_bus_programs_want_direct_connection(HfBusPrograms *programs, HfBusProgram *program);
gboolean hf_bus_programs_any_wants_direct_connection(const HfBusPrograms *programs);
/* No key may be on its way to the programs, and none may be pressed until this returns: see
 * atspi-session.c. */
void hf_bus_programs_connect(HfBusPrograms *programs, const HfDeadline *deadline);
/* Asks the programs in the list to send events. Their key presses cost twice as much meanwhile:
 * only for programs that are read often, and never while somebody types. */
void hf_bus_programs_request_events(HfBusPrograms *programs, const GPtrArray *list,
                                    const HfDeadline *deadline);
/* The bus names of the programs that were asked for events. */
GPtrArray *hf_bus_programs_dup_event_senders(const HfBusPrograms *programs);
/* Whether each of these programs answers in time, or is gone. */
gboolean hf_bus_programs_all_answer(const HfBusPrograms *programs, const GPtrArray *names,
                                    const HfDeadline *deadline);
/* Waits until the bus has dropped the name `left`, and these programs have heard of it. */
void hf_bus_programs_await_leave(const HfBusPrograms *programs, const GPtrArray *names,
                                 const char *left, const HfDeadline *deadline);
/* For a program that did not answer in time. */
void hf_bus_programs_set_aside(HfBusPrograms *programs, HfBusProgram *program);
/* Takes back programs that have answered since. Does not wait. */
void hf_bus_programs_take_back(HfBusPrograms *programs);
