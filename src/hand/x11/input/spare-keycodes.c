/* SPDX-License-Identifier: Apache-2.0 */
/* How characters are laid out on spare keys. They fill level after level across all keys, so that
 * neighbours in the text mostly need the same modifiers. Only while Caps Lock is on, letters with
 * case take a key each, small and capital on its two levels with the type that Caps Lock acts on,
 * so that no program turns one into the other: keys are few, and every change of the map makes all
 * programs read it anew. A key has one group: it is the same whatever group is active. */
#include "hand/x11/input/spare-keycodes.h"

#include <stdlib.h>
#include <string.h>

#include <xkbcommon/xkbcommon.h>

#include "hand/x11/input/keymap.h"
#include "shared/base/error.h"

/* The first key types are the same in every keymap, by the XKB protocol. */
enum { TYPE_TWO_LEVEL = 1, TYPE_ALPHABETIC = 2 };

typedef struct Pair {
    gunichar lower, upper;
} Pair;

/* The older names of characters (keysyms below 0x1000000) are understood differently here and
 * there; beyond Latin-1 only the Unicode form means the same to everyone. */
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

/* Letters whose two forms lead back to each other make a pair. A stray one (final sigma, dotless
 * i, title case) gets another form of it beside it: were both levels the same, some programs would
 * think that the key does not care for Caps Lock, and capitalise what it makes. */
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

/* Splits characters into pairs and plain ones until the keys are full; returns how many it took. */
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

static HfKeySymbols pair_symbols(const Pair *pair)
{
    return (HfKeySymbols){
        .types = {TYPE_ALPHABETIC},
        .groups = 1,
        .width = 2,
        .count = 2,
        .keysyms = {keysym_of(pair->lower), keysym_of(pair->upper)},
    };
}

/* Levels that are left over repeat the first character: no modifier then makes another one. */
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

static void journal_key_change(const HfX11SpareKeycodes *spares, const HfX11Keymap *keymap,
                               guint8 keycode, const HfKeySymbols *ours)
{
    HfKeySymbols original;
    if (hf_x11_keymap_get(keymap, keycode, &original))
        hf_input_journal_change_key(spares->journal, keycode, &original, ours);
}

static guint find_spare_keys(const HfX11SpareKeycodes *spares, const HfX11Keymap *keymap,
                             guint8 keycodes[HF_INPUT_JOURNAL_CODES])
{
    guint count = 0;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++) {
        HfKeySymbols symbols;
        if (hf_input_journal_holds_key(spares->journal, (guint8)code))
            continue;
        if (hf_x11_keymap_is_empty(keymap, (guint8)code) ||
            (hf_x11_keymap_get(keymap, (guint8)code, &symbols) &&
             hf_input_journal_is_ours(spares->journal, (guint8)code, &symbols)))
            keycodes[count++] = (guint8)code;
    }
    return count;
}

static guint assign_held(const HfX11SpareKeycodes *spares, const HfX11Keymap *keymap,
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
        symbols[i] = i < pairs->len ? pair_symbols(&g_array_index(pairs, Pair, i))
                                    : plain_symbols(plain, i - pairs->len, step, levels, type);
        changes[keycodes[i]] = &symbols[i];
        journal_key_change(spares, keymap, keycodes[i], &symbols[i]);
    }
    hf_x11_keymap_write(keymap, changes);
    return count;
}

gboolean hf_x11_spare_keycodes_assign(const HfX11SpareKeycodes *spares, const GArray *characters,
                                      guint *ret_count, GError **error)
{
    xcb_connection_t *xcb = spares->connection->xcb;
    xcb_grab_server(xcb);
    g_autoptr(HfX11Keymap) keymap =
        hf_x11_keymap_read(spares->connection, spares->device, spares->level3, error);
    if (keymap)
        *ret_count = assign_held(spares, keymap, characters);
    xcb_ungrab_server(xcb);
    return hf_x11_sync(spares->connection, keymap ? error : NULL) && keymap;
}

/* Where a Latin letter is on most keyboards, by the keycodes of every Linux X server; 0: nowhere.
 */
static guint8 place_of_letter(guint32 keysym)
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

/* A letter takes the place where it is on other layouts: Chromium goes by the place. */
static guint8 choose_key(const HfX11SpareKeycodes *spares, const HfX11Keymap *keymap,
                         guint32 keysym, const HfKeySymbols *const taken[HF_INPUT_JOURNAL_CODES])
{
    HfKeySymbols symbols;
    guint8 place = place_of_letter(keysym), keycodes[HF_INPUT_JOURNAL_CODES];
    if (place && !taken[place] && !hf_input_journal_holds_key(spares->journal, place) &&
        !keymap->busy[place] && hf_x11_keymap_get(keymap, place, &symbols))
        return place;
    guint count = find_spare_keys(spares, keymap, keycodes);
    for (guint i = 0; i < count; i++)
        if (!taken[keycodes[i]])
            return keycodes[i];
    return 0;
}

/* A small letter has its capital above it, as on a key of its own; all else is the same with Shift
 * as without. */
static HfKeySymbols key_symbols(guint32 keysym)
{
    guint32 upper = xkb_keysym_to_upper(keysym);
    return (HfKeySymbols){
        .types = {upper != keysym ? TYPE_ALPHABETIC : TYPE_TWO_LEVEL},
        .groups = 1,
        .width = 2,
        .count = 2,
        .keysyms = {keysym, upper},
    };
}

static gboolean assign_keys_held(const HfX11SpareKeycodes *spares, const HfX11Keymap *keymap,
                                 const GArray *keysyms)
{
    g_autofree HfKeySymbols *symbols = g_new(HfKeySymbols, keysyms->len);
    const HfKeySymbols *changes[HF_INPUT_JOURNAL_CODES] = {NULL};
    for (guint i = 0; i < keysyms->len; i++) {
        guint32 keysym = g_array_index(keysyms, guint32, i);
        guint8 keycode = choose_key(spares, keymap, keysym, changes);
        if (!keycode)
            return FALSE;
        symbols[i] = key_symbols(keysym);
        changes[keycode] = &symbols[i];
    }
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (changes[code])
            journal_key_change(spares, keymap, (guint8)code, changes[code]);
    hf_x11_keymap_write(keymap, changes);
    return TRUE;
}

gboolean hf_x11_spare_keycodes_assign_keys(const HfX11SpareKeycodes *spares, const GArray *keysyms,
                                           GError **error)
{
    xcb_connection_t *xcb = spares->connection->xcb;
    xcb_grab_server(xcb);
    g_autoptr(HfX11Keymap) keymap =
        hf_x11_keymap_read(spares->connection, spares->device, 0, error);
    gboolean found = keymap && assign_keys_held(spares, keymap, keysyms);
    xcb_ungrab_server(xcb);
    if (!hf_x11_sync(spares->connection, keymap ? error : NULL) || !keymap)
        return FALSE;
    return found || hf_fail(error, HF_ERROR_UNSUPPORTED,
                            "this keyboard has no such key, and no free place to put it");
}

static void write_originals(const HfX11SpareKeycodes *spares, const HfX11Keymap *keymap)
{
    HfKeySymbols originals[HF_INPUT_JOURNAL_CODES], now;
    const HfKeySymbols *changes[HF_INPUT_JOURNAL_CODES] = {NULL};
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (hf_input_journal_get_original(spares->journal, (guint8)code, &originals[code]) &&
            !hf_input_journal_holds_key(spares->journal, (guint8)code) &&
            hf_x11_keymap_get(keymap, (guint8)code, &now) &&
            hf_input_journal_is_ours(spares->journal, (guint8)code, &now))
            changes[code] = &originals[code];
    hf_x11_keymap_write(keymap, changes);
}

/* Qt forgets the active group and the locks whenever the keymap changes, until a modifier moves.
 * One that is locked and freed again at once moves without a key. */
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
    xcb_connection_t *xcb = spares->connection->xcb;
    xcb_grab_server(xcb);
    g_autoptr(HfX11Keymap) keymap =
        hf_x11_keymap_read(spares->connection, spares->device, 0, error);
    if (keymap) {
        write_originals(spares, keymap);
        toggle_lock_modifier(spares);
    }
    xcb_ungrab_server(xcb);
    if (!hf_x11_sync(spares->connection, keymap ? error : NULL) || !keymap)
        return FALSE;
    for (guint code = 0; code < HF_INPUT_JOURNAL_CODES; code++)
        if (!hf_input_journal_holds_key(spares->journal, (guint8)code))
            hf_input_journal_restored_key(spares->journal, (guint8)code);
    return TRUE;
}
