/* SPDX-License-Identifier: Apache-2.0 */
/* A window that must not vanish with us: another program may be about to write to it, and many
 * (xclip, anything on plain Xlib) die of the error when it is gone, and the clipboard with them. So
 * the X server keeps the window when we are killed, and the next hand clears it away. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfRetainedWindow HfRetainedWindow;

/* From now on what this connection has made outlives its end. The window's number is written down
 * in `state_dir` first; without that, or if it fails, nothing is retained (NULL). */
HfRetainedWindow *hf_retained_window_new(HfX11Connection *connection, xcb_window_t window,
                                         const char *state_dir);
/* Everything goes with the connection again. The connection must still be there. */
void hf_retained_window_free(HfRetainedWindow *retained);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRetainedWindow, hf_retained_window_free)

/* Clears away what hands that were killed have left on this X server at least `age_ms` ago:
 * programs that were asked just before must have had the time to answer. */
void hf_retained_window_sweep(HfX11Connection *connection, const char *state_dir, gint64 age_ms);
#define HF_RETAINED_AGE_MS 10000
