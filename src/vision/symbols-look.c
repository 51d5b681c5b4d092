/* Edges are counted into squares that overlap, and into directions beside each other, by their
 * strength; roots make faint ones count. */
#include "vision/symbols-look.h"

#include <math.h>
#include <string.h>

#define EDGES (HF_LOOK_EDGE * HF_LOOK_EDGE * HF_LOOK_DIRECTIONS)
/* Less is noise. */
#define LEAST_EDGE 0.02f
/* So that all numbers are about as large as each other. */
#define EDGE_SCALE 10.0f

static float cell(const HfSymbolInk *ink, int x, int y)
{
    return x >= 0 && y >= 0 && x < HF_SYMBOL_EDGE && y < HF_SYMBOL_EDGE
               ? ink->cells[y * HF_SYMBOL_EDGE + x]
               : 0;
}

/* One strength into the two nearest squares along each axis. */
static void add(float *edges, int x, int y, int direction, float strength)
{
    const float step = (float)HF_LOOK_EDGE / HF_SYMBOL_EDGE;
    float across = ((float)x + 0.5f) * step - 0.5f, down = ((float)y + 0.5f) * step - 0.5f;
    int column = (int)floorf(across), row = (int)floorf(down);
    for (int k = 0; k < 4; k++) {
        int to_column = column + k % 2, to_row = row + k / 2;
        float near_column = 1 - fabsf(across - (float)to_column);
        float near_row = 1 - fabsf(down - (float)to_row);
        if (to_column >= 0 && to_row >= 0 && to_column < HF_LOOK_EDGE && to_row < HF_LOOK_EDGE)
            edges[(to_row * HF_LOOK_EDGE + to_column) * HF_LOOK_DIRECTIONS + direction] +=
                strength * near_column * near_row;
    }
}

static void add_edge(float *edges, int x, int y, float across, float down)
{
    float strength = sqrtf(across * across + down * down);
    if (strength < LEAST_EDGE)
        return;
    float turn = atan2f(down, across) / (2 * (float)G_PI);
    float place = (turn < 0 ? turn + 1 : turn) * HF_LOOK_DIRECTIONS;
    int direction = (int)place;
    float next = place - (float)direction;
    add(edges, x, y, direction % HF_LOOK_DIRECTIONS, strength * (1 - next));
    add(edges, x, y, (direction + 1) % HF_LOOK_DIRECTIONS, strength * next);
}

static void normalise(float *edges)
{
    float sum = 1e-6f;
    for (int i = 0; i < EDGES; i++)
        sum += edges[i];
    for (int i = 0; i < EDGES; i++)
        edges[i] = sqrtf(edges[i] / sum) * EDGE_SCALE;
}

static void take_ink(const HfSymbolInk *ink, float *numbers)
{
    const int step = HF_SYMBOL_EDGE / HF_LOOK_INK_EDGE;
    for (int i = 0; i < HF_LOOK_INK_EDGE * HF_LOOK_INK_EDGE; i++) {
        int x = i % HF_LOOK_INK_EDGE * step, y = i / HF_LOOK_INK_EDGE * step;
        float sum = 0;
        for (int k = 0; k < step * step; k++)
            sum += cell(ink, x + k % step, y + k / step);
        numbers[i] = sum / (float)(step * step);
    }
}

void hf_symbol_look(const HfSymbolInk *ink, float *ret_look)
{
    memset(ret_look, 0, HF_LOOK_NUMBERS * sizeof *ret_look);
    for (int y = 0; y < HF_SYMBOL_EDGE; y++)
        for (int x = 0; x < HF_SYMBOL_EDGE; x++)
            add_edge(ret_look, x, y, (cell(ink, x + 1, y) - cell(ink, x - 1, y)) / 2,
                     (cell(ink, x, y + 1) - cell(ink, x, y - 1)) / 2);
    normalise(ret_look);
    take_ink(ink, ret_look + EDGES);
    ret_look[HF_LOOK_NUMBERS - 2] = ink->width;
    ret_look[HF_LOOK_NUMBERS - 1] = ink->height;
}
