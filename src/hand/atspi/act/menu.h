/* SPDX-License-Identifier: Apache-2.0 */
/* Menus: of a window, and of an element. Toolkits differ in what they tell of a menu that is
 * closed: GTK 3 and Qt all of it, so that an entry can be told to act without opening anything;
 * GTK 4 and Chromium nothing before it is open. */
#pragma once

#include "hand/atspi/act/element-action.h"

typedef struct HfMenuPick {
    const HfCallContext *context;
    guint32 window;
    int pid;
    char **path;        /* names, from the outermost on */
    HfElement *element; /* whose context menu it is, or what opens a menu; NULL: the menu bar */
    const HfDeadline *deadline;

    HfActMethod way;
    char *picked; /* the entry as its program calls it */
} HfMenuPick;

void hf_menu_pick_clear(HfMenuPick *pick);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfMenuPick, hf_menu_pick_clear)

/* DESKTOP_ELEMENT_NOT_FOUND, with the entries that there are, when a name on the path is not there;
 * PRECONDITION_FAILED when one is disabled. What was opened is closed again on failure. */
gboolean hf_menu_pick(HfMenuPick *pick, GError **error);

/* Whether an entry is meant by a name: without mnemonics, dots at the end and the keys that stand
 * beside it, in any case. */
gboolean hf_menu_name_fits(const char *entry, const char *name);
/* "File > Save As..." in its parts; NULL-ended. */
char **hf_menu_split_path(const char *text);
