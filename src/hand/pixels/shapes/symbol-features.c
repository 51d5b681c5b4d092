/* SPDX-License-Identifier: Apache-2.0 */
/* Edges are counted into squares that overlap, and into directions beside each other, by their
 * strength; roots make faint ones count. */
#include "hand/pixels/shapes/symbol-features.h"

#include <math.h>
#include <string.h>

#define EDGES (HF_SYMBOL_FEATURE_EDGE * HF_SYMBOL_FEATURE_EDGE * HF_SYMBOL_FEATURE_DIRECTIONS)
/* Less is noise. */
#define LEAST_EDGE 0.02f
/* So that all numbers are about as large as each other. */
#define EDGE_SCALE 10.0f

static float get_ink_cell(const HfSymbolInk *ink, int x, int y)
{
    return x >= 0 && y >= 0 && x < HF_SYMBOL_EDGE && y < HF_SYMBOL_EDGE
               ? ink->cells[y * HF_SYMBOL_EDGE + x]
               : 0;
}

/* One strength into the two nearest squares along each axis. */
static void add_edge_strength(float *edges, int x, int y, int direction, float strength)
{
    const float step = (float)HF_SYMBOL_FEATURE_EDGE / HF_SYMBOL_EDGE;
    float across = ((float)x + 0.5f) * step - 0.5f, down = ((float)y + 0.5f) * step - 0.5f;
    int column = (int)floorf(across), row = (int)floorf(down);
    for (int k = 0; k < 4; k++) {
        int to_column = column + k % 2, to_row = row + k / 2;
        float near_column = 1 - fabsf(across - (float)to_column);
        float near_row = 1 - fabsf(down - (float)to_row);
        if (to_column >= 0 && to_row >= 0 && to_column < HF_SYMBOL_FEATURE_EDGE &&
            to_row < HF_SYMBOL_FEATURE_EDGE)
            edges[(to_row * HF_SYMBOL_FEATURE_EDGE + to_column) * HF_SYMBOL_FEATURE_DIRECTIONS +
                  direction] += strength * near_column * near_row;
    }
}

static void add_edge(float *edges, int x, int y, float across, float down)
{
    float strength = sqrtf(across * across + down * down);
    if (strength < LEAST_EDGE)
        return;
    float turn = atan2f(down, across) / (2 * (float)G_PI);
    float place = (turn < 0 ? turn + 1 : turn) * HF_SYMBOL_FEATURE_DIRECTIONS;
    int direction = (int)place;
    float next = place - (float)direction;
    add_edge_strength(edges, x, y, direction % HF_SYMBOL_FEATURE_DIRECTIONS, strength * (1 - next));
    add_edge_strength(edges, x, y, (direction + 1) % HF_SYMBOL_FEATURE_DIRECTIONS, strength * next);
}

static void normalise_edge_histogram(float *edges)
{
    float sum = 1e-6f;
    for (int i = 0; i < EDGES; i++)
        sum += edges[i];
    for (int i = 0; i < EDGES; i++)
        edges[i] = sqrtf(edges[i] / sum) * EDGE_SCALE;
}

static void average_ink_cells(const HfSymbolInk *ink, float *numbers)
{
    const int step = HF_SYMBOL_EDGE / HF_SYMBOL_FEATURE_INK_EDGE;
    for (int i = 0; i < HF_SYMBOL_FEATURE_INK_EDGE * HF_SYMBOL_FEATURE_INK_EDGE; i++) {
        int x = i % HF_SYMBOL_FEATURE_INK_EDGE * step, y = i / HF_SYMBOL_FEATURE_INK_EDGE * step;
        float sum = 0;
        for (int k = 0; k < step * step; k++)
            sum += get_ink_cell(ink, x + k % step, y + k / step);
        numbers[i] = sum / (float)(step * step);
    }
}

void hf_symbol_features(const HfSymbolInk *ink, float *ret_look)
{
    memset(ret_look, 0, HF_SYMBOL_FEATURE_COUNT * sizeof *ret_look);
    for (int y = 0; y < HF_SYMBOL_EDGE; y++)
        for (int x = 0; x < HF_SYMBOL_EDGE; x++)
            add_edge(ret_look, x, y,
                     (get_ink_cell(ink, x + 1, y) - get_ink_cell(ink, x - 1, y)) / 2,
                     (get_ink_cell(ink, x, y + 1) - get_ink_cell(ink, x, y - 1)) / 2);
    normalise_edge_histogram(ret_look);
    average_ink_cells(ink, ret_look + EDGES);
    ret_look[HF_SYMBOL_FEATURE_COUNT - 2] = ink->width;
    ret_look[HF_SYMBOL_FEATURE_COUNT - 1] = ink->height;
}
