/* SPDX-License-Identifier: Apache-2.0 */
/* Two generations: when the younger is full it becomes the older one, and the older goes. What is
 * used is in the younger. */
#include "hand/pixels/ocr/line-cache.h"

#include "hand/pixels/pixels-limits.h"

typedef struct Key {
    HfTextHash hash;
    GQuark language;
} Key;

static GMutex lock;                /* guards what follows */
static GHashTable *young, *elders; /* of Key to HfLineText */

static guint key_hash(gconstpointer data)
{
    const Key *key = data;
    return (guint)key->hash.parts[0] ^ key->language;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    const Key *one = a, *other = b;
    return one->hash.parts[0] == other->hash.parts[0] &&
           one->hash.parts[1] == other->hash.parts[1] && one->language == other->language;
}

static GHashTable *new_table(void)
{
    return g_hash_table_new_full(key_hash, key_equal, g_free, (GDestroyNotify)hf_line_text_unref);
}

static void add_line_locked(const Key *key, HfLineText *text)
{
    if (young && g_hash_table_size(young) >= HF_LIMIT_LINES_KNOWN / 2) {
        g_clear_pointer(&elders, g_hash_table_unref);
        elders = g_steal_pointer(&young);
    }
    if (!young)
        young = new_table();
    g_hash_table_replace(young, g_memdup2(key, sizeof *key), hf_line_text_ref(text));
}

HfLineText *hf_line_cache_find(HfTextHash hash, const char *language)
{
    Key key = {hash, g_quark_try_string(language)};
    g_mutex_lock(&lock);
    HfLineText *found = young ? g_hash_table_lookup(young, &key) : NULL;
    if (found)
        hf_line_text_ref(found);
    else if (elders && (found = g_hash_table_lookup(elders, &key)))
        add_line_locked(&key, hf_line_text_ref(found));
    g_mutex_unlock(&lock);
    return found;
}

void hf_line_cache_add(HfTextHash hash, const char *language, HfLineText *text)
{
    Key key = {hash, g_quark_from_string(language)};
    g_mutex_lock(&lock);
    add_line_locked(&key, text);
    g_mutex_unlock(&lock);
}

void hf_line_cache_forget(void)
{
    g_mutex_lock(&lock);
    g_clear_pointer(&young, g_hash_table_unref);
    g_clear_pointer(&elders, g_hash_table_unref);
    g_mutex_unlock(&lock);
}
