/* SPDX-License-Identifier: Apache-2.0 */
/* Differences are taken in each colour by itself, so that red on green of the same brightness is
 * seen as well. The vector form and the plain one give the same bits. */
#include "hand/pixels/text/text-mask.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* By how much one colour has to differ, of 255: less than the faintest strokes of small grey text,
 * more than the steps of a shaded ground. */
#define STEP     28
#define LONG_RUN 32
#define TALL_RUN 40
/* The end of a bar is looked for so far beside its edge, in pixels: a cursor is no wider. An edge
 * that goes on so far above and below is no letter's; a second one so near makes it a rule. */
#define BESIDE  24
#define GOES_ON 6
#define RULE    4

static inline gboolean pixels_differ(guint32 a, guint32 b)
{
    for (int shift = 0; shift < 24; shift += 8) {
        int difference = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        if (difference > STEP || difference < -STEP)
            return TRUE;
    }
    return FALSE;
}

/* The marks of one row, still apart: differences to the left, and to the row above. */
typedef struct Marks {
    guint64 *left, *above;
} Marks;

static inline void set_mask_bit(guint64 *bits, int x)
{
    bits[x / 64] |= G_GUINT64_CONSTANT(1) << (x % 64);
}

/* From `x` on, which is at least 1. */
static void mark_plain(const guint32 *row, const guint32 *above, int x, int width, Marks marks)
{
    for (; x < width; x++) {
        if (pixels_differ(row[x], row[x - 1]))
            set_mask_bit(marks.left, x);
        if (pixels_differ(row[x], above[x]))
            set_mask_bit(marks.above, x);
    }
}

#ifdef __SSE2__
/* A bit for each of four pixels. */
static inline guint64 four_bits(__m128i a, __m128i b)
{
    __m128i difference = _mm_or_si128(_mm_subs_epu8(a, b), _mm_subs_epu8(b, a));
    __m128i over =
        _mm_and_si128(_mm_subs_epu8(difference, _mm_set1_epi8(STEP)), _mm_set1_epi32(0x00ffffff));
    __m128i even = _mm_cmpeq_epi32(over, _mm_setzero_si128());
    return (guint64)(~_mm_movemask_ps(_mm_castsi128_ps(even)) & 15);
}

/* Whole groups of four pixels from the fifth pixel on; returns where it has stopped. */
static int mark_fours(const guint32 *row, const guint32 *above, int width, Marks marks)
{
    int x = 4;
    for (; x + 4 <= width; x += 4) {
        __m128i here = _mm_loadu_si128((const __m128i *)(gconstpointer)(row + x));
        __m128i left = _mm_loadu_si128((const __m128i *)(gconstpointer)(row + x - 1));
        __m128i up = _mm_loadu_si128((const __m128i *)(gconstpointer)(above + x));
        marks.left[x / 64] |= four_bits(here, left) << (x % 64);
        marks.above[x / 64] |= four_bits(here, up) << (x % 64);
    }
    return x;
}
#endif

static void mark_row(const guint32 *row, const guint32 *above, int width, Marks marks)
{
    if (width > 0 && pixels_differ(row[0], above[0]))
        set_mask_bit(marks.above, 0);
#ifdef __SSE2__
    mark_plain(row, above, 1, MIN(4, width), marks);
    mark_plain(row, above, mark_fours(row, above, width, marks), width, marks);
#else
    mark_plain(row, above, 1, width, marks);
#endif
}

/* to[i] = from[i] and from[i + count], counted in bits. */
static guint64 erode_bits(const guint64 *from, guint64 *to, gsize words, int count)
{
    guint64 any = 0;
    for (gsize i = 0; i < words; i++) {
        guint64 next = i + 1 < words ? from[i + 1] : 0;
        to[i] = from[i] & (from[i] >> count | next << (64 - count));
        any |= to[i];
    }
    return any;
}

/* The opposite: bits[i + count] gets bits[i] as well. */
static void dilate_bits(guint64 *bits, gsize words, int count)
{
    for (gsize i = words; i-- > 0;) {
        guint64 before = i > 0 ? bits[i - 1] : 0;
        bits[i] |= bits[i] << count | before >> (64 - count);
    }
}

/* Takes out runs of LONG_RUN bits and more, and leaves them in `room`: edges of fields and
 * selections, underlines, rules. No letter has a stroke that long, but descenders touch them. */
static void remove_long_runs(guint64 *bits, guint64 *room, gsize words)
{
    G_STATIC_ASSERT(LONG_RUN == 32);
    memcpy(room, bits, words * sizeof *bits);
    for (int count = 1; count < LONG_RUN; count *= 2)
        if (!erode_bits(room, room, words, count))
            return;
    for (int count = LONG_RUN / 2; count >= 1; count /= 2)
        dilate_bits(room, words, count);
    for (gsize i = 0; i < words; i++)
        bits[i] &= ~room[i];
}

/* The same from top to bottom, for borders of windows and columns, which text may come near to: of
 * TALL_RUN bits and more. Whole rows are joined at a time. */
static void remove_tall_runs(HfTextMask *mask)
{
    static const int steps[] = {1, 2, 4, 8, 16, TALL_RUN - 32};
    gsize total = mask->words * (gsize)mask->height;
    g_autofree guint64 *room = g_memdup2(mask->bits, total * sizeof *mask->bits);
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        gsize offset = MIN(total, (gsize)steps[i] * mask->words);
        for (gsize at = 0; at + offset < total; at++)
            room[at] &= room[at + offset];
        memset(room + total - offset, 0, offset * sizeof *room);
    }
    for (gsize i = G_N_ELEMENTS(steps); i-- > 0;) {
        gsize offset = (gsize)steps[i] * mask->words;
        for (gsize at = total; at-- > offset;)
            room[at] |= room[at - offset];
    }
    for (gsize at = 0; at < total; at++)
        mask->bits[at] &= ~room[at];
}

static gboolean has_bit(const guint64 *row, int x)
{
    return row[x / 64] >> (x % 64) & 1;
}

static gboolean has_any(const guint64 *row, gsize words)
{
    guint64 any = 0;
    for (gsize i = 0; i < words; i++)
        any |= row[i];
    return any != 0;
}

/* Whether the upright edge at `x` goes on above and below. */
static gboolean edge_passes_through(const HfTextMask *mask, int x, int y)
{
    if (y < GOES_ON || y + GOES_ON >= mask->height)
        return FALSE;
    for (int other = y - GOES_ON; other <= y + GOES_ON; other++)
        if (!has_bit(hf_text_mask_row(mask, other), x))
            return FALSE;
    return TRUE;
}

/* A second edge beside it makes it a border, as that of a field. */
static gboolean is_alone(const HfTextMask *mask, int x, int y)
{
    const guint64 *row = hf_text_mask_row(mask, y);
    for (int other = MAX(0, x - RULE); other <= MIN(mask->width - 1, x + RULE); other++)
        if (other != x && has_bit(row, other))
            return FALSE;
    return TRUE;
}

static void cut_beside(HfTextMask *mask, int y, int first, int end)
{
    guint64 *row = mask->bits + (gsize)y * mask->words;
    for (int x = MAX(0, first); x < MIN(mask->width, end); x++)
        if (edge_passes_through(mask, x, y) && is_alone(mask, x, y))
            row[x / 64] &= ~(G_GUINT64_CONSTANT(1) << (x % 64));
}

static gboolean is_edge_of_rule(const guint64 *edges, const HfTextMask *mask, int x, int y)
{
    for (int other = MAX(0, y - RULE); other <= MIN(mask->height - 1, y + RULE); other++)
        if (other != y && has_bit(edges + (gsize)other * mask->words, x))
            return TRUE;
    return FALSE;
}

/* Where a bar ends above or below a cell of its colour (the cursor below a title), the edge of both
 * is one, and would join two rows: it is cut where the bar's own edge meets it. */
static void part_bars(HfTextMask *mask, const guint64 *edges)
{
    for (int y = 0; y < mask->height; y++) {
        const guint64 *row = edges + (gsize)y * mask->words;
        if (!has_any(row, mask->words))
            continue;
        for (int x = 0, end; x < mask->width; x = end + 1) {
            for (end = x; end < mask->width && has_bit(row, end);)
                end++;
            if (end == x || is_edge_of_rule(edges, mask, (x + end) / 2, y))
                continue;
            cut_beside(mask, y, x - BESIDE, x);
            cut_beside(mask, y, end, end + BESIDE);
        }
    }
}

void hf_text_mask_init(HfTextMask *mask, const HfImage *image)
{
    gsize words = ((gsize)image->width + 63) / 64, total = words * (gsize)image->height;
    *mask = (HfTextMask){image->width, image->height, words, g_new0(guint64, total)};
    g_autofree guint64 *above = g_new0(guint64, total);
    g_autofree guint64 *edges = g_new(guint64, total);
    for (int y = 0; y < image->height; y++) {
        Marks marks = {mask->bits + (gsize)y * words, above + (gsize)y * words};
        mark_row(hf_image_row(image, y), hf_image_row(image, MAX(0, y - 1)), image->width, marks);
        remove_long_runs(marks.above, edges + (gsize)y * words, words);
    }
    remove_tall_runs(mask);
    part_bars(mask, edges);
    for (gsize at = 0; at < total; at++)
        mask->bits[at] |= above[at];
}

void hf_text_mask_clear(HfTextMask *mask)
{
    g_clear_pointer(&mask->bits, g_free);
}
