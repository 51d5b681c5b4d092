/* SPDX-License-Identifier: Apache-2.0 */
/* Readers make letters of whatever they are given. What has no letters at all, or a doubtful one or
 * two where a drawing stands, was a symbol. */
#include "hand/locate/signs.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"

/* What is read from an icon is so doubtful. */
#define DOUBT 0.6
/* A letter that is a sign is larger than print; a drawing is print where texts cover so much of it,
 * in hundredth. */
#define SIGN_LEAST   10
#define WORD_PERCENT 35
/* Letters of a word are less wide, in tenths of their height. */
#define SPARSE_TENTH 13
/* Drawings in a bar are no smaller than this, and corners of frames no larger. */
#define TOOL_LEAST  16
#define CORNER_MOST 10

static guint count_letters(const char *text)
{
    guint letters = 0;
    for (const char *at = text; *at; at = g_utf8_next_char(at))
        letters += g_unichar_isalnum(g_utf8_get_char(at)) != 0;
    return letters;
}

gboolean hf_signs_has_letters(const char *text)
{
    return text && count_letters(text) > 0;
}

static guint count_drawings(const HfComposing *work, HfRect box)
{
    guint count = 0;
    for (guint i = 0; i < work->shapes->len; i++)
        count += hf_composing_shape(work, i)->kind == HF_SHAPE_ICON &&
                 hf_composing_lies_in(hf_composing_shape(work, i)->box, box);
    return count;
}

static gunichar letter_at(const HfSeen *text, int part)
{
    return g_utf8_get_char(text->text + text->parts[part].begin);
}

static gboolean is_one_letter(const HfSeen *text, int part)
{
    const char *begin = text->text + text->parts[part].begin;
    return g_utf8_next_char(begin) == text->text + text->parts[part].end &&
           !g_unichar_isdigit(g_utf8_get_char(begin));
}

static gboolean is_apart(HfRect before, HfRect after)
{
    return after.x - (before.x + before.width) >= MIN(before.height, after.height);
}

/* Tools side by side are read as letters far apart from each other: of several scripts, or larger
 * than print. Characters of Chinese may stand so. */
static gboolean is_row_of_signs(const HfSeen *text)
{
    gboolean latin = FALSE, other = FALSE;
    for (int i = 0; i < text->part_count; i++) {
        if (!is_one_letter(text, i) ||
            (i > 0 && !is_apart(text->parts[i - 1].bounds, text->parts[i].bounds)))
            return FALSE;
        latin |= letter_at(text, i) < 0x250;
        other |= letter_at(text, i) >= 0x250;
    }
    return text->part_count > 1 && latin && (other || text->box.height >= TOOL_LEAST);
}

/* Letters of one word that have more room than any print gives them. */
static gboolean is_sparse(const HfSeen *text)
{
    guint letters = count_letters(text->text);
    return text->part_count <= 1 && letters > 1 && !strchr(text->text, ' ') &&
           text->box.width * 10 > text->box.height * (int)letters * SPARSE_TENTH;
}

/* The round corner of a card is read as a quotation mark. */
static gboolean is_corner(const HfComposing *work, HfRect box)
{
    if (MAX(box.width, box.height) > CORNER_MOST)
        return FALSE;
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_composing_shape(work, i);
        HfRect own = shape->box;
        gboolean across = box.x <= own.x + 2 || box.x + box.width >= own.x + own.width - 2;
        gboolean down = box.y <= own.y + 2 || box.y + box.height >= own.y + own.height - 2;
        if ((shape->kind == HF_SHAPE_PANEL || shape->kind == HF_SHAPE_AREA) && across && down &&
            hf_composing_lies_in(box, own))
            return TRUE;
    }
    return FALSE;
}

/* Signs without letters, or a doubtful letter or two for each drawing that is there. */
static gboolean says_nothing(const HfComposing *work, const HfSeen *text)
{
    if (text->role != HF_ROLE_LABEL) /* what was written as a button or box is none */
        return FALSE;
    guint letters = count_letters(text->text), drawings = count_drawings(work, text->box);
    if (is_corner(work, text->box) || (drawings > 0 && is_row_of_signs(text)) ||
        (drawings > 1 && is_sparse(text)))
        return TRUE;
    return drawings > 0 && (letters == 0 || (letters <= 2 * drawings && text->confidence < DOUBT));
}

void hf_signs_forget(HfComposing *work)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->nothing[i] = work->used[i] = says_nothing(work, hf_composing_text(work, i));
}

int hf_signs_find_word(const HfComposing *work, HfRect box)
{
    gint64 covered = 0;
    int found = -1;
    for (guint i = 0; i < work->texts->len; i++) {
        HfRect common = hf_rect_intersect(box, hf_composing_text(work, i)->box);
        if (work->nothing[i] || hf_rect_is_empty(common))
            continue;
        covered += (gint64)common.width * common.height;
        found = (int)i;
    }
    return covered * 100 >= (gint64)box.width * box.height * WORD_PERCENT ? found : -1;
}

/* A single large letter by itself: the cross that closes, a lens, a plus. It is called what it
 * looks like. */
static gboolean is_sign(const HfSeen *text, HfRect box)
{
    gunichar letter = g_utf8_get_char(text->text);
    return g_utf8_strlen(text->text, -1) == 1 && letter < 0x250 && !g_unichar_isdigit(letter) &&
           hf_composing_lies_in(text->box, box) && MIN(box.width, box.height) >= SIGN_LEAST;
}

void hf_signs_add(HfComposing *work, guint index)
{
    const HfShape *shape = hf_composing_shape(work, index);
    int word = hf_signs_find_word(work, shape->box);
    if (hf_composing_is_unread(work, shape->box) ||
        (word >= 0 &&
         (work->used[word] || !is_sign(hf_composing_text(work, (guint)word), shape->box))))
        return;
    HfSeen seen = hf_composing_new_seen(work, shape, HF_ROLE_ICON);
    if (word >= 0)
        hf_composing_take_text(work, (guint)word, &seen);
    g_array_append_val(work->things->seen, seen);
}
