/* SPDX-License-Identifier: Apache-2.0 */
/* Known glyphs need no engine. The engine reads the rest of the line, part by part, in the language
 * that it looks like. If the confidence is low, it reads it in the other language too, and words
 * that look foreign are read again by themselves. */
#include "hand/pixels/ocr/ocr-line.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/ocr/glyph-learn.h"
#include "hand/pixels/ocr/glyph-memory.h"
#include "hand/pixels/ocr/ocr-engine.h"
#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-reader-pool.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"

/* Below this confidence the other language is tried, if the looks are unclear or clear. */
#define SURE 0.80
#define FAIR 0.45
/* Below this confidence a word may be of the other language. */
#define DOUBT 0.60
/* The other language must do this much better than the one that the line looks like. */
#define LOOKS 0.20
/* Pixels around a part that are cut along with it. */
#define AROUND 2
/* The share of a line that must be known for the rest to be read by itself. */
#define KNOWN_PERCENT 40

typedef struct Reading {
    const HfTextLine *whole;
    const HfDeadline *deadline;
    GError *failed;     /* why nothing more can be read */
    guint64 seed;       /* for the glyphs of this language */
    gboolean by_shapes; /* no engine was needed */
} Reading;

static const HfOcrEngine *const engine = &hf_ocr_engine_tesseract;

/* NULL: it could not be read; `failed` is set. */
static GArray *read_in_language(Reading *reading, const HfTextLine *line, const char *language)
{
    double most = (double)(HF_LIMIT_READER_EDGE - 2 * engine->border) / line->width;
    double scale = MIN(MIN(engine->height / line->height, 8.0), most);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfTextLine) scaled = hf_text_line_scale(line, scale, engine->border);
    g_autoptr(GArray) found = hf_ocr_reader_pool_read(scaled, language, reading->deadline, &error);
    if (found)
        return hf_line_words_place(line, found, scale, engine->border);
    if (!reading->failed)
        reading->failed = g_steal_pointer(&error);
    return NULL;
}

static const char *other_language(const char *language)
{
    return strcmp(language, HF_LANGUAGE_CHINESE) == 0 ? HF_LANGUAGE_ENGLISH : HF_LANGUAGE_CHINESE;
}

/* Whether the other language did clearly better. Either may be NULL. */
static gboolean is_better(const GArray *one, const GArray *other)
{
    if (!one || !other)
        return !one && other;
    return hf_line_words_confidence(other) > hf_line_words_confidence(one) + LOOKS;
}

static GArray *read_in_likely_language(Reading *reading, const HfTextLine *line,
                                       const char **ret_language)
{
    const char *first =
        hf_text_line_looks_chinese(reading->whole) ? HF_LANGUAGE_CHINESE : HF_LANGUAGE_ENGLISH;
    g_autoptr(GArray) words = read_in_language(reading, line, first);
    *ret_language = first;
    double enough = hf_text_line_language_is_unclear(reading->whole) ? SURE : FAIR;
    if (words && hf_line_words_confidence(words) >= enough)
        return g_steal_pointer(&words);
    /* A language that is not installed is not a reason to give up. */
    if (reading->failed && hf_error_code(reading->failed) != HF_ERROR_UNSUPPORTED)
        return NULL;
    g_autoptr(GError) before = g_steal_pointer(&reading->failed);
    g_autoptr(GArray) others = read_in_language(reading, line, other_language(first));
    gboolean other = is_better(words, others);
    *ret_language = other ? other_language(first) : first;
    if (words || others)
        g_clear_error(&reading->failed);
    return other ? g_steal_pointer(&others) : g_steal_pointer(&words);
}

/* Whether the word may be of the other language. */
static gboolean is_foreign(const HfTextLine *line, const HfLineWord *word, gboolean chinese)
{
    if (chinese)
        return g_str_is_ascii(word->text) && hf_text_count_letters(word->text) >= 1;
    if (word->confidence >= DOUBT || word->box.width < word->box.height / 2)
        return FALSE;
    g_autoptr(HfTextLine) part =
        hf_text_line_cut(line, word->box.x, MIN(line->width, word->box.x + word->box.width));
    return hf_text_line_looks_chinese(part);
}

static double mean_confidence(const GArray *words, guint from, guint end)
{
    double sum = 0;
    for (guint i = from; i < end; i++)
        sum += g_array_index(words, HfLineWord, i).confidence;
    return end > from ? sum / (end - from) : 0;
}

/* Replaces words [from, end) by those of `part`, which begins at column `left`. */
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

/* Returns the next word to look at. */
static guint reread_foreign_part(Reading *reading, const HfTextLine *line, GArray *words,
                                 guint from, guint end, const char *language)
{
    const HfLineWord *first = &g_array_index(words, HfLineWord, from);
    const HfLineWord *last = &g_array_index(words, HfLineWord, end - 1);
    int left = MAX(0, first->box.x - AROUND);
    int right = MIN(line->width, last->box.x + last->box.width + AROUND);
    g_autoptr(HfTextLine) part = hf_text_line_cut(line, left, MAX(left + 1, right));
    g_autoptr(GArray) read = read_in_language(reading, part, language);
    if (!read || read->len == 0 ||
        hf_line_words_confidence(read) <= mean_confidence(words, from, end))
        return end;
    replace_line_words(words, from, end, read, left);
    return from + read->len;
}

static void reread_foreign_words(Reading *reading, const HfTextLine *line, GArray *words,
                                 const char *language)
{
    gboolean chinese = strcmp(language, HF_LANGUAGE_CHINESE) == 0;
    for (guint i = 0; i < words->len && !reading->failed;) {
        guint end = i;
        while (end < words->len &&
               is_foreign(line, &g_array_index(words, HfLineWord, end), chinese))
            end++;
        /* A line that is foreign as a whole was read in both languages already. */
        if (end == i || (i == 0 && end == words->len && !chinese))
            i = MAX(end, i + 1);
        else
            i = reread_foreign_part(reading, line, words, i, end, other_language(language));
    }
}

/* Reads a line or a part of one with the engine. */
static GArray *read_words_by_engine(Reading *reading, const HfTextLine *line, const char **language)
{
    gboolean choose = strcmp(*language, HF_LANGUAGE_AUTO) == 0;
    g_autoptr(GArray) words = choose ? read_in_likely_language(reading, line, language)
                                     : read_in_language(reading, line, *language);
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

/* ---- known glyphs ---- */

/* Reads each unknown part by itself. FALSE: one was not read well, so it needs its context. */
static gboolean read_unknown_spans(Reading *reading, const HfTextLine *line, HfGlyphsRead *read,
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

/* NULL: too little of it is known, or `failed` is set. */
static GArray *read_by_shapes(Reading *reading, const HfTextLine *line, const char *language)
{
    g_auto(HfGlyphsRead) read = {0};
    hf_glyphs_read(&read, line, reading->seed);
    if (read.words->len == 0 || read.known_width * 100 < read.width * KNOWN_PERCENT ||
        !read_unknown_spans(reading, line, &read, language))
        return NULL;
    reading->by_shapes = read.unknowns->len == 0;
    hf_line_words_join_chinese(read.words, line->height);
    return g_steal_pointer(&read.words);
}

static const char *guess_words_language(const GArray *words)
{
    for (guint i = 0; i < words->len; i++)
        if (!g_str_is_ascii(g_array_index(words, HfLineWord, i).text))
            return HF_LANGUAGE_CHINESE;
    return HF_LANGUAGE_ENGLISH;
}

static HfLineText *line_text_new(GArray *take_words, const char *language, gboolean by_shapes)
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
        language = guess_words_language(words);
    if (!words && !reading.failed)
        words = read_words_by_engine(&reading, line, &language);
    if (reading.failed) {
        g_propagate_error(error, reading.failed);
        return NULL;
    }
    return line_text_new(g_steal_pointer(&words), language, reading.by_shapes);
}

HfLineText *hf_line_text_ref(HfLineText *text)
{
    return g_atomic_rc_box_acquire(text);
}

static void clear_line_text(HfLineText *text)
{
    g_array_unref(text->words);
    g_free(text->text);
    g_free(text->language);
}

void hf_line_text_unref(HfLineText *text)
{
    if (text)
        g_atomic_rc_box_release_full(text, (GDestroyNotify)clear_line_text);
}

/* ---- cache ---- */

/* Two generations, as in glyph-memory.c. */
typedef struct LineKey {
    HfTextHash hash;
    GQuark language;
} LineKey;

static GMutex lock;                 /* guards what follows */
static GHashTable *recents, *older; /* of LineKey to HfLineText */

static guint hash_line_key(gconstpointer data)
{
    const LineKey *key = data;
    return (guint)key->hash.parts[0] ^ key->language;
}

static gboolean line_keys_equal(gconstpointer a, gconstpointer b)
{
    const LineKey *one = a, *other = b;
    return one->hash.parts[0] == other->hash.parts[0] &&
           one->hash.parts[1] == other->hash.parts[1] && one->language == other->language;
}

static void add_line_locked(LineKey *take_key, HfLineText *take_text)
{
    if (recents && g_hash_table_size(recents) >= HF_LIMIT_LINES_KNOWN / 2) {
        g_clear_pointer(&older, g_hash_table_unref);
        older = g_steal_pointer(&recents);
    }
    if (!recents)
        recents = g_hash_table_new_full(hash_line_key, line_keys_equal, g_free,
                                        (GDestroyNotify)hf_line_text_unref);
    g_hash_table_replace(recents, take_key, take_text);
}

HfLineText *hf_line_cache_find(HfTextHash hash, const char *language)
{
    LineKey key = {hash, g_quark_try_string(language)};
    gpointer kept = NULL;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    gpointer found = recents ? g_hash_table_lookup(recents, &key) : NULL;
    if (!found && older && g_hash_table_steal_extended(older, &key, &kept, &found))
        add_line_locked(kept, found);
    if (found)
        hf_line_text_ref(found);
    return found;
}

void hf_line_cache_add(HfTextHash hash, const char *language, HfLineText *text)
{
    LineKey key = {hash, g_quark_from_string(language)};
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    add_line_locked(g_memdup2(&key, sizeof key), hf_line_text_ref(text));
}

void hf_line_cache_forget(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    g_clear_pointer(&recents, g_hash_table_unref);
    g_clear_pointer(&older, g_hash_table_unref);
}
