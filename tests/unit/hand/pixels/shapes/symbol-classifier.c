/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols: icons of sets that nothing was learnt from are recognised, small and large, dark on
 * light and light on dark, with a frame and without; what is no symbol is seldom named. */
#include "hand/pixels/shapes/symbol-classifier.h"

#include <string.h>

#include "hand/locate/name-match.h"
#include "shared/base/json.h"

/* From here on a name is relied on (hand/locate/scene.c). */
#define CONFIDENT 0.8

static guint32 mix(guint32 ground, guint32 ink, double part)
{
    guint32 pixel = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = ground >> shift & 0xff, b = ink >> shift & 0xff;
        pixel |= (guint32)(a + (b - a) * part + 0.5) << shift;
    }
    return pixel;
}

typedef struct Look {
    int side; /* of the icon */
    int room; /* around it */
    guint32 ground, ink;
    gboolean framed;
} Look;

static const Look looks[] = {
    {20, 3, 0xffffff, 0x202020, FALSE}, {20, 5, 0x2a3a5c, 0xffffff, FALSE},
    {30, 3, 0xf0f0f0, 0x2060c0, FALSE}, {16, 3, 0xffffff, 0x606060, FALSE},
    {20, 9, 0xffffff, 0x202020, TRUE},
};

static double grey_at(const guint8 *greys, int size, int x, int y)
{
    if (x < 0 || y < 0 || x >= size || y >= size)
        return 0;
    int place = y * size + x;
    return (place % 2 ? greys[place / 2] & 15 : greys[place / 2] >> 4) / 15.0;
}

/* The part of ink in one pixel of the icon at another size: the mean over what it covers. */
static double part_at(const guint8 *greys, int size, int side, int x, int y)
{
    const int fine = 4;
    double sum = 0;
    for (int k = 0; k < fine * fine; k++)
        sum += grey_at(greys, size, (x * fine + k % fine) * size / (side * fine),
                       (y * fine + k / fine) * size / (side * fine));
    return sum / (fine * fine);
}

/* A button has a border, and corners of another colour. */
static gboolean is_border(const HfImage *image, int x, int y)
{
    int across = MIN(x, image->width - 1 - x), down = MIN(y, image->height - 1 - y);
    return across == 0 || down == 0 || across + down < 4;
}

static HfImage *paint(const guint8 *greys, int size, const Look *look)
{
    HfImage *image = hf_image_new(look->side + 2 * look->room, look->side + 2 * look->room);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            int column = x - look->room, row = y - look->room;
            gboolean within = MIN(column, row) >= 0 && MAX(column, row) < look->side;
            double part = within ? part_at(greys, size, look->side, column, row) : 0;
            if (look->framed && is_border(image, x, y))
                part = 0.6;
            hf_image_row(image, y)[x] = mix(look->ground, look->ink, part);
        }
    return image;
}

typedef struct Score {
    int own, first, third, misnamed; /* icons of known symbols */
    int foreign, named;              /* others */
} Score;

static void count(Score *score, const char *name, const HfSymbolGuess *guesses, int found)
{
    gboolean sure = found > 0 && guesses[0].likelihood >= CONFIDENT;
    if (!*name) {
        score->foreign++;
        score->named += sure;
        return;
    }
    gboolean first = found > 0 && strcmp(guesses[0].name, name) == 0, third = FALSE;
    for (int i = 0; i < found; i++)
        third |= strcmp(guesses[i].name, name) == 0;
    score->own++;
    score->first += first;
    score->third += third;
    score->misnamed += sure && !first;
}

static json_t *load_held_out(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("HF_TEST_SOURCE"), "unit", "data", "symbols.json", NULL);
    json_t *json = json_load_file(path, 0, NULL);
    g_assert_nonnull(json);
    return json;
}

static Score try_look(const json_t *icons, int size, const Look *look)
{
    Score score = {0};
    size_t i;
    json_t *each;
    json_array_foreach (icons, i, each) {
        gsize length;
        g_autofree guint8 *greys =
            g_base64_decode(json_string_value(json_array_get(each, 2)), &length);
        g_assert_cmpint((int)length, ==, size * size / 2);
        g_autoptr(HfImage) image = paint(greys, size, look);
        int edge = look->framed ? 0 : 2;
        HfRect box = {edge, edge, image->width - 2 * edge, image->height - 2 * edge};
        HfSymbolGuess guesses[3];
        int found = hf_symbols_guess(image, box, look->framed, guesses, 3);
        count(&score, json_string_value(json_array_get(each, 0)), guesses, found);
    }
    return score;
}

static void test_held_out(void)
{
    g_autoptr(json_t) json = load_held_out();
    for (gsize k = 0; k < G_N_ELEMENTS(looks); k++) {
        Score score = try_look(json_object_get(json, "icons"),
                               (int)json_integer_value(json_object_get(json, "size")), &looks[k]);
        g_test_message(
            "at %d%s: %d of %d first, %d among three, %d misnamed; %d of %d others named",
            looks[k].side, looks[k].framed ? ", framed" : "", score.first, score.own, score.third,
            score.misnamed, score.named, score.foreign);
        gboolean blurred = looks[k].side != 20; /* it was kept at 20 pixels, and is made of that */
        g_assert_cmpint(score.first * 100, >=, score.own * (blurred ? 82 : 86));
        g_assert_cmpint(score.third * 100, >=, score.own * (blurred ? 90 : 92));
        g_assert_cmpint(score.misnamed * 100, <=, score.own * 4);
        g_assert_cmpint(score.named * 100, <=, score.foreign * 9);
    }
}

static void test_all_have_words(void)
{
    g_assert_cmpint(hf_symbols_count(), >=, 250);
    g_assert_cmpstr(hf_symbols_name(0), ==, "gear");
    for (int i = 0; i < hf_symbols_count(); i++) {
        if (!hf_synonyms_find(hf_symbols_name(i)))
            g_error("%s is in no group of data/synonyms.json", hf_symbols_name(i));
    }
}

static void fill(HfImage *image, guint32 colour)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            hf_image_row(image, y)[x] = colour;
}

static void test_what_is_nothing(void)
{
    HfSymbolGuess guesses[3];
    g_autoptr(HfImage) image = hf_image_new(30, 30);
    fill(image, 0xeeeeee);
    static const HfRect boxes[] = {
        {0, 0, 30, 30},     /* of one colour */
        {20, 20, 400, 400}, /* beyond the picture, of which one colour is left */
        {-50, 0, 20, 20},   /* outside */
        {0, 0, 0, 0},       /* empty */
        {10, 10, -5, 4},    /* turned inside out */
        {0, 0, 5, 5},       /* too small */
        {-900, -900, 4000, 4000},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(boxes); i++)
        for (int framed = 0; framed < 2; framed++)
            g_assert_cmpint(hf_symbols_guess(image, boxes[i], framed, guesses, 3), ==, 0);
}

static void test_noise_is_no_symbol(void)
{
    HfSymbolGuess guesses[3];
    guint32 dice = 3;
    int named = 0;
    for (int round = 0; round < 50; round++) {
        g_autoptr(HfImage) image = hf_image_new(30, 30);
        for (int i = 0; i < 900; i++) {
            dice = dice * 1664525u + 1013904223u;
            hf_image_row(image, i / 30)[i % 30] = dice >> 31 ? 0xffffff : 0x000000;
        }
        int found = hf_symbols_guess(image, (HfRect){0, 0, 30, 30}, FALSE, guesses, 3);
        named += found > 0 && guesses[0].likelihood >= CONFIDENT;
    }
    g_assert_cmpint(named, <=, 1);
}

/* The best come first, no more than asked for, and what they add up to is no more than all. */
static void test_order(void)
{
    g_autoptr(json_t) json = load_held_out();
    json_t *icons = json_object_get(json, "icons");
    for (size_t i = 0; i < 20; i++) {
        gsize length;
        g_autofree guint8 *greys = g_base64_decode(
            json_string_value(json_array_get(json_array_get(icons, i), 2)), &length);
        g_autoptr(HfImage) image = paint(greys, 20, &looks[0]);
        HfSymbolGuess guesses[8];
        HfRect box = {2, 2, 22, 22};
        int found = hf_symbols_guess(image, box, FALSE, guesses, 8);
        double sum = 0;
        g_assert_cmpint(found, <=, 8);
        for (int k = 0; k < found; k++) {
            sum += guesses[k].likelihood;
            g_assert_true(k == 0 || guesses[k].likelihood <= guesses[k - 1].likelihood);
        }
        g_assert_cmpfloat(sum, <=, 1.001);
        g_assert_cmpint(hf_symbols_guess(image, box, FALSE, guesses, 1), <=, 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/symbols/held-out", test_held_out);
    g_test_add_func("/symbols/words", test_all_have_words);
    g_test_add_func("/symbols/nothing", test_what_is_nothing);
    g_test_add_func("/symbols/noise", test_noise_is_no_symbol);
    g_test_add_func("/symbols/order", test_order);
    return g_test_run();
}
