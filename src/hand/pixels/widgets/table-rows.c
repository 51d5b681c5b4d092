/* SPDX-License-Identifier: Apache-2.0 */
/* A single column is no table: tool bars go down as well, and so do the lines of a text. Two or
 * more columns in step are one. */
#include "hand/pixels/widgets/widget-groups.h"

#include <math.h>
#include <stdlib.h>

#include "hand/atspi/tree/roles.h"

/* ---- columns ---- */

#define PITCH_LEAST 14
#define PITCH_MOST  160
#define PITCH_SLACK 4
#define ALIGNED_PX  5
#define LEAST       3
/* A wider widget is a row by itself. */
#define MOST_WIDTH 400

typedef enum WidgetSort { OTHER, TOOL, BOX, TEXT } WidgetSort;

/* The label of a field belongs to its form, and not to a list beside it. */
static gboolean is_label_of_field(const HfGrouping *work, const HfDetection *label)
{
    for (guint i = 0; i < work->detected->len; i++) {
        const HfDetection *element = hf_grouping_get(work, i);
        if (element->label && element->label == label->text &&
            (element->role == HF_ROLE_ENTRY || element->role == HF_ROLE_COMBO_BOX ||
             element->role == HF_ROLE_TEXT))
            return TRUE;
    }
    return FALSE;
}

static WidgetSort sort_of_widget(const HfGrouping *work, guint index)
{
    const HfDetection *element = hf_grouping_get(work, index);
    if (element->holds || is_label_of_field(work, element))
        return OTHER;
    switch (element->role) {
    case HF_ROLE_CHECK_BOX:
    case HF_ROLE_RADIO_BUTTON:
    case HF_ROLE_SWITCH:
        return BOX;
    case HF_ROLE_LABEL:
    case HF_ROLE_LIST_ITEM:
        return TEXT;
    case HF_ROLE_ICON:
    case HF_ROLE_BUTTON:
        return element->box.width <= MOST_WIDTH ? TOOL : OTHER;
    default:
        return OTHER;
    }
}

static gboolean are_aligned_below(const HfGrouping *work, guint a, guint b, WidgetSort sort)
{
    const HfDetection *one = hf_grouping_get(work, a), *other = hf_grouping_get(work, b);
    if (sort == TEXT)
        return abs(hf_detection_text_left(one) - hf_detection_text_left(other)) <= ALIGNED_PX;
    int wide = MAX(one->box.width, other->box.width),
        high = MAX(one->box.height, other->box.height);
    return abs(hf_grouping_middle(work, a).x - hf_grouping_middle(work, b).x) <= ALIGNED_PX &&
           abs(one->box.width - other->box.width) * 2 <= wide &&
           abs(one->box.height - other->box.height) * 2 <= high;
}

typedef struct WidgetPlace {
    guint index;
    int y;
} WidgetPlace;

static int compare_place_down(gconstpointer a, gconstpointer b)
{
    return ((const WidgetPlace *)a)->y - ((const WidgetPlace *)b)->y;
}

/* Everything that could be in one column with the first, from top to bottom. */
static GArray *find_aligned_widgets(const HfGrouping *work, const WidgetSort *sorts, guint first)
{
    GArray *column = g_array_new(FALSE, FALSE, sizeof(WidgetPlace));
    for (guint i = 0; i < work->detected->len; i++) {
        WidgetPlace place = {i, hf_grouping_middle(work, i).y};
        if (sorts[i] == sorts[first] &&
            hf_grouping_get(work, i)->holder == hf_grouping_get(work, first)->holder &&
            are_aligned_below(work, first, i, sorts[first]))
            g_array_append_val(column, place);
    }
    g_array_sort(column, compare_place_down);
    return column;
}

/* How many from `begin` on are evenly spaced. */
static guint count_evenly_spaced(const GArray *column, guint begin)
{
    const WidgetPlace *places = (const WidgetPlace *)(gconstpointer)column->data;
    guint end = begin + 1;
    if (end >= column->len)
        return 1;
    int pitch = places[end].y - places[begin].y;
    if (pitch < PITCH_LEAST || pitch > PITCH_MOST)
        return 1;
    while (end < column->len && abs(places[end].y - places[end - 1].y - pitch) <= PITCH_SLACK)
        end++;
    return end - begin;
}

static void add_even_column(const HfGrouping *work, GArray *columns, const GArray *aligned,
                            guint begin, guint count, WidgetSort sort)
{
    const WidgetPlace *places = (const WidgetPlace *)(gconstpointer)aligned->data + begin;
    HfEvenColumn column = {g_array_new(FALSE, FALSE, sizeof(guint)),
                           (double)(places[count - 1].y - places[0].y) / (count - 1),
                           hf_grouping_get(work, places[0].index)->holder, sort == TEXT};
    for (guint i = 0; i < count; i++)
        g_array_append_val(column.members, places[i].index);
    g_array_append_val(columns, column);
}

static void clear_even_column(gpointer column)
{
    g_array_unref(((HfEvenColumn *)column)->members);
}

GArray *hf_even_columns_find(const HfGrouping *work)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(HfEvenColumn));
    g_autofree WidgetSort *sorts =
        g_new0(WidgetSort, work->detected->len + 1); /* OTHER: not in a column, or done */
    g_array_set_clear_func(columns, clear_even_column);
    for (guint i = 0; i < work->detected->len; i++)
        sorts[i] = sort_of_widget(work, i);
    for (guint i = 0; i < work->detected->len; i++) {
        WidgetSort sort = sorts[i];
        if (sort == OTHER)
            continue;
        g_autoptr(GArray) aligned = find_aligned_widgets(work, sorts, i);
        for (guint begin = 0, count; begin < aligned->len; begin += count) {
            count = count_evenly_spaced(aligned, begin);
            if (count >= LEAST)
                add_even_column(work, columns, aligned, begin, count, sort);
            for (guint k = begin; count >= LEAST && k < begin + count; k++)
                sorts[g_array_index(aligned, WidgetPlace, k).index] = OTHER;
        }
        sorts[i] = OTHER;
    }
    return columns;
}

/* ---- tables ---- */

/* How far pitches may differ, and how far members may be out of step, as a part of the pitch. */
#define PITCH_APART 2.0
#define OUT_OF_STEP 0.3
#define LEAST_ROWS  3
#define MOST_ROWS   200

static const HfEvenColumn *column_at(const GArray *columns, guint index)
{
    return &g_array_index(columns, HfEvenColumn, index);
}

static int middle_of_row(const HfGrouping *work, const HfEvenColumn *column, guint row)
{
    return hf_rect_middle(hf_grouping_member(work, column->members, row)->box).y;
}

/* Whether enough members of one column stand beside a member of the other. */
static gboolean columns_keep_step(const HfGrouping *work, const HfEvenColumn *column,
                                  const HfEvenColumn *other)
{
    guint count = 0, least = MIN(column->members->len, other->members->len);
    for (guint i = 0; i < column->members->len; i++)
        for (guint k = 0; k < other->members->len; k++)
            count += abs(middle_of_row(work, column, i) - middle_of_row(work, other, k)) <=
                     column->pitch * OUT_OF_STEP;
    return column->holder == other->holder && fabs(column->pitch - other->pitch) <= PITCH_APART &&
           count >= MAX(LEAST_ROWS, least * 2 / 3);
}

/* A column with all that keep step with it. */
typedef struct ColumnTable {
    guint chief;
    guint columns;
    HfRect box;
} ColumnTable;

static ColumnTable gather_table_columns(const HfGrouping *work, const GArray *columns, guint chief,
                                        gboolean *used)
{
    ColumnTable table = {chief, 0, hf_grouping_box(work, column_at(columns, chief)->members)};
    for (guint i = 0; i < columns->len; i++) {
        if (used[i] || (i != chief &&
                        !columns_keep_step(work, column_at(columns, chief), column_at(columns, i))))
            continue;
        used[i] = TRUE;
        table.columns++;
        table.box = hf_rect_unite(table.box, hf_grouping_box(work, column_at(columns, i)->members));
    }
    return table;
}

static void add_table_rows(HfGrouping *work, const GArray *columns, const ColumnTable *table)
{
    const HfEvenColumn *chief = column_at(columns, table->chief);
    guint count = work->detected->len, rows = MIN(chief->members->len, MOST_ROWS);
    int half = (int)(chief->pitch / 2);
    HfRect all =
        hf_rect_unite(table->box, (HfRect){table->box.x, middle_of_row(work, chief, 0) - half,
                                           table->box.width, (int)(chief->pitch * rows)});
    int holder = hf_grouping_add(work, HF_ROLE_TABLE, all, chief->holder);
    for (guint i = 0; i < rows; i++) {
        HfRect box = {table->box.x, middle_of_row(work, chief, i) - half + 1, table->box.width,
                      2 * half - 2};
        int row = hf_grouping_add(work, HF_ROLE_TABLE_ROW, box, holder);
        hf_grouping_take(work, count, box, chief->holder, row);
    }
}

/* The longest column that is left; texts come last, since a title above a list may look like a
 * part of it. */
static int find_longest_column(const GArray *columns, const gboolean *used)
{
    int found = -1;
    for (guint i = 0; i < columns->len; i++) {
        const HfEvenColumn *column = column_at(columns, i);
        const HfEvenColumn *best = found >= 0 ? column_at(columns, (guint)found) : NULL;
        if (!used[i] && (!best || (best->text && !column->text) ||
                         (best->text == column->text && column->members->len > best->members->len)))
            found = (int)i;
    }
    return found;
}

void hf_table_rows_group(HfGrouping *work)
{
    g_autoptr(GArray) columns = hf_even_columns_find(work);
    g_autofree gboolean *used = g_new0(gboolean, columns->len + 1);
    for (int chief; (chief = find_longest_column(columns, used)) >= 0;) {
        ColumnTable table = gather_table_columns(work, columns, (guint)chief, used);
        if (table.columns > 1)
            add_table_rows(work, columns, &table);
    }
}
