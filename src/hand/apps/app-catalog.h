/* SPDX-License-Identifier: Apache-2.0 */
/* The applications that are installed (.desktop files), and how a name that somebody says is
 * turned into a program that can be started. */
#pragma once

#include <glib.h>

/* One installed application. */
typedef struct HfCatalogEntry {
    char *id;       /* "org.xfce.mousepad" */
    char *name;     /* in the user's language */
    char *raw_name; /* as the file has it untranslated */
    char *program;  /* base name of what Exec starts */
    char *exec;
    char *icon;
    char *file;
    char *directory; /* to start in; NULL: anywhere */
    char *wm_class;  /* of its windows, if the file says so */
    gboolean terminal, shown;
} HfCatalogEntry;

/* Entries (HfCatalogEntry, freed with the array). Reads all files: some milliseconds. */
GPtrArray *hf_catalog_load(void);
/* The application that a window belongs to; NULL members do not matter. Borrowed; may be NULL. */
const HfCatalogEntry *hf_catalog_find_for_window(const GPtrArray *catalog, const char *class_name,
                                                 const char *instance, const char *process);

/* What is to be started. */
typedef struct HfProgram {
    char *name;       /* what people call it */
    char *desktop_id; /* NULL when no .desktop file was used */
    char *wm_class;   /* NULL when unknown */
    char **arguments; /* the first is an absolute path */
    char *directory;  /* NULL: the home directory */
} HfProgram;

void hf_program_free(HfProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfProgram, hf_program_free)

/* By id, name, or program of an installed application (in any case), by a command in PATH, by a
 * part of an application's name, or by an absolute path. APP_NOT_FOUND with near names in details;
 * CONFLICT when several fit equally. With the flags that it needs to tell of its elements
 * (launch-flags.h). */
HfProgram *hf_program_resolve(const char *name, const char *const *arguments, GError **error);
