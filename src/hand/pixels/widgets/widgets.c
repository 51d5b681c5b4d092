/* SPDX-License-Identifier: Apache-2.0 */
/* Check boxes take the texts beside them first, then frames take the texts in them. The remaining
 * drawings are icons, and the remaining texts stay texts.
 *
 * OCR reads letters into any drawing. A text without letters, or of one or two doubtful letters at
 * the place of a drawing, counts as a drawing. */
#include "hand/pixels/widgets/widgets.h"

#include <stdlib.h>
#include <string.h>

#include "hand/atspi/selector/proximity.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/widgets/widget-builder.h"
#include "shared/base/limits.h"

/* From a check box or switch to the text on its right. */
#define BESIDE_PX 24
/* From a text to a slider on its right. */
#define SLIDER_PX 320
/* Below this confidence a text at the place of a drawing is doubtful. */
#define DOUBT 0.6
/* An icon that looks like a letter is larger than body text. A drawing counts as text where texts
 * cover this percentage of it. */
#define SIGN_LEAST   10
#define WORD_PERCENT 35
/* Letters of a word are narrower, in tenths of their height. */
#define SPARSE_TENTH 13
/* Icons in a tool bar are no smaller, and corners of frames no larger. */
#define TOOL_LEAST  16
#define CORNER_MOST 10

/* ---- for all parts ---- */

gboolean hf_builder_is_unread(const HfWidgetBuilder *work, HfRect box)
{
    for (guint i = 0; i < work->unread->len; i++)
        if (hf_box_is_mostly_in(g_array_index(work->unread, HfRect, i), box) ||
            hf_box_is_mostly_in(box, g_array_index(work->unread, HfRect, i)))
            return TRUE;
    return FALSE;
}

HfDetection hf_builder_new_widget(HfWidgetBuilder *work, const HfShape *shape, int role)
{
    char *looks = g_strdup_printf("%" G_GINT64_MODIFIER "x", shape->looks);
    g_ptr_array_add(work->widgets->kept, looks);
    return (HfDetection){.box = shape->box,
                         .role = role,
                         .source = HF_SOURCE_PIXELS,
                         .confidence = shape->confidence,
                         .looks = looks};
}

void hf_builder_take_text(HfWidgetBuilder *work, guint index, HfDetection *element)
{
    const HfDetection *text = hf_builder_text(work, index);
    element->text = text->text;
    element->confidence = text->confidence;
    element->source |= HF_SOURCE_OCR;
    work->used[index] = TRUE;
}

/* ---- check boxes and radio buttons ---- */

/* -1: no free text is that near. */
static int find_nearest_text(const HfWidgetBuilder *work, HfRect box, HfDirection direction,
                             double most)
{
    int found = -1;
    for (guint i = 0; i < work->texts->len; i++) {
        double gap = hf_proximity_from(box, hf_builder_text(work, i)->box, direction);
        if (work->used[i] || gap < 0 || gap > most)
            continue;
        found = (int)i;
        most = gap;
    }
    return found;
}

/* The mark in a box may have been read as a letter. */
static void drop_texts_inside(HfWidgetBuilder *work, HfRect box)
{
    for (guint i = 0; i < work->texts->len; i++)
        work->used[i] = work->used[i] || hf_box_is_mostly_in(hf_builder_text(work, i)->box, box);
}

static void add_check_box(HfWidgetBuilder *work, guint index)
{
    const HfShape *shape = hf_builder_shape(work, index);
    gboolean box = shape->kind == HF_SHAPE_BOX;
    HfDetection element =
        hf_builder_new_widget(work, shape, box ? HF_ROLE_CHECK_BOX : HF_ROLE_RADIO_BUTTON);
    drop_texts_inside(work, shape->box);
    int beside = find_nearest_text(work, shape->box, HF_DIRECTION_RIGHT, BESIDE_PX);
    work->gone[index] = TRUE;
    if (shape->marked)
        element.states = HF_STATE(HF_STATE_CHECKED);
    if (beside >= 0) {
        hf_builder_take_text(work, (guint)beside, &element);
    } else if (!box) { /* the knob of a slider, or a dot */
        element.role = HF_ROLE_ICON;
        element.states = 0;
    }
    g_array_append_val(work->widgets->detected, element);
}

/* ---- switches and sliders ---- */

static void add_switch_or_slider(HfWidgetBuilder *work, guint index)
{
    const HfShape *shape = hf_builder_shape(work, index);
    gboolean slides = shape->kind == HF_SHAPE_SLIDER;
    HfDetection element =
        hf_builder_new_widget(work, shape, slides ? HF_ROLE_SLIDER : HF_ROLE_SWITCH);
    drop_texts_inside(work, shape->box);
    int behind = slides ? -1 : find_nearest_text(work, shape->box, HF_DIRECTION_RIGHT, BESIDE_PX);
    int label = behind >= 0 ? behind
                            : find_nearest_text(work, shape->box, HF_DIRECTION_LEFT,
                                                slides ? SLIDER_PX : G_MAXDOUBLE);
    work->gone[index] = TRUE;
    element.label = label >= 0 ? hf_builder_text(work, (guint)label)->text : NULL;
    if (slides) {
        char *value = g_strdup_printf("%d %%", shape->value);
        g_ptr_array_add(work->widgets->kept, value);
        element.value = value;
    } else if (shape->marked) {
        element.states = HF_STATE(HF_STATE_CHECKED);
    }
    g_array_append_val(work->widgets->detected, element);
}

gboolean hf_builder_labels_switch(const HfWidgetBuilder *work, const HfDetection *text)
{
    for (guint i = 0; i < work->widgets->detected->len; i++) {
        const HfDetection *element = &g_array_index(work->widgets->detected, HfDetection, i);
        if ((element->role == HF_ROLE_SWITCH || element->role == HF_ROLE_SLIDER) &&
            element->label == text->text)
            return TRUE;
    }
    return FALSE;
}

/* ---- icons ---- */

/* Icons side by side are read as letters far apart: of several scripts, or larger than print.
 * Chinese characters may be spaced like this. */
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
    if (text->role != HF_ROLE_LABEL) /* a terminal widget is not a drawing */
        return FALSE;
    guint letters = hf_text_count_letters(text->text), drawings = 0;
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

static void add_icon(HfWidgetBuilder *work, guint index)
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

/* ---- all widgets ---- */

static int compare_detection_tops(gconstpointer a, gconstpointer b)
{
    return ((const HfDetection *)a)->box.y - ((const HfDetection *)b)->box.y;
}

static int compare_detection_lefts(gconstpointer a, gconstpointer b)
{
    return ((const HfDetection *)a)->box.x - ((const HfDetection *)b)->box.x;
}

/* A row is everything whose middle is beside the first of it. */
static void sort_in_reading_rows(GArray *element)
{
    HfDetection *all = (HfDetection *)(gpointer)element->data;
    g_array_sort(element, compare_detection_tops);
    for (guint begin = 0, end; begin < element->len; begin = end) {
        int bottom = all[begin].box.y + all[begin].box.height;
        for (end = begin + 1;
             end < element->len && all[end].box.y + all[end].box.height / 2 < bottom;)
            end++;
        qsort(all + begin, end - begin, sizeof *all, compare_detection_lefts);
    }
}

static void add_panel_shape(HfWidgetBuilder *work, guint index)
{
    g_array_append_val(work->widgets->panels, hf_builder_shape(work, index)->box);
    work->gone[index] = TRUE;
}

static void add_widgets_of_shapes(HfWidgetBuilder *work, HfShapeKind kind, HfShapeKind other,
                                  void (*add)(HfWidgetBuilder *work, guint index))
{
    for (guint i = 0; i < work->shapes->len; i++)
        if (hf_builder_shape(work, i)->kind == kind || hf_builder_shape(work, i)->kind == other)
            add(work, i);
}

void hf_widgets_init(HfWidgets *widgets, const GArray *texts, const GArray *shapes,
                     const GArray *unread)
{
    g_autofree gboolean *used = g_new0(gboolean, texts->len + 1);
    g_autofree gboolean *nothing = g_new0(gboolean, texts->len + 1);
    g_autofree gboolean *gone = g_new0(gboolean, shapes->len + 1);
    HfWidgetBuilder work = {widgets, texts, shapes, unread, used, nothing, gone};
    *widgets = (HfWidgets){g_array_new(FALSE, FALSE, sizeof(HfDetection)),
                           g_ptr_array_new_with_free_func(g_free),
                           g_array_new(FALSE, FALSE, sizeof(HfRect))};
    for (guint i = 0; i < texts->len; i++)
        nothing[i] = used[i] = is_misread_drawing(&work, hf_builder_text(&work, i));
    add_widgets_of_shapes(&work, HF_SHAPE_BOX, HF_SHAPE_CIRCLE, add_check_box);
    add_widgets_of_shapes(&work, HF_SHAPE_SWITCH, HF_SHAPE_SLIDER, add_switch_or_slider);
    add_widgets_of_shapes(&work, HF_SHAPE_FRAME, HF_SHAPE_BUTTON, hf_framed_widget_add);
    add_widgets_of_shapes(&work, HF_SHAPE_AREA, HF_SHAPE_AREA, hf_text_area_add);
    add_widgets_of_shapes(&work, HF_SHAPE_PANEL, HF_SHAPE_PANEL, add_panel_shape);
    guint others = widgets->detected->len;
    for (guint i = 0; i < shapes->len && widgets->detected->len - others < HF_LIMIT_ICONS; i++)
        if (!gone[i])
            add_icon(&work, i);
    hf_fields_add_labels(&work);
    for (guint i = 0; i < texts->len; i++)
        if (!used[i])
            g_array_append_val(widgets->detected, *hf_builder_text(&work, i));
    sort_in_reading_rows(widgets->detected);
}

void hf_widgets_clear(HfWidgets *widgets)
{
    g_clear_pointer(&widgets->detected, g_array_unref);
    g_clear_pointer(&widgets->kept, g_ptr_array_unref);
    g_clear_pointer(&widgets->panels, g_array_unref);
}

/* ---- recognised text ---- */

/* Each word of a line knows its place, so that it can be clicked by itself. */
void hf_ocr_line_add(GArray *texts, GPtrArray *kept, const HfOcrPageLine *line, HfRect area)
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
        parts[i].bounds =
            (HfRect){area.x + line->box.x + word->box.x, area.y + line->box.y + word->box.y,
                     word->box.width, word->box.height};
    }
    HfDetection one = {
        .box = {area.x + line->box.x, area.y + line->box.y, line->box.width, line->box.height},
        .role = HF_ROLE_LABEL,
        .source = HF_SOURCE_OCR,
        .text = g_string_free(text, FALSE),
        .confidence = line->text->confidence,
        .parts = parts,
        .part_count = (int)words->len};
    g_ptr_array_add(kept, (gpointer)one.text);
    g_ptr_array_add(kept, parts);
    g_array_append_val(texts, one);
}
