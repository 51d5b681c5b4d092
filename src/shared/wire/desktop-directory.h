/* SPDX-License-Identifier: Apache-2.0 */
/* The private directory of a virtual desktop, RUNTIME_DIR/desktops/NAME: who holds it, and the few
 * facts in it that outlive its stage. A stage holds a lock while it lives, so a directory without
 * one is a leftover. */
#pragma once

#include <sys/types.h>

#include "shared/base/types.h"

/* Below the directory of a contained desktop: the sockets of its X server. */
#define HF_DESKTOP_X_SOCKETS "x11"

typedef struct HfDesktopDirectory {
    char *base; /* RUNTIME_DIR/desktops, without symbolic links */
    char *path; /* base/NAME */
    char *id;
    pid_t desk, stage; /* stage: 0 until it is started */
    int display;       /* -1: not known yet */
    int lock;          /* -1: another process holds it */
} HfDesktopDirectory;

/* What is known about a directory of another process. */
typedef struct HfDesktopDirectoryFacts {
    char *id;       /* NULL when it cannot be read */
    pid_t desk;     /* the desk that started the stage */
    pid_t stage;    /* as the desk sees it; 0: not known */
    gboolean alive; /* its desktop is starting or running */
    int display;    /* -1: none */
    char *socket;   /* the socket that the X server created, or NULL */
} HfDesktopDirectoryFacts;

/* The directory of all desktops, created when missing: private (0700), or an error. */
char *hf_desktop_directory_dup_base(const char *runtime_dir, GError **error);
/* While it is held, no desktop is created below `base`, so a sweep sees each one complete. -1 on
 * failure; release it with close(). */
int hf_desktop_directory_lock_base(const char *base);

/* For the desk: creates and locks the directory. Waits for a stage of that name that is ending;
 * CONFLICT when it does not end. */
gboolean hf_desktop_directory_create(const char *runtime_dir, const char *name, const char *id,
                                     HfDesktopDirectory *ret_place, GError **error);
/* Reserves a display number for a contained desktop, by a link in /tmp/.X11-unix to the socket that
 * its X server will create in the directory: so the owner's programs reach it too. */
gboolean hf_desktop_directory_link_display(HfDesktopDirectory *place, GError **error);
/* Records the process of the stage. */
void hf_desktop_directory_set_stage(HfDesktopDirectory *place, pid_t stage);
/* For the stage: takes over a directory that the desk has created, with its lock. */
void hf_desktop_directory_adopt(const char *path, const char *id, int lock,
                                HfDesktopDirectory *ret_place);
/* Records which X server's socket must be removed later. */
gboolean hf_desktop_directory_set_display(HfDesktopDirectory *place, int display, GError **error);
/* Removes the directory of a stage that has ended and could not do so itself. */
void hf_desktop_directory_remove_ended(const HfDesktopDirectory *place);
/* Removes the directory with its content if we hold its lock, which is released. */
void hf_desktop_directory_clear(HfDesktopDirectory *place);

void hf_desktop_directory_read(const char *path, HfDesktopDirectoryFacts *ret_facts);
void hf_desktop_directory_facts_clear(HfDesktopDirectoryFacts *facts);
/* Removes the links in /tmp/.X11-unix to desktops whose directories below `base` are gone. */
void hf_desktop_directory_remove_dangling_links(const char *base);
/* Removes the directory of a dead stage, and the socket of its X server or the link to it. */
void hf_desktop_directory_remove(const char *path, const HfDesktopDirectoryFacts *facts);
