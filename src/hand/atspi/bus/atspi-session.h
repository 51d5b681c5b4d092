/* SPDX-License-Identifier: Apache-2.0 */
/* The connection to a desktop's accessibility bus and what is known of the programs there. */
#pragma once

#include "hand/atspi/bus/bus-programs.h"
#include "hand/atspi/tree/element-references.h"
#include "hand/desktop/desktop.h"

typedef struct HfAtspi HfAtspi;

struct HfAtspi {
    HfDesktop *desktop;
    GMutex lock; /* guards `busy` and `connecting` */
    GCond idle;
    gboolean connecting; /* to programs, who must get no keys meanwhile */
    gboolean busy;       /* somebody reads; guards what follows */
    HfEventListener *hearing;
    HfBusConnection *bus;  /* NULL until the first question, and after the bus has died */
    HfBusConnection *wire; /* to the bus, too: for what is asked by the hundred. NULL as `bus` */
    HfBusConnection *ear;  /* see event-listener.h; NULL: closed */
    char *address;
    gint64 hushed_us; /* guarded by `lock`: when we last typed */
    HfBusPrograms *programs;
    gint64 opened_us;
    HfReferences *references; /* has a lock of its own */
};

/* The desktop's, for one reader at a time: connected. NULL when the bus cannot be had in time. Give
 * it back with hf_atspi_release. */
HfAtspi *hf_atspi_acquire(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
void hf_atspi_release(HfAtspi *access);
/* The same, once programs that are looked at often were connected to; without waiting for that. Not
 * while somebody types. */
void hf_atspi_release_later(HfAtspi *access);
/* For whoever has acquired it: opens the line on which events are heard, if it is closed, we have
 * not typed for a while and nobody else for longer. It is closed again when nothing is asked for a
 * while, and before we type. FALSE: nothing can be heard, which costs time and nothing else. */
gboolean hf_atspi_listen(HfAtspi *access, const HfDeadline *deadline);
/* The names that elements of this desktop were given; needs no bus. */
HfReferences *hf_atspi_references(HfDesktop *desktop);
