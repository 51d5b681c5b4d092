/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps a covered window in its own memory for a moment, so that a picture shows all of it although
 * other windows lie above it. Nothing moves on the screen. */
#pragma once

#include "hand/x11/capture/damage.h"
#include "hand/x11/windows/toplevel.h"

typedef struct HfX11Offscreen {
    HfX11Connection *connection;
    xcb_window_t frame, window;
    xcb_pixmap_t pixmap; /* the window with its frame and border */
    HfX11Damage damage;
    gboolean redirected;
    gboolean complete; /* FALSE: the program did not draw the hidden parts in time */
} HfX11Offscreen;

/* `hidden`: the covered parts (HfRect). NULL when the server cannot do it. */
HfX11Offscreen *hf_x11_offscreen_new(const char *display, const HfX11Toplevel *toplevel,
                                     const GArray *hidden, const HfDeadline *deadline);
/* Ends the redirection. */
void hf_x11_offscreen_free(HfX11Offscreen *offscreen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Offscreen, hf_x11_offscreen_free)
