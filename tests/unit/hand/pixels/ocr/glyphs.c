/* SPDX-License-Identifier: Apache-2.0 */
/* Tests glyph-learn.c and glyph-memory.c: what is learned from lines, and what can be read then.
 * The lines are set from a few letters of our own font. */
#include <string.h>

#include "hand/pixels/ocr/glyph-learn.h"
#include "hand/pixels/ocr/glyph-memory.h"

#define SEED   7
#define HEIGHT 10

/* Letters between bars, each as the engine calls it: 'n' and 'u' are of one shape each, the Chinese
 * one is of two. */
typedef struct Letter {
    const char *text;
    const char *rows[HEIGHT];
} Letter;

static const Letter letters[] = {
    {"a", {"", "", "####", "...#", "####", "#..#", "#..#", "####", "", ""}},
    {"n", {"", "", "###.", "#..#", "#..#", "#..#", "#..#", "#..#", "", ""}},
    {"o", {"", "", ".##.", "#..#", "#..#", "#..#", "#..#", ".##.", "", ""}},
    {"t", {"", ".#.", "###", ".#.", ".#.", ".#.", ".#.", ".##", "", ""}},
    {"l", {"", "#", "#", "#", "#", "#", "#", "#", "", ""}},
    {",", {"", "", "", "", "", "", "", "#", "#", "#"}},
    {"'", {"", "#", "#", "#", "", "", "", "", "", ""}},
    {"明",
     {"###.#####", "#.#.#...#", "###.#####", "#.#.#...#", "###.#####", "....#...#", "....#...#",
      "....#...#", "....#...#", ""}},
    {"天",
     {".#######.", "....#....", "....#....", "#########", "....#....", "...#.#...", "..#...#..",
      ".#.....#.", "#.......#", ""}},
};

static const Letter *find_letter(const char *at)
{
    for (gsize i = 0; i < G_N_ELEMENTS(letters); i++)
        if (g_str_has_prefix(at, letters[i].text))
            return &letters[i];
    g_assert_not_reached();
}

static int width_of(const Letter *letter)
{
    int width = 0;
    for (int y = 0; y < HEIGHT; y++)
        width = MAX(width, letter->rows[y] ? (int)strlen(letter->rows[y]) : 0);
    return width;
}

static void draw(HfTextLine *line, const Letter *letter, int x)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int i = 0; letter->rows[y] && letter->rows[y][i]; i++)
            if (letter->rows[y][i] == '#')
                line->grey[y * line->width + x + i] = 0;
}

/* A space is four columns, a gap between letters one, and none before a '~'. */
static HfTextLine *set(const char *text)
{
    HfTextLine *line = g_new(HfTextLine, 1);
    int width = (int)strlen(text) * 12 + 8, x = 2;
    *line = (HfTextLine){width, HEIGHT, g_malloc((gsize)width * HEIGHT)};
    memset(line->grey, 255, (gsize)width * HEIGHT);
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        if (*at == ' ') {
            x += 3;
        } else if (*at == '~') {
            x -= 1;
        } else {
            draw(line, find_letter(at), x);
            x += width_of(find_letter(at)) + 1;
        }
    }
    return line;
}

/* As an engine would read it: words between the spaces of `set`, with the texts of `read_as`. */
static void learn_with(const char *drawn, const char *read_as, double confidence)
{
    g_autoptr(HfTextLine) line = set(drawn);
    g_autoptr(GArray) words = hf_line_words_new();
    g_auto(GStrv) names = g_strsplit(read_as, " ", -1);
    g_auto(GStrv) parts = g_strsplit(drawn, " ", -1);
    int x = 2;
    for (guint i = 0; names[i]; i++) {
        g_autoptr(HfTextLine) part = set(parts[i]);
        HfRect ink;
        g_assert_true(hf_text_line_find_ink(part, 0, part->width, &ink));
        HfLineWord word = {g_strdup(names[i]), {x, ink.y, ink.width, ink.height}, confidence};
        g_array_append_val(words, word);
        x += ink.width + 4;
    }
    hf_glyphs_learn(line, words, SEED);
}

static void learn(const char *text)
{
    learn_with(text, text, 0.95);
}

/* The words that are known, "?" for a part that is not. */
static char *read_line(const char *drawn)
{
    g_autoptr(HfTextLine) line = set(drawn);
    g_auto(HfGlyphsRead) read = {0};
    GString *text = g_string_new(NULL);
    hf_glyphs_read(&read, line, SEED);
    for (guint i = 0, k = 0; i <= read.words->len; i++) {
        for (; k < read.unknowns->len && g_array_index(read.unknowns, HfUnknownSpan, k).before == i;
             k++)
            g_string_append_printf(text, "%s?", text->len ? " " : "");
        if (i < read.words->len)
            g_string_append_printf(text, "%s%s", text->len ? " " : "",
                                   g_array_index(read.words, HfLineWord, i).text);
    }
    return g_string_free(text, FALSE);
}

static void assert_read(const char *drawn, const char *wanted)
{
    g_autofree char *read = read_line(drawn);
    g_assert_cmpstr(read, ==, wanted);
}

/* Enough of it for gaps and letters to be known. */
static void learn_all(void)
{
    hf_glyph_memory_forget();
    for (int i = 0; i < 12; i++) {
        learn("not a lot");
        learn("no tan loan");
        learn("at noon, all");
    }
}

static void test_new_words(void)
{
    static const struct {
        const char *drawn, *read;
    } cases[] = {
        {"not a lot", "not a lot"},
        {"tall on lano", "tall on lano"},
        {"on'to", "?"}, /* never seen: the part that has it is left */
        {"a loan', not", "a ? not"},
        {"on an 明 not", "on an ? not"},
        {"not, a", "not, a"},
        {"", ""},
    };
    learn_all();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_read(cases[i].drawn, cases[i].read);
}

static void test_once_is_not_enough(void)
{
    hf_glyph_memory_forget();
    assert_read("not", "?");
    learn("not");
    assert_read("not", "?");
    learn("not");
    learn("not");
    assert_read("not", "not");
}

static void test_doubt(void)
{
    hf_glyph_memory_forget();
    for (int i = 0; i < 9; i++)
        learn_with("oat", i % 3 ? "oat" : "eat", 0.9);
    assert_read("oat", "?"); /* the first letter is called two things */
    hf_glyph_memory_forget();
    for (int i = 0; i < 9; i++)
        learn_with("oat", "oat", 0.5);
    assert_read("oat", "?"); /* nobody was sure */
}

static void test_languages_are_apart(void)
{
    learn_all();
    g_autoptr(HfTextLine) line = set("not");
    g_auto(HfGlyphsRead) read = {0};
    hf_glyphs_read(&read, line, SEED + 1);
    g_assert_cmpuint(read.words->len, ==, 0);
    g_assert_cmpuint(read.unknowns->len, ==, 1);
}

static void test_places(void)
{
    learn_all();
    g_autoptr(HfTextLine) line = set("a lot");
    g_auto(HfGlyphsRead) read = {0};
    hf_glyphs_read(&read, line, SEED);
    g_assert_cmpuint(read.words->len, ==, 2);
    HfRect first = g_array_index(read.words, HfLineWord, 0).box;
    HfRect second = g_array_index(read.words, HfLineWord, 1).box;
    g_assert_true(hf_rect_equal(first, (HfRect){2, 2, 4, 6}));
    g_assert_true(hf_rect_equal(second, (HfRect){10, 1, 10, 7}));
}

/* Letters that touch are one shape: what is known around them tells which. */
static void test_touching(void)
{
    learn_all();
    for (int i = 0; i < 3; i++)
        learn_with("ta~nt", "tant", 0.95);
    assert_read("a~n", "an");
}

/* A comma is no apostrophe, though they are drawn alike. */
static void test_marks(void)
{
    learn_all();
    for (int i = 0; i < 3; i++)
        learn("not' on");
    assert_read("not, not'", "not, not'");
}

/* One letter of a known word that is certain to be another is mended; words put together are
 * parted. */
static void test_mending(void)
{
    static const struct {
        const char *drawn, *read_as, *mended;
    } cases[] = {
        {"noon", "naon", "noon"},
        {"tan", "tan", "tan"},
        {"tall", "taIl", "taIl"}, /* only an engine knows l from I */
        {"not a", "nota", "not a"},
    };
    for (int i = 0; i < 4; i++)
        learn_all();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfTextLine) line = set(cases[i].drawn);
        g_autoptr(GArray) words = hf_line_words_new();
        HfLineWord word = {g_strdup(cases[i].read_as), {0, 0, 0, 0}, 0.9};
        g_assert_true(hf_text_line_find_ink(line, 0, line->width, &word.box));
        g_array_append_val(words, word);
        hf_glyphs_learn(line, words, SEED);
        g_autofree char *text = hf_line_words_dup_text(words);
        g_assert_cmpstr(text, ==, cases[i].mended);
    }
}

static void test_chinese(void)
{
    hf_glyph_memory_forget();
    assert_read("明天天明", "?");
    for (int i = 0; i < 2; i++)
        learn("天明明天");
    assert_read("明天天明", "明天天明");
    assert_read("天", "天");
    assert_read("天 明", "天明"); /* as terminals set them, far apart */
    assert_read("天   明", "天 明");
}

static void test_hostile(void)
{
    hf_glyph_memory_forget();
    g_autofree char *endless = g_strnfill(400, 'a');
    learn(endless);
    learn_with("not", "awordthatisfartoolongforthreeletters,asenginestellit", 0.9);
    learn_with("lot", "", 0.9);
    hf_glyph_memory_vote(1, "a text that is longer than a meaning may be", 9);
    HfGlyphMeaning meaning;
    g_assert_false(hf_glyph_memory_find(1, &meaning));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/letter-shapes/new-words", test_new_words);
    g_test_add_func("/letter-shapes/once-is-not-enough", test_once_is_not_enough);
    g_test_add_func("/letter-shapes/doubt", test_doubt);
    g_test_add_func("/letter-shapes/languages", test_languages_are_apart);
    g_test_add_func("/letter-shapes/places", test_places);
    g_test_add_func("/letter-shapes/touching", test_touching);
    g_test_add_func("/letter-shapes/marks", test_marks);
    g_test_add_func("/letter-shapes/mending", test_mending);
    g_test_add_func("/letter-shapes/chinese", test_chinese);
    g_test_add_func("/letter-shapes/hostile", test_hostile);
    return g_test_run();
}
