/* SPDX-License-Identifier: Apache-2.0 */
/* Where in an area things are, and in which order they are read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hand/atspi/tree/roles.h"
#include "hand/locate/ties-parts.h"

/* How fast what is further from a spot counts less, as a part of the area. */
#define SPOT_SPREAD 0.06
/* From this part of the area on it is not at the spot; the nearest of all may be meant. */
#define FAR_FROM  0.6
#define NOT_THERE 0.6
#define NEAREST   0.8
/* The cost of what is not in the area at all. */
#define NOWHERE 9
/* It is not quite what was said, and so is not asked where it is. */
#define OTHER_SORT 0.75
/* Not the one that was counted. */
#define NOT_NTH 0.4
#define TOO_FEW 0.3
/* Nobody counts what there is one of. */
#define ONLY_ONE 0.55
/* Nor is it sure that those are meant which are not quite what was said. */
#define QUITE_SO 0.83
#define LOOSELY  0.9
/* Nor those together that are called differently, for a word that they share. */
#define MOTLEY 0.6
/* What fits so much as well as the best is of its sort. */
#define SAME_SORT 0.87
/* Things to use that fit about as well as texts are those that are counted. */
#define NEAR_TEXT 0.8
/* So many of a sort make a list. */
#define LEAST_ALIKE 3

/* ---- spots ---- */

/* How far from the left or upper end, as a part of the whole; by the nearer edge of the thing. */
static double from_end(int begin, int length, int at, int size, HfSpot low, HfSpot high,
                       HfSpot spot)
{
    double from_low = (double)(at - begin) / length;
    double from_high = (double)(begin + length - at - size) / length;
    if (spot & low)
        return fabs(from_low);
    return spot & high ? fabs(from_high) : fabs(from_low - from_high);
}

static double spot_cost(HfRect area, HfRect box, HfSpot spot)
{
    gboolean across = spot & (HF_SPOT_LEFT | HF_SPOT_RIGHT);
    gboolean down = spot & (HF_SPOT_TOP | HF_SPOT_BOTTOM);
    gboolean middle = spot & HF_SPOT_MIDDLE;
    double cost = 0;
    if (across || (middle && !down))
        cost += from_end(area.x, area.width, box.x, box.width, HF_SPOT_LEFT, HF_SPOT_RIGHT, spot);
    if (down || (middle && !across))
        cost += from_end(area.y, area.height, box.y, box.height, HF_SPOT_TOP, HF_SPOT_BOTTOM, spot);
    return cost;
}

/* "the right panel": a box that is meant itself. The one that fills all is at no edge. */
static double area_cost(HfRect area, HfRect box, HfSpot spot)
{
    double cost = spot_cost(area, box, spot);
    if (spot & (HF_SPOT_LEFT | HF_SPOT_RIGHT))
        cost += (double)box.width / area.width;
    if (spot & (HF_SPOT_TOP | HF_SPOT_BOTTOM))
        cost += (double)box.height / area.height;
    return cost;
}

static double cost_at(HfRect area, const HfThing *thing, HfSpot spot, const HfMark *mark)
{
    if (!hf_rect_contains(area, hf_rect_middle(thing->box)))
        return NOWHERE;
    if (!thing->area)
        return spot_cost(area, thing->box, spot);
    return mark->reading && hf_kind_is_area(mark->reading->kind) ? area_cost(area, thing->box, spot)
                                                                 : NOWHERE;
}

/* In a browser people speak of the page, if what they speak of is in it. */
static gboolean is_any_in(const HfScene *scene, HfRect area, const HfMark *marks)
{
    double most = best_score(scene, marks);
    for (guint i = 0; !hf_rect_is_empty(area) && i < scene->things->len; i++)
        if (marks[i].score >= COMPETES * most && lies_in(hf_scene_get(scene, (int)i)->box, area))
            return TRUE;
    return FALSE;
}

void hf_spot_things(const HfScene *scene, HfSpot spot, HfRect area, HfMark *marks)
{
    if (hf_rect_is_empty(area))
        area = is_any_in(scene, scene->page, marks) ? scene->page : scene->front;
    for (guint i = 0; hf_rect_is_empty(area) && i < scene->things->len; i++)
        area = hf_scene_get(scene, (int)i)->box;
    if (hf_rect_is_empty(area))
        return;
    double most = 0, least = G_MAXDOUBLE;
    g_autofree double *costs = g_new0(double, scene->things->len + 1);
    for (guint i = 0; i < scene->things->len; i++) {
        costs[i] = cost_at(area, hf_scene_get(scene, (int)i), spot, &marks[i]);
        if (costs[i] < NOWHERE)
            most = MAX(most, marks[i].score);
    }
    for (guint i = 0; i < scene->things->len; i++) {
        gboolean named = marks[i].reading && marks[i].reading->name;
        if (costs[i] < NOWHERE && marks[i].score >= (named ? COMPETES : SAME_SORT) * most)
            least = MIN(least, costs[i]);
    }
    for (guint i = 0; i < scene->things->len; i++) {
        double further = (costs[i] - least) / SPOT_SPREAD;
        double factor = further <= 0 ? 1 : 0.5 + 0.5 * exp(-further);
        gboolean named = marks[i].reading && marks[i].reading->name;
        double there = costs[i] <= FAR_FROM ? 1 : further <= 0 && !named ? NEAREST : NOT_THERE;
        gboolean other = !named && marks[i].score < SAME_SORT * most;
        marks[i].score *= costs[i] >= NOWHERE ? NOT_AT : factor * there * (other ? OTHER_SORT : 1);
    }
}

static HfRect half_of(HfRect area, HfSpot spot)
{
    if (spot & (HF_SPOT_LEFT | HF_SPOT_RIGHT))
        area.width /= 2;
    if (spot & (HF_SPOT_TOP | HF_SPOT_BOTTOM))
        area.height /= 2;
    if (spot & HF_SPOT_RIGHT)
        area.x += area.width;
    if (spot & HF_SPOT_BOTTOM)
        area.y += area.height;
    return area;
}

void hf_half_things(const HfScene *scene, HfSpot spot, HfMark *marks)
{
    HfRect area = is_any_in(scene, scene->page, marks) ? scene->page : scene->front;
    HfRect half = half_of(area, spot);
    for (guint i = 0; !hf_rect_is_empty(half) && i < scene->things->len; i++)
        if (!hf_rect_contains(half, hf_rect_middle(hf_scene_get(scene, (int)i)->box)))
            marks[i].score *= NOT_AT;
}

/* ---- counting ---- */

typedef struct Placed {
    int thing;
    HfRect box;
    int line;
} Placed;

static int compare_down(gconstpointer a, gconstpointer b)
{
    const Placed *left = a, *right = b;
    return left->box.y != right->box.y ? left->box.y - right->box.y : left->box.x - right->box.x;
}

static int compare_read(gconstpointer a, gconstpointer b)
{
    const Placed *left = a, *right = b;
    return left->line != right->line ? left->line - right->line : left->box.x - right->box.x;
}

/* Line by line from the top, each from the left. */
static void sort_by_reading(GArray *placed)
{
    g_array_sort(placed, compare_down);
    int line = 0;
    HfRect first = {0, 0, 0, 0};
    for (guint i = 0; i < placed->len; i++) {
        Placed *each = &g_array_index(placed, Placed, i);
        if (i == 0 || !overlaps(first.y, first.height, each->box.y, each->box.height)) {
            line++;
            first = each->box;
        }
        each->line = line;
    }
    g_array_sort(placed, compare_read);
}

static gboolean is_counted(const HfScene *scene, const GArray *placed, int index)
{
    for (guint i = 0; i < placed->len; i++)
        if (hf_things_are_one(hf_scene_get(scene, g_array_index(placed, Placed, i).thing),
                              hf_scene_get(scene, index)))
            return TRUE;
    return FALSE;
}

/* Nobody counts the line of headers as a row. */
static gboolean is_header_row(const HfScene *scene, int index)
{
    const HfThing *row = hf_scene_get(scene, index);
    if (row->role != HF_ROLE_TABLE_ROW)
        return FALSE;
    for (guint i = 0; i < scene->things->len; i++) {
        const HfThing *thing = hf_scene_get(scene, (int)i);
        if (thing->row == row->as_row && hf_node_role_is(thing->role, "header"))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_only_text(const HfThing *thing)
{
    return !hf_thing_is_painted(thing) && !thing->tabbed && !thing->listed && !thing->chip &&
           (thing->role == HF_ROLE_LABEL || thing->role == HF_ROLE_STATIC ||
            thing->role == HF_ROLE_HEADING || thing->role == HF_ROLE_PARAGRAPH);
}

static double best_to_use(const HfScene *scene, const HfMark *marks)
{
    double best = 0;
    for (guint i = 0; i < scene->things->len; i++)
        if (!is_only_text(hf_scene_get(scene, (int)i)))
            best = MAX(best, marks[i].score);
    return best;
}

static int role_at(const HfScene *scene, const GArray *placed, guint index)
{
    return hf_scene_get(scene, g_array_index(placed, Placed, index).thing)->role;
}

/* Entries of a list are all alike: the button above them that adds one is none. */
static void keep_alike(const HfScene *scene, GArray *placed)
{
    guint most = 0;
    int role = 0;
    for (guint i = 0; i < placed->len; i++) {
        guint same = 0;
        for (guint k = 0; k < placed->len; k++)
            same += role_at(scene, placed, i) == role_at(scene, placed, k);
        if (same > most) {
            most = same;
            role = role_at(scene, placed, i);
        }
    }
    if (most < LEAST_ALIKE || most * 10 < placed->len * 6)
        return;
    for (guint i = placed->len; i > 0; i--)
        if (role_at(scene, placed, i - 1) != role)
            g_array_remove_index(placed, i - 1);
}

/* Where a table is, its rows are counted, and not the entries of a list beside it. */
static void keep_table_rows(const HfScene *scene, GArray *placed)
{
    guint rows = 0;
    for (guint i = 0; i < placed->len; i++)
        rows += role_at(scene, placed, i) == HF_ROLE_TABLE_ROW;
    for (guint i = placed->len; rows > 1 && i > 0; i--)
        if (role_at(scene, placed, i - 1) != HF_ROLE_TABLE_ROW)
            g_array_remove_index(placed, i - 1);
}

/* Those that a program tells are counted without what was only seen elsewhere in its window. */
static void keep_told(const HfScene *scene, GArray *placed)
{
    guint told = 0;
    for (guint i = 0; i < placed->len; i++)
        told += !hf_thing_is_painted(hf_scene_get(scene, g_array_index(placed, Placed, i).thing));
    if (told < LEAST_ALIKE || told * 2 <= placed->len)
        return;
    for (guint i = placed->len; i > 0; i--)
        if (hf_thing_is_painted(hf_scene_get(scene, g_array_index(placed, Placed, i - 1).thing)))
            g_array_remove_index(placed, i - 1);
}

static gboolean are_sized_alike(const Placed *a, const Placed *b)
{
    return abs(a->box.width - b->box.width) * 4 <= MAX(a->box.width, b->box.width) &&
           abs(a->box.height - b->box.height) * 4 <= MAX(a->box.height, b->box.height);
}

/* Files in a folder are larger than an icon elsewhere: what has the size of most is counted. */
static void keep_sized(const HfScene *scene, GArray *placed)
{
    guint most = 0;
    Placed usual = {0};
    for (guint i = 0; i < placed->len; i++) {
        const Placed *each = &g_array_index(placed, Placed, i);
        guint same = 0;
        if (hf_scene_get(scene, each->thing)->role != HF_ROLE_ICON)
            return;
        for (guint k = 0; k < placed->len; k++)
            same += are_sized_alike(each, &g_array_index(placed, Placed, k));
        if (same > most) {
            most = same;
            usual = *each;
        }
    }
    if (most < LEAST_ALIKE || most * 10 < placed->len * 6)
        return;
    for (guint i = placed->len; i > 0; i--)
        if (!are_sized_alike(&usual, &g_array_index(placed, Placed, i - 1)))
            g_array_remove_index(placed, i - 1);
}

static HfKind counted_kind(const HfScene *scene, const HfMark *marks)
{
    for (guint i = 0; i < scene->things->len; i++)
        if (marks[i].reading)
            return marks[i].reading->kind;
    return HF_KIND_ANY;
}

/* Whether they were counted for a name which they do not have in common. */
static gboolean is_motley(const HfScene *scene, const GArray *placed, const HfMark *marks)
{
    const char *first = NULL;
    for (guint i = 0; i < placed->len; i++) {
        int index = g_array_index(placed, Placed, i).thing;
        const HfThing *thing = hf_scene_get(scene, index);
        if (!marks[index].reading->name || marks[index].text >= thing->text_count)
            return FALSE;
        const char *own = thing->texts[marks[index].text].name->normal;
        if (first && strcmp(first, own) != 0)
            return TRUE;
        first = own;
    }
    return FALSE;
}

static GArray *place_best(const HfScene *scene, const HfMark *marks)
{
    double most = best_score(scene, marks);
    GArray *placed = g_array_new(FALSE, FALSE, sizeof(Placed));
    for (guint i = 0; most > 0 && i < scene->things->len; i++) {
        Placed each = {(int)i, hf_scene_get(scene, (int)i)->box, 0};
        if (marks[i].score >= SAME_SORT * most && !is_counted(scene, placed, (int)i))
            g_array_append_val(placed, each);
    }
    sort_by_reading(placed);
    return placed;
}

/* 0: neither by number nor by its place. */
static int number_of_line(const HfReading *line)
{
    if (line->nth && line->nth != HF_NTH_MIDDLE)
        return line->nth;
    return line->spot == HF_SPOT_TOP ? 1 : line->spot == HF_SPOT_BOTTOM ? -1 : 0;
}

static HfRect line_area(const GArray *placed, int line)
{
    HfRect area = {0, 0, 0, 0};
    for (guint i = 0; i < placed->len; i++) {
        const Placed *each = &g_array_index(placed, Placed, i);
        if (each->line == line)
            area = area.width > 0 ? hf_rect_unite(area, each->box) : each->box;
    }
    return area;
}

static void keep_line(const HfScene *scene, HfRect area, gboolean column, HfMark *marks)
{
    for (guint i = 0; i < scene->things->len; i++) {
        HfRect box = hf_scene_get(scene, (int)i)->box;
        if (column ? !overlaps(area.x, area.width, box.x, box.width)
                   : !overlaps(area.y, area.height, box.y, box.height))
            marks[i].score *= NOT_AT;
    }
}

gboolean hf_line_things(const HfScene *scene, const HfReading *line, HfMark *marks)
{
    g_autoptr(GArray) placed = place_best(scene, marks);
    int number = number_of_line(line);
    int lines = placed->len > 0 ? g_array_index(placed, Placed, placed->len - 1).line : 0;
    int wanted = number > 0 ? number : lines + 1 + number;
    for (guint i = 0; line->nth && i < placed->len; i++)
        if (hf_scene_get(scene, g_array_index(placed, Placed, i).thing)->row != HF_NODE_NONE)
            return FALSE;
    if (!number || lines < 2 || wanted < 1 || wanted > lines)
        return FALSE;
    keep_line(scene, line_area(placed, wanted), FALSE, marks);
    return TRUE;
}

static int compare_across(gconstpointer a, gconstpointer b)
{
    const Placed *left = a, *right = b;
    return left->box.x != right->box.x ? left->box.x - right->box.x : left->box.y - right->box.y;
}

/* Says of each in which column it is, from the left; how many there are. */
static int number_columns(GArray *placed)
{
    int column = 0;
    HfRect first = {0, 0, 0, 0};
    g_array_sort(placed, compare_across);
    for (guint i = 0; i < placed->len; i++) {
        Placed *each = &g_array_index(placed, Placed, i);
        if (i == 0 || !overlaps(first.x, first.width, each->box.x, each->box.width)) {
            column++;
            first = each->box;
        }
        each->line = column;
    }
    return column;
}

gboolean hf_column_things(const HfScene *scene, const HfReading *column, HfMark *marks)
{
    g_autoptr(GArray) placed = place_best(scene, marks);
    int columns = number_columns(placed);
    int number = column->nth && column->nth != HF_NTH_MIDDLE ? column->nth
                 : column->spot == HF_SPOT_LEFT              ? 1
                 : column->spot == HF_SPOT_RIGHT             ? -1
                                                             : 0;
    int wanted = number > 0 ? number : columns + 1 + number;
    if (!number || columns < 2 || wanted < 1 || wanted > columns)
        return FALSE;
    keep_line(scene, line_area(placed, wanted), TRUE, marks);
    return TRUE;
}

void hf_count_things(const HfScene *scene, int nth, HfMark *marks)
{
    double most = best_score(scene, marks), to_use = best_to_use(scene, marks);
    /* "the third mode" is a button, and the word Mode before them is none. */
    HfKind kind = counted_kind(scene, marks);
    gboolean captions = kind == HF_KIND_ITEM && to_use >= NEAR_TEXT * most;
    g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(Placed));
    most = captions ? to_use : most;
    for (guint i = 0; i < scene->things->len; i++) {
        Placed each = {(int)i, hf_scene_get(scene, (int)i)->box, 0};
        gboolean caption = captions && is_only_text(hf_scene_get(scene, (int)i));
        if (most > 0 && !caption && marks[i].score >= SAME_SORT * most &&
            !is_counted(scene, placed, (int)i) && !is_header_row(scene, (int)i))
            g_array_append_val(placed, each);
    }
    if (kind == HF_KIND_ITEM)
        keep_alike(scene, placed);
    if (kind == HF_KIND_ROW)
        keep_table_rows(scene, placed);
    keep_told(scene, placed);
    keep_sized(scene, placed);
    sort_by_reading(placed);
    gboolean motley = is_motley(scene, placed, marks);
    gboolean odd = placed->len % 2 == 1;
    int at = nth == HF_NTH_MIDDLE ? (odd ? (int)placed->len / 2 : -1)
             : nth > 0            ? nth - 1
                                  : (int)placed->len + nth;
    int chosen = at >= 0 && at < (int)placed->len ? g_array_index(placed, Placed, at).thing : -1;
    for (guint i = 0; i < scene->things->len; i++) {
        marks[i].group = (int)placed->len;
        gboolean vague = !marks[i].reading->name && marks[i].reading->kind == HF_KIND_ANY;
        if (vague || (hf_thing_is_painted(hf_scene_get(scene, (int)i)) && !marks[i].reading->name))
            marks[i].score *= PAINTED;
        if ((int)i != chosen)
            marks[i].score *= chosen >= 0 ? NOT_NTH : TOO_FEW;
        else if (placed->len == 1)
            marks[i].score *= ONLY_ONE;
        else if (marks[i].kind < QUITE_SO && !marks[i].reading->name && kind != HF_KIND_ITEM)
            marks[i].score *= LOOSELY;
        else if (motley)
            marks[i].score *= MOTLEY;
    }
}
