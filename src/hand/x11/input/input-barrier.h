/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier proves that a program has taken in all keys sent to it so far: what it has not yet
 * read would otherwise be read with a keymap that has changed meanwhile. */
#pragma once

#include "hand/x11/input/keyboard-focus.h"
#include "shared/base/deadline.h"

typedef struct HfX11Barrier HfX11Barrier;

/* For the program that has the focus. Uses the connection's events while it lives. */
HfX11Barrier *hf_x11_barrier_new(HfX11Connection *connection, const HfX11Focus *focus);
void hf_x11_barrier_free(HfX11Barrier *barrier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Barrier, hf_x11_barrier_free)

/* Marks this place in the stream of keys; returns its number. */
guint32 hf_x11_barrier_mark(HfX11Barrier *barrier);
/* Waits until the program has come to a mark. */
gboolean hf_x11_barrier_wait(HfX11Barrier *barrier, guint32 mark, const HfDeadline *deadline,
                             GError **error);
/* Waits until the program has dealt with all keys, beyond having read them: Qt puts keys aside as
 * it reads them, answers a ping meanwhile, and looks for shortcuts in the keymap afterwards. */
gboolean hf_x11_barrier_wait_until_done(HfX11Barrier *barrier, const HfDeadline *deadline,
                                        GError **error);

/* Waits until the program has read a keymap that was changed a moment ago. Some are told of the
 * change, ask for the map and go on: what they read before its answer they look up in the old one.
 */
gboolean hf_x11_barrier_wait_for_map(HfX11Barrier *barrier, const HfDeadline *deadline,
                                     GError **error);
