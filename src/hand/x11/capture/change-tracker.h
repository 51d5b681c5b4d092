/* SPDX-License-Identifier: Apache-2.0 */
/* Has anything been drawn? By XDamage on the root, on a connection that nothing else reads events
 * from. Nothing runs while nobody asks: the server keeps one event for us until then.
 * And have windows changed? Only while somebody listens, since such events pile up. */
#pragma once

#include <xcb/damage.h>

#include "hand/x11/core/connection.h"

typedef struct HfX11ChangeTracker {
    HfX11Connection *connection;
    xcb_damage_damage_t damage; /* 0: the server cannot tell */
    guint8 notify_event;
    guint64 drawn;  /* grows when something was drawn or the screen has another size */
    guint64 cursor; /* grows when the pointer has moved or changed */
    HfSize size;
    HfPoint cursor_at;
    guint32 cursor_serial;
    GHashTable *watched; /* windows whose news we get; NULL: nobody listens */
    guint64 windows;     /* grows with each piece of news */
} HfX11ChangeTracker;

/* Begins to listen, on a first or on another connection: the counts go on. */
void hf_x11_change_tracker_connect(HfX11ChangeTracker *changes, HfX11Connection *connection);

/* Counts what was drawn before the last reply that was read. TRUE when there was something: then
 * what is drawn up to the server's next answer to us is part of this count as well. So the count
 * belongs to a picture that is asked for after this, or to what the next answer says. */
gboolean hf_x11_change_tracker_update(HfX11ChangeTracker *changes);
/* The same with all that the server has sent so far, without asking it for anything. */
void hf_x11_change_tracker_catch_up(HfX11ChangeTracker *changes);
void hf_x11_change_tracker_set_size(HfX11ChangeTracker *changes, HfSize size);
void hf_x11_change_tracker_set_cursor(HfX11ChangeTracker *changes, HfPoint at, guint32 serial);

/* Listens to news of these windows, of the root and of its children. TRUE when it did so already.
 */
gboolean hf_x11_change_tracker_watch(HfX11ChangeTracker *changes, const guint32 *windows,
                                     gsize count);
/* The same as long as nothing has changed that a list of the watched windows would tell: their
 * place, order, state, names. As of the last reply that was read. 0: nobody listens. */
guint64 hf_x11_change_tracker_windows(const HfX11ChangeTracker *changes);
/* Ends it. */
void hf_x11_change_tracker_ignore_windows(HfX11ChangeTracker *changes);

/* The number for callers: 0 when it cannot be known. */
guint64 hf_x11_change_tracker_serial(const HfX11ChangeTracker *changes, gboolean cursor);
