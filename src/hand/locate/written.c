/* SPDX-License-Identifier: Apache-2.0 */
/* A line is its words with spaces between them, and each word knows where it stands: some of them
 * can be pointed at. */
#include "hand/locate/written.h"

#include "hand/atspi/tree/roles.h"

static HfRect place_of(const HfOcrPageLine *line, const HfLineWord *word, HfRect area)
{
    return (HfRect){area.x + line->box.x + word->box.x, area.y + line->box.y + word->box.y,
                    word->box.width, word->box.height};
}

void hf_written_add(GArray *seen, GPtrArray *kept, const HfOcrPageLine *line, HfRect area)
{
    const GArray *words = line->text->words;
    GString *text = g_string_new("");
    HfNodePart *parts = g_new0(HfNodePart, words->len + 1);
    for (guint i = 0; i < words->len; i++) {
        const HfLineWord *word = &g_array_index(words, HfLineWord, i);
        if (text->len > 0)
            g_string_append_c(text, ' ');
        parts[i].begin = (int)text->len;
        g_string_append(text, word->text);
        parts[i].end = (int)text->len;
        parts[i].bounds = place_of(line, word, area);
    }
    HfSeen one = {
        .box = {area.x + line->box.x, area.y + line->box.y, line->box.width, line->box.height},
        .role = HF_ROLE_LABEL,
        .source = HF_SOURCE_OCR,
        .text = g_string_free(text, FALSE),
        .confidence = line->text->confidence,
        .parts = parts,
        .part_count = (int)words->len};
    g_ptr_array_add(kept, (gpointer)one.text);
    g_ptr_array_add(kept, parts);
    g_array_append_val(seen, one);
}
