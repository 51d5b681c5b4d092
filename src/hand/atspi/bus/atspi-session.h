/* SPDX-License-Identifier: Apache-2.0 */
/* One session per desktop: its connections to the accessibility bus, and the programs found there.
 */
#pragma once

#include "hand/atspi/bus/bus-programs.h"
#include "hand/atspi/tree/element-references.h"
#include "hand/desktop/desktop.h"

typedef struct HfAtspi HfAtspi;

struct HfAtspi {
    HfDesktop *desktop;
    GMutex lock; /* guards `busy`, `connecting` and `typed_us` */
    GCond idle;
    gboolean connecting; /* to programs, which must receive no keys meanwhile */
    gboolean busy;       /* a thread has acquired the session; guards the members below */
    gint64 typed_us;     /* when we last typed */
    HfEventListener *listener;
    HfBusConnection *bus;    /* NULL before the first call, and after the bus has died */
    HfBusConnection *socket; /* also to the bus, for calls by the hundred; NULL like `bus` */
    HfBusConnection *event_connection; /* see event-listener.h; NULL: closed */
    char *address;
    HfBusPrograms *programs;
    gint64 opened_us;
    HfReferences *references; /* has its own lock */
};

/* The desktop's session, connected, for one thread at a time. NULL when the bus cannot be reached
 * in time. Release it with hf_atspi_release. */
HfAtspi *hf_atspi_acquire(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
void hf_atspi_release(HfAtspi *atspi);
/* Connects to frequently read programs in the background first, unless somebody is typing. */
void hf_atspi_release_later(HfAtspi *atspi);
/* Opens the event connection of an acquired session, unless we or a person typed a short while ago.
 * It closes before we type, and when nobody reads for a while. FALSE: no events, so trees cannot be
 * cached. */
gboolean hf_atspi_listen(HfAtspi *atspi, const HfDeadline *deadline);
/* The element references of this desktop; works without a bus. */
HfReferences *hf_atspi_references(HfDesktop *desktop);
