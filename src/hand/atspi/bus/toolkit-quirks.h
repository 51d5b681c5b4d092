/* SPDX-License-Identifier: Apache-2.0 */
/* How toolkits deviate: traits of the trees that they report, and quirks in how they carry out
 * accessibility actions. Each row was measured with tests/apps/widgets*, whose own state was the
 * witness. A toolkit's "yes, done" proves nothing: whoever acts must read back. */
#pragma once

#include <glib.h>

/* For reading. */
typedef struct HfToolkitTraits {
    const char *name; /* as it calls itself on the bus */
    /* One call returns all of a program's objects. */
    gboolean bulk;
    /* Hidden objects lack the state "showing". GTK 4 never sets it inside a window. */
    gboolean says_showing;
    /* Positions are relative to the window. */
    gboolean window_relative;
    /* Positions inside a page are in screen pixels, whatever the rest uses. */
    gboolean page_in_pixels;
    /* An element's identifier is one of its attributes: the id in its page. */
    gboolean page_identifiers;
    /* Elements have one action, except table cells. */
    gboolean one_action;
    /* Until the pointer has entered a window, positions in it leave out the menu bar. */
    gboolean forgets_menu_bar;
    /* Entries of an open menu lack "showing"; the menu's title has the focus instead. */
    gboolean silent_menus;
    /* It sends an event for every change, so a tree can be cached. */
    gboolean tells_changes;
    /* Only toggle buttons are ever "pressed"; their role does not set them apart. */
    gboolean pressed_is_set;
} HfToolkitTraits;

/* Never NULL: an unknown toolkit gets the careful traits. `program` is the program's name, for
 * those that only imitate a toolkit; NULL: any. */
const HfToolkitTraits *hf_toolkit_traits_find(const char *name, const char *program);

/* For acting. */
typedef struct HfToolkitQuirks {
    const char *toolkit; /* as it calls itself on the bus */
    /* GTK 4 has no GrabFocus and no ScrollTo. */
    gboolean grabs_focus;
    /* Qt's action "Toggle" marks a list item, but does not notify a program that waits for the
     * current item to change. Only a click does. */
    gboolean clicks_items;
    /* Qt sets "focused" on the front page tab, and never "selected". */
    gboolean tab_in_front_is_focused;
    /* A toggle button that is on is "pressed". Elsewhere that only means a click is under way. */
    gboolean pressed_is_on;
    /* Qt's action "Increase" goes further than one step of a spin button. */
    gboolean steps_by_keys;
    /* GTK 4 reports wrong positions inside popovers, but a correct focus. */
    gboolean popups_by_keys;
    /* InsertText counts bytes; otherwise UTF-16 units (Qt), which never reach beyond the text. */
    gboolean insert_counts_bytes;
    /* Scrolling boxes are plain panels, and what is scrolled out of view keeps its position: every
     * box around an element may hide it. */
    gboolean any_box_clips;
} HfToolkitQuirks;

/* Never NULL: an unknown toolkit gets the usual quirks. */
const HfToolkitQuirks *hf_toolkit_quirks_find(const char *toolkit);
