/* The keyboard of the test's X server as a whole, to be compared before and after. */
#pragma once

#include <xcb/xcb.h>

#include <glib.h>

/* Runs setxkbmap with a layout ("us,ru"). */
void keymap_set_layout(const char *layout);
void keymap_lock(guint modifiers, guint group);
/* Everything that must be the same again: the maps of all keyboards, the core map, keys that are
 * down, modifiers, locks and group. */
char *keymap_dup_picture(void);
/* The server has done what was asked of it before. */
void keymap_focus(xcb_window_t window);
