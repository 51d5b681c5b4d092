/* A drawing is a list of strokes, fills and erasures, one over the other. Each point of a fine grid
 * is tried against them; what is inked is then fitted into a mask as anything on the screen is. */
#include "vision/symbols-draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points along an edge of the fine grid, and how far it reaches from the middle. */
#define FINE  60
#define REACH 14.0
/* Numbers of one word. */
#define MOST 40
/* Less ink is none: the edge of a shadow. */
#define LEAST_INK 0.35f

typedef struct Word {
    const char *name;
    double numbers[MOST];
    int count;
} Word;

static double to_segment(double x, double y, const double *from)
{
    double dx = from[2] - from[0], dy = from[3] - from[1];
    double length = dx * dx + dy * dy;
    double along = length > 0 ? ((x - from[0]) * dx + (y - from[1]) * dy) / length : 0;
    along = CLAMP(along, 0, 1);
    return hypot(x - from[0] - along * dx, y - from[1] - along * dy);
}

static gboolean on_line(const Word *word, double x, double y, double half)
{
    for (int i = 0; i + 3 < word->count; i += 2)
        if (to_segment(x, y, word->numbers + i) <= half)
            return TRUE;
    return FALSE;
}

static gboolean in_polygon(const Word *word, double x, double y)
{
    gboolean inside = FALSE;
    int corners = word->count / 2;
    for (int i = 0, k = corners - 1; i < corners; k = i++) {
        const double *a = word->numbers + i * 2, *b = word->numbers + k * 2;
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            inside = !inside;
    }
    return inside;
}

static gboolean on_arc(const double *arc, double x, double y, double half)
{
    double angle = atan2(y - arc[1], x - arc[0]) * 180 / G_PI;
    if (fabs(hypot(x - arc[0], y - arc[1]) - arc[2]) > half)
        return FALSE;
    while (angle < arc[3])
        angle += 360;
    return angle <= arc[4];
}

static gboolean in_gear(const double *gear, double x, double y)
{
    double far = hypot(x, y), angle = atan2(y, x);
    return far <= gear[0] + gear[2] * (cos(gear[1] * angle) > 0.1);
}

/* Whether this word puts ink there (1), takes it away (-1), or does nothing. */
static int effect_of(const Word *word, double x, double y, double half)
{
    const double *n = word->numbers;
    if (strcmp(word->name, "line") == 0)
        return on_line(word, x, y, half);
    if (strcmp(word->name, "fill") == 0)
        return in_polygon(word, x, y);
    if (strcmp(word->name, "erase") == 0)
        return -in_polygon(word, x, y);
    if (strcmp(word->name, "ring") == 0)
        return fabs(hypot(x - n[0], y - n[1]) - n[2]) <= half;
    if (strcmp(word->name, "disc") == 0)
        return hypot(x - n[0], y - n[1]) <= n[2];
    if (strcmp(word->name, "hole") == 0)
        return -(hypot(x - n[0], y - n[1]) <= n[2]);
    return strcmp(word->name, "arc") == 0 ? on_arc(n, x, y, half) : in_gear(n, x, y);
}

static int least_numbers(const char *name)
{
    static const struct {
        const char *name;
        int count;
    } words[] = {{"line", 4}, {"fill", 6}, {"erase", 6}, {"ring", 3},
                 {"disc", 3}, {"hole", 3}, {"arc", 5},   {"gear", 3}};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].name, name) == 0)
            return words[i].count;
    return -1;
}

static gboolean read_word(char **parts, Word *word)
{
    word->name = parts[0];
    for (int i = 1; parts[i]; i++) {
        char *end;
        if (word->count == MOST)
            return FALSE;
        word->numbers[word->count++] = g_ascii_strtod(parts[i], &end);
        if (*end || end == parts[i])
            return FALSE;
    }
    int least = least_numbers(word->name);
    return least > 0 && word->count >= least;
}

static void ink_word(const Word *word, double half, float *ink)
{
    for (int y = 0; y < FINE; y++)
        for (int x = 0; x < FINE; x++) {
            int effect = effect_of(word, ((x + 0.5) / FINE * 2 - 1) * REACH,
                                   ((y + 0.5) / FINE * 2 - 1) * REACH, half);
            if (effect)
                ink[y * FINE + x] = effect > 0;
        }
}

gboolean hf_symbol_draw(const char *words, double width, HfSymbolMask *ret_mask)
{
    g_autofree float *ink = g_new0(float, FINE *FINE);
    g_auto(GStrv) all = g_strsplit(words, ";", -1);
    for (char **each = all; *each; each++) {
        g_auto(GStrv) parts = g_strsplit(g_strstrip(*each), " ", -1);
        Word word = {0};
        if (!parts[0] || !read_word(parts, &word))
            return FALSE;
        ink_word(&word, width / 2, ink);
    }
    return hf_symbol_mask(ink, FINE, FINE, ret_mask);
}

/* ---- fitting ---- */

typedef struct Extent {
    int left, top, right, bottom;
} Extent;

static gboolean find_extent(const float *ink, int columns, int rows, Extent *extent)
{
    *extent = (Extent){columns, rows, -1, -1};
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            if (ink[y * columns + x] >= LEAST_INK) {
                extent->left = MIN(extent->left, x);
                extent->top = MIN(extent->top, y);
                extent->right = MAX(extent->right, x);
                extent->bottom = MAX(extent->bottom, y);
            }
    return extent->right >= extent->left;
}

static float sample(const float *ink, int columns, int rows, double x, double y)
{
    int column = (int)floor(x), row = (int)floor(y);
    return column >= 0 && row >= 0 && column < columns && row < rows ? ink[row * columns + column]
                                                                     : 0;
}

static void blur(const float *from, float *to)
{
    for (int y = 0; y < HF_SYMBOL_EDGE; y++)
        for (int x = 0; x < HF_SYMBOL_EDGE; x++) {
            float sum = 0;
            for (int k = 0; k < 9; k++) {
                int column = x + k % 3 - 1, row = y + k / 3 - 1;
                if (column >= 0 && row >= 0 && column < HF_SYMBOL_EDGE && row < HF_SYMBOL_EDGE)
                    sum += from[row * HF_SYMBOL_EDGE + column] * (float)((k % 3 == 1) + 1) *
                           (float)((k / 3 == 1) + 1);
            }
            to[y * HF_SYMBOL_EDGE + x] = sum / 16;
        }
}

gboolean hf_symbol_mask(const float *ink, int columns, int rows, HfSymbolMask *ret_mask)
{
    Extent extent;
    HfSymbolMask plain = {{0}};
    if (!find_extent(ink, columns, rows, &extent))
        return FALSE;
    double side = MAX(extent.right - extent.left, extent.bottom - extent.top) + 1;
    double step = side / (HF_SYMBOL_EDGE - 2);
    double left = (extent.left + extent.right + 1) / 2.0 - HF_SYMBOL_EDGE / 2.0 * step;
    double top = (extent.top + extent.bottom + 1) / 2.0 - HF_SYMBOL_EDGE / 2.0 * step;
    for (int i = 0; i < HF_SYMBOL_CELLS * 16; i++) {
        int cell = i / 16, part = i % 16;
        double x = left + (cell % HF_SYMBOL_EDGE + (part % 4 + 0.5) / 4) * step;
        double y = top + ((double)(cell / HF_SYMBOL_EDGE) + (part / 4 + 0.5) / 4) * step;
        plain.cells[cell] += sample(ink, columns, rows, x, y) / 16;
    }
    blur(plain.cells, ret_mask->cells);
    return TRUE;
}
