/* SPDX-License-Identifier: Apache-2.0 */
/* The map of one keyboard device, key by key, as XKB holds it: read whole, written back exactly.
 * The core protocol's ChangeKeyboardMapping cannot do that: it guesses key types anew, for every
 * device at once. */
#pragma once

#include <xcb/xkb.h>

#include "hand/safety/input-journal.h"
#include "hand/x11/core/connection.h"

typedef struct HfX11Keymap {
    HfX11Connection *connection;
    guint8 device, first, last;
    xcb_xkb_get_map_reply_t *reply;
    const xcb_xkb_key_sym_map_t
        *keys[HF_INPUT_JOURNAL_CODES];   /* within `reply`; NULL beyond the map */
    guint8 busy[HF_INPUT_JOURNAL_CODES]; /* has an action or a modifier */
    guint8 four_level_type; /* Shift and `level3` choose one of four; 0: there is none */
} HfX11Keymap;

/* `level3` is the modifier bit of AltGr; 0 when the map has no key for it. */
HfX11Keymap *hf_x11_keymap_read(HfX11Connection *connection, guint8 device, guint8 level3,
                                GError **error);
void hf_x11_keymap_free(HfX11Keymap *keymap);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Keymap, hf_x11_keymap_free)

/* A key that makes nothing and does nothing. */
gboolean hf_x11_keymap_is_empty(const HfX11Keymap *keymap, guint8 keycode);
/* FALSE when the key is beyond the map or has more symbols than fit. */
gboolean hf_x11_keymap_get(const HfX11Keymap *keymap, guint8 keycode, HfKeySymbols *ret_symbols);
/* One request for all: `symbols[keycode]`, where not NULL, replaces what was read; keys between
 * them are written as they were read, so hold the server between reading and writing. */
void hf_x11_keymap_write(const HfX11Keymap *keymap,
                         const HfKeySymbols *const symbols[HF_INPUT_JOURNAL_CODES]);
