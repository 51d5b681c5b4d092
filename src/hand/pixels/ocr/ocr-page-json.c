/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, their lines, their words; all places in pixels of the screen. */
#include "hand/pixels/ocr/ocr-page-json.h"

#include <math.h>

#include "hand/pixels/ocr/text-blocks.h"

static json_t *round_confidence(double confidence)
{
    return json_real(round(confidence * 1000) / 1000);
}

static json_t *rect_at(HfRect rect, HfPoint origin)
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
                                              "bounds", rect_at(word->box, corner), "confidence",
                                              round_confidence(word->confidence)));
    }
    return list;
}

/* Of a given picture nobody is told what was known before: others may have read the same. */
static gboolean is_told_known(const HfOcrPage *page, const HfOcrPageLine *line)
{
    return line->known && !page->given;
}

static json_t *line_to_json(const HfOcrPage *page, const HfOcrPageLine *line, HfPoint origin,
                            HfOcrPageDetail detail)
{
    json_t *json = json_pack("{s:o, s:o, s:o, s:s, s:b}", "text", hf_json_text(line->text->text),
                             "bounds", rect_at(line->box, origin), "confidence",
                             round_confidence(line->text->confidence), "language",
                             line->text->language, "cached", is_told_known(page, line));
    if (detail == HF_OCR_PAGE_WORDS)
        json_object_set_new(json, "words", page_words_to_json(line, origin));
    return json;
}

static json_t *block_to_json(const HfOcrPage *page, const HfTextBlock *block, HfPoint origin,
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
                             rect_at(block->box, origin), "confidence",
                             round_confidence(letters > 0 ? sum / letters : 0));
    if (detail != HF_OCR_PAGE_BLOCKS)
        json_object_set(json, "lines", lines);
    json_decref(lines);
    return json;
}

static void add_counts(const HfOcrPage *page, json_t *json)
{
    guint unread = hf_ocr_page_count_unread(page), known = 0, by_shape = 0;
    for (guint i = 0; i < page->lines->len; i++) {
        const HfOcrPageLine *line = &g_array_index(page->lines, HfOcrPageLine, i);
        known += is_told_known(page, line) ? 1 : 0;
        by_shape += !line->known && line->text && line->text->by_shapes ? 1 : 0;
    }
    json_object_set_new(json, "lines_read", json_integer(page->lines->len - unread - known));
    if (!page->given)
        json_object_set_new(json, "lines_by_shape", json_integer(by_shape));
    json_object_set_new(json, "lines_cached", json_integer(known));
    json_object_set_new(json, "lines_unread", json_integer(unread));
    json_object_set_new(json, "unchanged", json_boolean(page->same && !page->given));
    json_object_set_new(json, "truncated", json_boolean(unread > 0 || page->cut));
    const char *reason = page->late ? "time" : unread > 0 ? "engine" : page->cut ? "rows" : NULL;
    if (reason)
        json_object_set_new(json, "truncated_by", json_string(reason));
}

json_t *hf_ocr_page_to_json(const HfOcrPage *page, HfPoint origin, HfOcrPageDetail detail)
{
    g_autoptr(GArray) blocks = hf_text_blocks_new(page);
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *list = json_array();
    for (guint i = 0; i < blocks->len; i++)
        json_array_append_new(list, block_to_json(page, &g_array_index(blocks, HfTextBlock, i),
                                                  origin, detail, text));
    json_t *json = json_pack("{s:o, s:o}", "text", hf_json_text(text->str), "blocks", list);
    add_counts(page, json);
    return json;
}
