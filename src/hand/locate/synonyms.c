/* SPDX-License-Identifier: Apache-2.0 */
/* Two tables. The data is part of the program: what is wrong with it is a fault of the build, which
 * its unit test finds. */
#include "hand/locate/synonyms.h"

#include "shared/base/data.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

typedef struct Synonyms {
    GHashTable *groups; /* folded → GArray of guint16 */
    GHashTable *weak, *sorts, *drawn;
} Synonyms;

static void add_word(GHashTable *groups, const char *word, guint16 group)
{
    g_autofree char *folded = hf_text_fold(word);
    GArray *known = g_hash_table_lookup(groups, folded);
    if (!known) {
        known = g_array_new(FALSE, FALSE, sizeof(guint16));
        g_hash_table_insert(groups, g_steal_pointer(&folded), known);
    }
    g_array_append_val(known, group);
}

static GHashTable *load_set(const json_t *json, const char *name)
{
    GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
    size_t i;
    json_t *word;
    json_array_foreach (json_object_get(json, name), i, word)
        g_hash_table_add(set, hf_text_fold(json_string_value(word)));
    return set;
}

static Synonyms *load(void)
{
    Synonyms *synonyms = g_new0(Synonyms, 1);
    synonyms->groups = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(json_t) json = json_loads(hf_data_find("synonyms.json"), 0, NULL);
    size_t i, k;
    json_t *group, *word;
    json_array_foreach (json_object_get(json, "groups"), i, group)
        json_array_foreach (group, k, word)
            add_word(synonyms->groups, json_string_value(word), (guint16)(i + 1));
    synonyms->weak = load_set(json, "weak");
    synonyms->sorts = load_set(json, "sorts");
    synonyms->drawn = load_set(json, "drawn");
    return synonyms;
}

static const Synonyms *get(void)
{
    static gsize synonyms;
    if (g_once_init_enter(&synonyms))
        g_once_init_leave(&synonyms, (gsize)load());
    return (const Synonyms *)synonyms;
}

const GArray *hf_synonyms_find(const char *folded)
{
    return g_hash_table_lookup(get()->groups, folded);
}

gboolean hf_synonyms_is_weak(const char *folded)
{
    return g_hash_table_contains(get()->weak, folded);
}

gboolean hf_synonyms_is_sort(const char *folded)
{
    return g_hash_table_contains(get()->sorts, folded);
}

gboolean hf_synonyms_is_drawn(const char *folded)
{
    return g_hash_table_contains(get()->drawn, folded);
}
