/* SPDX-License-Identifier: Apache-2.0 */
/* What terminals write instead of drawing it: <OK>, [x] Games, 1Help 2Menu. Pure. */
#pragma once

#include "hand/locate/join.h"
#include "shared/image/image.h"

/* Where the texts stand; all in pixels of the screen. */
typedef struct HfTypedScope {
    HfRect window;
    gboolean terminal;    /* a bar in its first line is a menu bar */
    const HfImage *image; /* NULL: colours are not known */
    HfRect area;          /* what of the screen the picture shows */
} HfTypedScope;

/* Makes buttons, boxes and menus of the texts (HfSeen) that are such, and takes away the lines that
 * boxes are drawn with. What new texts point to goes to `kept`. */
void hf_typed_find(GArray *texts, GPtrArray *kept, const HfTypedScope *scope);
/* Whether a window of this class or program is a terminal. */
gboolean hf_typed_is_terminal(const char *class_name, const char *process);
