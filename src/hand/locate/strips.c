/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a strip are of one sort, stand under each other (texts by their left edges, others by
 * their middles), and are as far apart as the first two are. */
#include "hand/locate/strips.h"

#include <math.h>
#include <stdlib.h>

#include "hand/atspi/tree/roles.h"

#define PITCH_LEAST 14
#define PITCH_MOST  160
#define PITCH_SLACK 4
#define ALIGNED_PX  5
#define LEAST       3
/* Wider is a row itself. */
#define MOST_WIDTH 400

typedef enum Sort { OTHER, TOOL, BOX, TEXT } Sort;

/* What a field is for belongs to its form, and not to a list beside that. */
static gboolean is_label_of_field(const HfGrouping *work, const HfSeen *label)
{
    for (guint i = 0; i < work->seen->len; i++) {
        const HfSeen *seen = hf_grouping_get(work, i);
        if (seen->label && seen->label == label->text &&
            (seen->role == HF_ROLE_ENTRY || seen->role == HF_ROLE_COMBO_BOX ||
             seen->role == HF_ROLE_TEXT))
            return TRUE;
    }
    return FALSE;
}

static Sort sort_of(const HfGrouping *work, guint index)
{
    const HfSeen *seen = hf_grouping_get(work, index);
    if (seen->holds || is_label_of_field(work, seen))
        return OTHER;
    switch (seen->role) {
    case HF_ROLE_CHECK_BOX:
    case HF_ROLE_RADIO_BUTTON:
    case HF_ROLE_SWITCH:
        return BOX;
    case HF_ROLE_LABEL:
    case HF_ROLE_LIST_ITEM:
        return TEXT;
    case HF_ROLE_ICON:
    case HF_ROLE_BUTTON:
        return seen->box.width <= MOST_WIDTH ? TOOL : OTHER;
    default:
        return OTHER;
    }
}

/* The text of an entry on a ground of its own begins further in. */
static int left_of(const HfSeen *seen)
{
    return seen->part_count > 0 ? seen->parts[0].bounds.x : seen->box.x;
}

static gboolean is_aligned(const HfGrouping *work, guint a, guint b, Sort sort)
{
    const HfSeen *one = hf_grouping_get(work, a), *other = hf_grouping_get(work, b);
    if (sort == TEXT)
        return abs(left_of(one) - left_of(other)) <= ALIGNED_PX;
    int wide = MAX(one->box.width, other->box.width),
        high = MAX(one->box.height, other->box.height);
    return abs(hf_grouping_middle(work, a).x - hf_grouping_middle(work, b).x) <= ALIGNED_PX &&
           abs(one->box.width - other->box.width) * 2 <= wide &&
           abs(one->box.height - other->box.height) * 2 <= high;
}

typedef struct Place {
    guint index;
    int y;
} Place;

static int by_place(gconstpointer a, gconstpointer b)
{
    return ((const Place *)a)->y - ((const Place *)b)->y;
}

/* All that could be in one strip with the first, from top to bottom. */
static GArray *find_column(const HfGrouping *work, const Sort *sorts, guint first)
{
    GArray *column = g_array_new(FALSE, FALSE, sizeof(Place));
    for (guint i = 0; i < work->seen->len; i++) {
        Place place = {i, hf_grouping_middle(work, i).y};
        if (sorts[i] == sorts[first] &&
            hf_grouping_get(work, i)->holder == hf_grouping_get(work, first)->holder &&
            is_aligned(work, first, i, sorts[first]))
            g_array_append_val(column, place);
    }
    g_array_sort(column, by_place);
    return column;
}

/* How many from `begin` on are evenly spaced. */
static guint count_even(const GArray *column, guint begin)
{
    const Place *places = (const Place *)(gconstpointer)column->data;
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

static void add_strip(const HfGrouping *work, GArray *strips, const GArray *column, guint begin,
                      guint count, Sort sort)
{
    const Place *places = (const Place *)(gconstpointer)column->data + begin;
    HfStrip strip = {g_array_new(FALSE, FALSE, sizeof(guint)),
                     (double)(places[count - 1].y - places[0].y) / (count - 1),
                     hf_grouping_get(work, places[0].index)->holder, sort == TEXT};
    for (guint i = 0; i < count; i++)
        g_array_append_val(strip.members, places[i].index);
    g_array_append_val(strips, strip);
}

static void strip_clear(gpointer strip)
{
    g_array_unref(((HfStrip *)strip)->members);
}

GArray *hf_strips_find(const HfGrouping *work)
{
    GArray *strips = g_array_new(FALSE, FALSE, sizeof(HfStrip));
    g_autofree Sort *sorts = g_new0(Sort, work->seen->len + 1); /* OTHER: not, or no more */
    g_array_set_clear_func(strips, strip_clear);
    for (guint i = 0; i < work->seen->len; i++)
        sorts[i] = sort_of(work, i);
    for (guint i = 0; i < work->seen->len; i++) {
        Sort sort = sorts[i];
        if (sort == OTHER)
            continue;
        g_autoptr(GArray) column = find_column(work, sorts, i);
        for (guint begin = 0, count; begin < column->len; begin += count) {
            count = count_even(column, begin);
            if (count >= LEAST)
                add_strip(work, strips, column, begin, count, sort);
            for (guint k = begin; count >= LEAST && k < begin + count; k++)
                sorts[g_array_index(column, Place, k).index] = OTHER;
        }
        sorts[i] = OTHER;
    }
    return strips;
}
