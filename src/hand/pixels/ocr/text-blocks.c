/* SPDX-License-Identifier: Apache-2.0 */
/* A line goes to the block above it when it is as high, near, and begins or stands at the same
 * place; else it begins one. */
#include "hand/pixels/ocr/text-blocks.h"

#include <stdlib.h>

/* Between two lines of a block, in hundredth of their height. */
#define GAP_PERCENT 90
/* What is this small and this doubtful is an icon that looked like a letter. */
#define ICON_LETTERS    2u
#define ICON_CONFIDENCE 0.4
#define NOISE           0.2

static void clear_block(HfTextBlock *block)
{
    g_array_unref(block->lines);
}

gboolean hf_ocr_page_line_is_text(const HfOcrPageLine *line)
{
    if (!line->text || !*line->text->text || line->text->confidence < NOISE)
        return FALSE;
    return line->text->confidence >= ICON_CONFIDENCE ||
           hf_text_count_letters(line->text->text) > ICON_LETTERS;
}

static gboolean line_continues_block(HfRect above, HfRect line)
{
    int gap = line.y - (above.y + above.height), height = MAX(above.height, line.height);
    int common = MIN(above.x + above.width, line.x + line.width) - MAX(above.x, line.x);
    gboolean alike = height * 10 <= MIN(above.height, line.height) * 17;
    gboolean aligned =
        abs(above.x - line.x) <= height || common * 10 >= MIN(above.width, line.width) * 8;
    return alike && aligned && common > 0 && gap * 100 <= height * GAP_PERCENT && gap > -height / 2;
}

static HfTextBlock *find_block(GArray *blocks, const HfOcrPageLine *line)
{
    for (guint i = blocks->len; i-- > 0;) {
        HfTextBlock *block = &g_array_index(blocks, HfTextBlock, i);
        const HfOcrPageLine *last =
            g_array_index(block->lines, const HfOcrPageLine *, block->lines->len - 1);
        if (line_continues_block(last->box, line->box))
            return block;
    }
    return NULL;
}

static void add_line_to_block(GArray *blocks, const HfOcrPageLine *line)
{
    HfTextBlock *block = find_block(blocks, line);
    if (block) {
        g_array_append_val(block->lines, line);
        block->box = hf_rect_unite(block->box, line->box);
        return;
    }
    HfTextBlock fresh = {line->box, g_array_new(FALSE, FALSE, sizeof(const HfOcrPageLine *))};
    g_array_append_val(fresh.lines, line);
    g_array_append_val(blocks, fresh);
}

GArray *hf_text_blocks_new(const HfOcrPage *page)
{
    GArray *blocks = g_array_new(FALSE, FALSE, sizeof(HfTextBlock));
    g_array_set_clear_func(blocks, (GDestroyNotify)clear_block);
    for (guint i = 0; i < page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        if (hf_ocr_page_line_is_text(line))
            add_line_to_block(blocks, line);
    }
    return blocks;
}
