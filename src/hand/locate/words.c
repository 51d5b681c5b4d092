/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting names into words, and comparing them. English is cut at blanks, and words that are one
 * entry of the synonyms ("sign in") stay together. Of Chinese the longest entry that stands at a
 * place is a word; what is in none is one word up to the next that is. */
#include "hand/locate/words.h"

#include <math.h>
#include <string.h>

#include "hand/atspi/tree/label-match.h"
#include "hand/locate/locate-limits.h"
#include "hand/locate/synonyms.h"

/* How much a word of each sort tells, against one of English. */
#define WEAK_WEIGHT 0.12
/* A number of so many digits says which one it is. */
#define LEAST_DIGITS   3
#define NUMBER_WEIGHT  2.5
#define LITERAL_WEIGHT 0.6
#define LETTER_WIDTH   0.5 /* of a language without blanks, for each letter */
/* What one word is worth for another. */
#define SAME_STEM 0.97
#define SYNONYM   0.92
#define BEGINNING 0.75
#define WITHIN    0.95
#define REPEATED  0.8
/* A name has more words than were said: it keeps at least this part of its score. */
#define LEAST_OF_MORE 0.4
/* From here on all that was said is there. */
#define ALL_SAID 0.78
/* All but the word for the sort of thing ("the lease email", 储蓄账户) is there. */
#define BUT_THE_SORT 0.75
/* It fits, if an entry of several words is taken for what each of them says. */
#define BY_PARTS 0.93
/* Less alike is another word. */
#define LEAST_LIKENESS 0.72
#define MINUS_SIGN     0x2212
/* One letter in common says nothing. */
#define LEAST_COMMON 2

static void word_clear(gpointer data)
{
    HfWord *word = data;
    g_free(word->text);
    g_free(word->stem);
}

static gboolean is_wide(gunichar letter)
{
    return g_unichar_isalnum(letter) && g_unichar_iswide(letter);
}

static gboolean is_narrow(gunichar letter)
{
    return g_unichar_isalnum(letter) && !g_unichar_iswide(letter);
}

/* Without the endings of English that do not change what is meant. */
static char *dup_stem(const char *word)
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

static void take_groups(HfWord *word)
{
    const GArray *groups = hf_synonyms_find(word->text);
    if (!groups)
        groups = hf_synonyms_find(word->stem);
    for (guint i = 0; groups && i < MIN(groups->len, HF_WORD_GROUPS); i++)
        word->groups[i] = g_array_index(groups, guint16, i);
}

static double weigh(const HfWord *word)
{
    if (hf_synonyms_is_weak(word->text))
        return WEAK_WEIGHT;
    if (g_ascii_isdigit(*word->text) && strlen(word->text) >= LEAST_DIGITS)
        return NUMBER_WEIGHT;
    if (word->wide && !word->groups[0])
        return MAX(1.0, LETTER_WIDTH * (double)g_utf8_strlen(word->text, -1));
    return 1.0;
}

static void add_word(GArray *words, const char *begin, const char *end, gboolean wide)
{
    HfWord word = {.text = g_strndup(begin, (gsize)(end - begin)), .wide = wide};
    g_strdelimit(word.text, "-", ' ');
    word.stem = wide ? g_strdup(word.text) : dup_stem(word.text);
    take_groups(&word);
    word.weight = weigh(&word);
    g_array_append_val(words, word);
}

/* A plus or minus at the end of a word belongs to it: A+. */
static const char *end_of_narrow(const char *at)
{
    const char *begin = at;
    while (*at && is_narrow(g_utf8_get_char(at)))
        at = g_utf8_next_char(at);
    gunichar sign = at > begin && *at ? g_utf8_get_char(at) : 0;
    const char *next = sign ? g_utf8_next_char(at) : at;
    gboolean ends = sign && (!*next || *next == ' ');
    return ends && (sign == '+' || sign == '-' || sign == MINUS_SIGN) ? next : at;
}

/* The end of the longest entry of several words that begins here; else that of the one word. */
static const char *end_of_entry(const char *begin)
{
    const char *end = end_of_narrow(begin), *best = end;
    g_autoptr(GString) joined = g_string_new_len(begin, end - begin);
    for (int i = 1; i < HF_SYNONYM_WORDS && (*end == ' ' || *end == '-'); i++) {
        const char *next = end + 1;
        end = end_of_narrow(next);
        if (end == next)
            break;
        g_string_append_printf(joined, " %.*s", (int)(end - next), next);
        if (hf_synonyms_find(joined->str))
            best = end;
    }
    return best;
}

/* The same for letters without blanks; NULL when no entry begins here. */
static const char *end_of_wide_entry(const char *begin)
{
    const char *ends[HF_SYNONYM_LETTERS];
    int count = 0;
    for (const char *at = begin; count < HF_SYNONYM_LETTERS && is_wide(g_utf8_get_char(at));)
        ends[count++] = at = g_utf8_next_char(at);
    for (int i = count - 1; i >= 0; i--) {
        g_autofree char *part = g_strndup(begin, (gsize)(ends[i] - begin));
        if (hf_synonyms_find(part) || hf_synonyms_is_weak(part))
            return ends[i];
    }
    return NULL;
}

static gboolean is_entry(const char *begin, const char *end)
{
    g_autofree char *part = g_strndup(begin, (gsize)(end - begin));
    return hf_synonyms_find(part) || hf_synonyms_is_weak(part);
}

/* Where an entry is two in one, as 恢复默认; NULL: nowhere. */
static const char *find_joint(const char *begin, const char *end)
{
    const char *least = g_utf8_next_char(begin);
    for (const char *at = g_utf8_prev_char(end); at > least; at = g_utf8_prev_char(at))
        if (g_utf8_next_char(at) < end && is_entry(begin, at) && is_entry(at, end))
            return at;
    return NULL;
}

/* The longest entry within another, of two letters at least: 大小 in 按大小排序. FALSE: none. */
static gboolean find_inner(const char *begin, const char *end, const char **ret_begin,
                           const char **ret_end)
{
    glong most = g_utf8_strlen(begin, end - begin) - 1;
    for (glong letters = most; letters >= LEAST_COMMON; letters--)
        for (const char *at = begin; at < end; at = g_utf8_next_char(at)) {
            const char *to = at;
            for (glong i = 0; i < letters && to < end; i++)
                to = g_utf8_next_char(to);
            if (g_utf8_strlen(at, to - at) == letters && is_entry(at, to)) {
                *ret_begin = at;
                *ret_end = to;
                return TRUE;
            }
        }
    return FALSE;
}

static const char *add_wide(GArray *words, const char *begin)
{
    const char *end = end_of_wide_entry(begin);
    if (!end) {
        end = begin;
        do
            end = g_utf8_next_char(end);
        while (*end && is_wide(g_utf8_get_char(end)) && !end_of_wide_entry(end));
    }
    add_word(words, begin, end, TRUE);
    return end;
}

/* Signs are words where they are all that there is, as on the keys of a calculator. */
static const char *add_sign(GArray *words, const char *begin, gboolean alone)
{
    const char *end = g_utf8_next_char(begin);
    if (alone && !g_unichar_isspace(g_utf8_get_char(begin)))
        add_word(words, begin, end, FALSE);
    return end;
}

/* Letters of a language without blanks are set apart for looks: 登 录. */
static char *dup_closed_up(const char *normal)
{
    GString *closed = g_string_new("");
    for (const char *at = normal; *at; at = g_utf8_next_char(at)) {
        gboolean between = *at == ' ' && at > normal && at[1] &&
                           is_wide(g_utf8_get_char(g_utf8_prev_char(at))) &&
                           is_wide(g_utf8_get_char(at + 1));
        if (!between)
            g_string_append_unichar(closed, g_utf8_get_char(at));
    }
    return g_string_free(closed, FALSE);
}

static char *dup_compact(const char *normal)
{
    GString *compact = g_string_new("");
    for (const char *at = normal; *at; at = g_utf8_next_char(at))
        if (g_unichar_isalnum(g_utf8_get_char(at)))
            g_string_append_unichar(compact, g_utf8_get_char(at));
    return g_string_free(compact, FALSE);
}

static GArray *words_new(void)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(HfWord));
    g_array_set_clear_func(words, word_clear);
    return words;
}

static GArray *cut(const HfName *name)
{
    GArray *words = words_new();
    for (const char *at = name->normal; *at && words->len < HF_LIMIT_PHRASE_WORDS;) {
        gboolean wide = is_wide(g_utf8_get_char(at));
        const char *end = wide ? add_wide(words, at) : end_of_entry(at);
        if (end == at)
            end = add_sign(words, at, !*name->compact);
        else if (!wide)
            add_word(words, at, end, FALSE);
        at = end;
    }
    return words;
}

/* One of a compound tells more than it would alone: "new folder" is not whatever is new. */
static void add_part(GArray *parts, const char *begin, const char *end, gboolean wide)
{
    add_word(parts, begin, end, wide);
    HfWord *part = &g_array_index(parts, HfWord, parts->len - 1);
    part->weight = MAX(part->weight, LITERAL_WEIGHT);
}

static void add_wide_parts(GArray *parts, const char *begin, const char *end)
{
    const char *joint = begin < end ? find_joint(begin, end) : NULL, *inner, *after;
    if (begin == end)
        return;
    if (joint) {
        add_part(parts, begin, joint, TRUE);
        add_part(parts, joint, end, TRUE);
        return;
    }
    if (!find_inner(begin, end, &inner, &after)) {
        add_part(parts, begin, end, TRUE);
        return;
    }
    add_wide_parts(parts, begin, inner);
    add_part(parts, inner, after, TRUE);
    add_wide_parts(parts, after, end);
}

static void add_parts(GArray *parts, const HfWord *word)
{
    const char *begin = word->text, *end = begin + strlen(begin), *inner, *after;
    const char *blank = word->wide ? NULL : strchr(begin, ' ');
    gboolean joint = word->wide && word->groups[0] && find_inner(begin, end, &inner, &after);
    if (joint)
        add_wide_parts(parts, begin, end);
    else if (!blank)
        add_word(parts, begin, end, word->wide);
    else {
        for (; blank; begin = blank + 1, blank = strchr(begin, ' '))
            add_part(parts, begin, blank, FALSE);
        add_part(parts, begin, end, FALSE);
    }
}

/* NULL: none is made of several. */
static GArray *cut_further(const GArray *words)
{
    g_autoptr(GArray) parts = words_new();
    for (guint i = 0; i < words->len; i++)
        add_parts(parts, &g_array_index(words, HfWord, i));
    return parts->len > words->len ? g_steal_pointer(&parts) : NULL;
}

static double weight_of(const GArray *words)
{
    double weight = 0;
    for (guint i = 0; i < words->len; i++)
        weight += g_array_index(words, HfWord, i).weight;
    return weight;
}

HfName *hf_name_new(const char *text)
{
    HfName *name = g_new0(HfName, 1);
    g_autofree char *normal = hf_label_normal(text);
    name->normal = dup_closed_up(normal);
    name->text = g_strstrip(g_utf8_make_valid(text, -1));
    name->compact = dup_compact(name->normal);
    name->words = cut(name);
    name->weight = weight_of(name->words);
    name->parts = cut_further(name->words);
    name->parts_weight = name->parts ? weight_of(name->parts) : 0;
    return name;
}

static void weigh_literally(GArray *words)
{
    for (guint i = 0; i < words->len; i++) {
        HfWord *word = &g_array_index(words, HfWord, i);
        word->weight = MAX(word->weight, LITERAL_WEIGHT);
    }
}

HfName *hf_name_new_literal(const char *text)
{
    HfName *name = hf_name_new(text);
    weigh_literally(name->words);
    name->weight = weight_of(name->words);
    if (name->parts) {
        weigh_literally(name->parts);
        name->parts_weight = weight_of(name->parts);
    }
    return name;
}

void hf_name_free(HfName *name)
{
    if (!name)
        return;
    g_free(name->text);
    g_free(name->normal);
    g_free(name->compact);
    g_array_unref(name->words);
    g_clear_pointer(&name->parts, g_array_unref);
    g_free(name);
}

gboolean hf_name_is_weak(const HfName *name)
{
    for (guint i = 0; i < name->words->len; i++)
        if (g_array_index(name->words, HfWord, i).weight > WEAK_WEIGHT)
            return FALSE;
    return TRUE;
}

gboolean hf_name_is_drawn(const HfName *name)
{
    gboolean drawn = FALSE;
    for (guint i = 0; i < name->words->len; i++) {
        const HfWord *word = &g_array_index(name->words, HfWord, i);
        if (word->weight > WEAK_WEIGHT && !hf_synonyms_is_drawn(word->text))
            return FALSE;
        drawn |= word->weight > WEAK_WEIGHT;
    }
    return drawn;
}

static gboolean share_group(const HfWord *a, const HfWord *b)
{
    for (int i = 0; i < HF_WORD_GROUPS && a->groups[i]; i++)
        for (int k = 0; k < HF_WORD_GROUPS && b->groups[k]; k++)
            if (a->groups[i] == b->groups[k])
                return TRUE;
    return FALSE;
}

static double likeness(const HfWord *a, const HfWord *b)
{
    if (strcmp(a->text, b->text) == 0)
        return 1;
    if (strcmp(a->stem, b->stem) == 0)
        return SAME_STEM;
    if (share_group(a, b))
        return SYNONYM;
    gsize shorter = MIN(strlen(a->stem), strlen(b->stem));
    if (!a->wide && !b->wide && shorter >= 4 && strncmp(a->stem, b->stem, shorter) == 0)
        return BEGINNING;
    return 0;
}

/* A name in one of its cuts. */
typedef struct Phrase {
    const GArray *words;
    double weight;
    const char *normal;
} Phrase;

/* What was found of a phrase in another. */
typedef struct Cover {
    double said, own; /* weights that were found: of what was said, of what it is called */
    gboolean synonyms;
    gboolean first, last; /* whether the first word and the last one were found */
} Cover;

/* Words that stand for one that was said. */
enum { USED = 1, USED_EXACTLY };

/* "bookmark star" says the same twice. */
static gboolean said_already(const HfWord *word, const Phrase *own, const guint8 *used)
{
    for (guint i = 0; i < own->words->len; i++)
        if (used[i] == USED_EXACTLY && share_group(word, &g_array_index(own->words, HfWord, i)))
            return TRUE;
    return FALSE;
}

/* How much of a word without blanks stands in a text, at least two letters in a row: 寄到武汉 and
 * 武汉市洪山区. */
static double common_part(const char *word, const char *text)
{
    glong letters = g_utf8_strlen(word, -1), most = 0;
    for (const char *begin = word; *begin; begin = g_utf8_next_char(begin)) {
        const char *end = begin;
        for (glong count = 1; *end; count++) {
            end = g_utf8_next_char(end);
            if (!memmem(text, strlen(text), begin, (gsize)(end - begin)))
                break;
            most = MAX(most, count);
        }
    }
    return most >= LEAST_COMMON ? (double)most / (double)letters : 0;
}

static void cover_word(const HfWord *word, const Phrase *own, guint8 *used, Cover *cover)
{
    double best = 0;
    guint at = 0;
    for (guint i = 0; i < own->words->len; i++) {
        double alike = used[i] ? 0 : likeness(word, &g_array_index(own->words, HfWord, i));
        if (alike > best) {
            best = alike;
            at = i;
        }
    }
    if (best <= 0)
        best = REPEATED * said_already(word, own, used);
    else {
        used[at] = best >= SAME_STEM ? USED_EXACTLY : USED;
        cover->own += g_array_index(own->words, HfWord, at).weight;
        cover->synonyms |= best == SYNONYM;
    }
    if (best <= 0 && word->wide && strstr(own->normal, word->text)) {
        best = WITHIN;
        cover->own += word->weight;
    }
    double part = best <= 0 && word->wide ? WITHIN * common_part(word->text, own->normal) : 0;
    if (part > 0) {
        best = part;
        cover->own += part * word->weight;
    }
    cover->said += best * word->weight;
    cover->last = best > 0; /* they come in order */
}

static const HfWord *last_word(const Phrase *name)
{
    return &g_array_index(name->words, HfWord, name->words->len - 1);
}

static const HfWord *first_word(const Phrase *name)
{
    return &g_array_index(name->words, HfWord, 0);
}

/* "the song Waterloo", of which the first word is not there. */
static gboolean begins_with_sort(const Phrase *name, const Cover *cover)
{
    return !cover->first && name->words->len > 1 && hf_synonyms_is_sort(first_word(name)->text);
}

static HfNameFit fit_words(const Phrase *wanted, const Phrase *own)
{
    Cover cover = {0};
    g_autofree guint8 *used = g_new0(guint8, own->words->len + 1);
    for (guint i = 0; i < wanted->words->len; i++) {
        cover_word(&g_array_index(wanted->words, HfWord, i), own, used, &cover);
        cover.first |= i == 0 && cover.last;
    }
    if (wanted->weight <= 0 || own->weight <= 0 || cover.said <= 0)
        return (HfNameFit){0, HF_NAME_OTHER};
    double said = cover.said / wanted->weight, had = MIN(1, cover.own / own->weight);
    gboolean sort =
        !cover.last && wanted->words->len > 1 && hf_synonyms_is_sort(last_word(wanted)->text);
    double sorted = sort ? cover.said / (wanted->weight - last_word(wanted)->weight)
                    : begins_with_sort(wanted, &cover)
                        ? cover.said / (wanted->weight - first_word(wanted)->weight)
                        : 0;
    if (said < ALL_SAID && sorted >= ALL_SAID)
        return (HfNameFit){BUT_THE_SORT * sorted * (LEAST_OF_MORE + (1 - LEAST_OF_MORE) * had),
                           had < 0.95 ? HF_NAME_HAS : HF_NAME_SHARES};
    if (said < ALL_SAID)
        return (HfNameFit){0.72 * sqrt(said) * (0.4 + 0.6 * had), HF_NAME_SHARES};
    HfNameHow how = had < 0.95 ? HF_NAME_HAS : cover.synonyms ? HF_NAME_MEANS : HF_NAME_WORDS;
    return (HfNameFit){said * (LEAST_OF_MORE + (1 - LEAST_OF_MORE) * had), how};
}

static Phrase phrase_of(const HfName *name, gboolean parts)
{
    return parts && name->parts ? (Phrase){name->parts, name->parts_weight, name->normal}
                                : (Phrase){name->words, name->weight, name->normal};
}

/* "copy the link" is Copy link, whether that is an entry or not. */
static HfNameFit fit_cuts(const HfName *wanted, const HfName *own)
{
    Phrase said = phrase_of(wanted, FALSE), called = phrase_of(own, FALSE);
    HfNameFit fit = fit_words(&said, &called);
    if (!wanted->parts && !own->parts)
        return fit;
    Phrase said_parts = phrase_of(wanted, TRUE), called_parts = phrase_of(own, TRUE);
    HfNameFit by_parts = fit_words(&said_parts, &called_parts);
    by_parts.score *= BY_PARTS;
    return by_parts.score > fit.score ? by_parts : fit;
}

/* How many letters two texts have in common in their order, of the longer: Chinese that was read
 * wrong in one of two letters is alike by half. */
static double letters_alike(const char *a, const char *b)
{
    glong longer = MAX(g_utf8_strlen(a, -1), g_utf8_strlen(b, -1));
    glong same = 0;
    for (; *a && *b; a = g_utf8_next_char(a), b = g_utf8_next_char(b))
        same += g_utf8_get_char(a) == g_utf8_get_char(b);
    return longer > 0 ? (double)same / (double)longer : 0;
}

HfNameFit hf_name_fit(const HfName *wanted, const HfName *own)
{
    if (strcmp(wanted->normal, own->normal) == 0)
        return (HfNameFit){1, HF_NAME_SAME};
    if (*wanted->compact && strcmp(wanted->compact, own->compact) == 0)
        return (HfNameFit){0.99, HF_NAME_SAME};
    HfNameFit fit = fit_cuts(wanted, own);
    double alike = hf_label_likeness(wanted->normal, own->normal);
    gboolean wide = wanted->words->len > 0 && g_array_index(wanted->words, HfWord, 0).wide;
    if (wide && fit.score < 0.4 && letters_alike(wanted->compact, own->compact) >= 0.5)
        return (HfNameFit){0.4, HF_NAME_LIKE};
    if (alike >= LEAST_LIKENESS && 0.8 * alike > fit.score)
        return (HfNameFit){0.8 * alike, HF_NAME_LIKE};
    return fit;
}
