/* SPDX-License-Identifier: Apache-2.0 */
/* One strip is no list: a bar of tools goes down as well, and so do the lines of a text. Two or
 * more that keep step are one. */
#include "hand/locate/rows.h"

#include <math.h>
#include <stdlib.h>

#include "hand/atspi/tree/roles.h"
#include "hand/locate/strips.h"

/* How far pitches may differ, and how far out of step members may be, as a part of the pitch. */
#define PITCH_APART 2.0
#define OUT_OF_STEP 0.3
#define LEAST_ROWS  3
#define MOST_ROWS   200

static const HfStrip *strip_at(const GArray *strips, guint index)
{
    return &g_array_index(strips, HfStrip, index);
}

static int middle_at(const HfGrouping *work, const HfStrip *strip, guint row)
{
    return hf_grouping_middle(work, g_array_index(strip->members, guint, row)).y;
}

/* How many members of the other stand beside one of it. */
static guint count_beside(const HfGrouping *work, const HfStrip *strip, const HfStrip *other)
{
    guint count = 0;
    for (guint i = 0; i < strip->members->len; i++)
        for (guint k = 0; k < other->members->len; k++)
            count += abs(middle_at(work, strip, i) - middle_at(work, other, k)) <=
                     strip->pitch * OUT_OF_STEP;
    return count;
}

static gboolean keep_step(const HfGrouping *work, const HfStrip *strip, const HfStrip *other)
{
    guint least = MIN(strip->members->len, other->members->len);
    return strip->holder == other->holder && fabs(strip->pitch - other->pitch) <= PITCH_APART &&
           count_beside(work, strip, other) >= MAX(LEAST_ROWS, least * 2 / 3);
}

static HfRect box_of(const HfGrouping *work, const HfStrip *strip)
{
    HfRect box = hf_grouping_get(work, g_array_index(strip->members, guint, 0))->box;
    for (guint i = 1; i < strip->members->len; i++)
        box =
            hf_rect_unite(box, hf_grouping_get(work, g_array_index(strip->members, guint, i))->box);
    return box;
}

/* A strip with all that keep step with it. */
typedef struct Table {
    guint chief;
    guint strips;
    HfRect box;
} Table;

static Table gather(const HfGrouping *work, const GArray *strips, guint chief, gboolean *used)
{
    Table table = {chief, 0, box_of(work, strip_at(strips, chief))};
    for (guint i = 0; i < strips->len; i++) {
        if (used[i] ||
            (i != chief && !keep_step(work, strip_at(strips, chief), strip_at(strips, i))))
            continue;
        used[i] = TRUE;
        table.strips++;
        table.box = hf_rect_unite(table.box, box_of(work, strip_at(strips, i)));
    }
    return table;
}

static void add_table(HfGrouping *work, const GArray *strips, const Table *table)
{
    const HfStrip *chief = strip_at(strips, table->chief);
    guint count = work->seen->len, rows = MIN(chief->members->len, MOST_ROWS);
    int half = (int)(chief->pitch / 2);
    HfRect all = hf_rect_unite(table->box, (HfRect){table->box.x, middle_at(work, chief, 0) - half,
                                                    table->box.width, (int)(chief->pitch * rows)});
    int holder = hf_grouping_add(work, HF_ROLE_TABLE, all, chief->holder);
    for (guint i = 0; i < rows; i++) {
        HfRect box = {table->box.x, middle_at(work, chief, i) - half + 1, table->box.width,
                      2 * half - 2};
        int row = hf_grouping_add(work, HF_ROLE_TABLE_ROW, box, holder);
        hf_grouping_take(work, count, box, chief->holder, row);
    }
}

/* The longest that is left; texts come last: a title above a list may seem to be one of them. */
static int find_chief(const GArray *strips, const gboolean *used)
{
    int found = -1;
    for (guint i = 0; i < strips->len; i++) {
        const HfStrip *strip = strip_at(strips, i);
        const HfStrip *best = found >= 0 ? strip_at(strips, (guint)found) : NULL;
        if (!used[i] && (!best || (best->text && !strip->text) ||
                         (best->text == strip->text && strip->members->len > best->members->len)))
            found = (int)i;
    }
    return found;
}

void hf_rows_group(HfGrouping *work)
{
    g_autoptr(GArray) strips = hf_strips_find(work);
    g_autofree gboolean *used = g_new0(gboolean, strips->len + 1);
    for (int chief; (chief = find_chief(strips, used)) >= 0;) {
        Table table = gather(work, strips, (guint)chief, used);
        if (table.strips > 1)
            add_table(work, strips, &table);
    }
}
