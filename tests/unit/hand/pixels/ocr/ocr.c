/* SPDX-License-Identifier: Apache-2.0 */
/* Tests src/hand/pixels/ocr without an engine: how words are placed and joined, which language a
 * line looks like, the caches, and how lines become blocks and JSON. tests/e2e/test_ocr.py tests
 * the reading itself. */
#include <string.h>

#include "hand/pixels/ocr/ocr-languages.h"
#include "hand/pixels/ocr/ocr-page-json.h"
#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"

static void test_languages(void)
{
    static const struct {
        const char *wanted, *name; /* NULL: refused */
    } cases[] = {
        {"auto", "auto"}, {"eng", "eng"},         {"en", "eng"},
        {"EN", "eng"},    {"zh-CN", "chi_sim"},   {"chi_sim", "chi_sim"},
        {"de", "deu"},    {"eng+deu", "eng+deu"}, {"../../etc/x", NULL},
        {"", NULL},       {"a b", NULL},          {"eng;rm", NULL},
        {"中文", NULL},   {"en/g", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *name = hf_ocr_language_dup(cases[i].wanted, &error);
        g_assert_cmpstr(name, ==, cases[i].name);
        g_assert_true((error != NULL) == (cases[i].name == NULL));
        g_assert_true(!error || hf_error_code(error) == HF_ERROR_INVALID_PARAMS);
    }
}

/* A line with ink in the columns that have a '#', over its whole height. */
static HfTextLine *line_of(const char *columns, int height)
{
    HfTextLine *line = g_new(HfTextLine, 1);
    int width = (int)strlen(columns);
    *line = (HfTextLine){width, height, g_malloc((gsize)width * (gsize)height)};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            line->grey[y * width + x] = columns[x] == '#' ? 0 : 255;
    return line;
}

static void add_engine_word(GArray *found, const char *text, int left, int right)
{
    HfLineWord word = {g_strdup(text), {left, 0, right - left, 0}, 0.9};
    g_array_append_val(found, word);
}

/* The engine says where words begin, roughly, and where they end, anywhere. */
static void test_words_are_placed_by_their_ink(void)
{
    g_autoptr(HfTextLine) line = line_of("..##.##....##.#.##.....####..", 6);
    g_autoptr(GArray) found = hf_line_words_new();
    add_engine_word(found, "one", (2 - 1) * 2 + 8, 28 * 2 + 8);
    add_engine_word(found, "two", (11 + 1) * 2 + 8, 17 * 2 + 8);
    add_engine_word(found, "three", 22 * 2 + 8, 500);
    g_autoptr(GArray) words = hf_line_words_place(line, found, 2, 8);
    static const HfRect wanted[] = {{2, 0, 5, 6}, {11, 0, 7, 6}, {23, 0, 4, 6}};
    g_assert_cmpuint(words->len, ==, 3);
    for (guint i = 0; i < 3; i++)
        g_assert_true(hf_rect_equal(g_array_index(words, HfLineWord, i).box, wanted[i]));
    g_autofree char *text = hf_line_words_dup_text(words);
    g_assert_cmpstr(text, ==, "one two three");
}

/* Wild places of an engine neither crash nor leave the line. */
static void test_any_place_is_taken(void)
{
    g_autoptr(HfTextLine) line = line_of("##", 3);
    g_autoptr(GArray) found = hf_line_words_new();
    add_engine_word(found, "a", -50000, -40000);
    add_engine_word(found, "b", 70000, 60000);
    add_engine_word(found, "c", 0, 0);
    g_autoptr(GArray) words = hf_line_words_place(line, found, 3, 8);
    for (guint i = 0; i < words->len; i++) {
        HfRect box = g_array_index(words, HfLineWord, i).box;
        g_assert_true(box.x >= 0 && box.width >= 1 && box.x + box.width <= 2);
    }
}

static void test_chinese_is_joined(void)
{
    static const struct {
        const char *first, *second, *text;
        int gap;
    } cases[] = {
        {"打开", "文件", "打开文件", 2},  {"打开", "文件", "打开 文件", 9},
        {"失败", "，", "失败，", 12},     {"，", "请", "，请", 12},
        {"打开", "File", "打开 File", 2}, {"Save", "as", "Save as", 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) words = hf_line_words_new();
        HfLineWord one = {g_strdup(cases[i].first), {0, 0, 20, 16}, 0.5};
        HfLineWord other = {g_strdup(cases[i].second), {20 + cases[i].gap, 2, 20, 16}, 0.9};
        g_array_append_val(words, one);
        g_array_append_val(words, other);
        hf_line_words_join_chinese(words, 16);
        g_autofree char *text = hf_line_words_dup_text(words);
        g_assert_cmpstr(text, ==, cases[i].text);
        HfRect last = g_array_index(words, HfLineWord, words->len - 1).box;
        g_assert_cmpint(last.x + last.width, ==, 40 + cases[i].gap);
    }
}

/* Strokes above each other, from the top on: Chinese. One or two, most of them low: Latin. */
static void test_looks(void)
{
    g_autoptr(HfTextLine) dense = line_of("################", 16);
    g_autoptr(HfTextLine) sparse = line_of("################", 16);
    g_autoptr(HfTextLine) empty = line_of("................", 16);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++) {
            dense->grey[y * 16 + x] = y % 4 < 2 ? 0 : 255;
            sparse->grey[y * 16 + x] = y > 5 && y < 12 && x % 3 ? 0 : 255;
        }
    g_assert_true(hf_text_line_looks_chinese(dense));
    g_assert_false(hf_text_line_looks_chinese(sparse));
    g_assert_false(hf_text_line_looks_chinese(empty));
}

static HfLineText *new_text(const char *text, double confidence)
{
    HfLineText *made = g_atomic_rc_box_new0(HfLineText);
    HfLineWord word = {g_strdup(text), {1, 2, 30, 8}, confidence};
    made->words = hf_line_words_new();
    g_array_append_val(made->words, word);
    made->text = g_strdup(text);
    made->confidence = confidence;
    made->language = g_strdup("eng");
    return made;
}

static HfTextHash hash_of(guint64 number)
{
    return (HfTextHash){{number, number * 3}};
}

static void test_known(void)
{
    g_autoptr(HfLineText) text = new_text("Save", 0.9);
    g_assert_null(hf_line_cache_find(hash_of(1), "eng"));
    hf_line_cache_add(hash_of(1), "eng", text);
    g_autoptr(HfLineText) found = hf_line_cache_find(hash_of(1), "eng");
    g_assert_true(found == text);
    g_assert_null(hf_line_cache_find(hash_of(1), "chi_sim"));
    g_assert_null(hf_line_cache_find(hash_of(2), "eng"));
    /* What is used stays, however many others come; what is not used goes. */
    hf_line_cache_add(hash_of(7), "eng", text);
    for (guint64 i = 100; i < 100 + 3 * HF_LIMIT_LINES_KNOWN; i++) {
        g_autoptr(HfLineText) used = hf_line_cache_find(hash_of(1), "eng");
        g_assert_nonnull(used);
        hf_line_cache_add(hash_of(i), "eng", text);
    }
    g_assert_null(hf_line_cache_find(hash_of(7), "eng"));
    hf_line_cache_forget();
    g_assert_null(hf_line_cache_find(hash_of(1), "eng"));
}

static void add_line(HfOcrPage *page, HfRect box, const char *text, double confidence,
                     gboolean cached)
{
    HfOcrPageLine line = {.box = box, .cached = cached};
    line.text = text ? new_text(text, confidence) : NULL;
    g_array_append_val(page->lines, line);
}

/* A picture without any row, to fill by hand. */
static HfOcrPage *new_page(void)
{
    static guint32 pixels[64 * 64];
    g_autoptr(HfImage) image = hf_image_new_view(64, 64, 64 * 4, (guint8 *)pixels, NULL, NULL);
    HfOcrPage *page = hf_ocr_page_new(image, "auto");
    g_assert_cmpuint(page->lines->len, ==, 0);
    return page;
}

static void test_blocks_and_result(void)
{
    g_autoptr(HfOcrPage) page = new_page();
    add_line(page, (HfRect){10, 10, 200, 12}, "First line", 0.9, FALSE);
    add_line(page, (HfRect){400, 11, 90, 12}, "Button", 0.8, TRUE);
    add_line(page, (HfRect){10, 28, 180, 12}, "of a paragraph", 0.7, TRUE);
    add_line(page, (HfRect){10, 100, 180, 12}, "far below", 0.9, FALSE);
    add_line(page, (HfRect){300, 100, 12, 12}, "O", 0.3, FALSE); /* an icon */
    add_line(page, (HfRect){10, 116, 180, 30}, "a headline", 0.9, FALSE);
    add_line(page, (HfRect){10, 160, 180, 12}, NULL, 0, FALSE);
    g_autoptr(json_t) json = hf_ocr_page_to_json(page, (HfPoint){1000, 500}, HF_OCR_PAGE_WORDS);
    g_assert_cmpstr(hf_json_string(json, "text", NULL), ==,
                    "First line\nof a paragraph\nButton\nfar below\na headline");
    const json_t *blocks = json_object_get(json, "blocks");
    g_assert_cmpuint(json_array_size(blocks), ==, 4);
    const json_t *lines = json_object_get(json_array_get(blocks, 0), "lines");
    g_assert_cmpuint(json_array_size(lines), ==, 2);
    const json_t *words = json_object_get(json_array_get(lines, 0), "words");
    const json_t *place = json_object_get(json_array_get(words, 0), "bounds");
    g_assert_cmpint(hf_json_int(place, "x", 0), ==, 1000 + 10 + 1);
    g_assert_cmpint(hf_json_int(place, "y", 0), ==, 500 + 10 + 2);
    g_assert_cmpint(hf_json_int(json, "lines_cached", -1), ==, 2);
    g_assert_cmpint(hf_json_int(json, "lines_read", -1), ==, 4);
    g_assert_cmpint(hf_json_int(json, "lines_unread", -1), ==, 1);
    g_assert_true(hf_json_bool(json, "truncated", FALSE));
    g_assert_cmpstr(hf_json_string(json, "truncated_by", NULL), ==, "engine");
    g_autoptr(json_t) plain = hf_ocr_page_to_json(page, (HfPoint){0, 0}, HF_OCR_PAGE_BLOCKS);
    g_assert_null(json_object_get(json_array_get(json_object_get(plain, "blocks"), 0), "lines"));
}

/* What was read of a part of the screen is known as long as nothing was drawn. */
static void test_seen(void)
{
    static const HfRect area = {10, 20, 64, 64};
    static const struct {
        HfOcrPageView view;
        const char *language;
        gboolean known;
    } cases[] = {
        {{5, 2, 1, {10, 20, 64, 64}}, "auto", TRUE},  {{6, 2, 1, {10, 20, 64, 64}}, "auto", FALSE},
        {{5, 2, 1, {11, 20, 64, 64}}, "auto", FALSE}, {{5, 2, 1, {10, 20, 64, 64}}, "eng", FALSE},
        {{5, 3, 1, {10, 20, 64, 64}}, "auto", FALSE}, {{5, 2, 4, {10, 20, 64, 64}}, "auto", FALSE},
        {{0, 2, 1, {10, 20, 64, 64}}, "auto", FALSE}, {{5, 0, 1, {10, 20, 64, 64}}, "auto", FALSE},
    };
    HfDeadline deadline = hf_deadline_in_ms(1000, NULL);
    g_autoptr(HfOcrPage) page = new_page();
    hf_ocr_page_set_view(page, &(HfOcrPageView){5, 2, 1, area});
    g_assert_true(hf_ocr_page_read(page, &deadline, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfOcrPage) seen = hf_ocr_page_find_recent(&cases[i].view, cases[i].language);
        g_assert_true((seen != NULL) == cases[i].known);
        g_assert_true(!seen || seen->unchanged);
    }
    /* Drawn again, it looks as before. */
    g_autoptr(HfOcrPage) again = new_page();
    g_assert_true(again->unchanged);
    hf_ocr_page_set_view(again, &(HfOcrPageView){9, 2, 1, area});
    g_autoptr(HfOcrPage) later = hf_ocr_page_find_recent(&(HfOcrPageView){9, 2, 1, area}, "auto");
    g_assert_nonnull(later);
    /* What not everybody may see is not noted. */
    hf_ocr_page_set_view(again, &(HfOcrPageView){0});
    g_assert_null(hf_ocr_page_find_recent(&(HfOcrPageView){9, 2, 1, area}, "auto"));
}

/* Neither is a given picture known by what was read on the screen, nor is anybody told that it was
 * known. */
static void test_given(void)
{
    static guint32 pixels[64 * 64];
    g_autoptr(HfImage) image = hf_image_new_view(64, 64, 64 * 4, (guint8 *)pixels, NULL, NULL);
    HfDeadline deadline = hf_deadline_in_ms(1000, NULL);
    g_autoptr(HfOcrPage) screen = new_page();
    g_assert_true(hf_ocr_page_read(screen, &deadline, NULL));
    g_autoptr(HfOcrPage) given = hf_ocr_page_new_from_caller(image, "auto");
    g_assert_false(given->unchanged);
    g_assert_true(hf_ocr_page_read(given, &deadline, NULL));
    g_autoptr(HfOcrPage) again = hf_ocr_page_new_from_caller(image, "auto");
    g_assert_true(again->unchanged);
    add_line(again, (HfRect){10, 10, 200, 12}, "First line", 0.9, TRUE);
    g_autoptr(json_t) json = hf_ocr_page_to_json(again, (HfPoint){0, 0}, HF_OCR_PAGE_LINES);
    const json_t *block = json_array_get(json_object_get(json, "blocks"), 0);
    const json_t *line = json_array_get(json_object_get(block, "lines"), 0);
    g_assert_false(hf_json_bool(line, "cached", TRUE));
    g_assert_false(hf_json_bool(json, "unchanged", TRUE));
    g_assert_cmpint(hf_json_int(json, "lines_cached", -1), ==, 0);
    g_assert_cmpint(hf_json_int(json, "lines_read", -1), ==, 1);
    g_assert_null(json_object_get(json, "lines_by_shape"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/reading/languages", test_languages);
    g_test_add_func("/reading/placed", test_words_are_placed_by_their_ink);
    g_test_add_func("/reading/any-place", test_any_place_is_taken);
    g_test_add_func("/reading/chinese", test_chinese_is_joined);
    g_test_add_func("/reading/looks", test_looks);
    g_test_add_func("/reading/known", test_known);
    g_test_add_func("/reading/result", test_blocks_and_result);
    g_test_add_func("/reading/seen", test_seen);
    g_test_add_func("/reading/given", test_given);
    return g_test_run();
}
