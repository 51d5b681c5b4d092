/* SPDX-License-Identifier: Apache-2.0 */
/* A span may begin and end within a word, since Chinese is written without spaces. There its place
 * is found by counting letters; wide ones count twice. */
#include "hand/locate/text-span.h"

#include <string.h>

static const char *find_text_in_name(const char *name, const char *wanted)
{
    gsize length = strlen(wanted);
    const char *exact = strstr(name, wanted);
    if (exact || length == 0)
        return exact;
    for (const char *at = name; *at; at = g_utf8_next_char(at))
        if (g_ascii_strncasecmp(at, wanted, length) == 0)
            return at;
    return NULL;
}

static int count_letter_widths(const char *from, const char *to)
{
    int room = 0;
    for (const char *at = from; at < to; at = g_utf8_next_char(at))
        room += g_unichar_iswide(g_utf8_get_char(at)) ? 2 : 1;
    return room;
}

/* Where the letter at this byte begins; at the end of a word, where that ends. */
static int x_of_byte(const HfNode *node, int byte, gboolean end)
{
    const HfNodePart *part = &node->parts[0];
    for (int i = 0; i < node->part_count; i++)
        if (end ? node->parts[i].begin < byte : node->parts[i].begin <= byte)
            part = &node->parts[i];
    const char *begin = node->name + part->begin;
    int whole = MAX(1, count_letter_widths(begin, node->name + part->end));
    int before = count_letter_widths(begin, node->name + CLAMP(byte, part->begin, part->end));
    return part->bounds.x + part->bounds.width * before / whole;
}

HfRect hf_text_span_find(const HfNode *node, const HfTextCondition *test)
{
    HfRect none = {0, 0, 0, 0};
    if (!node->name || node->part_count == 0 || test->how == HF_TEXT_NO_CONDITION ||
        test->how == HF_TEXT_REGEX || !test->text)
        return none;
    const char *at = find_text_in_name(node->name, test->text);
    if (!at || strlen(test->text) >= strlen(node->name))
        return none;
    int begin = (int)(at - node->name), end = begin + (int)strlen(test->text);
    int left = x_of_byte(node, begin, FALSE), right = x_of_byte(node, end, TRUE);
    return (HfRect){left, node->bounds.y, MAX(1, right - left), node->bounds.height};
}
