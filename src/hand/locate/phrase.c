/* SPDX-License-Identifier: Apache-2.0 */
/* A phrase may begin and end within words: Chinese is written without spaces. There it is placed by
 * counting letters, of which wide ones take twice the room. */
#include "hand/locate/phrase.h"

#include <string.h>

static const char *find_text(const char *name, const char *wanted)
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

static int count_room(const char *from, const char *to)
{
    int room = 0;
    for (const char *at = from; at < to; at = g_utf8_next_char(at))
        room += g_unichar_iswide(g_utf8_get_char(at)) ? 2 : 1;
    return room;
}

/* Where the letter at this byte begins (or, at the end of a word, where that ends). */
static int place_of(const HfNode *node, int byte, gboolean end)
{
    const HfNodePart *part = &node->parts[0];
    for (int i = 0; i < node->part_count; i++)
        if (end ? node->parts[i].begin < byte : node->parts[i].begin <= byte)
            part = &node->parts[i];
    const char *begin = node->name + part->begin;
    int whole = MAX(1, count_room(begin, node->name + part->end));
    int before = count_room(begin, node->name + CLAMP(byte, part->begin, part->end));
    return part->bounds.x + part->bounds.width * before / whole;
}

HfRect hf_phrase_find(const HfNode *node, const HfTextCondition *test)
{
    HfRect none = {0, 0, 0, 0};
    if (!node->name || node->part_count == 0 || test->how == HF_TEXT_NO_CONDITION ||
        test->how == HF_TEXT_REGEX || !test->text)
        return none;
    const char *at = find_text(node->name, test->text);
    if (!at || strlen(test->text) >= strlen(node->name))
        return none;
    int begin = (int)(at - node->name), end = begin + (int)strlen(test->text);
    int left = place_of(node, begin, FALSE), right = place_of(node, end, TRUE);
    return (HfRect){left, node->bounds.y, MAX(1, right - left), node->bounds.height};
}
