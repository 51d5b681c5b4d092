/* SPDX-License-Identifier: Apache-2.0 */
/* Two words have a gap in the ink between them: the one nearest to the engine's border, where a
 * wide one counts for more. The ink between two gaps gives the word's box. */
#include "hand/pixels/ocr/ocr-words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A gap this wide between Chinese characters is a space, in percent of the height. */
#define SPACE_PERCENT 33
#define INK           200

static void clear_line_word(HfLineWord *word)
{
    g_free(word->text);
}

GArray *hf_line_words_new(void)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(HfLineWord));
    g_array_set_clear_func(words, (GDestroyNotify)clear_line_word);
    return words;
}

/* For each column: whether it has ink. */
static gboolean *find_ink_columns(const HfTextLine *line)
{
    gboolean *columns = g_new0(gboolean, line->width);
    for (int y = 0; y < line->height; y++)
        for (int x = 0; x < line->width; x++)
            columns[x] |= line->grey[(gsize)y * (gsize)line->width + (gsize)x] < INK;
    return columns;
}

/* The border between two words, near `about` and between columns `first` and `last`. */
static int find_word_border(const gboolean *columns, int first, int last, int about)
{
    int best = about, best_worth = G_MININT;
    for (int x = first; x < last;) {
        int end = x;
        while (end < last && !columns[end])
            end++;
        if (end > x) {
            int middle = (x + end) / 2, worth = (end - x) * 2 - abs(middle - about);
            if (worth > best_worth) {
                best_worth = worth;
                best = middle;
            }
        }
        x = MAX(end, x + 1);
    }
    return best;
}

/* The engine's place of a word, in pixels of the line. Its left edge is right to a few pixels; its
 * right edge is only known to be before the next word. */
typedef struct Span {
    int left, right;
} Span;

static Span word_span_in_line(const GArray *words, guint index, const HfTextLine *line,
                              double scale, int border)
{
    HfRect box = g_array_index(words, HfLineWord, index).box;
    int end =
        index + 1 < words->len ? g_array_index(words, HfLineWord, index + 1).box.x : G_MAXINT / 2;
    int left = CLAMP((int)lround((box.x - border) / scale), 0, line->width - 1);
    int right = (int)lround((MIN(box.x + box.width, end) - border) / scale);
    return (Span){left, CLAMP(right, left + 1, line->width)};
}

static int span_middle(Span span)
{
    return (span.left + span.right) / 2;
}

GArray *hf_line_words_place(const HfTextLine *line, const GArray *found, double scale, int border)
{
    GArray *words = hf_line_words_new();
    g_autofree gboolean *columns = find_ink_columns(line);
    int begin = 0;
    for (guint i = 0; i < found->len; i++) {
        const HfLineWord *from = &g_array_index(found, HfLineWord, i);
        Span span = word_span_in_line(found, i, line, scale, border);
        int end = line->width;
        if (i + 1 < found->len) {
            Span next = word_span_in_line(found, i + 1, line, scale, border);
            end = find_word_border(columns, MAX(begin, span_middle(span)),
                                   MAX(begin, span_middle(next)), next.left - 1);
        }
        HfLineWord word = {g_strdup(from->text),
                           {span.left, 0, span.right - span.left, line->height},
                           from->confidence};
        hf_text_line_find_ink(line, begin, MAX(end, begin), &word.box);
        g_array_append_val(words, word);
        begin = MAX(begin, end);
    }
    return words;
}

gboolean hf_char_is_chinese(gunichar letter)
{
    return (letter >= 0x2e80 && letter <= 0x9fff) || (letter >= 0xf900 && letter <= 0xfaff) ||
           (letter >= 0xff00 && letter <= 0xffef) || (letter >= 0x20000 && letter <= 0x3ffff);
}

static gboolean is_chinese_mark(gunichar letter)
{
    return hf_char_is_chinese(letter) && !g_unichar_isalnum(letter);
}

static gboolean is_same_chinese_word(const HfLineWord *a, const HfLineWord *b, int line_height)
{
    gunichar end = g_utf8_get_char(g_utf8_find_prev_char(a->text, a->text + strlen(a->text)));
    gunichar begin = g_utf8_get_char(b->text);
    int gap = b->box.x - (a->box.x + a->box.width);
    if (!hf_char_is_chinese(end) || !hf_char_is_chinese(begin))
        return FALSE;
    return is_chinese_mark(end) || is_chinese_mark(begin) ||
           gap * 100 < line_height * SPACE_PERCENT;
}

static double count_chars(const char *text)
{
    return (double)g_utf8_strlen(text, -1);
}

static void join_next_word(HfLineWord *word, const HfLineWord *next)
{
    double own = count_chars(word->text), more = count_chars(next->text);
    char *text = g_strconcat(word->text, next->text, NULL);
    g_free(word->text);
    word->text = text;
    word->confidence = (word->confidence * own + next->confidence * more) / MAX(1, own + more);
    word->box = hf_rect_unite(word->box, next->box);
}

void hf_line_words_join_chinese(GArray *words, int line_height)
{
    for (guint i = 0; i + 1 < words->len;) {
        HfLineWord *word = &g_array_index(words, HfLineWord, i);
        const HfLineWord *next = &g_array_index(words, HfLineWord, i + 1);
        if (!is_same_chinese_word(word, next, line_height)) {
            i++;
            continue;
        }
        join_next_word(word, next);
        g_array_remove_index(words, i + 1);
    }
}

double hf_line_words_confidence(const GArray *words)
{
    double sum = 0, count = 0;
    for (guint i = 0; i < words->len; i++) {
        const HfLineWord *word = &g_array_index(words, HfLineWord, i);
        sum += word->confidence * count_chars(word->text);
        count += count_chars(word->text);
    }
    return count > 0 ? sum / count : 0;
}

char *hf_line_words_dup_text(const GArray *words)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < words->len; i++)
        g_string_append_printf(text, "%s%s", i ? " " : "",
                               g_array_index(words, HfLineWord, i).text);
    return g_string_free(text, FALSE);
}

guint hf_text_count_letters(const char *text)
{
    guint count = 0;
    for (; *text; text = g_utf8_next_char(text))
        count += g_unichar_isalnum(g_utf8_get_char(text)) ? 1 : 0;
    return count;
}
