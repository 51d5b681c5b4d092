/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the tables by trial: libxkbcommon computes what each key makes with each set of modifiers,
 * as programs do, Caps Lock included. So this file repeats no rule about levels and key types. Keys
 * of the number pad and dead keys never stand for a character. */
#include "hand/x11/input/keyboard-layout.h"

#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon-x11.h>

#include "shared/base/error.h"

static gboolean find_packed_stroke(GHashTable *table, guint32 key, HfX11Stroke *ret_stroke)
{
    guint packed = GPOINTER_TO_UINT(g_hash_table_lookup(table, GUINT_TO_POINTER(key)));
    if (!packed)
        return FALSE;
    *ret_stroke = (HfX11Stroke){(guint8)packed, (guint8)(packed >> 8)};
    return TRUE;
}

static void add_packed_stroke(GHashTable *table, guint32 key, HfX11Stroke stroke)
{
    if (key && !g_hash_table_contains(table, GUINT_TO_POINTER(key)))
        g_hash_table_insert(table, GUINT_TO_POINTER(key),
                            GUINT_TO_POINTER(stroke.keycode | (guint)stroke.modifiers << 8));
}

static gboolean is_number_pad(guint32 keysym)
{
    return keysym >= XKB_KEY_KP_Space && keysym <= XKB_KEY_KP_9;
}

/* Presses the modifier keys in a copy of the state. If a key does something else than its keysym
 * says, the characters show it. */
static struct xkb_state *state_with(const HfX11Layout *layout, xkb_mod_mask_t locked,
                                    guint modifiers)
{
    struct xkb_state *state = xkb_state_new(layout->keymap);
    xkb_state_update_mask(state, 0, 0, locked, 0, 0,
                          xkb_state_serialize_layout(layout->state, XKB_STATE_LAYOUT_LOCKED));
    for (guint i = 0; i < HF_X11_MODIFIER_COUNT; i++)
        if (modifiers & 1u << i)
            xkb_state_update_key(state, layout->modifier_keys[i], XKB_KEY_DOWN);
    return state;
}

/* Characters depend on all locks, keysyms on all but Caps Lock. */
static void add_layout_level(HfX11Layout *layout, guint modifiers)
{
    xkb_mod_mask_t locks = xkb_state_serialize_mods(layout->state, XKB_STATE_MODS_LOCKED);
    struct xkb_state *locked = state_with(layout, locks, modifiers);
    struct xkb_state *plain =
        state_with(layout, locks & ~(xkb_mod_mask_t)XCB_MOD_MASK_LOCK, modifiers);
    xkb_keycode_t last = MIN(255, xkb_keymap_max_keycode(layout->keymap));
    for (xkb_keycode_t code = xkb_keymap_min_keycode(layout->keymap); code <= last; code++) {
        HfX11Stroke stroke = {(guint8)code, (guint8)modifiers};
        guint32 keysym = xkb_state_key_get_one_sym(locked, code);
        gunichar character = xkb_keysym_to_utf32(keysym);
        if (character >= ' ' && character != 0x7f && !is_number_pad(keysym))
            add_packed_stroke(layout->by_character, character, stroke);
        add_packed_stroke(layout->by_keysym, xkb_state_key_get_one_sym(plain, code), stroke);
    }
    if (modifiers == HF_X11_LEVEL3)
        layout->level3_mask = (guint8)xkb_state_serialize_mods(plain, XKB_STATE_MODS_DEPRESSED);
    xkb_state_unref(locked);
    xkb_state_unref(plain);
}

static guint8 find_modifier_key(const HfX11Layout *layout, guint32 keysym, guint32 other)
{
    HfX11Stroke stroke;
    if (find_packed_stroke(layout->by_keysym, keysym, &stroke) ||
        find_packed_stroke(layout->by_keysym, other, &stroke))
        return stroke.modifiers ? 0 : stroke.keycode;
    return 0;
}

static void fill_layout_tables(HfX11Layout *layout)
{
    add_layout_level(layout, 0);
    layout->modifier_keys[0] = find_modifier_key(layout, XKB_KEY_Shift_L, XKB_KEY_Shift_R);
    layout->modifier_keys[1] =
        find_modifier_key(layout, XKB_KEY_ISO_Level3_Shift, XKB_KEY_ISO_Level3_Shift);
    for (guint modifiers = 1; modifiers < 1u << HF_X11_MODIFIER_COUNT; modifiers++) {
        gboolean possible = TRUE;
        for (guint i = 0; i < HF_X11_MODIFIER_COUNT; i++)
            possible &= !(modifiers & 1u << i) || layout->modifier_keys[i];
        if (possible)
            add_layout_level(layout, modifiers);
    }
}

static gboolean read_layout_state(HfX11Connection *connection, guint8 core, HfX11Layout *layout)
{
    xcb_xkb_get_state_reply_t *reply =
        xcb_xkb_get_state_reply(connection->xcb, xcb_xkb_get_state(connection->xcb, core), NULL);
    if (!reply)
        return FALSE;
    layout->state = xkb_state_new(layout->keymap);
    xkb_state_update_mask(layout->state, 0, 0, reply->lockedMods, 0, 0, reply->group);
    layout->locked = reply->lockedMods || reply->group;
    free(reply);
    return TRUE;
}

HfX11Layout *hf_x11_layout_new(HfX11Connection *connection, struct xkb_context *context,
                               guint8 device, guint8 core, GError **error)
{
    g_autoptr(HfX11Layout) layout = g_new0(HfX11Layout, 1);
    layout->by_character = g_hash_table_new(NULL, NULL);
    layout->by_keysym = g_hash_table_new(NULL, NULL);
    layout->keymap = xkb_x11_keymap_new_from_device(context, connection->xcb, device,
                                                    XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!layout->keymap || !read_layout_state(connection, core, layout)) {
        if (hf_x11_check(connection, error))
            hf_fail(error, HF_ERROR_UNSUPPORTED, "the X server does not report its keymap");
        return NULL;
    }
    fill_layout_tables(layout);
    return g_steal_pointer(&layout);
}

void hf_x11_layout_free(HfX11Layout *layout)
{
    if (!layout)
        return;
    xkb_state_unref(layout->state);
    xkb_keymap_unref(layout->keymap);
    g_hash_table_unref(layout->by_character);
    g_hash_table_unref(layout->by_keysym);
    g_free(layout);
}

gboolean hf_x11_layout_find_character(const HfX11Layout *layout, gunichar character,
                                      HfX11Stroke *ret_stroke)
{
    return find_packed_stroke(layout->by_character, character, ret_stroke);
}

gboolean hf_x11_layout_find_keysym(const HfX11Layout *layout, guint32 keysym,
                                   HfX11Stroke *ret_stroke)
{
    return find_packed_stroke(layout->by_keysym, keysym, ret_stroke);
}

static gboolean key_has(struct xkb_keymap *keymap, xkb_keycode_t code, guint32 keysym)
{
    xkb_layout_index_t groups = xkb_keymap_num_layouts_for_key(keymap, code);
    for (xkb_layout_index_t group = 0; group < groups; group++) {
        const xkb_keysym_t *keysyms;
        if (xkb_keymap_key_get_syms_by_level(keymap, code, group, 0, &keysyms) == 1 &&
            keysyms[0] == keysym)
            return TRUE;
    }
    return FALSE;
}

gboolean hf_x11_layout_find_any_group(const HfX11Layout *layout, guint32 keysym,
                                      HfX11Stroke *ret_stroke)
{
    xkb_keycode_t last = MIN(255, xkb_keymap_max_keycode(layout->keymap));
    for (xkb_keycode_t code = xkb_keymap_min_keycode(layout->keymap); code <= last; code++)
        if (key_has(layout->keymap, code, keysym)) {
            *ret_stroke = (HfX11Stroke){(guint8)code, 0};
            return TRUE;
        }
    return FALSE;
}
