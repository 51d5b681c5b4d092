/* SPDX-License-Identifier: Apache-2.0 */
/* Typing at the speed of the program that reads: characters that the key map lacks are put on
 * spare keys, a batch at a time in one request, and a ping proves that a batch was read before
 * the map changes again. */
#include <glib.h>
#include <string.h>
#include <xcb/xtest.h>

#include "bare.h"

#define BATCH      4000
#define KEYCODES   256
#define PING_LIMIT 20000

enum { SHIFT = 0xffe1, RETURN = 0xff0d, TAB = 0xff09 };

typedef struct KeyMap {
    int min, max, width;    /* keycodes, and symbols for each */
    xcb_keysym_t *original; /* as found */
    xcb_keysym_t *current;
    int spare[KEYCODES], spare_count;
} KeyMap;

typedef struct Stroke {
    int keycode, shifted;
} Stroke;

static xcb_keysym_t *symbols_of(const KeyMap *map, int keycode)
{
    return map->current + (size_t)(keycode - map->min) * (size_t)map->width;
}

/* Keys with no symbol, or with nothing but multimedia symbols, which no text needs. */
static gboolean is_spare(const KeyMap *map, int keycode)
{
    const xcb_keysym_t *symbols = symbols_of(map, keycode);
    for (int i = 0; i < map->width; i++)
        if (symbols[i] != 0 && (symbols[i] < 0x10080000 || symbols[i] > 0x1008ffff))
            return FALSE;
    return TRUE;
}

static void map_load(Bare *bare, KeyMap *map)
{
    const xcb_setup_t *setup = xcb_get_setup(bare->xcb);
    map->min = setup->min_keycode;
    map->max = setup->max_keycode;
    int count = map->max - map->min + 1;
    xcb_get_keyboard_mapping_reply_t *reply = xcb_get_keyboard_mapping_reply(
        bare->xcb, xcb_get_keyboard_mapping(bare->xcb, (xcb_keycode_t)map->min, (uint8_t)count),
        NULL);
    map->width = reply->keysyms_per_keycode;
    size_t bytes = sizeof(xcb_keysym_t) * (size_t)map->width * (size_t)count;
    map->original = g_memdup2(xcb_get_keyboard_mapping_keysyms(reply), bytes);
    map->current = g_memdup2(map->original, bytes);
    free(reply);
    map->spare_count = 0;
    for (int keycode = map->max; keycode >= map->min; keycode--)
        if (is_spare(map, keycode))
            map->spare[map->spare_count++] = keycode;
}

static void map_clear(KeyMap *map)
{
    g_free(map->original);
    g_free(map->current);
}

static void map_send(Bare *bare, const KeyMap *map, const xcb_keysym_t *symbols)
{
    xcb_change_keyboard_mapping(bare->xcb, (uint8_t)(map->max - map->min + 1),
                                (xcb_keycode_t)map->min, (uint8_t)map->width, symbols);
}

static gboolean map_find(const KeyMap *map, xcb_keysym_t symbol, Stroke *stroke)
{
    for (int keycode = map->min; keycode <= map->max; keycode++)
        for (int level = 0; level < 2 && level < map->width; level++)
            if (symbols_of(map, keycode)[level] == symbol) {
                *stroke = (Stroke){keycode, level};
                return TRUE;
            }
    return FALSE;
}

static xcb_keysym_t symbol_for(gunichar character)
{
    if (character == '\n')
        return RETURN;
    if (character == '\t')
        return TAB;
    if ((character >= 0x20 && character < 0x7f) || (character >= 0xa0 && character < 0x100))
        return character;
    return 0x01000000 | character;
}

/* Frees the spare keys for the next batch. */
static void map_reset(KeyMap *map)
{
    for (int i = 0; i < map->spare_count; i++)
        memset(symbols_of(map, map->spare[i]), 0, sizeof(xcb_keysym_t) * (size_t)map->width);
}

/* Puts the symbol on the next free place of the spare keys; FALSE when they are full. */
static gboolean map_add(KeyMap *map, int *used, xcb_keysym_t symbol, Stroke *stroke)
{
    if (*used == 2 * map->spare_count)
        return FALSE;
    *stroke = (Stroke){map->spare[*used / 2], *used % 2};
    symbols_of(map, stroke->keycode)[stroke->shifted] = symbol;
    (*used)++;
    return TRUE;
}

/* Fills `strokes` with as much of the text as one key map can carry; returns where it ended. */
static const char *plan_batch(KeyMap *map, const char *text, Stroke *strokes, int *ret_count,
                              int *ret_used)
{
    int count = 0, used = 0;
    map_reset(map);
    for (; *text != '\0' && count < BATCH; text = g_utf8_next_char(text)) {
        xcb_keysym_t symbol = symbol_for(g_utf8_get_char(text));
        if (!map_find(map, symbol, &strokes[count]) &&
            !map_add(map, &used, symbol, &strokes[count]))
            break;
        count++;
    }
    *ret_count = count;
    *ret_used = used;
    return text;
}

static void send_strokes(Bare *bare, const Stroke *strokes, int count, int shift_keycode)
{
    int shifted = 0;
    for (int i = 0; i < count; i++) {
        if (strokes[i].shifted != shifted) {
            shifted = strokes[i].shifted;
            bare_key(bare, shift_keycode, shifted);
        }
        bare_key(bare, strokes[i].keycode, 1);
        bare_key(bare, strokes[i].keycode, 0);
    }
    if (shifted)
        bare_key(bare, shift_keycode, 0);
}

int bare_type(Bare *bare, xcb_window_t window, const char *text)
{
    KeyMap map;
    map_load(bare, &map);
    Stroke shift;
    g_autofree Stroke *strokes = g_new(Stroke, BATCH);
    gboolean changed = FALSE;
    int status = map_find(&map, SHIFT, &shift) ? 0 : -1;
    while (status == 0 && *text != '\0') {
        int count, used;
        text = plan_batch(&map, text, strokes, &count, &used);
        if (used > 0)
            map_send(bare, &map, map.current);
        changed = changed || used > 0;
        send_strokes(bare, strokes, count, shift.keycode);
        status = count > 0 && bare_ping(bare, window, PING_LIMIT) >= 0 ? 0 : -1;
    }
    if (changed)
        map_send(bare, &map, map.original);
    bare_sync(bare);
    map_clear(&map);
    return status;
}

void bare_chord(Bare *bare, xcb_keysym_t modifier, xcb_keysym_t key)
{
    KeyMap map;
    map_load(bare, &map);
    Stroke held = {0}, pressed = {0};
    if (modifier != 0 && map_find(&map, modifier, &held))
        bare_key(bare, held.keycode, 1);
    if (map_find(&map, key, &pressed)) {
        bare_key(bare, pressed.keycode, 1);
        bare_key(bare, pressed.keycode, 0);
    }
    if (held.keycode != 0)
        bare_key(bare, held.keycode, 0);
    bare_sync(bare);
    map_clear(&map);
}
