/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the words once. The data is part of the program: a mistake in it is a mistake of the build,
 * which the unit test finds. */
#include "hand/locate/lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "shared/base/data.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

#define MOST_KINDS 64

typedef struct Lexicon {
    GHashTable *words; /* folded → HfTerm */
    char *kinds[MOST_KINDS];
    gboolean is_container[MOST_KINDS];
    guint8 matches[MOST_KINDS][HF_ROLE_COUNT]; /* HfKindMatch */
} Lexicon;

static const struct {
    const char *means;
    HfTermKind kind;
    int value;
} meanings[] = {
    {"filler", HF_TERM_FILLER, 0},
    {"for", HF_TERM_FOR, 0},
    {"of", HF_TERM_OF, 0},
    {"and", HF_TERM_AND, 0},
    {"side", HF_TERM_SIDE, 0},
    {"state checked", HF_TERM_STATE, HF_ELEMENT_CHECKED},
    {"state unchecked", HF_TERM_STATE, HF_ELEMENT_UNCHECKED},
    {"state enabled", HF_TERM_STATE, HF_ELEMENT_ENABLED},
    {"state disabled", HF_TERM_STATE, HF_ELEMENT_DISABLED},
    {"position left", HF_TERM_POSITION, HF_POSITION_LEFT},
    {"position right", HF_TERM_POSITION, HF_POSITION_RIGHT},
    {"position top", HF_TERM_POSITION, HF_POSITION_TOP},
    {"position bottom", HF_TERM_POSITION, HF_POSITION_BOTTOM},
    {"position middle", HF_TERM_POSITION, HF_POSITION_MIDDLE},
    {"position top left", HF_TERM_POSITION, HF_POSITION_TOP | HF_POSITION_LEFT},
    {"position top right", HF_TERM_POSITION, HF_POSITION_TOP | HF_POSITION_RIGHT},
    {"position bottom left", HF_TERM_POSITION, HF_POSITION_BOTTOM | HF_POSITION_LEFT},
    {"position bottom right", HF_TERM_POSITION, HF_POSITION_BOTTOM | HF_POSITION_RIGHT},
    {"relation left", HF_TERM_RELATION, HF_RELATION_LEFT},
    {"relation right", HF_TERM_RELATION, HF_RELATION_RIGHT},
    {"relation above", HF_TERM_RELATION, HF_RELATION_ABOVE},
    {"relation below", HF_TERM_RELATION, HF_RELATION_BELOW},
    {"relation beside", HF_TERM_RELATION, HF_RELATION_BESIDE},
    {"relation in", HF_TERM_RELATION, HF_RELATION_IN},
    {"relation row", HF_TERM_RELATION, HF_RELATION_ROW},
};

static HfTerm term_of_meaning(const char *means)
{
    if (g_str_has_prefix(means, "ordinal "))
        return (HfTerm){.kind = HF_TERM_ORDINAL, .value = atoi(means + strlen("ordinal "))};
    for (gsize i = 0; i < G_N_ELEMENTS(meanings); i++)
        if (strcmp(means, meanings[i].means) == 0)
            return (HfTerm){.kind = meanings[i].kind, .value = meanings[i].value};
    g_error("locate-words.json: '%s' means nothing", means);
}

static void add_lexicon_words(Lexicon *lexicon, const json_t *entry, HfTerm term)
{
    term.postposition = json_is_true(json_object_get(entry, "postposition"));
    hf_json_each (word, json_object_get(entry, "words")) {
        char *folded = hf_text_fold(json_string_value(word));
        if (g_hash_table_contains(lexicon->words, folded))
            g_free(folded);
        else
            g_hash_table_insert(lexicon->words, folded, g_memdup2(&term, sizeof term));
    }
}

static void note_kind_roles(Lexicon *lexicon, int kind, const json_t *roles, HfKindMatch match)
{
    hf_json_each (role, roles) {
        int number = hf_node_role_from_name(json_string_value(role));
        if (number >= 0 && number < HF_ROLE_COUNT)
            lexicon->matches[kind][number] = (guint8)match;
    }
}

static Lexicon *load_lexicon(void)
{
    Lexicon *lexicon = g_new0(Lexicon, 1);
    g_autoptr(json_t) json = json_loads(hf_data_find("locate-words.json"), 0, NULL);
    size_t i;
    json_t *entry;
    lexicon->words = g_hash_table_new(g_str_hash, g_str_equal);
    lexicon->kinds[HF_KIND_ANY] = g_strdup("element");
    memset(lexicon->matches[HF_KIND_ANY], HF_KIND_MATCH_EXACT, HF_ROLE_COUNT);
    json_array_foreach (json_object_get(json, "kinds"), i, entry) {
        int kind = (int)i + 1;
        lexicon->kinds[kind] = g_strdup(hf_json_string(entry, "name", ""));
        lexicon->is_container[kind] = json_is_true(json_object_get(entry, "container"));
        note_kind_roles(lexicon, kind, json_object_get(entry, "similar"), HF_KIND_MATCH_SIMILAR);
        note_kind_roles(lexicon, kind, json_object_get(entry, "exact"), HF_KIND_MATCH_EXACT);
        add_lexicon_words(lexicon, entry, (HfTerm){.kind = HF_TERM_KIND, .value = kind});
    }
    json_array_foreach (json_object_get(json, "terms"), i, entry)
        add_lexicon_words(lexicon, entry, term_of_meaning(hf_json_string(entry, "means", "")));
    return lexicon;
}

static const Lexicon *get_lexicon(void)
{
    static gsize lexicon;
    if (g_once_init_enter(&lexicon))
        g_once_init_leave(&lexicon, (gsize)load_lexicon());
    return (const Lexicon *)lexicon;
}

/* Kinds may be said in the plural. */
static gboolean find_term(const char *begin, const char *end, HfTerm *ret_term)
{
    g_autofree char *word = g_strndup(begin, (gsize)(end - begin));
    const HfTerm *found = g_hash_table_lookup(get_lexicon()->words, word);
    gsize length = strlen(word);
    if (!found && length > 3 && word[length - 1] == 's') {
        word[length - 1] = '\0';
        found = g_hash_table_lookup(get_lexicon()->words, word);
        found = found && found->kind == HF_TERM_KIND ? found : NULL;
    }
    if (found)
        *ret_term = (HfTerm){found->kind, found->value, found->postposition, begin, end};
    return found != NULL;
}

const char *hf_element_kind_name(HfElementKind kind)
{
    return get_lexicon()->kinds[kind];
}

gboolean hf_element_kind_is_container(HfElementKind kind)
{
    return get_lexicon()->is_container[kind];
}

HfKindMatch hf_element_kind_match(HfElementKind kind, int role)
{
    return role < 0 || role >= HF_ROLE_COUNT ? HF_KIND_MATCH_OTHER
                                             : (HfKindMatch)get_lexicon()->matches[kind][role];
}

/* ---- terms ---- */

/* The longest entry of the lexicon, in letters. */
#define LONGEST_ENTRY 32

gboolean hf_term_is_wide(const HfTerm *term)
{
    return g_unichar_iswide(g_utf8_get_char(term->begin));
}

gboolean hf_term_is_idle(const HfTerm *term)
{
    return term->kind == HF_TERM_FILLER || term->kind == HF_TERM_OF || term->kind == HF_TERM_FOR ||
           term->kind == HF_TERM_STOP || term->kind == HF_TERM_AND;
}

static gboolean is_latin_letter(gunichar letter)
{
    return g_unichar_isalnum(letter) && !g_unichar_iswide(letter);
}

/* Words end where letters end; without blanks they may end anywhere. */
static gboolean is_word_border(const char *text, const char *at)
{
    return at == text || !*at || !is_latin_letter(g_utf8_get_char(g_utf8_prev_char(at))) ||
           !is_latin_letter(g_utf8_get_char(at));
}

/* "one.txt" does not begin with a number, and A+ not with an article. */
static gboolean is_word_going_on(const char *end)
{
    gunichar next = *end ? g_utf8_get_char(g_utf8_next_char(end)) : 0;
    if (*end == '+' || (*end == '-' && !g_unichar_isalnum(next)))
        return TRUE;
    return *end && strchr("._/:@", *end) && is_latin_letter(next) &&
           is_latin_letter(g_utf8_get_char(g_utf8_prev_char(end)));
}

static gboolean find_longest_meaning(const char *text, const char *begin, HfTerm *term)
{
    const char *end = begin;
    gboolean found = FALSE;
    for (int i = 0; i < LONGEST_ENTRY && *end; i++) {
        end = g_utf8_next_char(end);
        if (is_word_border(text, end) && !is_word_going_on(end))
            found |= find_term(begin, end, term);
    }
    return found;
}

/* 页 is a page and 页数 a number: one letter means something only where another word follows. */
static gboolean is_part_of_wide_word(const char *text, const HfTerm *term)
{
    HfTerm next;
    if (!hf_term_is_wide(term) || term->end != g_utf8_next_char(term->begin) || !*term->end ||
        !g_unichar_iswide(g_utf8_get_char(term->end)) || g_str_has_prefix(term->end, "第"))
        return FALSE;
    gboolean meaning =
        term->kind == HF_TERM_KIND || term->kind == HF_TERM_STATE || term->kind == HF_TERM_POSITION;
    return meaning && !find_longest_meaning(text, term->end, &next);
}

/* An entry that ends in a kind ("search box") is cut before it. */
static gboolean ends_in_kind(const char *begin, const char *end)
{
    const char *last = end;
    HfTerm term;
    while (last > begin && last[-1] != ' ')
        last--;
    return last > begin && find_term(last, end, &term) && term.kind == HF_TERM_KIND;
}

static gboolean take_lexicon_term(const char *text, const char *begin, HfTerm *term)
{
    const char *entry = hf_synonyms_end_of_entry(begin);
    gboolean wide = g_unichar_iswide(g_utf8_get_char(begin));
    gboolean found = find_longest_meaning(text, begin, term);
    gboolean longer = entry > begin && (!found || entry > term->end);
    if (longer && (wide || (strchr(begin, ' ') && strchr(begin, ' ') < entry &&
                            !ends_in_kind(begin, entry)))) {
        *term = (HfTerm){HF_TERM_NAME, 0, FALSE, begin, entry};
        return TRUE;
    }
    return found && !is_part_of_wide_word(text, term);
}

/* The closing mark for an opening quotation mark; 0: it is none. An apostrophe begins no quotation.
 */
static gunichar closing_quote(const char *text, const char *at)
{
    static const char opening[] = "\"“「『《【‘`'", closing[] = "\"”」』》】’`'";
    const char *found = g_utf8_strchr(opening, -1, g_utf8_get_char(at));
    if (!found || (*at == '\'' && at > text && at[-1] != ' '))
        return 0;
    return g_utf8_get_char(
        g_utf8_offset_to_pointer(closing, g_utf8_pointer_to_offset(opening, found)));
}

static gboolean take_quoted_term(const char *text, const char *begin, HfTerm *term,
                                 const char **next)
{
    gunichar closing = closing_quote(text, begin);
    const char *inside = g_utf8_next_char(begin);
    const char *end = closing ? g_utf8_strchr(inside, -1, closing) : NULL;
    if (!end || end == inside)
        return FALSE;
    *term = (HfTerm){HF_TERM_QUOTED, 0, FALSE, inside, end};
    *next = g_utf8_next_char(end);
    return TRUE;
}

/* A word, one wide letter, or a sign; dots and the like within a word ("readme.txt") belong to it.
 */
static HfTerm take_name_term(const char *begin)
{
    const char *end = g_utf8_next_char(begin);
    gunichar first = g_utf8_get_char(begin);
    if (g_utf8_strchr(",.;:!?，。；：！？、()（）", -1, first))
        return (HfTerm){HF_TERM_STOP, 0, FALSE, begin, end};
    while (is_latin_letter(first) && *end &&
           (is_latin_letter(g_utf8_get_char(end)) || is_word_going_on(end)))
        end = g_utf8_next_char(end);
    return (HfTerm){HF_TERM_NAME, 0, FALSE, begin, end};
}

GArray *hf_terms_new(const char *folded)
{
    GArray *terms = g_array_new(FALSE, FALSE, sizeof(HfTerm));
    for (const char *at = folded; *at;) {
        HfTerm term;
        const char *next = NULL;
        if (g_unichar_isspace(g_utf8_get_char(at))) {
            at = g_utf8_next_char(at);
            continue;
        }
        if (!take_quoted_term(folded, at, &term, &next) && !take_lexicon_term(folded, at, &term))
            term = take_name_term(at);
        g_array_append_val(terms, term);
        at = next ? next : term.end;
    }
    return terms;
}
