/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier waits until a program has read all keys sent so far. The keymap must not change before:
 * the program would look unread keys up in the new map. */
#pragma once

#include "hand/x11/input/keyboard-focus.h"
#include "shared/base/deadline.h"

typedef struct HfX11Barrier HfX11Barrier;

/* Windows (xcb_window_t) of the input methods that serve XIM on this display. */
GArray *hf_x11_input_methods_dup_windows(HfX11Connection *connection);

/* For the program that has the focus. While it exists, it alone reads the connection's events. */
HfX11Barrier *hf_x11_barrier_new(HfX11Connection *connection, const HfX11Focus *focus);
void hf_x11_barrier_free(HfX11Barrier *barrier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Barrier, hf_x11_barrier_free)

/* Marks this position in the stream of keys and returns its number. */
guint32 hf_x11_barrier_mark(HfX11Barrier *barrier);
/* Waits until the program has read up to a mark. */
gboolean hf_x11_barrier_wait(HfX11Barrier *barrier, guint32 mark, const HfDeadline *deadline,
                             GError **error);
/* Waits until the program has handled all keys, not only read them: Qt queues keys while it reads,
 * answers a ping, and only then looks for shortcuts in the keymap. */
gboolean hf_x11_barrier_wait_until_done(HfX11Barrier *barrier, const HfDeadline *deadline,
                                        GError **error);

/* Waits until the program has read a keymap that has just changed. Some programs request the new
 * map and go on: keys that they read before the reply arrives are looked up in the old one. */
gboolean hf_x11_barrier_wait_for_map(HfX11Barrier *barrier, const HfDeadline *deadline,
                                     GError **error);
