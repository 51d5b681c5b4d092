/* What differs from the ground is ink. It is fitted into a mask and correlated with the masks of
 * all drawings, in thin and in thick strokes. */
#include "vision/symbols.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json.h"
#include "vision/symbols-draw.h"

/* Larger is a picture, and smaller a dot. */
#define MOST_EDGE  96
#define LEAST_EDGE 7
/* Less contrast is none. */
#define LEAST_CONTRAST 36
/* What is around a button's symbol: a border, and the room inside of it. */
#define FRAME_PX 5
/* What is taken of the ground around a symbol without a frame. */
#define AROUND_PX 2
/* More ink than this is a ground of another colour. */
#define MOST_INK 0.85

static const double widths[] = {2, 3.4};

typedef struct Symbol {
    const char *name;
    HfSymbolMask mask; /* less its mean, of length 1 */
} Symbol;

/* ---- the drawings ---- */

static void normalise(HfSymbolMask *mask)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < HF_SYMBOL_CELLS; i++)
        sum += mask->cells[i];
    for (int i = 0; i < HF_SYMBOL_CELLS; i++) {
        mask->cells[i] -= (float)(sum / HF_SYMBOL_CELLS);
        squares += mask->cells[i] * mask->cells[i];
    }
    for (int i = 0; i < HF_SYMBOL_CELLS; i++)
        mask->cells[i] /= (float)MAX(1e-6, sqrt(squares));
}

static GArray *load(void)
{
    GArray *symbols = g_array_new(FALSE, FALSE, sizeof(Symbol));
    g_autoptr(json_t) json = json_loads(hf_data_find("symbols.json"), 0, NULL);
    size_t i;
    json_t *each;
    json_array_foreach (json_object_get(json, "symbols"), i, each)
        for (gsize k = 0; k < G_N_ELEMENTS(widths); k++) {
            Symbol symbol = {g_intern_string(json_string_value(json_array_get(each, 0))), {{0}}};
            if (!hf_symbol_draw(json_string_value(json_array_get(each, 1)), widths[k],
                                &symbol.mask))
                continue;
            normalise(&symbol.mask);
            g_array_append_val(symbols, symbol);
        }
    return symbols;
}

static const GArray *get_symbols(void)
{
    static gsize symbols;
    if (g_once_init_enter(&symbols))
        g_once_init_leave(&symbols, (gsize)load());
    return (const GArray *)symbols;
}

int hf_symbols_count(void)
{
    return (int)get_symbols()->len;
}

const char *hf_symbols_name(int index)
{
    return g_array_index(get_symbols(), Symbol, index).name;
}

/* ---- what is on the screen ---- */

/* The colour that most of its edge has, of 16 levels each: there may be more ink than ground. */
static guint32 ground_of(const HfImage *image, HfRect box)
{
    g_autofree guint *counts = g_new0(guint, 4096);
    guint32 best = 0;
    guint most = 0;
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++) {
            gboolean edge = x == box.x || y == box.y || x == box.x + box.width - 1 ||
                            y == box.y + box.height - 1;
            guint32 pixel = hf_image_row(image, y)[x];
            if (!edge)
                continue;
            guint32 bin = (pixel >> 12 & 0xf00) | (pixel >> 8 & 0xf0) | (pixel >> 4 & 0xf);
            if (++counts[bin] > most) {
                most = counts[bin];
                best = pixel;
            }
        }
    return best;
}

static int contrast(guint32 a, guint32 b)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8)
        most = MAX(most, abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff)));
    return most;
}

static gboolean take_ink(const HfImage *image, HfRect box, float *ink)
{
    guint32 ground = ground_of(image, box);
    int most = 0;
    double all = 0;
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++)
            most = MAX(most, contrast(hf_image_row(image, box.y + y)[box.x + x], ground));
    if (most < LEAST_CONTRAST)
        return FALSE;
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++) {
            float part =
                (float)contrast(hf_image_row(image, box.y + y)[box.x + x], ground) / (float)most;
            ink[y * box.width + x] = MIN(1, part * 1.25f);
            all += ink[y * box.width + x];
        }
    return all < MOST_INK * box.width * box.height;
}

static HfRect inside(const HfImage *image, HfRect box, gboolean framed)
{
    int less = framed ? MIN(FRAME_PX, MIN(box.width, box.height) / 5) : -AROUND_PX;
    HfRect part = {box.x + less, box.y + less, box.width - 2 * less, box.height - 2 * less};
    return hf_rect_intersect(part, (HfRect){0, 0, image->width, image->height});
}

static void add_guess(HfSymbolGuess *guesses, int *count, int most, HfSymbolGuess guess)
{
    for (int i = 0; i < *count; i++)
        if (guesses[i].name == guess.name) {
            guesses[i].likeness = MAX(guesses[i].likeness, guess.likeness);
            return;
        }
    if (*count < most)
        guesses[(*count)++] = guess;
    else if (guess.likeness > guesses[most - 1].likeness)
        guesses[most - 1] = guess;
}

static int compare(const void *a, const void *b)
{
    double left = ((const HfSymbolGuess *)a)->likeness,
           right = ((const HfSymbolGuess *)b)->likeness;
    return (right > left) - (right < left);
}

int hf_symbols_guess(const HfImage *image, HfRect box, gboolean framed, HfSymbolGuess *ret_guesses,
                     int most)
{
    HfRect part = inside(image, box, framed);
    HfSymbolMask mask;
    int count = 0;
    if (MAX(part.width, part.height) < LEAST_EDGE || MAX(part.width, part.height) > MOST_EDGE ||
        hf_rect_is_empty(part))
        return 0;
    g_autofree float *ink = g_new0(float, (gsize)part.width *(gsize)part.height);
    if (!take_ink(image, part, ink) || !hf_symbol_mask(ink, part.width, part.height, &mask))
        return 0;
    normalise(&mask);
    for (guint i = 0; i < get_symbols()->len; i++) {
        const Symbol *symbol = &g_array_index(get_symbols(), Symbol, i);
        double product = 0;
        for (int k = 0; k < HF_SYMBOL_CELLS; k++)
            product += mask.cells[k] * symbol->mask.cells[k];
        add_guess(ret_guesses, &count, most, (HfSymbolGuess){symbol->name, product});
        qsort(ret_guesses, (size_t)count, sizeof *ret_guesses, compare);
    }
    return count;
}
