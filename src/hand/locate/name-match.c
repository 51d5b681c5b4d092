/* SPDX-License-Identifier: Apache-2.0 */
/* English is cut at blanks, Chinese into the longest entries of the synonyms; letters in no entry
 * are one word up to the next entry. A whole name ("sign in") may be an entry, too. */
#include "hand/locate/name-match.h"

#include <string.h>

#include "hand/atspi/tree/label-match.h"
#include "hand/locate/locate-limits.h"
#include "shared/base/data.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

/* Scores of the kinds of match; CONTAINS by how much else is in the name. */
#define SAME_SCORE     1.0
#define WORDS_SCORE    0.97
#define SYNONYM_SCORE  0.92
#define CONTAINS_LEAST 0.5
#define CONTAINS_MOST  0.88
#define PARTIAL_MOST   0.6
#define SIMILAR_MOST   0.8
/* Less alike is another word. */
#define LEAST_SIMILARITY 0.72
/* What a stop word counts against another word. */
#define STOP_WORD_WEIGHT 0.1

static void clear_name_word(gpointer data)
{
    HfNameWord *word = data;
    g_free(word->text);
    g_free(word->stem);
}

static gboolean is_wide_letter(gunichar letter)
{
    return g_unichar_isalnum(letter) && g_unichar_iswide(letter);
}

static gboolean is_narrow_letter(gunichar letter)
{
    return g_unichar_isalnum(letter) && !g_unichar_iswide(letter);
}

/* Without the endings of English that do not change the meaning. */
static char *dup_word_stem(const char *word)
{
    static const char *const endings[] = {"ing", "ed", "es", "s"};
    gsize length = strlen(word);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
        gsize end = strlen(endings[i]);
        if (length >= end + 3 && g_str_has_suffix(word, endings[i]) && word[length - 2] != 's')
            return g_strndup(word, length - end);
    }
    return g_strdup(word);
}

static void copy_groups(const char *folded, guint16 *ret_groups)
{
    const GArray *groups = hf_synonyms_find(folded);
    for (guint i = 0; groups && i < MIN(groups->len, HF_NAME_GROUPS); i++)
        ret_groups[i] = g_array_index(groups, guint16, i);
}

static void append_name_word(GArray *words, const char *begin, const char *end, gboolean wide)
{
    HfNameWord word = {.text = g_strndup(begin, (gsize)(end - begin)), .wide = wide};
    word.stem = wide ? g_strdup(word.text) : dup_word_stem(word.text);
    copy_groups(word.text, word.groups);
    if (!word.groups[0])
        copy_groups(word.stem, word.groups);
    word.stop = hf_synonyms_is_stop_word(word.text);
    g_array_append_val(words, word);
}

static const char *end_of_wide_word(const char *begin)
{
    const char *end = hf_synonyms_end_of_entry(begin);
    if (end > begin)
        return end;
    end = g_utf8_next_char(begin);
    while (*end && is_wide_letter(g_utf8_get_char(end)) && hf_synonyms_end_of_entry(end) == end)
        end = g_utf8_next_char(end);
    return end;
}

static GArray *cut_into_words(const HfElementName *name)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(HfNameWord));
    g_array_set_clear_func(words, clear_name_word);
    for (const char *at = name->normal; *at && words->len < HF_LIMIT_PHRASE_WORDS;) {
        gunichar letter = g_utf8_get_char(at);
        gboolean wide = is_wide_letter(letter);
        const char *end = wide ? end_of_wide_word(at) : at;
        while (!wide && *end && is_narrow_letter(g_utf8_get_char(end)))
            end = g_utf8_next_char(end);
        gboolean sign = end == at; /* signs are words where nothing else is there: + - = */
        if (sign)
            end = g_utf8_next_char(at);
        if (!sign || (!*name->compact && !g_unichar_isspace(letter)))
            append_name_word(words, at, end, wide);
        at = end;
    }
    return words;
}

/* `compact`: its letters and digits alone; else without blanks between wide letters: 登 录. */
static char *dup_name_form(const char *normal, gboolean compact)
{
    GString *form = g_string_new("");
    for (const char *at = normal; *at; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);
        gboolean between = letter == ' ' && at > normal && at[1] &&
                           is_wide_letter(g_utf8_get_char(g_utf8_prev_char(at))) &&
                           is_wide_letter(g_utf8_get_char(at + 1));
        if (compact ? g_unichar_isalnum(letter) : !between)
            g_string_append_unichar(form, letter);
    }
    return g_string_free(form, FALSE);
}

HfElementName *hf_element_name_new(const char *text)
{
    HfElementName *name = g_new0(HfElementName, 1);
    g_autofree char *normal = hf_label_normal(text);
    name->normal = dup_name_form(normal, FALSE);
    name->text = g_strstrip(g_utf8_make_valid(text, -1));
    name->compact = dup_name_form(name->normal, TRUE);
    name->words = cut_into_words(name);
    copy_groups(name->normal, name->groups);
    return name;
}

void hf_element_name_free(HfElementName *name)
{
    if (!name)
        return;
    g_free(name->text);
    g_free(name->normal);
    g_free(name->compact);
    g_array_unref(name->words);
    g_free(name);
}

/* ---- matching ---- */

static gboolean groups_intersect(const guint16 *a, const guint16 *b)
{
    for (int i = 0; i < HF_NAME_GROUPS && a[i]; i++)
        for (int k = 0; k < HF_NAME_GROUPS && b[k]; k++)
            if (a[i] == b[k])
                return TRUE;
    return FALSE;
}

static double weight_of_word(const HfNameWord *word)
{
    return word->stop ? STOP_WORD_WEIGHT : 1;
}

/* Which part of `wanted` is found in `own`, by weight; 1 when every word but stop words is. */
static double found_part(const HfElementName *wanted, const HfElementName *own,
                         gboolean *ret_synonyms)
{
    double found = 0, all = 0;
    gboolean missing = FALSE;
    for (guint i = 0; i < wanted->words->len; i++) {
        const HfNameWord *word = &g_array_index(wanted->words, HfNameWord, i);
        gboolean same = word->wide && strstr(own->normal, word->text), synonym = FALSE;
        for (guint k = 0; !same && k < own->words->len; k++) {
            const HfNameWord *other = &g_array_index(own->words, HfNameWord, k);
            same = strcmp(word->stem, other->stem) == 0;
            synonym |= groups_intersect(word->groups, other->groups);
        }
        all += weight_of_word(word);
        found += same || synonym ? weight_of_word(word) : 0;
        missing |= !same && !synonym && !word->stop;
        *ret_synonyms |= !same && synonym;
    }
    return all <= 0 || found <= 0 ? 0 : missing ? MIN(found / all, 0.99) : 1;
}

/* A single letter certainly means only an element that is called exactly so. */
HfNameMatch hf_name_match(const HfElementName *wanted, const HfElementName *own)
{
    gboolean synonyms = groups_intersect(wanted->groups, own->groups);
    gboolean letter = *wanted->compact && !wanted->compact[1];
    if (strcmp(wanted->normal, own->normal) == 0 ||
        (*wanted->compact && !letter && strcmp(wanted->compact, own->compact) == 0))
        return (HfNameMatch){SAME_SCORE, HF_NAME_MATCH_SAME};
    if (synonyms)
        return letter ? (HfNameMatch){PARTIAL_MOST, HF_NAME_MATCH_PARTIAL}
                      : (HfNameMatch){SYNONYM_SCORE, HF_NAME_MATCH_SYNONYM};
    double said = letter ? 0 : found_part(wanted, own, &synonyms);
    double had = said > 0 ? found_part(own, wanted, &synonyms) : 0;
    HfNameMatch match = {PARTIAL_MOST * said * (0.4 + 0.6 * had), HF_NAME_MATCH_PARTIAL};
    if (said >= 1 && had >= 1)
        match = synonyms ? (HfNameMatch){SYNONYM_SCORE, HF_NAME_MATCH_SYNONYM}
                         : (HfNameMatch){WORDS_SCORE, HF_NAME_MATCH_WORDS};
    else if (said >= 1)
        match = (HfNameMatch){CONTAINS_LEAST + (CONTAINS_MOST - CONTAINS_LEAST) * had,
                              HF_NAME_MATCH_CONTAINS};
    double alike = hf_label_likeness(wanted->normal, own->normal);
    if (alike >= LEAST_SIMILARITY && SIMILAR_MOST * alike > match.score)
        match = (HfNameMatch){SIMILAR_MOST * alike, HF_NAME_MATCH_SIMILAR};
    return match.score > 0 ? match : (HfNameMatch){0, HF_NAME_MATCH_NONE};
}

/* ---- synonyms ---- */

typedef struct Synonyms {
    GHashTable *groups; /* folded → GArray of guint16 */
    GHashTable *stop_words, *picture_words;
} Synonyms;

static void add_synonym(GHashTable *groups, const char *word, guint16 group)
{
    g_autofree char *folded = hf_text_fold(word);
    GArray *known = g_hash_table_lookup(groups, folded);
    if (!known) {
        known = g_array_new(FALSE, FALSE, sizeof(guint16));
        g_hash_table_insert(groups, g_steal_pointer(&folded), known);
    }
    g_array_append_val(known, group);
}

static GHashTable *load_word_set(const json_t *words)
{
    GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
    hf_json_each (word, words)
        g_hash_table_add(set, hf_text_fold(json_string_value(word)));
    return set;
}

static Synonyms *load_synonyms(void)
{
    Synonyms *synonyms = g_new0(Synonyms, 1);
    synonyms->groups = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(json_t) json = json_loads(hf_data_find("synonyms.json"), 0, NULL);
    size_t i, k;
    json_t *group, *word;
    json_array_foreach (json_object_get(json, "groups"), i, group)
        json_array_foreach (group, k, word)
            add_synonym(synonyms->groups, json_string_value(word), (guint16)(i + 1));
    synonyms->stop_words = load_word_set(json_object_get(json, "stop_words"));
    synonyms->picture_words = load_word_set(json_object_get(json, "picture_words"));
    return synonyms;
}

static const Synonyms *get_synonyms(void)
{
    static gsize synonyms;
    if (g_once_init_enter(&synonyms))
        g_once_init_leave(&synonyms, (gsize)load_synonyms());
    return (const Synonyms *)synonyms;
}

const GArray *hf_synonyms_find(const char *folded)
{
    return g_hash_table_lookup(get_synonyms()->groups, folded);
}

gboolean hf_synonyms_is_stop_word(const char *folded)
{
    return g_hash_table_contains(get_synonyms()->stop_words, folded);
}

gboolean hf_synonyms_is_picture_word(const char *folded)
{
    return g_hash_table_contains(get_synonyms()->picture_words, folded);
}

const char *hf_synonyms_end_of_entry(const char *begin)
{
    const char *best = begin, *at = begin;
    gboolean wide = *begin && g_unichar_iswide(g_utf8_get_char(begin));
    for (int i = 0; i < (wide ? HF_SYNONYM_LETTERS : HF_SYNONYM_WORDS) && *at; i++) {
        if (wide && !g_unichar_iswide(g_utf8_get_char(at)))
            break;
        if (!wide && i > 0 && ((*at != ' ' && *at != '-') || !*++at))
            break;
        const char *from = at;
        do
            at = g_utf8_next_char(at);
        while (!wide && *at && g_unichar_isalnum(g_utf8_get_char(at)) &&
               !g_unichar_iswide(g_utf8_get_char(at)));
        if (!wide && !g_unichar_isalnum(g_utf8_get_char(from)))
            break;
        g_autofree char *entry = g_strndup(begin, (gsize)(at - begin));
        g_strdelimit(entry, "-", ' ');
        if (hf_synonyms_find(entry) || hf_synonyms_is_stop_word(entry))
            best = at;
    }
    return best;
}
