/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that belong together form a block: a paragraph, a list, a column of a table. A line joins
 * the block above it if it has about the same height, is near, and begins or stands at the same
 * place. */
#include "hand/pixels/ocr/ocr-page-json.h"

#include <math.h>
#include <stdlib.h>

/* The greatest gap between two lines of a block, in percent of their height. */
#define GAP_PERCENT 90

typedef struct TextBlock {
    HfRect box;
    GArray *lines; /* of const HfOcrPageLine *, from top to bottom */
} TextBlock;

static void clear_text_block(TextBlock *block)
{
    g_array_unref(block->lines);
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

static TextBlock *find_block_of_line(GArray *blocks, const HfOcrPageLine *line)
{
    for (guint i = blocks->len; i-- > 0;) {
        TextBlock *block = &g_array_index(blocks, TextBlock, i);
        const HfOcrPageLine *last =
            g_array_index(block->lines, const HfOcrPageLine *, block->lines->len - 1);
        if (line_continues_block(last->box, line->box))
            return block;
    }
    return NULL;
}

static void add_line_to_block(GArray *blocks, const HfOcrPageLine *line)
{
    TextBlock *block = find_block_of_line(blocks, line);
    if (block) {
        g_array_append_val(block->lines, line);
        block->box = hf_rect_unite(block->box, line->box);
        return;
    }
    TextBlock fresh = {line->box, g_array_new(FALSE, FALSE, sizeof(const HfOcrPageLine *))};
    g_array_append_val(fresh.lines, line);
    g_array_append_val(blocks, fresh);
}

/* The blocks (TextBlock) of a page, in reading order. */
static GArray *find_text_blocks(const HfOcrPage *page)
{
    GArray *blocks = g_array_new(FALSE, FALSE, sizeof(TextBlock));
    g_array_set_clear_func(blocks, (GDestroyNotify)clear_text_block);
    for (guint i = 0; i < page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        if (hf_ocr_page_line_is_text(line))
            add_line_to_block(blocks, line);
    }
    return blocks;
}

/* ---- JSON ---- */

static json_t *round_confidence(double confidence)
{
    return json_real(round(confidence * 1000) / 1000);
}

static json_t *moved_rect_to_json(HfRect rect, HfPoint origin)
{
    return hf_json_rect((HfRect){rect.x + origin.x, rect.y + origin.y, rect.width, rect.height});
}

static json_t *page_words_to_json(const HfOcrPageLine *line, HfPoint origin)
{
    json_t *list = json_array();
    HfPoint corner = {origin.x + line->box.x, origin.y + line->box.y};
    for (guint i = 0; i < line->text->words->len; i++) {
        const HfLineWord *word = &g_array_index(line->text->words, HfLineWord, i);
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "text", hf_json_text(word->text),
                                              "bounds", moved_rect_to_json(word->box, corner),
                                              "confidence", round_confidence(word->confidence)));
    }
    return list;
}

/* Not reported for a caller's picture: it would tell what others have read. */
static gboolean is_reported_cached(const HfOcrPage *page, const HfOcrPageLine *line)
{
    return line->cached && !page->from_caller;
}

static json_t *line_to_json(const HfOcrPage *page, const HfOcrPageLine *line, HfPoint origin,
                            HfOcrPageDetail detail)
{
    json_t *json = json_pack("{s:o, s:o, s:o, s:s, s:b}", "text", hf_json_text(line->text->text),
                             "bounds", moved_rect_to_json(line->box, origin), "confidence",
                             round_confidence(line->text->confidence), "language",
                             line->text->language, "cached", is_reported_cached(page, line));
    if (detail == HF_OCR_PAGE_WORDS)
        json_object_set_new(json, "words", page_words_to_json(line, origin));
    return json;
}

static json_t *block_to_json(const HfOcrPage *page, const TextBlock *block, HfPoint origin,
                             HfOcrPageDetail detail, GString *all)
{
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *lines = json_array();
    double sum = 0, letters = 0;
    for (guint i = 0; i < block->lines->len; i++) {
        const HfOcrPageLine *line = g_array_index(block->lines, const HfOcrPageLine *, i);
        double count = (double)g_utf8_strlen(line->text->text, -1);
        g_string_append_printf(text, "%s%s", i ? "\n" : "", line->text->text);
        sum += line->text->confidence * count;
        letters += count;
        if (detail != HF_OCR_PAGE_BLOCKS)
            json_array_append_new(lines, line_to_json(page, line, origin, detail));
    }
    g_string_append_printf(all, "%s%s", all->len ? "\n" : "", text->str);
    json_t *json = json_pack("{s:o, s:o, s:o}", "text", hf_json_text(text->str), "bounds",
                             moved_rect_to_json(block->box, origin), "confidence",
                             round_confidence(letters > 0 ? sum / letters : 0));
    if (detail != HF_OCR_PAGE_BLOCKS)
        json_object_set(json, "lines", lines);
    json_decref(lines);
    return json;
}

static void add_page_counts(const HfOcrPage *page, json_t *json)
{
    guint unread = hf_ocr_page_count_unread(page), cached = 0, by_shape = 0;
    for (guint i = 0; i < page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        cached += is_reported_cached(page, line);
        by_shape += !line->cached && line->text && line->text->by_shapes;
    }
    json_object_set_new(json, "lines_read", json_integer(page->lines->len - unread - cached));
    if (!page->from_caller)
        json_object_set_new(json, "lines_by_shape", json_integer(by_shape));
    json_object_set_new(json, "lines_cached", json_integer(cached));
    json_object_set_new(json, "lines_unread", json_integer(unread));
    json_object_set_new(json, "unchanged", json_boolean(page->unchanged && !page->from_caller));
    json_object_set_new(json, "truncated", json_boolean(unread > 0 || page->cut));
    const char *reason = page->timed_out ? "time"
                         : unread > 0    ? "engine"
                         : page->cut     ? "rows"
                                         : NULL;
    if (reason)
        json_object_set_new(json, "truncated_by", json_string(reason));
}

json_t *hf_ocr_page_to_json(const HfOcrPage *page, HfPoint origin, HfOcrPageDetail detail)
{
    g_autoptr(GArray) blocks = find_text_blocks(page);
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *list = json_array();
    for (guint i = 0; i < blocks->len; i++)
        json_array_append_new(
            list, block_to_json(page, &g_array_index(blocks, TextBlock, i), origin, detail, text));
    json_t *json = json_pack("{s:o, s:o}", "text", hf_json_text(text->str), "blocks", list);
    add_page_counts(page, json);
    return json;
}
