/* SPDX-License-Identifier: Apache-2.0 */
/* OCR makes letters of whatever it is given. A text without letters, or of one or two doubtful
 * letters at the place of a drawing, was a drawing. */
#include "hand/pixels/widgets/widget-builder.h"

#include <string.h>

#include "hand/atspi/tree/roles.h"

/* Below this confidence a text at the place of a drawing is doubtful. */
#define DOUBT 0.6
/* A letter that is an icon is larger than print. A drawing is print where texts cover this
 * percentage of it. */
#define SIGN_LEAST   10
#define WORD_PERCENT 35
/* Letters of a word are narrower, in tenths of their height. */
#define SPARSE_TENTH 13
/* Icons in a tool bar are no smaller, and corners of frames no larger. */
#define TOOL_LEAST  16
#define CORNER_MOST 10

static guint count_letters(const char *text)
{
    guint letters = 0;
    for (const char *at = text; *at; at = g_utf8_next_char(at))
        letters += g_unichar_isalnum(g_utf8_get_char(at)) != 0;
    return letters;
}

gboolean hf_text_has_letters(const char *text)
{
    return text && count_letters(text) > 0;
}

/* Icons side by side are read as letters far apart: of several scripts, or larger than print.
 * Chinese characters may stand so. */
static gboolean is_row_of_icons(const HfDetection *text)
{
    gboolean latin = FALSE, other = FALSE;
    for (int i = 0; i < text->part_count; i++) {
        const char *begin = text->text + text->parts[i].begin;
        gunichar letter = g_utf8_get_char(begin);
        HfRect box = text->parts[i].bounds, before = text->parts[MAX(i, 1) - 1].bounds;
        if (g_utf8_next_char(begin) != text->text + text->parts[i].end ||
            g_unichar_isdigit(letter) ||
            (i > 0 && box.x - (before.x + before.width) < MIN(before.height, box.height)))
            return FALSE;
        latin |= letter < 0x250;
        other |= letter >= 0x250;
    }
    return text->part_count > 1 && latin && (other || text->box.height >= TOOL_LEAST);
}

/* The round corner of a panel is read as a quotation mark. */
static gboolean is_panel_corner(const HfWidgetBuilder *work, HfRect box)
{
    if (MAX(box.width, box.height) > CORNER_MOST)
        return FALSE;
    for (guint i = 0; i < work->shapes->len; i++) {
        const HfShape *shape = hf_builder_shape(work, i);
        HfRect own = shape->box;
        gboolean across = box.x <= own.x + 2 || box.x + box.width >= own.x + own.width - 2;
        gboolean down = box.y <= own.y + 2 || box.y + box.height >= own.y + own.height - 2;
        if ((shape->kind == HF_SHAPE_PANEL || shape->kind == HF_SHAPE_AREA) && across && down &&
            hf_box_is_mostly_in(box, own))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_misread_drawing(const HfWidgetBuilder *work, const HfDetection *text)
{
    if (text->role != HF_ROLE_LABEL) /* a terminal widget is no drawing */
        return FALSE;
    guint letters = count_letters(text->text), drawings = 0;
    for (guint i = 0; i < work->shapes->len; i++)
        drawings += hf_builder_shape(work, i)->kind == HF_SHAPE_ICON &&
                    hf_box_is_mostly_in(hf_builder_shape(work, i)->box, text->box);
    /* letters of one word with more room than print gives them */
    gboolean sparse = text->part_count <= 1 && letters > 1 && !strchr(text->text, ' ') &&
                      text->box.width * 10 > text->box.height * (int)letters * SPARSE_TENTH;
    if (is_panel_corner(work, text->box) || (drawings > 0 && is_row_of_icons(text)) ||
        (drawings > 1 && sparse))
        return TRUE;
    return drawings > 0 && (letters == 0 || (letters <= 2 * drawings && text->confidence < DOUBT));
}

void hf_icons_drop_misread_texts(HfWidgetBuilder *work)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->nothing[i] = work->used[i] = is_misread_drawing(work, hf_builder_text(work, i));
}

int hf_icon_find_word(const HfWidgetBuilder *work, HfRect box)
{
    gint64 covered = 0;
    int found = -1;
    for (guint i = 0; i < work->texts->len; i++) {
        HfRect common = hf_rect_intersect(box, hf_builder_text(work, i)->box);
        if (work->nothing[i] || hf_rect_is_empty(common))
            continue;
        covered += (gint64)common.width * common.height;
        found = (int)i;
    }
    return covered * 100 >= (gint64)box.width * box.height * WORD_PERCENT ? found : -1;
}

/* A single large letter: the cross that closes, a lens, a plus. It keeps the letter as its name. */
static gboolean is_single_letter_icon(const HfDetection *text, HfRect box)
{
    gunichar letter = g_utf8_get_char(text->text);
    return g_utf8_strlen(text->text, -1) == 1 && letter < 0x250 && !g_unichar_isdigit(letter) &&
           hf_box_is_mostly_in(text->box, box) && MIN(box.width, box.height) >= SIGN_LEAST;
}

void hf_icon_add(HfWidgetBuilder *work, guint index)
{
    const HfShape *shape = hf_builder_shape(work, index);
    int word = hf_icon_find_word(work, shape->box);
    if (hf_builder_is_unread(work, shape->box) ||
        (word >= 0 && (work->used[word] ||
                       !is_single_letter_icon(hf_builder_text(work, (guint)word), shape->box))))
        return;
    HfDetection element = hf_builder_new_widget(work, shape, HF_ROLE_ICON);
    if (word >= 0)
        hf_builder_take_text(work, (guint)word, &element);
    g_array_append_val(work->widgets->detected, element);
}
