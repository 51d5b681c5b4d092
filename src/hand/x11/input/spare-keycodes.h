/* SPDX-License-Identifier: Apache-2.0 */
/* Keycodes that no key has, lent to characters that the layout lacks. Only the XTEST device's own
 * map is written, so that people's keyboards keep theirs; the journal knows of every change before
 * it is made. */
#pragma once

#include "hand/safety/input-journal.h"
#include "hand/x11/core/connection.h"

typedef struct HfX11SpareKeycodes {
    HfX11Connection *connection;
    HfInputJournal *journal;
    guint8 device; /* the XTEST keyboard */
    guint8 level3; /* the modifier bit of AltGr; 0: do not use it */
    gboolean caps_lock;
} HfX11SpareKeycodes;

/* Puts as many of `characters` (gunichar, distinct), from the first on, on spare keys as fit.
 * What we put there before is replaced, so the program must have consumed all earlier keys.
 * `ret_count` may be 0: there is no spare key. */
gboolean hf_x11_spare_keycodes_assign(const HfX11SpareKeycodes *spares, const GArray *characters,
                                      guint *ret_count, GError **error);
/* The same for single keys (a media key, a letter for a command), all of them or none. A Latin
 * letter may replace what another layout has in its place. */
gboolean hf_x11_spare_keycodes_assign_keys(const HfX11SpareKeycodes *spares, const GArray *keysyms,
                                           GError **error);
/* Empties the keys that we filled, that still carry what we put there and that are not down. */
gboolean hf_x11_spare_keycodes_restore(const HfX11SpareKeycodes *spares, GError **error);
