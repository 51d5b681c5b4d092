/* SPDX-License-Identifier: Apache-2.0 */
/* The installed applications (.desktop files), and which program a name means. */
#pragma once

#include <glib.h>

/* What programs built on Chromium need to describe their elements. */
#define HF_CHROMIUM_FLAG "--force-renderer-accessibility"

/* One installed application. */
typedef struct HfCatalogEntry {
    char *id;       /* "org.xfce.mousepad" */
    char *name;     /* in the user's language */
    char *raw_name; /* untranslated */
    char *program;  /* base name of the program in Exec */
    char *exec;
    char *icon;
    char *file;
    char *directory; /* working directory; NULL: any */
    char *wm_class;  /* of its windows; may be NULL */
    gboolean terminal, shown;
} HfCatalogEntry;

/* All entries (HfCatalogEntry), a reference to a cache that nobody changes: to read all .desktop
 * files takes longer than everything else that naming a window does. Read again after a file was
 * added, replaced or removed; one written in place is noticed within HF_LIMIT_CATALOG_MS. */
GPtrArray *hf_catalog_ref(void);
/* The application of a window; any parameter after the first may be NULL. Borrowed; may be NULL. */
const HfCatalogEntry *hf_catalog_find_for_window(const GPtrArray *catalog, const char *class_name,
                                                 const char *instance, const char *process);

/* A program to start. */
typedef struct HfProgram {
    char *name;       /* what people call it */
    char *desktop_id; /* NULL when no .desktop file was used */
    char *file;       /* that file */
    char *wm_class;   /* NULL when unknown */
    char **arguments; /* the first is an absolute path */
    char *directory;  /* NULL: the home directory */
} HfProgram;

void hf_program_free(HfProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfProgram, hf_program_free)

/* By id, name, or program of an installed application (in any case), by a command in PATH, by a
 * part of an application's name, or by an absolute path. Reads the files, not the cache. Adds the
 * flag that programs built on Chromium need to describe their elements. APP_NOT_FOUND with the
 * installed names in details; CONFLICT when several match equally. */
HfProgram *hf_program_resolve(const char *name, const char *const *arguments, GError **error);
/* Whether the program at `path` is built on Chromium: a browser, or an application with Electron.
 */
gboolean hf_program_is_chromium(const char *path);
