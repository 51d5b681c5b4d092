/* SPDX-License-Identifier: Apache-2.0 */
/* A window that must outlive us: another program may be about to write to it, and many (xclip,
 * anything on plain Xlib) exit with an error when it is gone, and lose the clipboard. So the X
 * server keeps the window when we are killed, and the next hand removes it. */
#pragma once

#include "hand/x11/core/connection.h"

typedef struct HfRetainedWindow HfRetainedWindow;

/* From now on, the resources of this connection outlive it. The window's number is first recorded
 * in `state_dir`. NULL: without a directory, or if that fails, nothing is retained. */
HfRetainedWindow *hf_retained_window_new(HfX11Connection *connection, xcb_window_t window,
                                         const char *state_dir);
/* The resources end with the connection again, which must still be open. */
void hf_retained_window_free(HfRetainedWindow *retained);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRetainedWindow, hf_retained_window_free)

/* Removes what killed hands left on this X server at least `age_ms` ago: programs that they asked
 * must have had time to answer. */
void hf_retained_window_sweep(HfX11Connection *connection, const char *state_dir, gint64 age_ms);
#define HF_RETAINED_AGE_MS 10000
