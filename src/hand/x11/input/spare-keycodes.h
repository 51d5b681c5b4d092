/* SPDX-License-Identifier: Apache-2.0 */
/* Spare keycodes, lent to characters and keys that the layout lacks. Only the map of the XTEST
 * keyboard changes, so real keyboards keep theirs. The journal records every change before it is
 * made. */
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

/* Assigns as many of `characters` (gunichar, distinct) as fit, from the first on. This replaces
 * earlier assignments, so the program must have read all keys before. `ret_count` is 0 when there
 * is no spare keycode. */
gboolean hf_x11_spare_keycodes_assign(const HfX11SpareKeycodes *spares, const GArray *characters,
                                      guint *ret_count, GError **error);
/* The same for single keys (a media key, a letter of a shortcut), all of them or none. A Latin
 * letter may replace what another layout has on its keycode. */
gboolean hf_x11_spare_keycodes_assign_keys(const HfX11SpareKeycodes *spares, const GArray *keysyms,
                                           GError **error);
/* Restores the keys that we changed, if they are up and still have our symbols. */
gboolean hf_x11_spare_keycodes_restore(const HfX11SpareKeycodes *spares, GError **error);
