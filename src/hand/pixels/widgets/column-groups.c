/* SPDX-License-Identifier: Apache-2.0 */
/* Widgets below each other: tables, lists and menus.
 *
 * A single column is not a table: tool bars go down as well, and so do the lines of a text. Two or
 * more columns in step are one.
 *
 * The entries of a list begin where the text of the highlighted one does, follow each other without
 * large gaps, and stand on one ground. */
#include <math.h>
#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/widgets/widget-groups.h"

/* ---- columns ---- */

#define PITCH_LEAST 14
#define PITCH_MOST  160
#define PITCH_SLACK 4
#define ALIGNED_PX  5
#define LEAST       3
/* A wider widget is a row by itself. */
#define MOST_WIDTH 400

/* Widgets below each other at an even pitch. */
typedef struct EvenColumn {
    GArray *members; /* of guint, from top to bottom */
    double pitch;
    int holder;
    gboolean text; /* of labels; else of tools, boxes and buttons */
} EvenColumn;

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
    EvenColumn column = {g_array_new(FALSE, FALSE, sizeof(guint)),
                         (double)(places[count - 1].y - places[0].y) / (count - 1),
                         hf_grouping_get(work, places[0].index)->holder, sort == TEXT};
    for (guint i = 0; i < count; i++)
        g_array_append_val(column.members, places[i].index);
    g_array_append_val(columns, column);
}

static void clear_even_column(gpointer column)
{
    g_array_unref(((EvenColumn *)column)->members);
}

/* The columns (EvenColumn) of at least three members. */
static GArray *find_even_columns(const HfGrouping *work)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(EvenColumn));
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

static const EvenColumn *column_at(const GArray *columns, guint index)
{
    return &g_array_index(columns, EvenColumn, index);
}

static int middle_of_row(const HfGrouping *work, const EvenColumn *column, guint row)
{
    return hf_rect_middle(hf_grouping_member(work, column->members, row)->box).y;
}

/* Whether enough members of one column stand beside a member of the other. */
static gboolean columns_keep_step(const HfGrouping *work, const EvenColumn *column,
                                  const EvenColumn *other)
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
    const EvenColumn *chief = column_at(columns, table->chief);
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
        const EvenColumn *column = column_at(columns, i);
        const EvenColumn *best = found >= 0 ? column_at(columns, (guint)found) : NULL;
        if (!used[i] && (!best || (best->text && !column->text) ||
                         (best->text == column->text && column->members->len > best->members->len)))
            found = (int)i;
    }
    return found;
}

void hf_table_rows_group(HfGrouping *work)
{
    g_autoptr(GArray) columns = find_even_columns(work);
    g_autofree gboolean *used = g_new0(gboolean, columns->len + 1);
    for (int chief; (chief = find_longest_column(columns, used)) >= 0;) {
        ColumnTable table = gather_table_columns(work, columns, (guint)chief, used);
        if (table.columns > 1)
            add_table_rows(work, columns, &table);
    }
}

/* ---- lists ---- */

#define ENTRY_ALIGNED_PX 8
#define MOST_ENTRIES     200
/* The gap between entries, in heights: there may be a separator between them. */
#define GAP 2.6
/* A menu opens this near below its menu bar. */
#define BELOW_BAR_PX 60
/* The gap between the parts of one entry. */
#define REST_PX 60
/* Colours are counted in so many buckets. */
#define COLOURS 256

/* The ground of a list is that of the first entry beside the highlighted one. */
typedef struct ListGround {
    guint32 colour;
    gboolean known;
} ListGround;

static gboolean is_next_entry(const HfGrouping *work, guint from, guint index, gpointer data)
{
    const HfDetection *a = hf_grouping_get(work, from), *b = hf_grouping_get(work, index);
    int gap = MAX(a->box.y, b->box.y) - MIN(a->box.y + a->box.height, b->box.y + b->box.height);
    ListGround *ground = data;
    guint32 here;
    if (b->role != HF_ROLE_LABEL || gap < -4 || gap > GAP * MAX(a->box.height, b->box.height) ||
        abs(hf_detection_text_left(a) - hf_detection_text_left(b)) > ENTRY_ALIGNED_PX ||
        !hf_grouping_pixel(work, hf_detection_text_left(b) - 4, hf_rect_middle(b->box).y, &here))
        return FALSE;
    if (!ground->known)
        *ground = (ListGround){here, TRUE};
    return hf_colours_alike(here, ground->colour);
}

static gboolean hangs_below_bar(const HfGrouping *work, guint count, HfRect box)
{
    for (guint i = 0; i < count; i++) {
        const HfDetection *element = hf_grouping_get(work, i);
        int gap = box.y - (element->box.y + element->box.height);
        if (element->role == HF_ROLE_MENU && gap >= 0 && gap <= BELOW_BAR_PX)
            return TRUE;
    }
    return FALSE;
}

/* A number and the text behind it are one entry. */
static void join_rest_of_entry(HfGrouping *work, guint count, guint index, int holder)
{
    HfDetection *item = hf_grouping_get(work, index);
    for (guint i = 0; i < count; i++) {
        HfDetection *rest = hf_grouping_get(work, i);
        int gap = rest->box.x - item->box.x - item->box.width;
        int off = abs(2 * rest->box.y + rest->box.height - 2 * item->box.y - item->box.height);
        if (rest->role != HF_ROLE_LABEL ||
            (rest->holder != holder && rest->holder != item->holder) || gap < 0 || gap > REST_PX ||
            off > ENTRY_ALIGNED_PX || !item->text || !rest->text)
            continue;
        char *name = g_strjoin(" ", item->text, rest->text, NULL);
        g_ptr_array_add(work->kept, name);
        item->text = name;
        item->box = hf_rect_unite(item->box, rest->box);
        rest->holder = (int)index + 1;
    }
}

/* Of at least one member, the highlighted one first. */
static void make_list(HfGrouping *work, guint count, const GArray *members)
{
    int holder = hf_grouping_member(work, members, 0)->holder;
    HfRect box = hf_grouping_box(work, members);
    gboolean menu = hangs_below_bar(work, count, box);
    int into = hf_grouping_add(work, menu ? HF_ROLE_POPUP_MENU : HF_ROLE_LIST, box, holder);
    if (menu)
        hf_grouping_get(work, (guint)into - 1)->states = HF_STATE(HF_STATE_EXPANDED);
    hf_grouping_take(work, count, box, holder, into);
    for (guint i = 0; i < members->len; i++) {
        guint index = g_array_index(members, guint, i);
        HfDetection *item = hf_grouping_get(work, index);
        item->role = menu ? HF_ROLE_MENU_ITEM : HF_ROLE_LIST_ITEM;
        item->part_count = 0; /* its words are not clicked one by one */
        if (!menu)
            join_rest_of_entry(work, count, index, holder);
    }
}

/* The menu bar of a terminal, and the function keys in its last line. */
static void group_terminal_line(HfGrouping *work, guint count, int role, int holder_role)
{
    HfRect box = {0, 0, 0, 0};
    int members = 0;
    for (guint i = 0; i < count; i++) {
        const HfDetection *element = hf_grouping_get(work, i);
        if (element->role != role || element->source & HF_SOURCE_PIXELS || element->holder ||
            (role == HF_ROLE_BUTTON && !element->label))
            continue;
        box = members++ ? hf_rect_unite(box, element->box) : element->box;
    }
    if (members < LEAST)
        return;
    int into = hf_grouping_add(work, holder_role, box, 0);
    hf_grouping_take(work, count, box, 0, into);
}

/* ---- lists by the ground of their texts ---- */

static guint32 commonest_ground(const HfGrouping *work, HfRect box)
{
    guint counts[COLOURS] = {0}, most = 0;
    guint32 best = 0;
    box.x -= work->area.x;
    box.y -= work->area.y;
    box = hf_rect_intersect(box, (HfRect){0, 0, work->image->width, work->image->height});
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++) {
            guint32 pixel = hf_image_row(work->image, y)[x] & 0xffffff;
            guint *count = &counts[(pixel * 0x9e3779b1u >> 24) % COLOURS];
            if (++*count > most) {
                most = *count;
                best = pixel;
            }
        }
    return best;
}

/* The only one on another ground than all others; -1: there is none. */
static int find_other_ground(const HfGrouping *work, const EvenColumn *column)
{
    int holder = column->holder ? hf_grouping_get(work, (guint)column->holder - 1)->role : 0;
    g_autofree guint32 *grounds = g_new(guint32, column->members->len);
    if (!column->text || (holder && holder != HF_ROLE_PANEL))
        return -1;
    for (guint i = 0; i < column->members->len; i++) {
        const HfDetection *element = hf_grouping_member(work, column->members, i);
        if (element->role != HF_ROLE_LABEL)
            return -1;
        grounds[i] = commonest_ground(work, element->box);
    }
    return hf_colours_find_odd(grounds, column->members->len);
}

static void group_by_ground(HfGrouping *work)
{
    guint count = work->detected->len;
    g_autoptr(GArray) columns = find_even_columns(work);
    for (guint i = 0; work->image && i < columns->len; i++) {
        const EvenColumn *column = &g_array_index(columns, EvenColumn, i);
        int other = find_other_ground(work, column);
        if (other < 0)
            continue;
        hf_grouping_member(work, column->members, (guint)other)->states |=
            HF_STATE(HF_STATE_SELECTED);
        make_list(work, count, column->members);
    }
}

void hf_lists_group(HfGrouping *work)
{
    guint count = work->detected->len;
    group_terminal_line(work, count, HF_ROLE_MENU, HF_ROLE_MENU_BAR);
    group_terminal_line(work, count, HF_ROLE_BUTTON, HF_ROLE_TOOL_BAR);
    for (guint i = 0; i < count; i++) {
        g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
        ListGround ground = {0};
        const HfDetection *entry = hf_grouping_get(work, i);
        int holder = entry->holder ? hf_grouping_get(work, (guint)entry->holder - 1)->role : 0;
        if (entry->role != HF_ROLE_LIST_ITEM || holder == HF_ROLE_TABLE_ROW ||
            !(entry->states & HF_STATE(HF_STATE_SELECTED)))
            continue;
        g_array_append_val(members, i);
        hf_grouping_gather(work, count, members, MOST_ENTRIES, is_next_entry, &ground);
        if (members->len >= LEAST)
            make_list(work, count, members);
    }
    group_by_ground(work);
}
