/* The private directory of a virtual desktop, RUNTIME_DIR/desktops/NAME: who holds it,
 * and the few facts in it that outlive its stage. A stage holds a lock for as long as it lives, so
 * a directory without a holder is a leftover. */
#pragma once

#include <sys/types.h>

#include "base/types.h"

typedef struct HfPlace {
    char *base; /* RUNTIME_DIR/desktops, without symbolic links */
    char *path; /* base/NAME */
    char *id;
    pid_t desk; /* the parent of the process that made it */
    int lock;
} HfPlace;

/* What is known of a directory that somebody else made. */
typedef struct HfPlaceFacts {
    char *id;     /* NULL when it could not be read */
    pid_t desk;   /* which started that stage */
    pid_t holder; /* the living stage, or 0 */
    int display;  /* -1: none */
    char *socket; /* which socket the X server made, or NULL */
} HfPlaceFacts;

/* The directory that holds all desktops, made if need be: ours alone (0700), or an error. */
char *hf_place_dup_base(const char *runtime_dir, GError **error);
/* While held, no desktop is made under `base`: who sweeps sees each one whole. -1 on failure;
 * give it back with close(). */
int hf_place_lock_base(const char *base);

/* Makes and holds the directory. Waits for a stage of that name that is just ending; CONFLICT when
 * it does not end. */
gboolean hf_place_create(const char *runtime_dir, const char *name, const char *id,
                         HfPlace *ret_place, GError **error);
/* Writes down which X server has to be cleared up after. */
gboolean hf_place_note_display(const HfPlace *place, int display, GError **error);
/* Removes the directory with all that is in it, then lets go of it. */
void hf_place_clear(HfPlace *place);

void hf_place_read(const char *path, HfPlaceFacts *ret_facts);
void hf_place_facts_clear(HfPlaceFacts *facts);
/* Removes the directory of a dead stage, and the socket of its X server. */
void hf_place_remove(const char *path, const HfPlaceFacts *facts);
