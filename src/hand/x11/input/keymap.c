/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing XKB maps on the wire. Only the symbols of keys are ever written: types,
 * actions, modifiers and names stay untouched. */
#include "hand/x11/input/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/error.h"

/* Below the first real key of every keyboard driver; some programs take it for "no key". */
#define LOWEST_KEYCODE 9

static guint8 find_four_level_type(xcb_xkb_key_type_iterator_t types, guint8 level3)
{
    guint8 wanted = XCB_MOD_MASK_SHIFT | level3;
    for (guint8 index = 0; level3 && types.rem; index++, xcb_xkb_key_type_next(&types)) {
        const xcb_xkb_key_type_t *type = types.data;
        if (type->numLevels != 4 || type->mods_mask != wanted || type->nMapEntries != 3 ||
            type->hasPreserve)
            continue;
        guint found = 0;
        const xcb_xkb_kt_map_entry_t *entries = xcb_xkb_key_type_map(type);
        for (guint i = 0; i < type->nMapEntries; i++) {
            guint level = (entries[i].mods_mask & XCB_MOD_MASK_SHIFT ? 1 : 0) |
                          (entries[i].mods_mask & level3 ? 2 : 0);
            if (entries[i].active && level && entries[i].level == level)
                found |= 1u << level;
        }
        if (found == 0xe)
            return index;
    }
    return 0;
}

static void index_keys(HfX11Keymap *keymap, const xcb_xkb_get_map_map_t *map)
{
    const xcb_xkb_get_map_reply_t *reply = keymap->reply;
    xcb_xkb_key_sym_map_iterator_t keys = xcb_xkb_get_map_map_syms_rtrn_iterator(reply, map);
    for (guint code = reply->firstKeySym; keys.rem && code < HF_INPUT_JOURNAL_CODES; code++) {
        keymap->keys[code] = keys.data;
        xcb_xkb_key_sym_map_next(&keys);
    }
    const uint8_t *actions = xcb_xkb_get_map_map_acts_rtrn_count(map);
    for (guint i = 0; i < reply->nKeyActions; i++)
        keymap->busy[(reply->firstKeyAction + i) & 255] |= actions[i];
    for (guint i = 0; i < reply->totalModMapKeys; i++)
        keymap->busy[map->modmap_rtrn[i].keycode] |= map->modmap_rtrn[i].mods;
}

HfX11Keymap *hf_x11_keymap_read(HfX11Connection *connection, guint8 device, guint8 level3,
                                GError **error)
{
    const uint16_t parts = XCB_XKB_MAP_PART_KEY_TYPES | XCB_XKB_MAP_PART_KEY_SYMS |
                           XCB_XKB_MAP_PART_KEY_ACTIONS | XCB_XKB_MAP_PART_MODIFIER_MAP;
    xcb_xkb_get_map_cookie_t cookie = xcb_xkb_get_map(connection->xcb, device, parts, 0, 0, 0, 0, 0,
                                                      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    xcb_xkb_get_map_reply_t *reply = xcb_xkb_get_map_reply(connection->xcb, cookie, NULL);
    if (!reply) {
        if (hf_x11_check(connection, error))
            hf_fail(error, HF_ERROR_UNSUPPORTED, "the X server does not tell its keymap");
        return NULL;
    }
    HfX11Keymap *keymap = g_new0(HfX11Keymap, 1);
    *keymap =
        (HfX11Keymap){connection, device, reply->minKeyCode, reply->maxKeyCode, .reply = reply};
    xcb_xkb_get_map_map_t map;
    xcb_xkb_get_map_map_unpack(xcb_xkb_get_map_map(reply), reply->nTypes, reply->nKeySyms,
                               reply->nKeyActions, reply->totalActions, reply->totalKeyBehaviors,
                               reply->virtualMods, reply->totalKeyExplicit, reply->totalModMapKeys,
                               reply->totalVModMapKeys, reply->present, &map);
    index_keys(keymap, &map);
    keymap->four_level_type =
        find_four_level_type(xcb_xkb_get_map_map_types_rtrn_iterator(reply, &map), level3);
    return keymap;
}

void hf_x11_keymap_free(HfX11Keymap *keymap)
{
    if (!keymap)
        return;
    free(keymap->reply);
    g_free(keymap);
}

gboolean hf_x11_keymap_is_empty(const HfX11Keymap *keymap, guint8 keycode)
{
    HfKeySymbols symbols;
    if (keycode < LOWEST_KEYCODE || keymap->busy[keycode] ||
        !hf_x11_keymap_get(keymap, keycode, &symbols))
        return FALSE;
    for (guint i = 0; i < symbols.count; i++)
        if (symbols.keysyms[i] != XCB_NO_SYMBOL)
            return FALSE;
    return TRUE;
}

gboolean hf_x11_keymap_get(const HfX11Keymap *keymap, guint8 keycode, HfKeySymbols *ret_symbols)
{
    const xcb_xkb_key_sym_map_t *key = keymap->keys[keycode];
    if (!key || key->nSyms > HF_INPUT_JOURNAL_KEYSYMS || key->width > HF_INPUT_JOURNAL_KEYSYMS)
        return FALSE;
    *ret_symbols =
        (HfKeySymbols){.groups = key->groupInfo, .width = key->width, .count = key->nSyms};
    memcpy(ret_symbols->types, key->kt_index, sizeof ret_symbols->types);
    memcpy(ret_symbols->keysyms, xcb_xkb_key_sym_map_syms(key), key->nSyms * sizeof(guint32));
    return TRUE;
}

static void append_key_symbols(GByteArray *wire, const HfKeySymbols *symbols)
{
    xcb_xkb_key_sym_map_t head = {
        .groupInfo = symbols->groups, .width = symbols->width, .nSyms = symbols->count};
    memcpy(head.kt_index, symbols->types, sizeof head.kt_index);
    g_byte_array_append(wire, (const guint8 *)&head, sizeof head);
    g_byte_array_append(wire, (const guint8 *)symbols->keysyms, symbols->count * 4u);
}

static void append_read_key(GByteArray *wire, const xcb_xkb_key_sym_map_t *key)
{
    g_byte_array_append(wire, (const guint8 *)key, (guint)(sizeof *key + key->nSyms * 4u));
}

void hf_x11_keymap_write(const HfX11Keymap *keymap,
                         const HfKeySymbols *const symbols[HF_INPUT_JOURNAL_CODES])
{
    guint first = HF_INPUT_JOURNAL_CODES, last = 0, total = 0;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (symbols[code] && keymap->keys[code]) {
            first = MIN(first, code);
            last = code;
        }
    if (first > last)
        return;
    g_autoptr(GByteArray) wire = g_byte_array_new();
    for (guint code = first; code <= last; code++) {
        total += symbols[code] ? symbols[code]->count : keymap->keys[code]->nSyms;
        if (symbols[code])
            append_key_symbols(wire, symbols[code]);
        else
            append_read_key(wire, keymap->keys[code]);
    }
    xcb_xkb_set_map(keymap->connection->xcb, keymap->device, XCB_XKB_MAP_PART_KEY_SYMS, 0,
                    keymap->first, keymap->last, 0, 0, (xcb_keycode_t)first,
                    (uint8_t)(last - first + 1), (uint16_t)total, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                    0, 0, 0, 0, 0, wire->data);
}
