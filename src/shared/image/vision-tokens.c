/* SPDX-License-Identifier: Apache-2.0 */
/* Each vendor has its own rule for what is too large and how it counts then; docs/pictures.md has
 * the sources. */
#include "shared/image/vision-tokens.h"

#include <math.h>

const char *const hf_vision_models[] = {
    [HF_VISION_ANTHROPIC] = "anthropic", [HF_VISION_ANTHROPIC_STANDARD] = "anthropic_standard",
    [HF_VISION_OPENAI] = "openai",       [HF_VISION_OPENAI_TILES] = "openai_tiles",
    [HF_VISION_UI_TARS] = "ui_tars",     NULL,
};
G_STATIC_ASSERT(G_N_ELEMENTS(hf_vision_models) == HF_VISION_MODEL_COUNT + 1);

HfVisionModel hf_vision_model_find(const char *name)
{
    HfVisionModel model = HF_VISION_ANTHROPIC;
    while (hf_vision_models[model] && !g_str_equal(hf_vision_models[model], name))
        model++;
    return model;
}

static int count_cells(int length, int cell)
{
    return (length + cell - 1) / cell;
}

/* With this longer edge, in the shape of `size`; halves are rounded to even. */
static HfSize with_edge(HfSize size, int edge)
{
    int other = MAX(
        (int)nearbyint((double)edge * MIN(size.width, size.height) / MAX(size.width, size.height)),
        1);
    return size.height > size.width ? (HfSize){other, edge} : (HfSize){edge, other};
}

/* ---- Anthropic: cells of 28 pixels, with limits in all and per row ---- */

#define CELL 28

typedef struct Tier {
    int edge, tokens;
} Tier;
static const Tier high = {2576, 4784}, standard = {1568, 1568};

static int count_28(HfSize size)
{
    return count_cells(size.width, CELL) * count_cells(size.height, CELL);
}

static gboolean is_in_tier(const Tier *tier, HfSize size)
{
    return count_cells(size.width, CELL) * CELL <= tier->edge &&
           count_cells(size.height, CELL) * CELL <= tier->edge && count_28(size) <= tier->tokens;
}

static int cost_in_tier(const Tier *tier, HfSize size)
{
    HfSize shown = size;
    int low = 1, most = MAX(size.width, size.height);
    if (is_in_tier(tier, size))
        return count_28(size);
    while (low + 1 < most) {
        int middle = (low + most) / 2;
        if (is_in_tier(tier, with_edge(size, middle)))
            low = middle;
        else
            most = middle;
    }
    shown = with_edge(size, low);
    return count_28(shown);
}

/* ---- OpenAI, newer: patches of 32 pixels at 1.2 tokens each ---- */

#define PATCH        32
#define PATCHES_MOST 10000
#define PATCHED_EDGE 6000

static int count_patches(HfSize size)
{
    return count_cells(size.width, PATCH) * count_cells(size.height, PATCH);
}

/* In whole patches when it is scaled down. */
static HfSize shrink_to_patches(HfSize size)
{
    double scale = sqrt((double)PATCH * PATCH * PATCHES_MOST / ((double)size.width * size.height));
    double wide = size.width * scale / PATCH, high_ = size.height * scale / PATCH;
    scale *= MIN(floor(wide) / wide, floor(high_) / high_);
    return (HfSize){MAX(1, (int)floor(size.width * scale)),
                    MAX(1, (int)floor(size.height * scale))};
}

static int cost_in_patches(HfSize size)
{
    if (MAX(size.width, size.height) > PATCHED_EDGE)
        size = with_edge(size, PATCHED_EDGE);
    if (count_patches(size) > PATCHES_MOST)
        size = shrink_to_patches(size);
    return (count_patches(size) * 6 + 4) / 5;
}

/* ---- OpenAI, older: tiles of 512 pixels of a picture that is scaled down twice ---- */

#define TILE          512
#define TILED_EDGE    2048
#define TILED_SHORTER 768
#define TILE_BASE     85
#define TILE_TOKENS   170

static int cost_in_tiles(HfSize size)
{
    if (MAX(size.width, size.height) > TILED_EDGE)
        size = with_edge(size, TILED_EDGE);
    int shorter = MIN(size.width, size.height), longer = MAX(size.width, size.height);
    if (shorter > TILED_SHORTER) {
        longer = (int)((gint64)longer * TILED_SHORTER / shorter);
        shorter = TILED_SHORTER;
    }
    return TILE_BASE + TILE_TOKENS * count_cells(longer, TILE) * count_cells(shorter, TILE);
}

/* ---- Qwen2-VL: whole cells of 28 pixels, neither too few nor too many ---- */

#define QWEN_LEAST 100
#define QWEN_MOST  16384

static int count_whole(int length)
{
    return MAX(1, (int)nearbyint((double)length / CELL));
}

static int cost_in_qwen(HfSize size)
{
    double pixels = (double)size.width * size.height;
    gint64 cells = (gint64)count_whole(size.width) * count_whole(size.height);
    if (cells > QWEN_MOST) {
        double scale = sqrt(pixels / ((double)QWEN_MOST * CELL * CELL));
        cells = MAX(1, (gint64)floor(size.width / scale / CELL)) *
                MAX(1, (gint64)floor(size.height / scale / CELL));
    } else if (cells < QWEN_LEAST) {
        double scale = sqrt((double)QWEN_LEAST * CELL * CELL / pixels);
        cells = (gint64)ceil(size.width * scale / CELL) * (gint64)ceil(size.height * scale / CELL);
    }
    return (int)cells;
}

/* ---- all of them ---- */

int hf_vision_tokens(HfVisionModel model, HfSize size)
{
    switch (model) {
    case HF_VISION_ANTHROPIC:
        return cost_in_tier(&high, size);
    case HF_VISION_ANTHROPIC_STANDARD:
        return cost_in_tier(&standard, size);
    case HF_VISION_OPENAI:
        return cost_in_patches(size);
    case HF_VISION_OPENAI_TILES:
        return cost_in_tiles(size);
    case HF_VISION_UI_TARS:
        return cost_in_qwen(size);
    case HF_VISION_MODEL_COUNT:
        break;
    }
    g_return_val_if_reached(0);
}

static gboolean is_shown_whole(HfVisionModel model, HfSize size)
{
    switch (model) {
    case HF_VISION_ANTHROPIC:
        return is_in_tier(&high, size);
    case HF_VISION_ANTHROPIC_STANDARD:
        return is_in_tier(&standard, size);
    case HF_VISION_OPENAI:
        return MAX(size.width, size.height) <= PATCHED_EDGE && count_patches(size) <= PATCHES_MOST;
    case HF_VISION_OPENAI_TILES:
        return MAX(size.width, size.height) <= TILED_EDGE &&
               MIN(size.width, size.height) <= TILED_SHORTER;
    case HF_VISION_UI_TARS:
        return (gint64)count_whole(size.width) * count_whole(size.height) <= QWEN_MOST;
    case HF_VISION_MODEL_COUNT:
        break;
    }
    g_return_val_if_reached(FALSE);
}

gboolean hf_vision_fit(HfVisionModel model, HfSize size, int most, HfSize *ret_size)
{
    HfSize smaller = size;
    for (int edge = MAX(size.width, size.height); edge >= 1;
         edge--, smaller = with_edge(size, MAX(edge, 1)))
        if (is_shown_whole(model, smaller) && hf_vision_tokens(model, smaller) <= most) {
            *ret_size = smaller;
            return TRUE;
        }
    return FALSE;
}
