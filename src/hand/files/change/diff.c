/* SPDX-License-Identifier: Apache-2.0 */
/* Formats hunks with their context like GNU diff, including its mark for a missing newline at the
 * end. */
#include "hand/files/change/diff.h"

#include <string.h>

#define CONTEXT 3u

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
