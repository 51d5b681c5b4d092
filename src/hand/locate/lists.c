/* SPDX-License-Identifier: Apache-2.0 */
/* Entries begin where the text of the chosen one does, follow each other without large gaps, and
 * stand on one ground. */
#include "hand/locate/lists.h"

#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/locate/strips.h"
#include "hand/pixels/shapes/flat-areas.h"

#define ALIGNED_PX 8
#define LEAST      3
#define MOST       200
/* From one entry to the next, as so many of their heights: there may be a rule between them. */
#define GAP 2.6
/* A menu hangs so near below its bar. */
#define BELOW_BAR_PX 60
/* From the beginning of an entry to the rest of it. */
#define REST_PX 60
/* Colours are counted by a number made of each. */
#define COLOURS 256

static int left_of(const HfSeen *seen)
{
    return seen->part_count > 0 ? seen->parts[0].bounds.x : seen->box.x;
}

static gboolean ground_at(const HfGrouping *work, const HfSeen *seen, guint32 *ret_colour)
{
    int x = left_of(seen) - 4 - work->area.x, y = seen->box.y + seen->box.height / 2 - work->area.y;
    if (!work->image || x < 0 || y < 0 || x >= work->image->width || y >= work->image->height)
        return FALSE;
    *ret_colour = hf_image_row(work->image, y)[x];
    return TRUE;
}

typedef struct List {
    GArray *members; /* of guint; the chosen one first */
    guint32 ground;
    gboolean has_ground;
} List;

static gboolean has_member(const List *list, guint index)
{
    for (guint i = 0; i < list->members->len; i++)
        if (g_array_index(list->members, guint, i) == index)
            return TRUE;
    return FALSE;
}

static gboolean is_on_ground(const HfGrouping *work, List *list, const HfSeen *seen)
{
    guint32 ground;
    if (!ground_at(work, seen, &ground))
        return FALSE;
    if (!list->has_ground)
        list->ground = ground;
    list->has_ground = TRUE;
    return hf_colours_alike(ground, list->ground);
}

static gboolean is_next(const HfSeen *a, const HfSeen *b)
{
    int gap = MAX(a->box.y, b->box.y) - MIN(a->box.y + a->box.height, b->box.y + b->box.height);
    return abs(left_of(a) - left_of(b)) <= ALIGNED_PX && gap >= -4 &&
           gap <= GAP * MAX(a->box.height, b->box.height);
}

static void gather(const HfGrouping *work, guint count, List *list)
{
    int holder = hf_grouping_get(work, g_array_index(list->members, guint, 0))->holder;
    for (guint at = 0; at < list->members->len; at++) {
        const HfSeen *from = hf_grouping_get(work, g_array_index(list->members, guint, at));
        for (guint i = 0; i < count && list->members->len < MOST; i++) {
            const HfSeen *seen = hf_grouping_get(work, i);
            if (seen->role == HF_ROLE_LABEL && seen->holder == holder && is_next(from, seen) &&
                !has_member(list, i) && is_on_ground(work, list, seen))
                g_array_append_val(list->members, i);
        }
    }
}

/* Whether a menu of a bar is right above. */
static gboolean hangs_below_bar(const HfGrouping *work, guint count, HfRect box)
{
    for (guint i = 0; i < count; i++) {
        const HfSeen *seen = hf_grouping_get(work, i);
        int gap = box.y - (seen->box.y + seen->box.height);
        if (seen->role == HF_ROLE_MENU && gap >= 0 && gap <= BELOW_BAR_PX)
            return TRUE;
    }
    return FALSE;
}

/* A number and what it stands for are one entry, however far apart. */
static void take_rest(HfGrouping *work, guint count, guint index, int holder)
{
    HfSeen *item = hf_grouping_get(work, index);
    for (guint i = 0; i < count; i++) {
        HfSeen *rest = hf_grouping_get(work, i);
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

static void make_list(HfGrouping *work, guint count, const List *list)
{
    const HfSeen *chosen = hf_grouping_get(work, g_array_index(list->members, guint, 0));
    int holder = chosen->holder;
    HfRect box = chosen->box;
    for (guint i = 1; i < list->members->len; i++)
        box =
            hf_rect_unite(box, hf_grouping_get(work, g_array_index(list->members, guint, i))->box);
    gboolean menu = hangs_below_bar(work, count, box);
    int into = hf_grouping_add(work, menu ? HF_ROLE_POPUP_MENU : HF_ROLE_LIST, box, holder);
    if (menu)
        hf_grouping_get(work, (guint)into - 1)->states = HF_STATE(HF_STATE_EXPANDED);
    hf_grouping_take(work, count, box, holder, into);
    for (guint i = 0; i < list->members->len; i++) {
        guint index = g_array_index(list->members, guint, i);
        HfSeen *item = hf_grouping_get(work, index);
        item->role = menu ? HF_ROLE_MENU_ITEM : HF_ROLE_LIST_ITEM;
        item->part_count = 0; /* nobody counts its words */
        if (!menu)
            take_rest(work, count, index, holder);
    }
}

static gboolean is_chosen(const HfGrouping *work, guint index)
{
    const HfSeen *seen = hf_grouping_get(work, index);
    int holder = seen->holder ? hf_grouping_get(work, (guint)seen->holder - 1)->role : 0;
    return seen->role == HF_ROLE_LIST_ITEM && holder != HF_ROLE_TABLE_ROW &&
           (seen->states & HF_STATE(HF_STATE_SELECTED)) != 0;
}

/* Menus of a terminal's menu bar, and keys of its last line. */
static void add_line(HfGrouping *work, guint count, int role, int holder_role)
{
    HfRect box = {0, 0, 0, 0};
    int members = 0;
    for (guint i = 0; i < count; i++) {
        const HfSeen *seen = hf_grouping_get(work, i);
        if (seen->role != role || seen->source & HF_SOURCE_PIXELS || seen->holder ||
            (role == HF_ROLE_BUTTON && !seen->label))
            continue;
        box = members++ ? hf_rect_unite(box, seen->box) : seen->box;
    }
    if (members < LEAST)
        return;
    int into = hf_grouping_add(work, holder_role, box, 0);
    hf_grouping_take(work, count, box, 0, into);
}

/* ---- lists by the ground of their texts ---- */

static guint32 commonest(const HfGrouping *work, HfRect box)
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

/* The only one on another ground than all others; -1: none is. */
static int find_other(const HfGrouping *work, const GArray *members)
{
    g_autofree guint32 *grounds = g_new(guint32, members->len);
    for (guint i = 0; i < members->len; i++)
        grounds[i] = commonest(work, hf_grouping_get(work, g_array_index(members, guint, i))->box);
    int found = -1;
    guint32 usual = hf_colours_alike(grounds[0], grounds[1]) ? grounds[0] : grounds[2];
    for (guint i = 0; i < members->len; i++) {
        if (hf_colours_alike(grounds[i], usual))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

static gboolean are_texts(const HfGrouping *work, const HfStrip *strip)
{
    int holder = strip->holder ? hf_grouping_get(work, (guint)strip->holder - 1)->role : 0;
    for (guint i = 0; i < strip->members->len; i++)
        if (hf_grouping_get(work, g_array_index(strip->members, guint, i))->role != HF_ROLE_LABEL)
            return FALSE;
    return strip->text && (!holder || holder == HF_ROLE_PANEL);
}

static void group_by_ground(HfGrouping *work)
{
    guint count = work->seen->len;
    g_autoptr(GArray) strips = hf_strips_find(work);
    for (guint i = 0; work->image && i < strips->len; i++) {
        const HfStrip *strip = &g_array_index(strips, HfStrip, i);
        int other = are_texts(work, strip) ? find_other(work, strip->members) : -1;
        if (other < 0)
            continue;
        List list = {strip->members, 0, FALSE};
        hf_grouping_get(work, g_array_index(strip->members, guint, (guint)other))->states |=
            HF_STATE(HF_STATE_SELECTED);
        make_list(work, count, &list);
    }
}

void hf_lists_group(HfGrouping *work)
{
    guint count = work->seen->len;
    add_line(work, count, HF_ROLE_MENU, HF_ROLE_MENU_BAR);
    add_line(work, count, HF_ROLE_BUTTON, HF_ROLE_TOOL_BAR);
    for (guint i = 0; i < count; i++) {
        g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
        List list = {members, 0, FALSE};
        if (!is_chosen(work, i))
            continue;
        g_array_append_val(members, i);
        gather(work, count, &list);
        if (members->len >= LEAST)
            make_list(work, count, &list);
    }
    group_by_ground(work);
}
