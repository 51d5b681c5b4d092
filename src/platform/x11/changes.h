/* Has anything been drawn? By XDamage on the root, on a connection that nothing else reads events
 * from. Nothing runs while nobody asks: the server keeps one event for us until then.
 * And have windows changed? Only while somebody listens, since such events pile up. */
#pragma once

#include <xcb/damage.h>

#include "platform/x11/connection.h"

typedef struct HfX11Changes {
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
} HfX11Changes;

/* Begins to listen, on a first or on another connection: the counts go on. */
void hf_x11_changes_connect(HfX11Changes *changes, HfX11Connection *connection);

/* Counts what was drawn before the last reply that was read. TRUE when there was something: then
 * what is drawn up to the server's next answer to us is part of this count as well. So the count
 * belongs to a picture that is asked for after this, or to what the next answer says. */
gboolean hf_x11_changes_update(HfX11Changes *changes);
/* The same with all that the server has sent so far, without asking it for anything. */
void hf_x11_changes_catch_up(HfX11Changes *changes);
void hf_x11_changes_set_size(HfX11Changes *changes, HfSize size);
void hf_x11_changes_set_cursor(HfX11Changes *changes, HfPoint at, guint32 serial);

/* Listens to news of these windows, of the root and of its children. TRUE when it did so already.
 */
gboolean hf_x11_changes_watch(HfX11Changes *changes, const guint32 *windows, gsize count);
/* The same as long as nothing has changed that a list of the watched windows would tell: their
 * place, order, state, names. As of the last reply that was read. 0: nobody listens. */
guint64 hf_x11_changes_windows(const HfX11Changes *changes);
/* Ends it. */
void hf_x11_changes_ignore_windows(HfX11Changes *changes);

/* The number for callers: 0 when it cannot be known. */
guint64 hf_x11_changes_serial(const HfX11Changes *changes, gboolean cursor);
