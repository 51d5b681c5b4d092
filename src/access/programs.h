/* The programs on the accessibility bus. One that does not answer is set aside: nothing is asked of
 * it until it has answered a question that was left with it. */
#pragma once

#include "access/batch.h"
#include "access/records.h"
#include "access/toolkit.h"

typedef struct HfProgram {
    guint id; /* never used again */
    char *bus, *root;
    int pid; /* 0: unknown */
    char *name, *toolkit, *version, *address;
    const HfToolkit *traits; /* NULL: it was not asked yet */
    HfLine *direct;          /* to the program itself; NULL: over the bus */
    gboolean no_direct;      /* tried, to no avail */
    gboolean set_aside;
} HfProgram;

typedef struct HfPrograms HfPrograms;

/* `bus` is borrowed. */
HfPrograms *hf_programs_new(HfLine *bus);
void hf_programs_free(HfPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPrograms, hf_programs_free)

/* Asks the bus who is there; asks the programs nothing. */
gboolean hf_programs_refresh(HfPrograms *programs, const HfDeadline *deadline, GError **error);
/* All (HfProgram), borrowed. */
GPtrArray *hf_programs_list(HfPrograms *programs);
/* Asks those in the list who they are, if they were not asked before, and connects to them. */
void hf_programs_introduce(HfPrograms *programs, GPtrArray *list, const HfDeadline *deadline);
/* It did not answer in time. */
void hf_programs_set_aside(HfPrograms *programs, HfProgram *program);
