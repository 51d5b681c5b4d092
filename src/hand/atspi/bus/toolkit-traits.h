/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be known of the toolkits whose trees we read: each has its own way of being wrong. */
#pragma once

#include <glib.h>

typedef struct HfToolkitTraits {
    const char *name; /* as it calls itself on the bus */
    /* All of a program's objects can be had by one call. */
    gboolean bulk;
    /* Objects that do not show say so; GTK 4 never says "showing" of what is inside a window. */
    gboolean says_showing;
    /* Places are relative to the window. */
    gboolean window_relative;
    /* What is in a page is told in pixels of the screen, whatever the rest is told in. */
    gboolean page_in_pixels;
    /* What a program calls an element itself is one of its attributes: that of a page. */
    gboolean page_identifiers;
    /* Elements have one action, but for cells of tables. */
    gboolean one_action;
    /* Until the pointer has been in a window, it forgets its menu bar when it says where the rest
     * is.
     */
    gboolean forgets_menu_bar;
    /* What is in a menu is never called showing: while it is open, its title has the focus. */
    gboolean silent_menus;
    /* Whatever changes, it tells: what was read once can be kept. */
    gboolean tells_changes;
    /* Only buttons that stay pressed in are ever called pressed; their role does not tell them. */
    gboolean pressed_is_set;
} HfToolkitTraits;

/* Never NULL: an unknown toolkit is read the careful way. `program` is the program's own name, for
 * those that only look as if made with a toolkit; NULL: any. */
const HfToolkitTraits *hf_toolkit_traits_find(const char *name, const char *program);
