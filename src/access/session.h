/* The connection to a desktop's accessibility bus and what is known of the programs there. */
#pragma once

#include "access/programs.h"
#include "access/references.h"
#include "platform/desktop.h"

typedef struct HfAccess HfAccess;

struct HfAccess {
    HfDesktop *desktop;
    GMutex lock; /* guards `busy` */
    GCond idle;
    gboolean busy; /* somebody reads; guards what follows */
    HfHearing *hearing;
    HfLine *bus; /* NULL until the first question, and after the bus has died */
    HfPrograms *programs;
    gint64 opened_us;
    HfReferences *references; /* has a lock of its own */
};

/* The desktop's, for one reader at a time: connected. NULL when the bus cannot be had in time. Give
 * it back with hf_access_release. */
HfAccess *hf_access_acquire(HfDesktop *desktop, const HfDeadline *deadline, GError **error);
void hf_access_release(HfAccess *access);
/* The names that elements of this desktop were given; needs no bus. */
HfReferences *hf_access_references(HfDesktop *desktop);
