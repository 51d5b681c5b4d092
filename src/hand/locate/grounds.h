/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture tells of how things are: of tabs, entries and pages in one strip, the one on
 * another ground is the current one, and a button with fainter letters than the next cannot be
 * used. Pure. */
#pragma once

#include "hand/locate/scene.h"

/* Fills `stands_out`, `listed`, `tabbed` and `faint` of all things; `area`: what of the screen the
 * picture shows. */
void hf_grounds_note(HfScene *scene, const HfImage *picture, HfRect area);
