/* SPDX-License-Identifier: Apache-2.0 */
/* The programs on the accessibility bus. One that does not answer is set aside: nothing is asked of
 * it until it has answered a question that was left with it. */
#pragma once

#include "hand/atspi/bus/call-batch.h"
#include "hand/atspi/bus/event-listener.h"
#include "hand/atspi/bus/toolkit-traits.h"
#include "hand/atspi/read/raw-nodes.h"

typedef struct HfTreeReader HfTreeReader;
typedef struct HfCell HfCell;

typedef struct HfBusProgram {
    guint id; /* never used again */
    char *bus, *root;
    int pid; /* 0: unknown */
    char *name, *toolkit, *version, *address;
    const HfToolkitTraits *traits; /* NULL: it was not asked yet */
    HfBusConnection *direct;       /* to the program itself; NULL: over the bus */
    gboolean wants_direct;         /* it is looked at often */
    int direct_tries;              /* that were in vain */
    gboolean set_aside;
    gint64 looked_us;    /* when it was last read; 0: never */
    gboolean large;      /* it had too many objects to go through all of them then */
    gboolean attended;   /* it was asked to tell its changes */
    gboolean slow_bulk;  /* all of its objects at once take too long: there are too many */
    GHashTable *actions; /* path of an object → what can be done with it, which does not change */
    GHashTable *cells;   /* path of a cell → HfCell: what it is (tree-reader-cells.c) */
    HfTreeReader *kept;  /* what was last read of it, while changes are heard; NULL: nothing */
    HfEventListener *hearing; /* borrowed */
    HfBusConnection *ear;     /* borrowed: where its changes are heard; NULL: nowhere now */
    gboolean asked;           /* to tell them there */
} HfBusProgram;

/* See `cells`. */
GHashTable *hf_cells_new(void);

typedef struct HfBusPrograms HfBusPrograms;

/* The lines to the bus and what is heard there are borrowed. */
HfBusPrograms *hf_bus_programs_new(HfBusConnection *bus, HfBusConnection *wire, const char *address,
                                   HfEventListener *hearing);
void hf_bus_programs_free(HfBusPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBusPrograms, hf_bus_programs_free)

/* The line on which events are heard; NULL: closed. Borrowed; what was kept of programs goes with
 * it. */
void hf_bus_programs_set_event_connection(HfBusPrograms *programs, HfBusConnection *ear);
/* Asks the bus who is there; asks the programs nothing. */
gboolean hf_bus_programs_refresh(HfBusPrograms *programs, const HfDeadline *deadline,
                                 GError **error);
/* TRUE: nobody is known to have come or gone since. One that joins this very moment may be missing.
 */
gboolean hf_bus_programs_are_fresh(const HfBusPrograms *programs);
/* All (HfProgram), borrowed. */
GPtrArray *hf_bus_programs_list(HfBusPrograms *programs);
/* Asks those in the list who they are, if they were not asked before. */
void hf_bus_programs_query_identity(HfBusPrograms *programs, GPtrArray *list,
                                    const HfDeadline *deadline);
/* Over a line of its own a program answers half as fast again, and tells all of its objects at
 * once. It goes through all of them for that when it is first connected to, which takes its time
 * (50 us for each): for those that are not gigantic. FALSE: nobody wants one. */
void hf_bus_programs_want_direct_connection(HfBusPrograms *programs, HfBusProgram *program);
gboolean hf_bus_programs_any_wants_direct_connection(const HfBusPrograms *programs);
/* No key may be on its way to them, and none be pressed until it returns: see atspi-session.c. */
void hf_bus_programs_connect(HfBusPrograms *programs, const HfDeadline *deadline);
/* Asks those in the list to tell their changes from now on, over the ear. While they do, their keys
 * cost twice as much: for programs that are looked at often, and not while somebody types. */
void hf_bus_programs_request_events(HfBusPrograms *programs, const GPtrArray *list,
                                    const HfDeadline *deadline);
/* The names on the bus of those that were asked so. */
GPtrArray *hf_bus_programs_dup_event_senders(const HfBusPrograms *programs);
/* Whether all of these answer in time, or are gone. */
gboolean hf_bus_programs_all_answer(const HfBusPrograms *programs, const GPtrArray *names,
                                    const HfDeadline *deadline);
/* Waits until the bus does not know `left` any more, and these have heard of it. */
void hf_bus_programs_await_leave(const HfBusPrograms *programs, const GPtrArray *names,
                                 const char *left, const HfDeadline *deadline);
/* It did not answer in time. */
void hf_bus_programs_set_aside(HfBusPrograms *programs, HfBusProgram *program);
/* Those that were set aside and have answered since are back. Waits for nobody. */
void hf_bus_programs_take_back(HfBusPrograms *programs);
