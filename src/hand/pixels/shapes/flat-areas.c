/* SPDX-License-Identifier: Apache-2.0 */
/* Row by row, runs of like pixels are joined with the runs above that they touch. A gradient is
 * flat too, since each pixel is compared with its neighbour. Short runs are ink and are skipped: a
 * screen full of text has little else. */
#include "hand/pixels/shapes/flat-areas.h"

#include "hand/pixels/pixels-limits.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The greatest difference of a colour channel, of 255, and the least length of a run. */
#define STEP      10
#define RUN_LEAST 4

typedef struct Run {
    int first, last; /* both inside */
    int y;
    guint part;
} Run;

typedef struct Part {
    int left, top, right, bottom; /* all inside */
    int area;
    HfPoint seed;
    guint parent; /* the part that it was joined with, or itself */
    /* In the second pass, about the current row: */
    int row, row_left, row_right, outline;
    gboolean wanted;
} Part;

typedef struct Work {
    const HfImage *image;
    GArray *runs;      /* of all rows */
    guint above, here; /* the first run of the row above and of this row */
    GArray *parts;
} Work;

gboolean hf_colours_alike(guint32 a, guint32 b)
{
    return hf_colour_distance(a, b) <= STEP;
}

gboolean hf_colour_is_grey(guint32 colour)
{
    int red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255;
    return MAX(red, MAX(green, blue)) - MIN(red, MIN(green, blue)) <= 40;
}

static Part *get_flat_area(Work *work, guint number)
{
    return &g_array_index(work->parts, Part, number);
}

static guint find_area_root(Work *work, guint number)
{
    Part *parts = (Part *)(gpointer)work->parts->data;
    while (parts[number].parent != number)
        number = parts[number].parent = parts[parts[number].parent].parent;
    return number;
}

static guint unite_areas(Work *work, guint one, guint other)
{
    one = find_area_root(work, one);
    other = find_area_root(work, other);
    if (one == other)
        return one;
    Part *into = get_flat_area(work, MIN(one, other)), *from = get_flat_area(work, MAX(one, other));
    into->left = MIN(into->left, from->left);
    into->top = MIN(into->top, from->top);
    into->right = MAX(into->right, from->right);
    into->bottom = MAX(into->bottom, from->bottom);
    into->area += from->area;
    from->parent = MIN(one, other);
    return MIN(one, other);
}

static gboolean runs_have_like_colour(const Work *work, const Run *above, const Run *run)
{
    int x = (MAX(above->first, run->first) + MIN(above->last, run->last)) / 2;
    return hf_colours_alike(hf_image_row(work->image, run->y)[x],
                            hf_image_row(work->image, run->y - 1)[x]);
}

/* Joins the run with those above that it touches, from `begin` on. Returns the `begin` of the next
 * run. */
static guint join_colour_run(Work *work, Run *run, guint begin)
{
    gboolean joined = FALSE;
    while (begin < work->here && g_array_index(work->runs, Run, begin).last < run->first)
        begin++;
    for (guint i = begin; i < work->here; i++) {
        const Run *above = &g_array_index(work->runs, Run, i);
        if (above->first > run->last)
            break;
        if (!runs_have_like_colour(work, above, run))
            continue;
        run->part =
            joined ? unite_areas(work, run->part, above->part) : find_area_root(work, above->part);
        joined = TRUE;
    }
    if (joined) {
        Part *part = get_flat_area(work, run->part);
        part->left = MIN(part->left, run->first);
        part->right = MAX(part->right, run->last);
        part->bottom = run->y;
        part->area += run->last - run->first + 1;
        return begin;
    }
    run->part = work->parts->len;
    Part part = {.left = run->first,
                 .top = run->y,
                 .right = run->last,
                 .bottom = run->y,
                 .area = run->last - run->first + 1,
                 .seed = {(run->first + run->last) / 2, run->y},
                 .parent = run->part,
                 .row = -1};
    g_array_append_val(work->parts, part);
    return begin;
}

/* ---- runs of a row ---- */

#ifdef __SSE2__
/* Counts the pixels from `x` on that are like the ones on their left, in groups of four. */
static int skip_alike(const guint32 *row, int x, int width)
{
    const __m128i step = _mm_set1_epi8(STEP), colours = _mm_set1_epi32(0x00ffffff);
    int begin = x;
    for (; x + 4 <= width; x += 4) {
        __m128i here = _mm_loadu_si128((const __m128i *)(gconstpointer)(row + x));
        __m128i left = _mm_loadu_si128((const __m128i *)(gconstpointer)(row + x - 1));
        __m128i apart = _mm_or_si128(_mm_subs_epu8(here, left), _mm_subs_epu8(left, here));
        __m128i over = _mm_and_si128(_mm_subs_epu8(apart, step), colours);
        if (_mm_movemask_epi8(_mm_cmpeq_epi32(over, _mm_setzero_si128())) != 0xffff)
            break;
    }
    return x - begin;
}
#else
static int skip_alike(const guint32 *row, int x, int width)
{
    return 0;
}
#endif

/* The first pixel behind the run that begins at `x`. */
static int end_of_run(const guint32 *row, int x, int width)
{
    x++;
    x += skip_alike(row, x, width);
    while (x < width && hf_colours_alike(row[x], row[x - 1]))
        x++;
    return x;
}

static void find_colour_runs(Work *work, int y)
{
    const guint32 *row = hf_image_row(work->image, y);
    for (int x = 0; x < work->image->width;) {
        int end = end_of_run(row, x, work->image->width);
        if (end - x >= RUN_LEAST) {
            Run run = {x, end - 1, y, 0};
            g_array_append_val(work->runs, run);
        }
        x = end;
    }
}

/* ---- selection ---- */

static void select_areas_by_size(Work *work, HfSize least, HfSize most)
{
    for (guint i = 0; i < work->parts->len; i++) {
        Part *part = get_flat_area(work, i);
        int width = part->right - part->left + 1, height = part->bottom - part->top + 1;
        part->wanted = part->parent == i && width >= least.width && height >= least.height &&
                       width <= most.width && height <= most.height;
    }
}

static void add_row_to_outline(Part *part)
{
    if (part->row >= 0)
        part->outline += part->row_right - part->row_left + 1;
}

static void measure_area_outlines(Work *work)
{
    for (guint i = 0; i < work->runs->len; i++) {
        const Run *run = &g_array_index(work->runs, Run, i);
        Part *part = get_flat_area(work, find_area_root(work, run->part));
        if (!part->wanted)
            continue;
        if (part->row != run->y) {
            add_row_to_outline(part);
            part->row = run->y;
            part->row_left = run->first;
        }
        part->row_right = run->last;
    }
}

static GArray *collect_flat_areas(Work *work, guint limit)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(HfFlatArea));
    for (guint i = 0; i < work->parts->len && found->len < limit; i++) {
        Part *part = get_flat_area(work, i);
        if (!part->wanted)
            continue;
        add_row_to_outline(part);
        HfFlatArea flat = {
            {part->left, part->top, part->right - part->left + 1, part->bottom - part->top + 1},
            part->area,
            part->outline,
            part->seed};
        g_array_append_val(found, flat);
    }
    return found;
}

GArray *hf_flat_areas_find(const HfImage *image, HfSize least, HfSize most, guint limit)
{
    g_autoptr(GArray) runs = g_array_sized_new(FALSE, FALSE, sizeof(Run), 65536);
    g_autoptr(GArray) parts = g_array_sized_new(FALSE, FALSE, sizeof(Part), 4096);
    Work work = {image, runs, 0, 0, parts};
    for (int y = 0; y < image->height && parts->len < HF_LIMIT_FLAT_PARTS; y++) {
        work.above = work.here;
        work.here = runs->len;
        find_colour_runs(&work, y);
        guint begin = work.above;
        for (guint i = work.here; i < runs->len; i++)
            begin = join_colour_run(&work, &g_array_index(runs, Run, i), begin);
    }
    select_areas_by_size(&work, least, most);
    measure_area_outlines(&work);
    return collect_flat_areas(&work, limit);
}
