/* SPDX-License-Identifier: Apache-2.0 */
/* Lends keycodes by writing the XTEST keyboard's map, and restores it. The map is read and written
 * through XKB, which reproduces it exactly. The core protocol cannot: ChangeKeyboardMapping guesses
 * the key types again, and for every device at once. Only the symbols of keys are ever written,
 * never types, actions, modifiers or names.
 *
 * Characters fill level after level across all spare keys, so neighbours in the text mostly need
 * the same modifiers. While Caps Lock is on, letters with case take a key each instead: small and
 * capital letter on its two levels, with the key type that Caps Lock acts on, so no program turns
 * one into the other. Otherwise they share keys like all characters, because keys are few, and
 * every change of the map makes all programs read it again. A lent key has one group, so the active
 * group does not matter. */
#include "hand/x11/input/spare-keycodes.h"

#include <stdlib.h>
#include <string.h>

#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon.h>

#include "shared/base/error.h"

/* Keycodes below are not used by any keyboard driver, and some programs take them for "no key". */
#define LOWEST_KEYCODE 9

typedef struct Keymap {
    HfX11Connection *connection;
    guint8 device, first, last;
    xcb_xkb_get_map_reply_t *reply;
    const xcb_xkb_key_sym_map_t
        *keys[HF_INPUT_JOURNAL_CODES];   /* within `reply`; NULL outside the map */
    guint8 busy[HF_INPUT_JOURNAL_CODES]; /* has an action or a modifier */
    guint8 four_level_type; /* a key type where Shift and AltGr choose one of four; 0: none */
} Keymap;

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

static void index_keys(Keymap *keymap, const xcb_xkb_get_map_map_t *map)
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

/* `level3` is the modifier bit of AltGr; 0 when the map has no key for it. */
static Keymap *keymap_read(HfX11Connection *connection, guint8 device, guint8 level3,
                           GError **error)
{
    const uint16_t parts = XCB_XKB_MAP_PART_KEY_TYPES | XCB_XKB_MAP_PART_KEY_SYMS |
                           XCB_XKB_MAP_PART_KEY_ACTIONS | XCB_XKB_MAP_PART_MODIFIER_MAP;
    xcb_xkb_get_map_cookie_t cookie = xcb_xkb_get_map(connection->xcb, device, parts, 0, 0, 0, 0, 0,
                                                      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    xcb_xkb_get_map_reply_t *reply = xcb_xkb_get_map_reply(connection->xcb, cookie, NULL);
    if (!reply) {
        if (hf_x11_check(connection, error))
            hf_fail(error, HF_ERROR_UNSUPPORTED, "the X server does not report its keymap");
        return NULL;
    }
    Keymap *keymap = g_new0(Keymap, 1);
    *keymap = (Keymap){connection, device, reply->minKeyCode, reply->maxKeyCode, .reply = reply};
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

static void keymap_free(Keymap *keymap)
{
    if (!keymap)
        return;
    free(keymap->reply);
    g_free(keymap);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Keymap, keymap_free)

/* FALSE when the key is outside the map or has more symbols than fit. */
static gboolean get_key_symbols(const Keymap *keymap, guint8 keycode, HfKeySymbols *ret_symbols)
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

/* A key without symbols, action and modifier. */
static gboolean is_empty_key(const Keymap *keymap, guint8 keycode)
{
    HfKeySymbols symbols;
    if (keycode < LOWEST_KEYCODE || keymap->busy[keycode] ||
        !get_key_symbols(keymap, keycode, &symbols))
        return FALSE;
    for (guint i = 0; i < symbols.count; i++)
        if (symbols.keysyms[i] != XCB_NO_SYMBOL)
            return FALSE;
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

/* Writes all changes in one request: `symbols[keycode]`, where not NULL, replaces what was read.
 * Keys in between are written as they were read, so grab the server from reading to writing. */
static void write_keymap(const Keymap *keymap,
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
            g_byte_array_append(
                wire, (const guint8 *)keymap->keys[code],
                (guint)(sizeof *keymap->keys[code] + keymap->keys[code]->nSyms * 4u));
    }
    xcb_xkb_set_map(keymap->connection->xcb, keymap->device, XCB_XKB_MAP_PART_KEY_SYMS, 0,
                    keymap->first, keymap->last, 0, 0, (xcb_keycode_t)first,
                    (uint8_t)(last - first + 1), (uint16_t)total, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                    0, 0, 0, 0, 0, wire->data);
}

/* The XKB protocol fixes the first key types of every keymap. */
enum { TYPE_TWO_LEVEL = 1, TYPE_ALPHABETIC = 2 };

typedef struct Pair {
    gunichar lower, upper;
} Pair;

/* Programs disagree about the older keysyms (below 0x1000000). Beyond Latin-1 only the Unicode form
 * means the same to all of them. */
static guint32 keysym_of(gunichar character)
{
    return character < 0x100 ? character : 0x01000000 | character;
}

static gboolean has_case(gunichar character)
{
    guint32 keysym = keysym_of(character);
    return g_unichar_toupper(character) != character || g_unichar_tolower(character) != character ||
           g_unichar_totitle(character) != character || xkb_keysym_to_upper(keysym) != keysym ||
           xkb_keysym_to_lower(keysym) != keysym;
}

/* Two forms of a letter that map to each other make a pair. An irregular letter (final sigma,
 * dotless i, title case) gets another form of itself on the other level. With the same symbol on
 * both levels, some programs assume that the key ignores Caps Lock, and capitalise it themselves.
 */
static Pair pair_of(gunichar character)
{
    Pair pair = {g_unichar_tolower(character), g_unichar_toupper(character)};
    gboolean simple = g_unichar_toupper(pair.lower) == pair.upper &&
                      g_unichar_tolower(pair.upper) == pair.lower &&
                      (character == pair.lower || character == pair.upper);
    if (simple)
        return pair;
    return pair.upper != character ? (Pair){character, pair.upper} : (Pair){pair.lower, character};
}

static gboolean pairs_contain(const GArray *pairs, gunichar character)
{
    for (guint i = 0; i < pairs->len; i++) {
        const Pair *pair = &g_array_index(pairs, Pair, i);
        if (pair->lower == character || pair->upper == character)
            return TRUE;
    }
    return FALSE;
}

/* Splits characters into pairs and plain ones until the keys are full; returns how many fit. */
static guint choose_spare_characters(const GArray *characters, gboolean caps_lock, guint keys,
                                     guint levels, GArray *pairs, GArray *plain)
{
    for (guint i = 0; i < characters->len; i++) {
        gunichar character = g_array_index(characters, gunichar, i);
        gboolean cased = caps_lock && has_case(character);
        if (cased && pairs_contain(pairs, character))
            continue;
        guint pair_count = pairs->len + (cased ? 1 : 0), plain_count = plain->len + (cased ? 0 : 1);
        if (pair_count + (plain_count + levels - 1) / levels > keys)
            return i;
        Pair pair = pair_of(character);
        if (cased)
            g_array_append_val(pairs, pair);
        else
            g_array_append_val(plain, character);
    }
    return characters->len;
}

static HfKeySymbols two_level_symbols(guint8 type, guint32 lower, guint32 upper)
{
    return (HfKeySymbols){
        .types = {type}, .groups = 1, .width = 2, .count = 2, .keysyms = {lower, upper}};
}

/* Unused levels repeat the first character, so that no modifier makes another one. */
static HfKeySymbols plain_symbols(const GArray *plain, guint first, guint step, guint levels,
                                  guint8 type)
{
    HfKeySymbols symbols = {
        .types = {type}, .groups = 1, .width = (guint8)levels, .count = (guint16)levels};
    for (guint level = 0; level < levels; level++) {
        guint index = first + level * step;
        symbols.keysyms[level] =
            keysym_of(g_array_index(plain, gunichar, index < plain->len ? index : first));
    }
    return symbols;
}

static void journal_key_change(const HfX11SpareKeycodes *spares, const Keymap *keymap,
                               guint8 keycode, const HfKeySymbols *ours)
{
    HfKeySymbols original;
    if (get_key_symbols(keymap, keycode, &original))
        hf_input_journal_change_key(spares->journal, keycode, &original, ours);
}

static guint find_spare_keys(const HfX11SpareKeycodes *spares, const Keymap *keymap,
                             guint8 keycodes[HF_INPUT_JOURNAL_CODES])
{
    guint count = 0;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++) {
        HfKeySymbols symbols;
        if (hf_input_journal_holds_key(spares->journal, (guint8)code))
            continue;
        if (is_empty_key(keymap, (guint8)code) ||
            (get_key_symbols(keymap, (guint8)code, &symbols) &&
             hf_input_journal_is_ours(spares->journal, (guint8)code, &symbols)))
            keycodes[count++] = (guint8)code;
    }
    return count;
}

static guint assign_characters(const HfX11SpareKeycodes *spares, const Keymap *keymap,
                               const GArray *characters)
{
    guint8 keycodes[HF_INPUT_JOURNAL_CODES];
    guint keys = find_spare_keys(spares, keymap, keycodes);
    guint levels = keymap->four_level_type ? 4 : 2;
    guint8 type = keymap->four_level_type ? keymap->four_level_type : TYPE_TWO_LEVEL;
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
    g_autoptr(GArray) plain = g_array_new(FALSE, FALSE, sizeof(gunichar));
    guint count =
        choose_spare_characters(characters, spares->caps_lock, keys, levels, pairs, plain);

    HfKeySymbols symbols[HF_INPUT_JOURNAL_CODES];
    const HfKeySymbols *changes[HF_INPUT_JOURNAL_CODES] = {NULL};
    guint step = MIN(keys - pairs->len, plain->len);
    for (guint i = 0; i < pairs->len + step; i++) {
        if (i < pairs->len) {
            const Pair *pair = &g_array_index(pairs, Pair, i);
            symbols[i] =
                two_level_symbols(TYPE_ALPHABETIC, keysym_of(pair->lower), keysym_of(pair->upper));
        } else {
            symbols[i] = plain_symbols(plain, i - pairs->len, step, levels, type);
        }
        changes[keycodes[i]] = &symbols[i];
        journal_key_change(spares, keymap, keycodes[i], &symbols[i]);
    }
    write_keymap(keymap, changes);
    return count;
}

/* Nobody else changes the map while the server is grabbed. */
static Keymap *grab_keymap(const HfX11SpareKeycodes *spares, guint8 level3, GError **error)
{
    xcb_grab_server(spares->connection->xcb);
    return keymap_read(spares->connection, spares->device, level3, error);
}

/* FALSE when the map could not be read, or the server is gone. */
static gboolean ungrab_keymap(const HfX11SpareKeycodes *spares, const Keymap *keymap,
                              GError **error)
{
    xcb_ungrab_server(spares->connection->xcb);
    return hf_x11_sync(spares->connection, keymap ? error : NULL) && keymap;
}

gboolean hf_x11_spare_keycodes_assign(const HfX11SpareKeycodes *spares, const GArray *characters,
                                      guint *ret_count, GError **error)
{
    g_autoptr(Keymap) keymap = grab_keymap(spares, spares->level3, error);
    if (keymap)
        *ret_count = assign_characters(spares, keymap, characters);
    return ungrab_keymap(spares, keymap, error);
}

/* The usual keycode of a Latin letter, the same for all X servers on Linux; 0: none. */
static guint8 usual_keycode(guint32 keysym)
{
    const struct {
        const char *letters;
        guint8 first;
    } rows[] = {{"qwertyuiop", 24}, {"asdfghjkl", 38}, {"zxcvbnm", 52}};
    for (guint i = 0; keysym && keysym < 0x80 && i < G_N_ELEMENTS(rows); i++) {
        const char *found = strchr(rows[i].letters, (int)keysym);
        if (found)
            return (guint8)(rows[i].first + (found - rows[i].letters));
    }
    return 0;
}

/* A letter gets the keycode that it has on other layouts: Chromium goes by the keycode. */
static guint8 choose_key(const HfX11SpareKeycodes *spares, const Keymap *keymap, guint32 keysym,
                         const HfKeySymbols *const taken[HF_INPUT_JOURNAL_CODES])
{
    HfKeySymbols symbols;
    guint8 usual = usual_keycode(keysym), keycodes[HF_INPUT_JOURNAL_CODES];
    if (usual && !taken[usual] && !hf_input_journal_holds_key(spares->journal, usual) &&
        !keymap->busy[usual] && get_key_symbols(keymap, usual, &symbols))
        return usual;
    guint count = find_spare_keys(spares, keymap, keycodes);
    for (guint i = 0; i < count; i++)
        if (!taken[keycodes[i]])
            return keycodes[i];
    return 0;
}

static gboolean assign_keysyms(const HfX11SpareKeycodes *spares, const Keymap *keymap,
                               const GArray *keysyms)
{
    g_autofree HfKeySymbols *symbols = g_new(HfKeySymbols, keysyms->len);
    const HfKeySymbols *changes[HF_INPUT_JOURNAL_CODES] = {NULL};
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 keysym = g_array_index(keysyms, guint32, i);
        guint8 keycode = choose_key(spares, keymap, keysym, changes);
        if (!keycode)
            return FALSE;
        guint32 upper = xkb_keysym_to_upper(keysym); /* without one, Shift changes nothing */
        symbols[i] =
            two_level_symbols(upper != keysym ? TYPE_ALPHABETIC : TYPE_TWO_LEVEL, keysym, upper);
        changes[keycode] = &symbols[i];
    }
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (changes[code])
            journal_key_change(spares, keymap, (guint8)code, changes[code]);
    write_keymap(keymap, changes);
    return TRUE;
}

gboolean hf_x11_spare_keycodes_assign_keys(const HfX11SpareKeycodes *spares, const GArray *keysyms,
                                           GError **error)
{
    g_autoptr(Keymap) keymap = grab_keymap(spares, 0, error);
    gboolean found = keymap && assign_keysyms(spares, keymap, keysyms);
    if (!ungrab_keymap(spares, keymap, error))
        return FALSE;
    return found || hf_fail(error, HF_ERROR_UNSUPPORTED,
                            "the keyboard has no such key, and no free keycode to add it");
}

static void write_originals(const HfX11SpareKeycodes *spares, const Keymap *keymap)
{
    HfKeySymbols originals[HF_INPUT_JOURNAL_CODES], now;
    const HfKeySymbols *changes[HF_INPUT_JOURNAL_CODES] = {NULL};
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (hf_input_journal_get_original(spares->journal, (guint8)code, &originals[code]) &&
            !hf_input_journal_holds_key(spares->journal, (guint8)code) &&
            get_key_symbols(keymap, (guint8)code, &now) &&
            hf_input_journal_is_ours(spares->journal, (guint8)code, &now))
            changes[code] = &originals[code];
    write_keymap(keymap, changes);
}

/* After a change of the keymap, Qt forgets the active group and the locks until a modifier changes.
 * Locking and unlocking one changes it without a key. */
static void toggle_lock_modifier(const HfX11SpareKeycodes *spares)
{
    xcb_connection_t *xcb = spares->connection->xcb;
    xcb_xkb_get_state_reply_t *state =
        xcb_xkb_get_state_reply(xcb, xcb_xkb_get_state(xcb, XCB_XKB_ID_USE_CORE_KBD), NULL);
    guint8 modifier = XCB_MOD_MASK_5;
    if (state && (state->lockedMods || state->group) && !(state->mods & modifier)) {
        xcb_xkb_latch_lock_state(xcb, XCB_XKB_ID_USE_CORE_KBD, modifier, modifier, 0, 0, 0, 0, 0);
        xcb_xkb_latch_lock_state(xcb, XCB_XKB_ID_USE_CORE_KBD, modifier, 0, 0, 0, 0, 0, 0);
    }
    free(state);
}

gboolean hf_x11_spare_keycodes_restore(const HfX11SpareKeycodes *spares, GError **error)
{
    if (!hf_input_journal_has_changes(spares->journal))
        return TRUE;
    g_autoptr(Keymap) keymap = grab_keymap(spares, 0, error);
    if (keymap) {
        write_originals(spares, keymap);
        toggle_lock_modifier(spares);
    }
    if (!ungrab_keymap(spares, keymap, error))
        return FALSE;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (!hf_input_journal_holds_key(spares->journal, (guint8)code))
            hf_input_journal_restored_key(spares->journal, (guint8)code);
    return TRUE;
}
