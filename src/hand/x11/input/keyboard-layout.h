/* SPDX-License-Identifier: Apache-2.0 */
/* Which keys currently make which characters, by the keymap of the device that sends our events,
 * the active group and the locks (Caps, Num). It is a snapshot: make a new one for each use. */
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
    guint8 modifiers; /* HF_X11_SHIFT | HF_X11_LEVEL3: exactly these must be down */
} HfX11Stroke;

typedef struct HfX11Layout {
    struct xkb_keymap *keymap;
    struct xkb_state *state;                     /* locks and group, with no key down */
    guint8 modifier_keys[HF_X11_MODIFIER_COUNT]; /* keycodes; 0: the map has none */
    gboolean locked;                      /* a lock is on, or the active group is not the first */
    guint8 level3_mask;                   /* the modifier that AltGr sets; 0: no AltGr */
    GHashTable *by_character, *by_keysym; /* → packed HfX11Stroke */
} HfX11Layout;

/* Reads the map of `device` and the state of `core`. */
HfX11Layout *hf_x11_layout_new(HfX11Connection *connection, struct xkb_context *context,
                               guint8 device, guint8 core, GError **error);
void hf_x11_layout_free(HfX11Layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfX11Layout, hf_x11_layout_free)

/* The stroke with the fewest modifiers; FALSE when no key makes it. A character depends on the
 * locks that are on, a keysym does not depend on Caps Lock. */
gboolean hf_x11_layout_find_character(const HfX11Layout *layout, gunichar character,
                                      HfX11Stroke *ret_stroke);
gboolean hf_x11_layout_find_keysym(const HfX11Layout *layout, guint32 keysym,
                                   HfX11Stroke *ret_stroke);
/* A key that has the keysym in any group, for commands. */
gboolean hf_x11_layout_find_any_group(const HfX11Layout *layout, guint32 keysym,
                                      HfX11Stroke *ret_stroke);
