/* SPDX-License-Identifier: Apache-2.0 */
/* First the ink: what differs from the background. Ink that touches the edge of the box belongs to
 * something else: the border of the button, its round corners, the next icon. The rest is fitted
 * into a square.
 *
 * Then the features. Edges are counted into overlapping squares and neighbouring directions, by
 * their strength. Square roots make faint edges count. */
#include "hand/pixels/shapes/symbol-features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hand/pixels/shapes/flat-areas.h"

/* A larger drawing is a picture, and a smaller one a dot. */
#define MOST_SIZE  96
#define LEAST_SIZE 7
/* Less contrast is not ink. */
#define LEAST_CONTRAST 30
/* Cut off around a button's symbol: its border, and some of the room inside. */
#define FRAME_PX 3
/* Added around a symbol without a frame. */
#define AROUND_PX 2
/* More ink than this is a background of another colour. */
#define MOST_INK 0.88
/* A lower value does not count as ink: the edge of a shadow. */
#define LEAST_INK 0.35f
/* This share of the ink has full contrast, in percent: a single dark pixel is not a measure. */
#define DARKEST_PERCENT 1
/* Without a frame, ink at the edge is foreign only up to this share. */
#define MOST_FOREIGN 0.3
/* Room around the drawing in its square. */
#define MARGIN 1
/* Cells along an edge of the square: enough to tell symbols apart at 32 pixels. */
#define INK_EDGE  24
#define INK_CELLS (INK_EDGE * INK_EDGE)
/* Squares along an edge for directions, directions, and squares along an edge for ink. */
#define GRID_EDGE     8
#define DIRECTIONS    8
#define COARSE_EDGE   12
#define EDGE_FEATURES (GRID_EDGE * GRID_EDGE * DIRECTIONS)
/* Less is noise. */
#define LEAST_EDGE 0.02f
/* Brings all features to about the same size. */
#define EDGE_SCALE 10.0f

G_STATIC_ASSERT(HF_SYMBOL_FEATURE_COUNT == EDGE_FEATURES + COARSE_EDGE * COARSE_EDGE + 2);

/* How much ink is where, independent of size, place and colours. */
typedef struct SymbolInk {
    float cells[INK_CELLS]; /* from 0 to 1 */
    float width, height;    /* of the drawing, as a part of its longer edge */
} SymbolInk;

typedef struct Extent {
    int left, top, right, bottom;
} Extent;

/* ---- ink ---- */

/* The commonest colour, in 16 levels per channel. Without a frame only the edge counts, since there
 * may be more ink than background. A button has more background, and its edge may belong to its
 * surroundings. */
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

/* The contrast that only a few pixels exceed. */
static int find_full_contrast(const int *counts)
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
            int level = hf_colour_distance(hf_image_row(image, box.y + y)[box.x + x], ground);
            ink[y * box.width + x] = (float)level;
            counts[level]++;
        }
    int most = find_full_contrast(counts);
    for (int i = 0; i < box.width * box.height; i++) {
        ink[i] = MIN(1, ink[i] / (float)most);
        all += ink[i];
    }
    return most >= LEAST_CONTRAST && all < MOST_INK * box.width * box.height;
}

/* ---- foreign ink ---- */

/* Marks the ink that is connected with this place. */
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

static void mark_ink_at_edges(const float *ink, int columns, int rows, guint8 *marks)
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

/* The neighbours of marked ink are its soft edge. */
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

static gboolean find_ink_extent(const float *ink, int columns, int rows, Extent *extent)
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

/* Removes ink that touches the edge, unless nothing would be left. */
static void drop_foreign_ink(float *ink, int columns, int rows, gboolean framed)
{
    g_autofree guint8 *marks = g_new0(guint8, columns * rows);
    g_autofree float *rest = g_new(float, columns *rows);
    double all = 0, left = 0;
    Extent extent;
    mark_ink_at_edges(ink, columns, rows, marks);
    for (int i = 0; i < columns * rows; i++) {
        rest[i] = is_near_mark(marks, columns, rows, i) ? 0 : ink[i];
        all += ink[i];
        left += rest[i];
    }
    gboolean enough = framed || all - left <= MOST_FOREIGN * all;
    if (enough && find_ink_extent(rest, columns, rows, &extent) &&
        longer_edge(&extent) >= LEAST_SIZE)
        memcpy(ink, rest, (gsize)columns * (gsize)rows * sizeof *ink);
}

/* ---- fitting ---- */

static float ink_at(const float *ink, int columns, int rows, int column, int row)
{
    return column >= 0 && row >= 0 && column < columns && row < rows ? ink[row * columns + column]
                                                                     : 0;
}

/* At a place between the middles of pixels. */
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
                              SymbolInk *ret_ink)
{
    float side = (float)longer_edge(extent), step = side / (INK_EDGE - 2 * MARGIN);
    float left = (float)(extent->left + extent->right + 1) / 2 - INK_EDGE / 2 * step;
    float top = (float)(extent->top + extent->bottom + 1) / 2 - INK_EDGE / 2 * step;
    int parts = step > 1.5f ? 4 : 2;
    for (int cell = 0; cell < INK_CELLS; cell++) {
        float sum = 0;
        for (int part = 0; part < parts * parts; part++) {
            float x = (float)(cell % INK_EDGE) +
                      ((float)(part % parts) + 0.5f) / (float)parts; /* in cells */
            float y = (float)(cell / INK_EDGE) + ((float)(part / parts) + 0.5f) / (float)parts;
            sum += sample_ink_bilinear(ink, columns, rows, left + x * step, top + y * step);
        }
        ret_ink->cells[cell] = sum / (float)(parts * parts);
    }
    ret_ink->width = (float)(extent->right - extent->left + 1) / side;
    ret_ink->height = (float)(extent->bottom - extent->top + 1) / side;
}

static gboolean take_symbol_ink(const HfImage *image, HfRect box, gboolean framed,
                                SymbolInk *ret_ink)
{
    int less = framed ? MIN(FRAME_PX, MIN(box.width, box.height) / 6) : -AROUND_PX;
    HfRect part = {box.x + less, box.y + less, box.width - 2 * less, box.height - 2 * less};
    part = hf_rect_intersect(part, (HfRect){0, 0, image->width, image->height});
    int longer = MAX(part.width, part.height);
    Extent extent;
    if (hf_rect_is_empty(part) || longer < LEAST_SIZE || longer > MOST_SIZE)
        return FALSE;
    g_autofree float *ink = g_new(float, part.width *part.height);
    if (!measure_symbol_ink(image, part, framed, ink))
        return FALSE;
    drop_foreign_ink(ink, part.width, part.height, framed);
    if (!find_ink_extent(ink, part.width, part.height, &extent) ||
        longer_edge(&extent) < LEAST_SIZE)
        return FALSE;
    fit_ink_to_square(ink, part.width, part.height, &extent, ret_ink);
    return TRUE;
}

/* ---- features ---- */

static float get_ink_cell(const SymbolInk *ink, int x, int y)
{
    return x >= 0 && y >= 0 && x < INK_EDGE && y < INK_EDGE ? ink->cells[y * INK_EDGE + x] : 0;
}

/* Shares one strength among the two nearest squares along each axis. */
static void add_edge_strength(float *edges, int x, int y, int direction, float strength)
{
    const float step = (float)GRID_EDGE / INK_EDGE;
    float across = ((float)x + 0.5f) * step - 0.5f, down = ((float)y + 0.5f) * step - 0.5f;
    int column = (int)floorf(across), row = (int)floorf(down);
    for (int k = 0; k < 4; k++) {
        int to_column = column + k % 2, to_row = row + k / 2;
        float near_column = 1 - fabsf(across - (float)to_column);
        float near_row = 1 - fabsf(down - (float)to_row);
        if (to_column >= 0 && to_row >= 0 && to_column < GRID_EDGE && to_row < GRID_EDGE)
            edges[(to_row * GRID_EDGE + to_column) * DIRECTIONS + direction] +=
                strength * near_column * near_row;
    }
}

static void add_edge(float *edges, int x, int y, float across, float down)
{
    float strength = sqrtf(across * across + down * down);
    if (strength < LEAST_EDGE)
        return;
    float turn = atan2f(down, across) / (2 * (float)G_PI);
    float place = (turn < 0 ? turn + 1 : turn) * DIRECTIONS;
    int direction = (int)place;
    float next = place - (float)direction;
    add_edge_strength(edges, x, y, direction % DIRECTIONS, strength * (1 - next));
    add_edge_strength(edges, x, y, (direction + 1) % DIRECTIONS, strength * next);
}

static void normalise_edge_histogram(float *edges)
{
    float sum = 1e-6f;
    for (int i = 0; i < EDGE_FEATURES; i++)
        sum += edges[i];
    for (int i = 0; i < EDGE_FEATURES; i++)
        edges[i] = sqrtf(edges[i] / sum) * EDGE_SCALE;
}

static void average_ink_cells(const SymbolInk *ink, float *numbers)
{
    const int step = INK_EDGE / COARSE_EDGE;
    for (int i = 0; i < COARSE_EDGE * COARSE_EDGE; i++) {
        int x = i % COARSE_EDGE * step, y = i / COARSE_EDGE * step;
        float sum = 0;
        for (int k = 0; k < step * step; k++)
            sum += get_ink_cell(ink, x + k % step, y + k / step);
        numbers[i] = sum / (float)(step * step);
    }
}

gboolean hf_symbol_features(const HfImage *image, HfRect box, gboolean framed, float *ret_features)
{
    SymbolInk symbol, *ink = &symbol;
    if (!take_symbol_ink(image, box, framed, ink))
        return FALSE;
    memset(ret_features, 0, HF_SYMBOL_FEATURE_COUNT * sizeof *ret_features);
    for (int y = 0; y < INK_EDGE; y++)
        for (int x = 0; x < INK_EDGE; x++)
            add_edge(ret_features, x, y,
                     (get_ink_cell(ink, x + 1, y) - get_ink_cell(ink, x - 1, y)) / 2,
                     (get_ink_cell(ink, x, y + 1) - get_ink_cell(ink, x, y - 1)) / 2);
    normalise_edge_histogram(ret_features);
    average_ink_cells(ink, ret_features + EDGE_FEATURES);
    ret_features[HF_SYMBOL_FEATURE_COUNT - 2] = ink->width;
    ret_features[HF_SYMBOL_FEATURE_COUNT - 1] = ink->height;
    return TRUE;
}
