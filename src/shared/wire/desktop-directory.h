/* SPDX-License-Identifier: Apache-2.0 */
/* The private directory of a virtual desktop, RUNTIME_DIR/desktops/NAME: who holds it, and the few
 * facts in it that outlive its stage. A stage holds a lock while it lives, so a directory without
 * a holder is a leftover. */
#pragma once

#include <sys/types.h>

#include "shared/base/types.h"

typedef struct HfDesktopDirectory {
    char *base; /* RUNTIME_DIR/desktops, without symbolic links */
    char *path; /* base/NAME */
    char *id;
    pid_t desk; /* the parent of the process that created it */
    int lock;
} HfDesktopDirectory;

/* What is known about a directory of another process. */
typedef struct HfDesktopDirectoryFacts {
    char *id;     /* NULL when it cannot be read */
    pid_t desk;   /* the desk that started the stage */
    pid_t holder; /* the living stage, or 0 */
    int display;  /* -1: none */
    char *socket; /* the socket that the X server created, or NULL */
} HfDesktopDirectoryFacts;

/* The directory of all desktops, created when missing: private (0700), or an error. */
char *hf_desktop_directory_dup_base(const char *runtime_dir, GError **error);
/* While it is held, no desktop is created below `base`, so a sweep sees each one complete. -1 on
 * failure; release it with close(). */
int hf_desktop_directory_lock_base(const char *base);

/* Creates and locks the directory. Waits for a stage of that name that is ending; CONFLICT when it
 * does not end. */
gboolean hf_desktop_directory_create(const char *runtime_dir, const char *name, const char *id,
                                     HfDesktopDirectory *ret_place, GError **error);
/* Records which X server's socket must be removed later. */
gboolean hf_desktop_directory_set_display(const HfDesktopDirectory *place, int display,
                                          GError **error);
/* Removes the directory with its content, then releases the lock. */
void hf_desktop_directory_clear(HfDesktopDirectory *place);

void hf_desktop_directory_read(const char *path, HfDesktopDirectoryFacts *ret_facts);
void hf_desktop_directory_facts_clear(HfDesktopDirectoryFacts *facts);
/* Removes the directory of a dead stage, and the socket of its X server. */
void hf_desktop_directory_remove(const char *path, const HfDesktopDirectoryFacts *facts);
