/* Symbols: each drawing is taken for itself at the sizes and colours of icons; what is no drawing
 * is not taken for one. */
#include "vision/symbols.h"

#include <string.h>

#include "base/data.h"
#include "base/json.h"
#include "vision/symbols-draw.h"

static guint32 mix(guint32 ground, guint32 ink, double part)
{
    guint32 pixel = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = ground >> shift & 0xff, b = ink >> shift & 0xff;
        pixel |= (guint32)(a + (b - a) * part + 0.5) << shift;
    }
    return pixel;
}

/* The mask of a drawing, painted `side` pixels large into a picture with some ground around it. */
static HfImage *paint(const char *words, int side, guint32 ground, guint32 ink)
{
    HfSymbolMask mask;
    g_assert_true(hf_symbol_draw(words, 2.4, &mask));
    HfImage *image = hf_image_new(side + 6, side + 6);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            int column = (x - 3) * HF_SYMBOL_EDGE / side, row = (y - 3) * HF_SYMBOL_EDGE / side;
            gboolean within = x >= 3 && y >= 3 && column < HF_SYMBOL_EDGE && row < HF_SYMBOL_EDGE;
            double part = within ? mask.cells[row * HF_SYMBOL_EDGE + column] : 0;
            hf_image_row(image, y)[x] = mix(ground, ink, MIN(1, part * 1.4));
        }
    return image;
}

static const struct {
    int side;
    guint32 ground, ink;
} looks[] = {{24, 0xffffff, 0x202020}, {16, 0x2a3a5c, 0xffffff}, {40, 0xf0f0f0, 0x2060c0}};

static void test_each_is_itself(void)
{
    g_autoptr(json_t) json = json_loads(hf_data_find("symbols.json"), 0, NULL);
    json_t *all = json_object_get(json, "symbols"), *each;
    size_t i;
    int tried = 0, right = 0;
    json_array_foreach (all, i, each) {
        const char *name = json_string_value(json_array_get(each, 0));
        for (gsize k = 0; k < G_N_ELEMENTS(looks); k++) {
            g_autoptr(HfImage) image = paint(json_string_value(json_array_get(each, 1)),
                                             looks[k].side, looks[k].ground, looks[k].ink);
            HfSymbolGuess guesses[3];
            int count = hf_symbols_guess(image, (HfRect){0, 0, image->width, image->height}, FALSE,
                                         guesses, 3);
            tried++;
            right += count > 0 && strcmp(guesses[0].name, name) == 0;
            if (count == 0 || strcmp(guesses[0].name, name) != 0)
                g_test_message("%s at %d is taken for %s", name, looks[k].side,
                               count > 0 ? guesses[0].name : "nothing");
        }
    }
    g_test_message("%d of %d", right, tried);
    g_assert_cmpint(right * 100, >=, tried * 95);
}

static void test_every_drawing_is_understood(void)
{
    g_autoptr(json_t) json = json_loads(hf_data_find("symbols.json"), 0, NULL);
    size_t count = json_array_size(json_object_get(json, "symbols"));
    g_assert_cmpint(hf_symbols_count(), ==, (int)count * 2);
    g_assert_cmpstr(hf_symbols_name(0), ==, "gear");
    HfSymbolMask mask;
    g_assert_false(hf_symbol_draw("circle 1 2 3", 2, &mask));
    g_assert_false(hf_symbol_draw("line 1 2 x 4", 2, &mask));
    g_assert_false(hf_symbol_draw("ring 1 2", 2, &mask));
    g_assert_false(hf_symbol_draw("", 2, &mask));
}

static void test_what_is_no_symbol(void)
{
    HfSymbolGuess guesses[3];
    g_autoptr(HfImage) image = hf_image_new(30, 30);
    HfRect all = {0, 0, 30, 30};
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 30; x++)
            hf_image_row(image, y)[x] = 0xeeeeee;
    g_assert_cmpint(hf_symbols_guess(image, all, FALSE, guesses, 3), ==, 0);
    g_assert_cmpint(hf_symbols_guess(image, (HfRect){20, 20, 400, 400}, FALSE, guesses, 3), ==, 0);
    g_assert_cmpint(hf_symbols_guess(image, (HfRect){-50, 0, 20, 20}, FALSE, guesses, 3), ==, 0);
    guint32 dice = 3;
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 30; x++) {
            dice = dice * 1664525u + 1013904223u;
            hf_image_row(image, y)[x] = dice >> 31 ? 0xffffff : 0x000000;
        }
    /* Noise is an even square, at most. */
    if (hf_symbols_guess(image, all, FALSE, guesses, 3) > 0 && guesses[0].likeness > 0.7)
        g_assert_cmpstr(guesses[0].name, ==, "stop");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/symbols/itself", test_each_is_itself);
    g_test_add_func("/symbols/words", test_every_drawing_is_understood);
    g_test_add_func("/symbols/other", test_what_is_no_symbol);
    return g_test_run();
}
