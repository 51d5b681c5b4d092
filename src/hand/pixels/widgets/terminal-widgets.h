/* SPDX-License-Identifier: Apache-2.0 */
/* Widgets that terminals write as text: <OK>, [x] Games, 1Help 2Menu. Pure. */
#pragma once

#include "hand/pixels/widgets/widgets.h"
#include "shared/image/image.h"

/* Where the texts stand; all in pixels of the screen. */
typedef struct HfTerminalScope {
    HfRect window;
    gboolean terminal;    /* a bar in its first line is a menu bar */
    const HfImage *image; /* NULL: colours are not known */
    HfRect area;          /* the part of the screen that the picture shows */
} HfTerminalScope;

/* Turns such texts (HfDetection) into buttons, boxes and menus, and removes the lines that boxes
 * are drawn with. New memory goes to `kept`. */
void hf_terminal_widgets_find(GArray *texts, GPtrArray *kept, const HfTerminalScope *scope);
/* Whether a window of this class or program is a terminal. */
gboolean hf_window_is_terminal(const char *class_name, const char *process);
