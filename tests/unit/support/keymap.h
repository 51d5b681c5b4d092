/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboard of the test's X server as a whole, to be compared before and after. */
#pragma once

#include <xcb/xcb.h>

#include <glib.h>

/* Runs setxkbmap with a layout ("us,ru"). */
void keymap_set_layout(const char *layout);
void keymap_lock(guint modifiers, guint group);
/* One keyboard alone, by its device id. */
void keymap_set_device_layout(int device, const char *layout);
/* AccessX controls (slow, bounce and sticky keys) that are on. */
void keymap_set_controls(guint controls);
/* Everything that must be the same again: the maps of all keyboards, the core map, keys that are
 * down, modifiers, locks and group. */
char *keymap_dup_picture(void);
/* The server has done what was asked of it before. */
void keymap_focus(xcb_window_t window);
