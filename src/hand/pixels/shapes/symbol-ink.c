/* SPDX-License-Identifier: Apache-2.0 */
/* What differs from the ground is ink. What touches the edge of the box is of something else: the
 * border of the button, its round corners, the next icon. The rest is fitted into a square. */
#include "hand/pixels/shapes/symbol-ink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger is a picture, and smaller a dot. */
#define MOST_EDGE  96
#define LEAST_EDGE 7
/* Less contrast is none. */
#define LEAST_CONTRAST 30
/* What is around a button's symbol: a border, and some of the room inside of it. */
#define FRAME_PX 3
/* What is taken of the ground around a symbol without a frame. */
#define AROUND_PX 2
/* More ink than this is a ground of another colour. */
#define MOST_INK 0.88
/* Less ink is none: the edge of a shadow. */
#define LEAST_INK 0.35f
/* As much of the ink as this is as dark as ink gets, in hundredth: one dark pixel is no measure. */
#define DARKEST_PERCENT 1
/* Without a frame, what touches the edge is foreign only if it is no more than this part. */
#define MOST_FOREIGN 0.3
/* Room around the drawing in its square. */
#define MARGIN 1

typedef struct Extent {
    int left, top, right, bottom;
} Extent;

/* ---- ink ---- */

/* The colour that most of it has, of 16 levels each. Without a frame only its edge is looked at:
 * there may be more ink than ground; a button has more ground, and the edge may be of what is
 * around it. */
static guint32 find_symbol_ground(const HfImage *image, HfRect box, gboolean framed)
{
    guint16 counts[4096] = {0};
    guint32 best = 0;
    guint most = 0;
    for (int y = box.y; y < box.y + box.height; y++) {
        gboolean whole = framed || y == box.y || y == box.y + box.height - 1;
        for (int x = box.x; x < box.x + box.width; x += whole ? 1 : MAX(1, box.width - 1)) {
            guint32 pixel = hf_image_row(image, y)[x];
            guint32 bin = (pixel >> 12 & 0xf00) | (pixel >> 8 & 0xf0) | (pixel >> 4 & 0xf);
            if (++counts[bin] > most) {
                most = counts[bin];
                best = pixel;
            }
        }
    }
    return best;
}

static int colour_contrast(guint32 a, guint32 b)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8)
        most = MAX(most, abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff)));
    return most;
}

/* What few pixels exceed. */
static int darkest_of(const int *counts)
{
    int all = 0, seen = 0, level = 255;
    for (int i = LEAST_CONTRAST / 2; i < 256; i++)
        all += counts[i];
    for (; level > 0 && seen * 100 <= all * DARKEST_PERCENT; level--)
        seen += counts[level];
    return level + 1;
}

static gboolean measure_symbol_ink(const HfImage *image, HfRect box, gboolean framed, float *ink)
{
    guint32 ground = find_symbol_ground(image, box, framed);
    int counts[256] = {0};
    double all = 0;
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++) {
            int level = colour_contrast(hf_image_row(image, box.y + y)[box.x + x], ground);
            ink[y * box.width + x] = (float)level;
            counts[level]++;
        }
    int most = darkest_of(counts);
    for (int i = 0; i < box.width * box.height; i++) {
        ink[i] = MIN(1, ink[i] / (float)most);
        all += ink[i];
    }
    return most >= LEAST_CONTRAST && all < MOST_INK * box.width * box.height;
}

/* ---- what is not of the drawing ---- */

/* Marks what is joined with the ink at this place. */
static void mark_connected_ink(const float *ink, int columns, int rows, int from, guint8 *marks,
                               int *stack)
{
    int count = 0;
    if (marks[from] || ink[from] < LEAST_INK)
        return;
    marks[from] = 1;
    stack[count++] = from;
    while (count > 0) {
        int at = stack[--count], x = at % columns, y = at / columns;
        for (int k = 0; k < 9; k++) {
            int column = x + k % 3 - 1, row = y + k / 3 - 1, next = row * columns + column;
            if (column < 0 || row < 0 || column >= columns || row >= rows || marks[next] ||
                ink[next] < LEAST_INK)
                continue;
            marks[next] = 1;
            stack[count++] = next;
        }
    }
}

static void mark_edges(const float *ink, int columns, int rows, guint8 *marks)
{
    g_autofree int *stack = g_new(int, columns *rows);
    for (int x = 0; x < columns; x++) {
        mark_connected_ink(ink, columns, rows, x, marks, stack);
        mark_connected_ink(ink, columns, rows, (rows - 1) * columns + x, marks, stack);
    }
    for (int y = 0; y < rows; y++) {
        mark_connected_ink(ink, columns, rows, y * columns, marks, stack);
        mark_connected_ink(ink, columns, rows, y * columns + columns - 1, marks, stack);
    }
}

/* The neighbours of what was marked are its soft edge. */
static gboolean is_near_mark(const guint8 *marks, int columns, int rows, int at)
{
    int x = at % columns, y = at / columns;
    for (int k = 0; k < 9; k++) {
        int column = x + k % 3 - 1, row = y + k / 3 - 1;
        if (column >= 0 && row >= 0 && column < columns && row < rows &&
            marks[row * columns + column])
            return TRUE;
    }
    return FALSE;
}

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

static int longer_edge(const Extent *extent)
{
    return MAX(extent->right - extent->left, extent->bottom - extent->top) + 1;
}

/* Takes away what touches the edge, where something is left then. */
static void drop_edges(float *ink, int columns, int rows, gboolean framed)
{
    g_autofree guint8 *marks = g_new0(guint8, columns * rows);
    g_autofree float *rest = g_new(float, columns *rows);
    double all = 0, left = 0;
    Extent extent;
    mark_edges(ink, columns, rows, marks);
    for (int i = 0; i < columns * rows; i++) {
        rest[i] = is_near_mark(marks, columns, rows, i) ? 0 : ink[i];
        all += ink[i];
        left += rest[i];
    }
    gboolean enough = framed || all - left <= MOST_FOREIGN * all;
    if (enough && find_extent(rest, columns, rows, &extent) && longer_edge(&extent) >= LEAST_EDGE)
        memcpy(ink, rest, (gsize)columns * (gsize)rows * sizeof *ink);
}

/* ---- fitting ---- */

static float ink_at(const float *ink, int columns, int rows, int column, int row)
{
    return column >= 0 && row >= 0 && column < columns && row < rows ? ink[row * columns + column]
                                                                     : 0;
}

/* Between the middles of pixels. */
static float sample_ink_bilinear(const float *ink, int columns, int rows, float x, float y)
{
    int column = (int)floorf(x - 0.5f), row = (int)floorf(y - 0.5f);
    float right = x - 0.5f - (float)column, down = y - 0.5f - (float)row;
    float above = ink_at(ink, columns, rows, column, row) * (1 - right) +
                  ink_at(ink, columns, rows, column + 1, row) * right;
    float below = ink_at(ink, columns, rows, column, row + 1) * (1 - right) +
                  ink_at(ink, columns, rows, column + 1, row + 1) * right;
    return above * (1 - down) + below * down;
}

static void fit_ink_to_square(const float *ink, int columns, int rows, const Extent *extent,
                              HfSymbolInk *ret_ink)
{
    float side = (float)longer_edge(extent), step = side / (HF_SYMBOL_EDGE - 2 * MARGIN);
    float left = (float)(extent->left + extent->right + 1) / 2 - HF_SYMBOL_EDGE / 2 * step;
    float top = (float)(extent->top + extent->bottom + 1) / 2 - HF_SYMBOL_EDGE / 2 * step;
    int parts = step > 1.5f ? 4 : 2;
    for (int cell = 0; cell < HF_SYMBOL_CELLS; cell++) {
        float sum = 0;
        for (int part = 0; part < parts * parts; part++) {
            float x = (float)(cell % HF_SYMBOL_EDGE) +
                      ((float)(part % parts) + 0.5f) / (float)parts; /* in cells */
            float y =
                (float)(cell / HF_SYMBOL_EDGE) + ((float)(part / parts) + 0.5f) / (float)parts;
            sum += sample_ink_bilinear(ink, columns, rows, left + x * step, top + y * step);
        }
        ret_ink->cells[cell] = sum / (float)(parts * parts);
    }
    ret_ink->width = (float)(extent->right - extent->left + 1) / side;
    ret_ink->height = (float)(extent->bottom - extent->top + 1) / side;
}

static HfRect part_of(const HfImage *image, HfRect box, gboolean framed)
{
    int less = framed ? MIN(FRAME_PX, MIN(box.width, box.height) / 6) : -AROUND_PX;
    HfRect part = {box.x + less, box.y + less, box.width - 2 * less, box.height - 2 * less};
    return hf_rect_intersect(part, (HfRect){0, 0, image->width, image->height});
}

gboolean hf_symbol_take_ink(const HfImage *image, HfRect box, gboolean framed, HfSymbolInk *ret_ink)
{
    HfRect part = part_of(image, box, framed);
    int longer = MAX(part.width, part.height);
    Extent extent;
    if (hf_rect_is_empty(part) || longer < LEAST_EDGE || longer > MOST_EDGE)
        return FALSE;
    g_autofree float *ink = g_new(float, part.width *part.height);
    if (!measure_symbol_ink(image, part, framed, ink))
        return FALSE;
    drop_edges(ink, part.width, part.height, framed);
    if (!find_extent(ink, part.width, part.height, &extent) || longer_edge(&extent) < LEAST_EDGE)
        return FALSE;
    fit_ink_to_square(ink, part.width, part.height, &extent, ret_ink);
    return TRUE;
}
