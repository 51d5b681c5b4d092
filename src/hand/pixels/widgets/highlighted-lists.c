/* SPDX-License-Identifier: Apache-2.0 */
/* Entries begin where the text of the highlighted one does, follow each other without large gaps,
 * and stand on one ground. */
#include "hand/pixels/widgets/widget-groups.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/pixels/shapes/flat-areas.h"

#define ALIGNED_PX 8
#define LEAST      3
#define MOST       200
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
        abs(hf_detection_text_left(a) - hf_detection_text_left(b)) > ALIGNED_PX ||
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
            off > ALIGNED_PX || !item->text || !rest->text)
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
static int find_other_ground(const HfGrouping *work, const HfEvenColumn *column)
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
    g_autoptr(GArray) columns = hf_even_columns_find(work);
    for (guint i = 0; work->image && i < columns->len; i++) {
        const HfEvenColumn *column = &g_array_index(columns, HfEvenColumn, i);
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
        hf_grouping_gather(work, count, members, MOST, is_next_entry, &ground);
        if (members->len >= LEAST)
            make_list(work, count, members);
    }
    group_by_ground(work);
}
