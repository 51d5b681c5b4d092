/* SPDX-License-Identifier: Apache-2.0 */
/* E. Myers, "An O(ND) difference algorithm" (1986). For each number of edits d, it finds the
 * furthest point on every diagonal, and keeps the earlier rounds to trace the way back. Equal lines
 * at both ends, which are most of an edited file, are cut off first. */
#include <string.h>

#include "hand/files/change/diff.h"
#include "hand/files/files-limits.h"

typedef struct Myers {
    const guint *before, *after;
    int before_count, after_count;
    GPtrArray *rounds; /* of int *: per d, how far each diagonal from -d to d got */
} Myers;

static int furthest_x(const Myers *myers, int round, int diagonal)
{
    if (diagonal < -round || diagonal > round)
        return -1;
    const int *row = myers->rounds->pdata[round];
    return row[diagonal + round];
}

/* Whether the best way to this diagonal inserts a line of `after`. */
static gboolean goes_down(const Myers *myers, int round, int diagonal)
{
    return diagonal == -round ||
           (diagonal != round && furthest_x(myers, round - 1, diagonal - 1) <
                                     furthest_x(myers, round - 1, diagonal + 1));
}

static int start_of_diagonal(const Myers *myers, int round, int diagonal)
{
    if (round == 0)
        return 0;
    if (goes_down(myers, round, diagonal))
        return furthest_x(myers, round - 1, diagonal + 1);
    int from = furthest_x(myers, round - 1, diagonal - 1);
    return from < 0 ? -1 : from + 1;
}

static int follow_snake(const Myers *myers, int x, int diagonal)
{
    while (x < myers->before_count && x - diagonal < myers->after_count &&
           myers->before[x] == myers->after[x - diagonal])
        x++;
    return x;
}

/* One round; TRUE if it reached the end. Points outside the texts are skipped. */
static gboolean run_myers_round(Myers *myers, int round)
{
    int *row = g_new(int, 2 * (gsize)round + 1);
    gboolean done = FALSE;
    g_ptr_array_add(myers->rounds, row);
    for (int diagonal = -round; diagonal <= round; diagonal++)
        row[diagonal + round] = -1;
    for (int diagonal = -round; diagonal <= round && !done; diagonal += 2) {
        int x = start_of_diagonal(myers, round, diagonal);
        if (x < 0 || x > myers->before_count || x - diagonal > myers->after_count ||
            x - diagonal < 0)
            continue;
        x = follow_snake(myers, x, diagonal);
        row[diagonal + round] = x;
        done = x >= myers->before_count && x - diagonal >= myers->after_count;
    }
    return done;
}

/* Marks removed and added lines, from the end backwards. */
static void trace_edits_back(const Myers *myers, int round, guint8 *removed, guint8 *added)
{
    int diagonal = myers->before_count - myers->after_count;
    for (; round > 0; round--) {
        gboolean down = goes_down(myers, round, diagonal);
        int start = start_of_diagonal(myers, round, diagonal);
        if (down)
            added[start - diagonal - 1] = 1;
        else
            removed[start - 1] = 1;
        diagonal += down ? 1 : -1;
    }
}

static void add_hunks(GArray *hunks, const Myers *myers, const guint8 *removed, const guint8 *added,
                      guint skipped)
{
    int x = 0, y = 0;
    while (x < myers->before_count || y < myers->after_count) {
        HfHunk hunk = {(guint)x + skipped, 0, (guint)y + skipped, 0};
        for (; x < myers->before_count && removed[x]; x++)
            hunk.before_count++;
        for (; y < myers->after_count && added[y]; y++)
            hunk.after_count++;
        if (hunk.before_count || hunk.after_count) {
            g_array_append_val(hunks, hunk);
            continue;
        }
        x++;
        y++;
    }
}

static void compare_lines_by_myers(GArray *hunks, Myers *myers, guint skipped)
{
    int round = 0;
    int most = MIN(HF_LIMIT_DIFF_EDITS, myers->before_count + myers->after_count);
    gboolean done = FALSE;
    myers->rounds = g_ptr_array_new_with_free_func(g_free);
    while (round <= most && !(done = run_myers_round(myers, round)))
        round++;
    g_autofree guint8 *removed = g_malloc0((gsize)myers->before_count + 1);
    g_autofree guint8 *added = g_malloc0((gsize)myers->after_count + 1);
    if (done) {
        trace_edits_back(myers, round, removed, added);
    } else {
        memset(removed, 1, (gsize)myers->before_count);
        memset(added, 1, (gsize)myers->after_count);
    }
    add_hunks(hunks, myers, removed, added, skipped);
    g_ptr_array_unref(myers->rounds);
}

GArray *hf_diff_hunks(const guint *before, guint before_count, const guint *after,
                      guint after_count)
{
    GArray *hunks = g_array_new(FALSE, FALSE, sizeof(HfHunk));
    guint first = 0, last = 0, least = MIN(before_count, after_count);
    while (first < least && before[first] == after[first])
        first++;
    while (last < least - first && before[before_count - 1 - last] == after[after_count - 1 - last])
        last++;
    Myers myers = {before + first, after + first, (int)(before_count - first - last),
                   (int)(after_count - first - last), NULL};
    if (myers.before_count > 0 || myers.after_count > 0)
        compare_lines_by_myers(hunks, &myers, first);
    return hunks;
}
