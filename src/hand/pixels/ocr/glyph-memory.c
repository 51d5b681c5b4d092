/* SPDX-License-Identifier: Apache-2.0 */
/* Two generations, as in line-cache.c. A text that gets more votes than the one that is known
 * takes its place: an engine's early mistake does not stay. */
#include "hand/pixels/ocr/glyph-memory.h"

#include <string.h>

#include "hand/pixels/pixels-limits.h"

/* More votes than this make no difference, and a change of mind must stay possible. */
#define MOST_VOTES 4096

typedef struct Entry {
    guint64 look; /* its key */
    HfGlyphMeaning meaning;
} Entry;

static GMutex lock;                /* guards what follows */
static GHashTable *young, *elders; /* of the look to Entry */

static void add_shape_locked(Entry *take_entry)
{
    if (young && g_hash_table_size(young) >= HF_LIMIT_SHAPES_KNOWN / 2) {
        g_clear_pointer(&elders, g_hash_table_unref);
        elders = g_steal_pointer(&young);
    }
    if (!young)
        young = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    g_hash_table_replace(young, &take_entry->look, take_entry);
}

static Entry *find_locked(guint64 look)
{
    Entry *entry = young ? g_hash_table_lookup(young, &look) : NULL;
    if (!entry && elders && (entry = g_hash_table_lookup(elders, &look))) {
        entry = g_memdup2(entry, sizeof *entry);
        add_shape_locked(entry);
    }
    return entry;
}

/* The text that has more votes stays. */
static void count_votes(HfGlyphMeaning *meaning, const char *text, guint votes)
{
    gboolean same = strcmp(meaning->text, text) == 0;
    *(same ? &meaning->votes : &meaning->against) += votes;
    if (meaning->against > meaning->votes) {
        guint before = meaning->votes;
        meaning->votes = meaning->against;
        meaning->against = before;
        g_strlcpy(meaning->text, text, sizeof meaning->text);
    }
    if (meaning->votes >= MOST_VOTES) {
        meaning->votes /= 2;
        meaning->against /= 2;
    }
}

static Entry *shape_entry_new(guint64 look)
{
    Entry *entry = g_new0(Entry, 1);
    entry->look = look;
    return entry;
}

void hf_glyph_memory_vote(guint64 look, const char *text, guint votes)
{
    if (strlen(text) >= HF_GLYPH_TEXT_BYTES)
        return;
    g_mutex_lock(&lock);
    Entry *entry = find_locked(look);
    if (!entry) {
        entry = shape_entry_new(look);
        add_shape_locked(entry);
    }
    count_votes(&entry->meaning, text, votes);
    g_mutex_unlock(&lock);
}

gboolean hf_glyph_memory_find(guint64 look, HfGlyphMeaning *ret_meaning)
{
    g_mutex_lock(&lock);
    const Entry *entry = find_locked(look);
    if (entry)
        *ret_meaning = entry->meaning;
    g_mutex_unlock(&lock);
    return entry != NULL;
}

void hf_glyph_memory_forget(void)
{
    g_mutex_lock(&lock);
    g_clear_pointer(&young, g_hash_table_unref);
    g_clear_pointer(&elders, g_hash_table_unref);
    g_mutex_unlock(&lock);
}
