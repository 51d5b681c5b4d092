/* A line goes to the block above it when it is as high, near, and begins or stands at the same
 * place; else it begins one. */
#include "reading/blocks.h"

#include <stdlib.h>

/* Between two lines of a block, in hundredth of their height. */
#define GAP_PERCENT 90
/* What is this small and this doubtful is an icon that looked like a letter. */
#define ICON_LETTERS    2u
#define ICON_CONFIDENCE 0.4
#define NOISE           0.2

static void clear_block(HfBlock *block)
{
    g_array_unref(block->lines);
}

gboolean hf_page_line_is_text(const HfPageLine *line)
{
    if (!line->text || !*line->text->text || line->text->confidence < NOISE)
        return FALSE;
    return line->text->confidence >= ICON_CONFIDENCE ||
           hf_text_count_letters(line->text->text) > ICON_LETTERS;
}

static gboolean follows(HfRect above, HfRect line)
{
    int gap = line.y - (above.y + above.height), height = MAX(above.height, line.height);
    int common = MIN(above.x + above.width, line.x + line.width) - MAX(above.x, line.x);
    gboolean alike = height * 10 <= MIN(above.height, line.height) * 17;
    gboolean aligned =
        abs(above.x - line.x) <= height || common * 10 >= MIN(above.width, line.width) * 8;
    return alike && aligned && common > 0 && gap * 100 <= height * GAP_PERCENT && gap > -height / 2;
}

static HfBlock *find_block(GArray *blocks, const HfPageLine *line)
{
    for (guint i = blocks->len; i-- > 0;) {
        HfBlock *block = &g_array_index(blocks, HfBlock, i);
        const HfPageLine *last =
            g_array_index(block->lines, const HfPageLine *, block->lines->len - 1);
        if (follows(last->box, line->box))
            return block;
    }
    return NULL;
}

static void add_line(GArray *blocks, const HfPageLine *line)
{
    HfBlock *block = find_block(blocks, line);
    if (block) {
        g_array_append_val(block->lines, line);
        block->box = hf_rect_unite(block->box, line->box);
        return;
    }
    HfBlock fresh = {line->box, g_array_new(FALSE, FALSE, sizeof(const HfPageLine *))};
    g_array_append_val(fresh.lines, line);
    g_array_append_val(blocks, fresh);
}

GArray *hf_blocks_new(const HfPage *page)
{
    GArray *blocks = g_array_new(FALSE, FALSE, sizeof(HfBlock));
    g_array_set_clear_func(blocks, (GDestroyNotify)clear_block);
    for (guint i = 0; i < page->lines->len; i++) {
        const HfPageLine *line = &g_array_index(page->lines, HfPageLine, i);
        if (hf_page_line_is_text(line))
            add_line(blocks, line);
    }
    return blocks;
}
