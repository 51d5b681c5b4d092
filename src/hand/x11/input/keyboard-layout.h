/* SPDX-License-Identifier: Apache-2.0 */
/* Which keys make which characters right now: the keymap of the device that our events come from,
 * in the group that is active, under the locks (Caps, Num) that are on. A snapshot; the keyboard
 * makes a new one when any of these changed. */
#pragma once

#include <xkbcommon/xkbcommon.h>

#include "hand/x11/core/connection.h"

enum {
    HF_X11_SHIFT = 1 << 0,
    HF_X11_LEVEL3 = 1 << 1, /* AltGr */
    HF_X11_MODIFIER_COUNT = 2,
};

typedef struct HfX11Stroke {
    guint8 keycode;
    guint8 modifiers; /* HF_X11_SHIFT | HF_X11_LEVEL3: exactly these are down */
} HfX11Stroke;

typedef struct HfX11Layout {
    struct xkb_keymap *keymap;
    struct xkb_state *state;                     /* locks and group, no key down */
    guint8 modifier_keys[HF_X11_MODIFIER_COUNT]; /* keycodes; 0: this map has none */
    gboolean locked;    /* a lock is on, or another group than the first is active */
    guint8 level3_mask; /* the modifier that AltGr sets; 0: no AltGr */
    GHashTable *by_character, *by_keysym; /* → packed HfX11Stroke */
} HfX11Layout;

/* `device` gives the map, `core` the state. */
HfX11Layout *hf_x11_layout_new(HfX11Connection *connection, struct xkb_context *context,
                               guint8 device, guint8 core, GError **error);
void hf_x11_layout_free(HfX11Layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Layout, hf_x11_layout_free)

/* The fewest modifiers win. FALSE when no key makes it. A character is what a program gets under
 * the locks that are on; a keysym is a key of the keyboard, Caps Lock or not. */
gboolean hf_x11_layout_find_character(const HfX11Layout *layout, gunichar character,
                                      HfX11Stroke *ret_stroke);
gboolean hf_x11_layout_find_keysym(const HfX11Layout *layout, guint32 keysym,
                                   HfX11Stroke *ret_stroke);
/* A key that has the keysym in any group, for commands while another group is active. */
gboolean hf_x11_layout_find_any_group(const HfX11Layout *layout, guint32 keysym,
                                      HfX11Stroke *ret_stroke);
