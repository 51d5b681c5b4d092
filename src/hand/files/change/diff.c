/* SPDX-License-Identifier: Apache-2.0 */
/* Formats hunks with their context like GNU diff, including its mark for a missing newline at the
 * end. */
#include "hand/files/change/diff.h"

#include <string.h>

#include "hand/files/files-limits.h"
#include "shared/base/limits.h"

#define CONTEXT 3u

/* ---- hunks ---- */

/* E. Myers, "An O(ND) difference algorithm" (1986). For each number of edits d, it finds the
 * furthest point on every diagonal, and keeps the earlier rounds to trace the way back. Equal lines
 * at both ends, which are most of an edited file, are cut off first. */
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

/* ---- output ---- */

/* The lines of a text, and a number for each that equal lines share. */
typedef struct Lines {
    GPtrArray *starts; /* const char *; the last one is the end of the text */
    guint *numbers;
    guint count;
} Lines;

static void lines_clear(Lines *lines)
{
    g_clear_pointer(&lines->starts, g_ptr_array_unref);
    g_free(lines->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Lines, lines_clear)

static guint intern_line(GHashTable *numbers, const char *start, const char *end)
{
    g_autofree char *line = g_strndup(start, (gsize)(end - start));
    gpointer number = g_hash_table_lookup(numbers, line);
    if (!number) {
        number = GUINT_TO_POINTER(g_hash_table_size(numbers) + 1);
        g_hash_table_insert(numbers, g_steal_pointer(&line), number);
    }
    return GPOINTER_TO_UINT(number);
}

static void lines_read(Lines *lines, const char *text, GHashTable *numbers)
{
    lines->starts = g_ptr_array_new();
    const char *end = text + strlen(text);
    for (const char *at = text; at < end;) {
        const char *feed = memchr(at, '\n', (gsize)(end - at));
        g_ptr_array_add(lines->starts, (gpointer)at);
        at = feed ? feed + 1 : end;
    }
    lines->count = lines->starts->len;
    g_ptr_array_add(lines->starts, (gpointer)end);
    lines->numbers = g_new(guint, lines->count + 1);
    for (guint i = 0; i < lines->count; i++)
        lines->numbers[i] =
            intern_line(numbers, lines->starts->pdata[i], lines->starts->pdata[i + 1]);
}

static void append_lines(GString *out, char sign, const Lines *lines, guint from, guint count)
{
    for (guint i = from; i < from + count; i++) {
        const char *start = lines->starts->pdata[i], *end = lines->starts->pdata[i + 1];
        g_string_append_c(out, sign);
        g_string_append_len(out, start, end - start);
        if (end == start || end[-1] != '\n')
            g_string_append(out, "\n\\ No newline at end of file\n");
    }
}

/* "12,3": first line, counted from 1, and count. An empty range names the line before it. */
static void append_range(GString *out, char sign, guint from, guint count)
{
    g_string_append_printf(out, "%c%u", sign, count ? from + 1 : from);
    if (count != 1)
        g_string_append_printf(out, ",%u", count);
}

/* Hunks whose context overlaps form a group: from `first` to before the returned index. */
static guint end_of_group(const GArray *hunks, guint first)
{
    guint next = first + 1;
    while (next < hunks->len) {
        const HfHunk *last = &g_array_index(hunks, HfHunk, next - 1);
        const HfHunk *more = &g_array_index(hunks, HfHunk, next);
        if (more->before - (last->before + last->before_count) > 2 * CONTEXT)
            break;
        next++;
    }
    return next;
}

static void append_group(GString *out, const GArray *hunks, guint first, guint end,
                         const Lines *before, const Lines *after)
{
    const HfHunk *begin = &g_array_index(hunks, HfHunk, first);
    const HfHunk *last = &g_array_index(hunks, HfHunk, end - 1);
    guint lead = MIN(CONTEXT, begin->before);
    guint left = before->count - (last->before + last->before_count), trail = MIN(CONTEXT, left);
    guint from = begin->before - lead, other = begin->after - lead;
    g_string_append(out, "@@ ");
    append_range(out, '-', from, last->before + last->before_count + trail - from);
    g_string_append_c(out, ' ');
    append_range(out, '+', other, last->after + last->after_count + trail - other);
    g_string_append(out, " @@\n");
    for (guint i = first; i < end; i++) {
        const HfHunk *hunk = &g_array_index(hunks, HfHunk, i);
        append_lines(out, ' ', before, from, hunk->before - from);
        append_lines(out, '-', before, hunk->before, hunk->before_count);
        append_lines(out, '+', after, hunk->after, hunk->after_count);
        from = hunk->before + hunk->before_count;
    }
    append_lines(out, ' ', before, from, trail);
}

static gboolean side_exists(const HfDiffSide *side)
{
    return side->text || side->binary;
}

static void append_name(GString *out, const char *sign, const char *prefix, const HfDiffSide *side)
{
    gboolean there = side_exists(side);
    g_string_append_printf(out, "%s %s%s\n", sign, there ? prefix : "",
                           there ? side->path : "/dev/null");
}

void hf_diff_append(GString *out, const HfDiffSide *before, const HfDiffSide *after)
{
    if (before->binary || after->binary) {
        g_string_append_printf(out, "Binary files %s and %s differ\n",
                               side_exists(before) ? before->path : "/dev/null",
                               side_exists(after) ? after->path : "/dev/null");
        return;
    }
    g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(Lines) old = {0}, new = {0};
    lines_read(&old, before->text ? before->text : "", numbers);
    lines_read(&new, after->text ? after->text : "", numbers);
    g_autoptr(GArray) hunks = hf_diff_hunks(old.numbers, old.count, new.numbers, new.count);
    if (hunks->len == 0 && side_exists(before) == side_exists(after))
        return;
    append_name(out, "---", "a", before);
    append_name(out, "+++", "b", after);
    for (guint first = 0; first < hunks->len;) {
        guint end = end_of_group(hunks, first);
        append_group(out, hunks, first, end, &old, &new);
        first = end;
    }
}
