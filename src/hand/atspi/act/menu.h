/* SPDX-License-Identifier: Apache-2.0 */
/* Menus of a window, and context menus of an element. GTK 3 and Qt report the entries of a closed
 * menu, so an entry can be activated without opening anything. GTK 4 and Chromium report nothing
 * before the menu is open. */
#pragma once

#include "hand/atspi/act/element-action.h"

typedef struct HfMenuPick {
    const HfCallContext *context;
    guint32 window;
    int pid;
    char **path;        /* names, from the outermost */
    HfElement *element; /* has the context menu, or opens a menu; NULL: the menu bar */
    const HfDeadline *deadline;

    HfActMethod way;
    char *picked; /* the name that the program gives the entry */
} HfMenuPick;

void hf_menu_pick_clear(HfMenuPick *pick);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfMenuPick, hf_menu_pick_clear)

/* DESKTOP_ELEMENT_NOT_FOUND, with the existing entries, when a name on the path is missing;
 * PRECONDITION_FAILED when an entry is disabled. Closes what it opened on failure. */
gboolean hf_menu_pick(HfMenuPick *pick, GError **error);

/* Whether the name means this entry, ignoring case, mnemonics, final dots and shortcut keys. */
gboolean hf_menu_name_fits(const char *entry, const char *name);
/* The parts of "File > Save As..."; NULL-terminated. */
char **hf_menu_split_path(const char *text);
