/* SPDX-License-Identifier: Apache-2.0 */
/* Normal forms and ranks of labels. Independent of the user's language: characters of scripts
 * without word boundaries (Chinese, Japanese) count as words by themselves. */
#include "hand/atspi/tree/label-match.h"

#include <string.h>

#include "shared/text/text.h"

/* Longer texts are not compared by edit distance, which takes quadratic time. */
#define LIKENESS_BYTES 64

const char *hf_fit_words(HfFit fit)
{
    static const char *const words[HF_FIT_COUNT] = {
        [HF_FIT_NONE] = "does not fit",  [HF_FIT_FUZZY] = "is like",
        [HF_FIT_CONTAINS] = "contains",  [HF_FIT_WORD] = "contains the words",
        [HF_FIT_PREFIX] = "begins with", [HF_FIT_NORMAL] = "equals except for case and punctuation",
        [HF_FIT_SAME] = "equals",
    };
    return words[fit];
}

static char *fold_label(const char *text)
{
    if (g_str_is_ascii(text))
        return g_ascii_strdown(text, -1);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return hf_text_fold(valid);
}

/* "(s)" at the end of a Chinese or Japanese label is a mnemonic: "保存(s)". */
static void cut_mnemonic(GString *label)
{
    gsize length = label->len;
    if (length < 5 || label->str[length - 1] != ')' || label->str[length - 3] != '(' ||
        !g_ascii_isalnum(label->str[length - 2]))
        return;
    gsize end = length - 3;
    while (end > 0 && label->str[end - 1] == ' ')
        end--;
    if (end > 0 && (guchar)label->str[end - 1] >= 0x80)
        g_string_truncate(label, end);
}

/* Drops mnemonic marks, merges blanks, and cuts Qt's shortcut after a tab. */
static GString *normalize_spacing(const char *folded)
{
    GString *label = g_string_new("");
    for (const char *at = folded; *at && !(*at == '\t' && label->len > 0);
         at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);
        gboolean mark = (*at == '_' || *at == '&') && at[1] && !g_ascii_isspace(at[1]);
        gboolean blank = g_unichar_isspace(letter);
        if (mark && (at[1] != '&' || *at != '&'))
            continue;
        if (!blank)
            g_string_append_unichar(label, letter);
        else if (label->len > 0 && label->str[label->len - 1] != ' ')
            g_string_append_c(label, ' ');
    }
    return label;
}

/* GTK 4 doubles the label of a button with a mnemonic: "Reload Reload". */
static void cut_double(GString *label)
{
    gsize half = label->len / 2;
    if (label->len >= 5 && label->len % 2 == 1 && label->str[half] == ' ' &&
        strncmp(label->str, label->str + half + 1, half) == 0)
        g_string_truncate(label, half);
}

char *hf_label_normal(const char *text)
{
    g_autofree char *folded = fold_label(text);
    GString *label = normalize_spacing(folded);
    cut_double(label);
    /* Final dots (NFKC turns an ellipsis into three), colons and blanks mean nothing. */
    while (label->len > 1 && strchr(" .:", label->str[label->len - 1]))
        g_string_truncate(label, label->len - 1);
    cut_mnemonic(label);
    return g_string_free(label, FALSE);
}

static gboolean has_borders(gunichar letter)
{
    return g_unichar_isalnum(letter) && !g_unichar_iswide(letter);
}

static gboolean is_word_boundary(const char *begin, const char *at)
{
    if (at == begin || !*at)
        return TRUE;
    gunichar before = g_utf8_get_char(g_utf8_prev_char(at)), after = g_utf8_get_char(at);
    return !has_borders(before) || !has_borders(after);
}

static HfFit fit_within(const char *own, const char *normal)
{
    gsize length = strlen(normal);
    HfFit best = HF_FIT_NONE;
    if (length == 0)
        return best;
    for (const char *at = strstr(own, normal); at && best < HF_FIT_PREFIX;
         at = strstr(at + 1, normal)) {
        gboolean whole = is_word_boundary(own, at) && is_word_boundary(own, at + length);
        HfFit fit = !whole ? HF_FIT_CONTAINS : at == own ? HF_FIT_PREFIX : HF_FIT_WORD;
        best = MAX(best, fit);
    }
    return best;
}

HfFit hf_label_fit(const char *text, const char *wanted, const char *normal)
{
    if (strcmp(text, wanted) == 0)
        return HF_FIT_SAME;
    g_autofree char *own = hf_label_normal(text);
    return strcmp(own, normal) == 0 ? HF_FIT_NORMAL : fit_within(own, normal);
}

double hf_label_likeness(const char *normal, const char *other)
{
    gsize longer = MAX(strlen(normal), strlen(other));
    if (longer == 0 || longer > LIKENESS_BYTES)
        return 0;
    return 1.0 - (double)hf_text_distance(normal, other) / (double)longer;
}
