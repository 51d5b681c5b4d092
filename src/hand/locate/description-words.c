/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a description into terms: at each place the longest word that means something is taken,
 * unless a longer one that names things (中文, 上传) stands there. */
#include "hand/locate/description-words.h"

#include <string.h>

#include "hand/locate/lexicon.h"
#include "hand/locate/synonyms.h"

/* The longest words below, in letters. */
#define MOST_LETTERS 32

static gboolean is_narrow(gunichar letter)
{
    return g_unichar_isalnum(letter) && !g_unichar_iswide(letter);
}

/* Words end where letters end; of a language without blanks they may end anywhere. */
static gboolean is_border(const char *text, const char *at)
{
    if (at == text || !*at)
        return TRUE;
    return !is_narrow(g_utf8_get_char(g_utf8_prev_char(at))) || !is_narrow(g_utf8_get_char(at));
}

/* A plus or minus that belongs to the word before it. */
static gboolean is_sign(const char *at)
{
    gunichar letter = *at ? g_utf8_get_char(at) : 0;
    const char *next = *at ? g_utf8_next_char(at) : at;
    return (letter == '+' || letter == '-' || letter == 0x2212) &&
           (!*next || !g_unichar_isalnum(g_utf8_get_char(next)));
}

/* "one.txt" does not begin with a number. */
static gboolean goes_on(const char *end)
{
    if (is_sign(end)) /* A+ is no article */
        return TRUE;
    return *end && strchr("._/:@", *end) && is_narrow(g_utf8_get_char(g_utf8_next_char(end))) &&
           is_narrow(g_utf8_get_char(g_utf8_prev_char(end)));
}

/* How far a thing's name goes that must not be taken apart. */
static const char *end_of_synonym(const char *begin)
{
    const char *end = begin, *best = begin;
    for (int i = 0; i < HF_SYNONYM_LETTERS && *end && g_unichar_iswide(g_utf8_get_char(end)); i++) {
        end = g_utf8_next_char(end);
        g_autofree char *word = g_strndup(begin, (gsize)(end - begin));
        if (hf_synonyms_find(word))
            best = end;
    }
    return best;
}

/* 页 is a page, and 页数 a number: after one letter that says what it is another word begins. */
static gboolean begins_term(const char *begin)
{
    const char *end = begin;
    if (!*begin || !g_unichar_iswide(g_utf8_get_char(begin)) || g_str_has_prefix(begin, "第"))
        return TRUE;
    for (int i = 0; i < MOST_LETTERS && *end; i++) {
        end = g_utf8_next_char(end);
        if (hf_lexicon_find(begin, end))
            return TRUE;
    }
    return FALSE;
}

static gboolean take_lexicon(const char *text, const char *begin, HfTerm *term)
{
    const char *end = begin, *best = NULL;
    const HfMeaning *found = NULL;
    for (int i = 0; i < MOST_LETTERS && *end; i++) {
        end = g_utf8_next_char(end);
        const HfMeaning *here =
            is_border(text, end) && !goes_on(end) ? hf_lexicon_find(begin, end) : NULL;
        if (here) {
            found = here;
            best = end;
        }
    }
    if (!found || end_of_synonym(begin) > best)
        return FALSE;
    HfTermKind kind = found->kind;
    if (kind == HF_TERM_FILLER && g_str_has_prefix(begin, "带") && !begins_term(best) &&
        end_of_synonym(best) == best) /* 带宽 */
        return FALSE;
    gboolean meaning = kind == HF_TERM_KIND || kind == HF_TERM_IS || kind == HF_TERM_SPOT;
    if (meaning && best == g_utf8_next_char(begin) && !begins_term(best))
        return FALSE;
    *term = (HfTerm){found->kind, found->value, found->after, begin, best};
    return TRUE;
}

/* The closing one for an opening quotation mark; 0: it is none. */
static gunichar closing_of(const char *text, const char *at)
{
    static const char opening[] = "\"“「『《【‘`", closing[] = "\"”」』》】’`";
    gunichar letter = g_utf8_get_char(at);
    if (letter == '\'')
        return is_border(text, at) && (at == text || at[-1] == ' ') ? '\'' : 0;
    const char *to = closing;
    for (const char *from = opening; *from; from = g_utf8_next_char(from)) {
        if (g_utf8_get_char(from) == letter)
            return g_utf8_get_char(to);
        to = g_utf8_next_char(to);
    }
    return 0;
}

static gboolean take_quoted(const char *text, const char *begin, HfTerm *term, const char **next)
{
    gunichar closing = closing_of(text, begin);
    const char *inside = g_utf8_next_char(begin);
    const char *end = closing ? g_utf8_strchr(inside, -1, closing) : NULL;
    if (!end || end == inside)
        return FALSE;
    *term = (HfTerm){HF_TERM_QUOTED, 0, FALSE, inside, end};
    *next = g_utf8_next_char(end);
    return TRUE;
}

static int digit_of(gunichar letter)
{
    static const char digits[] = "零一二三四五六七八九";
    int value = 0;
    if (g_unichar_isdigit(letter))
        return g_unichar_digit_value(letter);
    if (letter == 0x4e24) /* 两 */
        return 2;
    for (const char *at = digits; *at; at = g_utf8_next_char(at), value++)
        if (g_utf8_get_char(at) == letter)
            return value;
    return -1;
}

/* 12, 十二, 二十; 0 when there is no number. */
static int take_number(const char **at)
{
    int number = 0;
    gboolean any = FALSE;
    for (; **at && number < 1000; *at = g_utf8_next_char(*at)) {
        gunichar letter = g_utf8_get_char(*at);
        int digit = digit_of(letter);
        if (letter == 0x5341) /* 十 */
            number = any ? number * 10 : 10;
        else if (digit < 0)
            break;
        else
            number = any && number % 10 == 0 && number > 0 && !g_unichar_isdigit(letter)
                         ? number + digit
                         : number * 10 + digit;
        any = TRUE;
    }
    return number;
}

/* 第二个, 第 3; 2nd, 11th. */
static gboolean take_ordinal(const char *begin, HfTerm *term)
{
    static const char *const counters[] = {"个", "张", "条", "只", "颗", "位", "次",
                                           "份", "首", "封", "笔", "单", "台", "件",
                                           "款", "套", "篇", "组", "名", "部", "排"};
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    const char *at = begin;
    gboolean chinese = g_str_has_prefix(at, "第");
    if (chinese)
        at += strlen("第") + (at[strlen("第")] == ' ');
    int number = take_number(&at);
    if (number <= 0 || (!chinese && !g_ascii_isdigit(*begin)))
        return FALSE;
    gboolean ended = chinese;
    if (chinese && *at == ' ' && (guchar)at[1] >= 0x80)
        at++;
    for (gsize i = 0; chinese && i < G_N_ELEMENTS(counters); i++)
        if (g_str_has_prefix(at, counters[i])) {
            at += strlen(counters[i]);
            break;
        }
    for (gsize i = 0; !chinese && i < G_N_ELEMENTS(endings); i++)
        ended |= g_str_has_prefix(at, endings[i]) && !g_ascii_isalnum(at[2]);
    *term = (HfTerm){HF_TERM_NTH, number, FALSE, begin, chinese ? at : at + 2};
    return ended;
}

/* A word, one letter of a language without blanks, or a sign; dots and the like within a word
 * ("readme.txt") belong to it. */
static HfTerm take_word(const char *begin)
{
    const char *end = g_utf8_next_char(begin);
    gunichar first = g_utf8_get_char(begin);
    static const char stops[] = ",.;:!?，。；：！？、()（）";
    if (g_utf8_strchr(stops, -1, first))
        return (HfTerm){HF_TERM_STOP, 0, FALSE, begin, end};
    if (g_unichar_iswide(first)) {
        const char *whole = end_of_synonym(begin);
        return (HfTerm){HF_TERM_NAME, 0, FALSE, begin, MAX(end, whole)};
    }
    if (!g_unichar_isalnum(first))
        return (HfTerm){HF_TERM_NAME, 0, FALSE, begin, end};
    while (*end && (is_narrow(g_utf8_get_char(end)) ||
                    (strchr("._-/:@", *end) && is_narrow(g_utf8_get_char(g_utf8_next_char(end))))))
        end = g_utf8_next_char(end);
    while (is_sign(end))
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
        if (!take_quoted(folded, at, &term, &next) && !take_ordinal(at, &term) &&
            !take_lexicon(folded, at, &term))
            term = take_word(at);
        g_array_append_val(terms, term);
        at = next ? next : term.end;
    }
    return terms;
}
