/* SPDX-License-Identifier: Apache-2.0 */
/* Words whose letters are known by their looks need no engine; what is left of a line then is read
 * by itself. Each is read in the language that it looks like; in the other one as well when that
 * did not go well; and parts that turn out to be of the other language are read again by
 * themselves. */
#include "hand/pixels/ocr/ocr-line.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/ocr/glyph-learn.h"
#include "hand/pixels/ocr/glyph-read.h"
#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-reader-pool.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"

/* Below this the other language is tried, if it could be that by its looks, or below the next if it
 * hardly could; below the second a word may be of the other one. */
#define SURE   0.80
#define FAIR   0.45
#define DOUBT  0.60
#define LOOKS  0.20
#define AROUND 2 /* pixels that are cut along with a part */
/* Of how much of a line the letters must be known for the rest of it to be read by itself. */
#define KNOWN_PERCENT 40

typedef struct Reading {
    const HfTextLine *whole;
    const HfDeadline *deadline;
    GError *failed;     /* why nothing more can be read */
    guint64 seed;       /* of shapes that were learned in this language */
    gboolean by_shapes; /* no engine was needed */
} Reading;

static const HfOcrEngine *const engine = &hf_ocr_engine_tesseract;

static double scale_for(const HfTextLine *line)
{
    double scale = MIN(engine->height / line->height, 8.0);
    double most = (double)(HF_LIMIT_READER_EDGE - 2 * engine->border) / line->width;
    return MIN(scale, most);
}

/* NULL with `failed` set, or without when the language is not there. */
static GArray *read_as(Reading *reading, const HfTextLine *line, const char *language)
{
    double scale = scale_for(line);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfTextLine) scaled = hf_text_line_scale(line, scale, engine->border);
    g_autoptr(GArray) told = hf_ocr_reader_pool_ask(scaled, language, reading->deadline, &error);
    if (told)
        return hf_line_words_place(line, told, scale, engine->border);
    if (!reading->failed)
        reading->failed = g_steal_pointer(&error);
    return NULL;
}

static const char *other_than(const char *language)
{
    return strcmp(language, HF_LANGUAGE_CHINESE) == 0 ? HF_LANGUAGE_ENGLISH : HF_LANGUAGE_CHINESE;
}

/* Whether the other language did so much better that the looks of the line count for less. Either
 * may be NULL. */
static gboolean is_better(const GArray *one, const GArray *other)
{
    if (!one || !other)
        return !one && other;
    return hf_line_words_confidence(other) > hf_line_words_confidence(one) + LOOKS;
}

static GArray *read_either(Reading *reading, const HfTextLine *line, const char **ret_language)
{
    const char *first =
        hf_text_line_looks_chinese(reading->whole) ? HF_LANGUAGE_CHINESE : HF_LANGUAGE_ENGLISH;
    g_autoptr(GArray) words = read_as(reading, line, first);
    *ret_language = first;
    double enough = hf_text_line_looks_doubtful(reading->whole) ? SURE : FAIR;
    if (words && hf_line_words_confidence(words) >= enough)
        return g_steal_pointer(&words);
    /* Only a language that is not there is no reason to give up. */
    if (reading->failed && hf_error_code(reading->failed) != HF_ERROR_UNSUPPORTED)
        return NULL;
    g_autoptr(GError) before = g_steal_pointer(&reading->failed);
    g_autoptr(GArray) others = read_as(reading, line, other_than(first));
    gboolean other = is_better(words, others);
    *ret_language = other ? other_than(first) : first;
    if (words || others)
        g_clear_error(&reading->failed);
    return other ? g_steal_pointer(&others) : g_steal_pointer(&words);
}

/* Whether the word may have been read in the wrong language. */
static gboolean is_foreign(const HfTextLine *line, const HfLineWord *word, gboolean chinese)
{
    if (chinese)
        return hf_text_is_ascii(word->text) && hf_text_count_letters(word->text) >= 1;
    if (word->confidence >= DOUBT || word->box.width < word->box.height / 2)
        return FALSE;
    g_autoptr(HfTextLine) part =
        hf_text_line_cut(line, word->box.x, MIN(line->width, word->box.x + word->box.width));
    return hf_text_line_looks_chinese(part);
}

static guint end_of_foreign(const HfTextLine *line, const GArray *words, guint from,
                            gboolean chinese)
{
    while (from < words->len && is_foreign(line, &g_array_index(words, HfLineWord, from), chinese))
        from++;
    return from;
}

static double confidence_of(const GArray *words, guint from, guint end)
{
    double sum = 0;
    for (guint i = from; i < end; i++)
        sum += g_array_index(words, HfLineWord, i).confidence;
    return end > from ? sum / (end - from) : 0;
}

/* Takes the words of `part`, which begins at `left`, in place of those from `from` to `end`. */
static void replace_line_words(GArray *words, guint from, guint end, GArray *part, int left)
{
    g_array_remove_range(words, from, end - from);
    for (guint i = 0; i < part->len; i++) {
        HfLineWord word = g_array_index(part, HfLineWord, i);
        word.text = g_strdup(word.text);
        word.box.x += left;
        g_array_insert_val(words, from + i, word);
    }
}

/* Returns where to go on. */
static guint reread_foreign_part(Reading *reading, const HfTextLine *line, GArray *words,
                                 guint from, guint end, const char *language)
{
    const HfLineWord *first = &g_array_index(words, HfLineWord, from);
    const HfLineWord *last = &g_array_index(words, HfLineWord, end - 1);
    int left = MAX(0, first->box.x - AROUND);
    int right = MIN(line->width, last->box.x + last->box.width + AROUND);
    g_autoptr(HfTextLine) part = hf_text_line_cut(line, left, MAX(left + 1, right));
    g_autoptr(GArray) read = read_as(reading, part, language);
    if (!read || read->len == 0 ||
        hf_line_words_confidence(read) <= confidence_of(words, from, end))
        return end;
    replace_line_words(words, from, end, read, left);
    return from + read->len;
}

static void reread_foreign_words(Reading *reading, const HfTextLine *line, GArray *words,
                                 const char *language)
{
    gboolean chinese = strcmp(language, HF_LANGUAGE_CHINESE) == 0;
    for (guint i = 0; i < words->len && !reading->failed;) {
        guint end = end_of_foreign(line, words, i, chinese);
        /* A line that is foreign as a whole was tried in both languages already. */
        if (end == i || (i == 0 && end == words->len && !chinese))
            i = MAX(end, i + 1);
        else
            i = reread_foreign_part(reading, line, words, i, end, other_than(language));
    }
}

/* With an engine: a line, or a part of one. */
static GArray *read_words_by_engine(Reading *reading, const HfTextLine *line, const char **language)
{
    gboolean choose = strcmp(*language, HF_LANGUAGE_AUTO) == 0;
    g_autoptr(GArray) words =
        choose ? read_either(reading, line, language) : read_as(reading, line, *language);
    if (words && choose)
        reread_foreign_words(reading, line, words, *language);
    if (words && reading->failed && hf_error_code(reading->failed) == HF_ERROR_UNSUPPORTED)
        g_clear_error(&reading->failed);
    if (reading->failed)
        return NULL;
    hf_line_words_join_chinese(words, line->height);
    hf_glyphs_learn(line, words, reading->seed);
    return g_steal_pointer(&words);
}

/* ---- by shapes ---- */

/* What is not known of the line, each part by itself. FALSE when one could not be read well: then
 * it needs what stands around it. */
static gboolean read_unknowns(Reading *reading, const HfTextLine *line, HfGlyphsRead *read,
                              const char *language)
{
    for (guint i = read->unknowns->len; i-- > 0;) {
        const HfUnknownSpan *unknown = &g_array_index(read->unknowns, HfUnknownSpan, i);
        int left = MAX(0, unknown->left - AROUND);
        const char *own = language;
        g_autoptr(HfTextLine) part =
            hf_text_line_cut(line, left, MIN(line->width, unknown->right + AROUND));
        g_autoptr(GArray) words = read_words_by_engine(reading, part, &own);
        if (!words || words->len == 0 || hf_line_words_confidence(words) < SURE)
            return FALSE;
        replace_line_words(read->words, unknown->before, unknown->before, words, left);
    }
    return TRUE;
}

/* NULL: not enough of it is known, or `failed`. */
static GArray *read_by_shapes(Reading *reading, const HfTextLine *line, const char *language)
{
    g_auto(HfGlyphsRead) read = {0};
    hf_glyphs_read(&read, line, reading->seed);
    if (read.words->len == 0 || read.known_width * 100 < read.width * KNOWN_PERCENT ||
        !read_unknowns(reading, line, &read, language))
        return NULL;
    reading->by_shapes = read.unknowns->len == 0;
    hf_line_words_join_chinese(read.words, line->height);
    return g_steal_pointer(&read.words);
}

static const char *language_of(const GArray *words)
{
    for (guint i = 0; i < words->len; i++)
        if (!hf_text_is_ascii(g_array_index(words, HfLineWord, i).text))
            return HF_LANGUAGE_CHINESE;
    return HF_LANGUAGE_ENGLISH;
}

static HfLineText *new_text(GArray *take_words, const char *language, gboolean by_shapes)
{
    HfLineText *text = g_atomic_rc_box_new0(HfLineText);
    text->words = take_words;
    text->text = hf_line_words_dup_text(take_words);
    text->confidence = hf_line_words_confidence(take_words);
    text->language = g_strdup(language);
    text->by_shapes = by_shapes;
    return text;
}

HfLineText *hf_ocr_line_read(const HfTextLine *line, const char *language,
                             const HfDeadline *deadline, GError **error)
{
    Reading reading = {line, deadline, .seed = g_str_hash(language)};
    g_autoptr(GArray) words = read_by_shapes(&reading, line, language);
    if (words && strcmp(language, HF_LANGUAGE_AUTO) == 0)
        language = language_of(words);
    if (!words && !reading.failed)
        words = read_words_by_engine(&reading, line, &language);
    if (reading.failed) {
        g_propagate_error(error, reading.failed);
        return NULL;
    }
    return new_text(g_steal_pointer(&words), language, reading.by_shapes);
}

HfLineText *hf_line_text_ref(HfLineText *text)
{
    return g_atomic_rc_box_acquire(text);
}

static void clear_text(HfLineText *text)
{
    g_array_unref(text->words);
    g_free(text->text);
    g_free(text->language);
}

void hf_line_text_unref(HfLineText *text)
{
    if (text)
        g_atomic_rc_box_release_full(text, (GDestroyNotify)clear_text);
}
