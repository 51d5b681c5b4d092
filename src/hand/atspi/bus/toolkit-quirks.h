/* SPDX-License-Identifier: Apache-2.0 */
/* What toolkits make of orders that come by the accessibility bus. Measured with the programs
 * tests/apps/widgets*, whose own state was the witness: GTK 3.24, GTK 4.8, Qt 5.15, Chromium 156.
 * What a toolkit says ("yes, done") counts for nothing: whoever gives an order reads back. */
#pragma once

#include <glib.h>

typedef struct HfToolkitQuirks {
    const char *toolkit; /* as it calls itself on the bus */
    /* GTK 4 has no GrabFocus and no ScrollTo. */
    gboolean grabs_focus;
    /* Qt's action "Toggle" on an item of a list marks it, but the program that waits for a current
     * item hears nothing: only a click tells it. */
    gboolean clicks_items;
    /* Qt says "focused" of the page tab that is in front, and never "selected". */
    gboolean tab_in_front_is_focused;
    /* What is on says "pressed" (toggle buttons). Elsewhere that is a button in the moment when it
     * is clicked, and proves nothing. */
    gboolean pressed_is_on;
    /* Qt's action "Increase" goes further than one step of a spin button. */
    gboolean steps_by_keys;
    /* GTK 4 gives wrong places for what is in its popovers, but says where the focus is. */
    gboolean popups_by_keys;
    /* InsertText counts bytes; else UTF-16 units (Qt), which never reach beyond the text. */
    gboolean insert_counts_bytes;
    /* Boxes that scroll are plain panels there, and what is scrolled out of sight keeps its place:
     * every box around an element may hide it. */
    gboolean any_box_clips;
} HfToolkitQuirks;

/* Never NULL: an unknown toolkit is tried the usual way. */
const HfToolkitQuirks *hf_toolkit_quirks_find(const char *toolkit);
