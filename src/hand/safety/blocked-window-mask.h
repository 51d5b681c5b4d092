/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that the owner has blocked, in pictures of the screen. */
#pragma once

#include "hand/desktop/screen.h"

HfBlockedWindowMask *hf_blocked_window_mask_new(void);
void hf_blocked_window_mask_free(HfBlockedWindowMask *cover);

/* The windows as they were at a picture with this serial: listed again only when some have changed.
 */
GPtrArray *hf_blocked_window_mask_list_windows(HfDesktop *desktop, guint64 serial, GError **error);

/* The same for menus, lists and tips (see hf_windows_list_popups). */
GPtrArray *hf_blocked_window_mask_list_popups(HfDesktop *desktop, guint64 serial, GError **error);
/* What is known now, and the serial of the picture that it was listed after; NULL: nothing. It is
 * exactly what a picture shows that is taken from now on and has the same serial. */
guint64 hf_blocked_window_mask_dup_known(HfDesktop *desktop, GPtrArray **ret_windows,
                                         GPtrArray **ret_popups);

/* Takes out of places on the screen (GArray of HfRect) what windows above the one with this index
 * surely draw: neither the shadow that some have around them, nor what the window manager may round
 * off. */
void hf_blocked_window_mask_cut_above(const GPtrArray *windows, guint index, GArray *places);
/* Covers places on the screen. */
void hf_blocked_window_mask_paint(HfCapture *capture, const GArray *places);

/* How often privacy.blur has changed, as seen in the fences of calls. The same screen then yields
 * another picture. */
guint64 hf_blocked_window_mask_count_list_changes(const HfCallContext *context);

/* Adds what is seen of blocked windows in a picture of the screen, by the fence of the call. */
void hf_blocked_window_mask_add_blocked(const HfCallContext *context, const GPtrArray *windows,
                                        GArray *rects);
