/* SPDX-License-Identifier: Apache-2.0 */
/* The private directory of a virtual desktop, RUNTIME_DIR/desktops/NAME: who holds it,
 * and the few facts in it that outlive its stage. A stage holds a lock for as long as it lives, so
 * a directory without a holder is a leftover. */
#pragma once

#include <sys/types.h>

#include "shared/base/types.h"

typedef struct HfDesktopDirectory {
    char *base; /* RUNTIME_DIR/desktops, without symbolic links */
    char *path; /* base/NAME */
    char *id;
    pid_t desk; /* the parent of the process that made it */
    int lock;
} HfDesktopDirectory;

/* What is known of a directory that somebody else made. */
typedef struct HfDesktopDirectoryFacts {
    char *id;     /* NULL when it could not be read */
    pid_t desk;   /* which started that stage */
    pid_t holder; /* the living stage, or 0 */
    int display;  /* -1: none */
    char *socket; /* which socket the X server made, or NULL */
} HfDesktopDirectoryFacts;

/* The directory that holds all desktops, made if need be: ours alone (0700), or an error. */
char *hf_desktop_directory_dup_base(const char *runtime_dir, GError **error);
/* While held, no desktop is made under `base`: who sweeps sees each one whole. -1 on failure;
 * give it back with close(). */
int hf_desktop_directory_lock_base(const char *base);

/* Makes and holds the directory. Waits for a stage of that name that is just ending; CONFLICT when
 * it does not end. */
gboolean hf_desktop_directory_create(const char *runtime_dir, const char *name, const char *id,
                                     HfDesktopDirectory *ret_place, GError **error);
/* Writes down which X server has to be cleared up after. */
gboolean hf_desktop_directory_set_display(const HfDesktopDirectory *place, int display,
                                          GError **error);
/* Removes the directory with all that is in it, then lets go of it. */
void hf_desktop_directory_clear(HfDesktopDirectory *place);

void hf_desktop_directory_read(const char *path, HfDesktopDirectoryFacts *ret_facts);
void hf_desktop_directory_facts_clear(HfDesktopDirectoryFacts *facts);
/* Removes the directory of a dead stage, and the socket of its X server. */
void hf_desktop_directory_remove(const char *path, const HfDesktopDirectoryFacts *facts);
