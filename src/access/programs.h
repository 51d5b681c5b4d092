/* The programs on the accessibility bus. One that does not answer is set aside: nothing is asked of
 * it until it has answered a question that was left with it. */
#pragma once

#include "access/batch.h"
#include "access/hearing.h"
#include "access/records.h"
#include "access/toolkit.h"

typedef struct HfReader HfReader;

typedef struct HfProgram {
    guint id; /* never used again */
    char *bus, *root;
    int pid; /* 0: unknown */
    char *name, *toolkit, *version, *address;
    const HfToolkit *traits; /* NULL: it was not asked yet */
    HfLine *direct;          /* to the program itself; NULL: over the bus */
    gboolean no_direct;      /* tried, to no avail */
    gboolean set_aside;
    gboolean attended;  /* it was asked to tell its changes */
    gboolean slow_bulk; /* all of its objects at once take too long: there are too many */
    HfReader *kept;     /* what was last read of it, while changes are heard; NULL: nothing */
    HfHearing *hearing; /* borrowed */
} HfProgram;

typedef struct HfPrograms HfPrograms;

/* Both are borrowed. */
HfPrograms *hf_programs_new(HfLine *bus, HfHearing *hearing);
void hf_programs_free(HfPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPrograms, hf_programs_free)

/* Asks the bus who is there; asks the programs nothing. */
gboolean hf_programs_refresh(HfPrograms *programs, const HfDeadline *deadline, GError **error);
/* All (HfProgram), borrowed. */
GPtrArray *hf_programs_list(HfPrograms *programs);
/* Asks those in the list who they are, if they were not asked before, and connects to them. */
void hf_programs_introduce(HfPrograms *programs, GPtrArray *list, const HfDeadline *deadline);
/* Asks it to tell its changes; not waited for. That makes a program go through all of its objects
 * once, so it is only asked of those that are not gigantic. */
void hf_programs_attend(HfPrograms *programs, HfProgram *program);
/* It did not answer in time. */
void hf_programs_set_aside(HfPrograms *programs, HfProgram *program);
