/* SPDX-License-Identifier: Apache-2.0 */
/* The floor of input work: the X requests that cannot be left out, without checks, guard or
 * processes in between. The benchmark also uses it to prepare and clean up between rounds. */
#pragma once

#include <stdint.h>
#include <xcb/xcb.h>

typedef struct Bare {
    xcb_connection_t *xcb;
    xcb_screen_t *screen;
    xcb_atom_t protocols, ping;
    uint32_t pings; /* the number of the last one */
} Bare;

void bare_sync(Bare *bare);
void bare_key(Bare *bare, int keycode, int press);
/* Waits until the window's program has read all events sent before, by _NET_WM_PING. Returns
 * milliseconds, or -1 when it did not answer within the limit. */
double bare_ping(Bare *bare, xcb_window_t window, int limit_ms);
/* Types UTF-8 text with as few changes of the key map as possible and waits until it is read;
 * the key map is put back. Returns -1 when the program does not answer. */
int bare_type(Bare *bare, xcb_window_t window, const char *text);
/* Presses the modifier (0: none) and the key, and lets go. */
void bare_chord(Bare *bare, xcb_keysym_t modifier, xcb_keysym_t key);
