/* SPDX-License-Identifier: Apache-2.0 */
/* A covered window in memory of its own for a moment, so that all of it can be seen although
 * others lie above it. Nothing moves on the screen. */
#pragma once

#include "hand/x11/windows/toplevel.h"
#include "shared/base/deadline.h"

typedef struct HfX11Offscreen HfX11Offscreen;

/* `hidden` tells which parts are covered (HfRect). NULL when the server cannot do it. */
HfX11Offscreen *hf_x11_offscreen_new(const char *display, const HfX11Toplevel *toplevel,
                                     const GArray *hidden, const HfDeadline *deadline);
/* Puts everything back. */
void hf_x11_offscreen_free(HfX11Offscreen *offscreen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Offscreen, hf_x11_offscreen_free)

/* The window with its frame and border. */
xcb_pixmap_t hf_x11_offscreen_pixmap(const HfX11Offscreen *offscreen);
/* FALSE when its program did not draw the hidden parts in time. */
gboolean hf_x11_offscreen_is_complete(const HfX11Offscreen *offscreen);
