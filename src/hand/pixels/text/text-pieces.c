/* SPDX-License-Identifier: Apache-2.0 */
/* First the mask. Each colour channel is compared by itself, so that red on green of the same
 * brightness is found as well. The vector code and the plain code give the same bits.
 *
 * Then the pieces. Row by row, runs of marked pixels are joined with the runs above that they
 * touch. Only the runs of two rows exist at a time. Pieces that meet are joined by union-find. */
#include "hand/pixels/text/text-pieces.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"

/* How much one colour channel must differ, of 255: less than the faintest strokes of small grey
 * text, more than the steps of a gradient. */
#define STEP     28
#define LONG_RUN 32
#define TALL_RUN 40
/* The end of a bar is searched this far beside its edge, in pixels: a cursor is no wider. An edge
 * that continues this far above and below belongs to no letter. A second one this near makes it a
 * rule. */
#define BESIDE  24
#define GOES_ON 6
#define RULE    4
/* Marks this near to each other in a row are one run: the two sides of a stroke. */
#define RUN_GAP 2

/* ---- mask ---- */

static inline gboolean pixels_differ(guint32 a, guint32 b)
{
    return hf_colour_distance(a, b) > STEP;
}

/* The marks of one row: differences to the left, and to the row above. */
typedef struct Marks {
    guint64 *left, *above;
} Marks;

static inline void set_mask_bit(guint64 *bits, int x)
{
    bits[x / 64] |= G_GUINT64_CONSTANT(1) << (x % 64);
}

/* From `x` on, at least 1. */
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
/* Compares four pixels: a bit for each. */
static inline guint64 compare_four_pixels(__m128i a, __m128i b)
{
    __m128i difference = _mm_or_si128(_mm_subs_epu8(a, b), _mm_subs_epu8(b, a));
    __m128i over =
        _mm_and_si128(_mm_subs_epu8(difference, _mm_set1_epi8(STEP)), _mm_set1_epi32(0x00ffffff));
    __m128i even = _mm_cmpeq_epi32(over, _mm_setzero_si128());
    return (guint64)(~_mm_movemask_ps(_mm_castsi128_ps(even)) & 15);
}

/* Groups of four pixels, from the fifth pixel on. Returns the first pixel that is left. */
static int mark_fours(const guint32 *row, const guint32 *above, int width, Marks marks)
{
    int x = 4;
    for (; x + 4 <= width; x += 4) {
        __m128i here = _mm_loadu_si128((const __m128i *)(gconstpointer)(row + x));
        __m128i left = _mm_loadu_si128((const __m128i *)(gconstpointer)(row + x - 1));
        __m128i up = _mm_loadu_si128((const __m128i *)(gconstpointer)(above + x));
        marks.left[x / 64] |= compare_four_pixels(here, left) << (x % 64);
        marks.above[x / 64] |= compare_four_pixels(here, up) << (x % 64);
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

/* Each bit i becomes bit i and bit i + count. Returns whether any is left. */
static gboolean erode_bits(guint64 *bits, gsize words, int count)
{
    guint64 any = 0;
    for (gsize i = 0; i < words; i++) {
        guint64 next = i + 1 < words ? bits[i + 1] : 0;
        bits[i] &= bits[i] >> count | next << (64 - count);
        any |= bits[i];
    }
    return any != 0;
}

/* The opposite: each bit i + count becomes itself or bit i. */
static void dilate_bits(guint64 *bits, gsize words, int count)
{
    for (gsize i = words; i-- > 0;) {
        guint64 before = i > 0 ? bits[i - 1] : 0;
        bits[i] |= bits[i] << count | before >> (64 - count);
    }
}

/* Moves runs of LONG_RUN bits and more to `room`: edges of fields and selections, underlines,
 * rules. No letter has a stroke that long, but descenders touch them. */
static void remove_long_runs(guint64 *bits, guint64 *room, gsize words)
{
    G_STATIC_ASSERT(LONG_RUN == 32);
    memcpy(room, bits, words * sizeof *bits);
    for (int count = 1; count < LONG_RUN; count *= 2)
        if (!erode_bits(room, words, count))
            return;
    for (int count = LONG_RUN / 2; count >= 1; count /= 2)
        dilate_bits(room, words, count);
    for (gsize i = 0; i < words; i++)
        bits[i] &= ~room[i];
}

/* The same from top to bottom, for runs of TALL_RUN bits and more: borders of windows and columns,
 * which text may come near to. Works on whole rows at a time. */
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

static gboolean has_mask_bit(const guint64 *row, int x)
{
    return row[x / 64] >> (x % 64) & 1;
}

static gboolean has_any_bit(const guint64 *row, gsize words)
{
    guint64 any = 0;
    for (gsize i = 0; i < words; i++)
        any |= row[i];
    return any != 0;
}

/* Whether the vertical edge at `x` continues above and below. */
static gboolean edge_passes_through(const HfTextMask *mask, int x, int y)
{
    if (y < GOES_ON || y + GOES_ON >= mask->height)
        return FALSE;
    for (int other = y - GOES_ON; other <= y + GOES_ON; other++)
        if (!has_mask_bit(hf_text_mask_row(mask, other), x))
            return FALSE;
    return TRUE;
}

/* A second edge beside it makes it a border, like that of a field. */
static gboolean is_single_edge(const HfTextMask *mask, int x, int y)
{
    const guint64 *row = hf_text_mask_row(mask, y);
    for (int other = MAX(0, x - RULE); other <= MIN(mask->width - 1, x + RULE); other++)
        if (other != x && has_mask_bit(row, other))
            return FALSE;
    return TRUE;
}

static void cut_single_edges(HfTextMask *mask, int y, int first, int end)
{
    guint64 *row = mask->bits + (gsize)y * mask->words;
    for (int x = MAX(0, first); x < MIN(mask->width, end); x++)
        if (edge_passes_through(mask, x, y) && is_single_edge(mask, x, y))
            row[x / 64] &= ~(G_GUINT64_CONSTANT(1) << (x % 64));
}

static gboolean is_edge_of_rule(const guint64 *edges, const HfTextMask *mask, int x, int y)
{
    for (int other = MAX(0, y - RULE); other <= MIN(mask->height - 1, y + RULE); other++)
        if (other != y && has_mask_bit(edges + (gsize)other * mask->words, x))
            return TRUE;
    return FALSE;
}

/* Where a bar ends above or below a cell of its colour (the cursor below a title), both share one
 * edge, which would join two rows. It is cut where the bar's edge meets it. */
static void separate_bars(HfTextMask *mask, const guint64 *edges)
{
    for (int y = 0; y < mask->height; y++) {
        const guint64 *row = edges + (gsize)y * mask->words;
        if (!has_any_bit(row, mask->words))
            continue;
        for (int x = 0, end; x < mask->width; x = end + 1) {
            for (end = x; end < mask->width && has_mask_bit(row, end);)
                end++;
            if (end == x || is_edge_of_rule(edges, mask, (x + end) / 2, y))
                continue;
            cut_single_edges(mask, y, x - BESIDE, x);
            cut_single_edges(mask, y, end, end + BESIDE);
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
    separate_bars(mask, edges);
    for (gsize at = 0; at < total; at++)
        mask->bits[at] |= above[at];
}

void hf_text_mask_clear(HfTextMask *mask)
{
    g_clear_pointer(&mask->bits, g_free);
}

/* ---- pieces ---- */

typedef struct Run {
    int first, last; /* both marked */
    guint piece;
} Run;

typedef struct PieceSearch {
    GArray *runs[2]; /* of this row and the one above, in turn */
    GArray *pieces;  /* of HfTextPiece */
    GArray *parents; /* for each piece, the one that it was joined with, or itself */
} PieceSearch;

static guint find_piece_root(PieceSearch *search, guint piece)
{
    guint *parents = (guint *)(gpointer)search->parents->data;
    while (parents[piece] != piece)
        piece = parents[piece] = parents[parents[piece]];
    return piece;
}

static guint unite_pieces(PieceSearch *search, guint one, guint other)
{
    one = find_piece_root(search, one);
    other = find_piece_root(search, other);
    if (one == other)
        return one;
    hf_text_piece_unite(&g_array_index(search->pieces, HfTextPiece, one),
                        &g_array_index(search->pieces, HfTextPiece, other));
    g_array_index(search->parents, guint, other) = one;
    return one;
}

/* Gives each run of the row its piece. FALSE: there are too many pieces. */
static gboolean join_runs_with_row_above(PieceSearch *search, GArray *above, GArray *runs, int y)
{
    guint begin = 0;
    for (guint i = 0; i < runs->len; i++) {
        Run *run = &g_array_index(runs, Run, i);
        HfTextPiece piece = {run->first, y, run->last + 1, y + 1, run->last - run->first + 1};
        gboolean joined = FALSE;
        while (begin < above->len && g_array_index(above, Run, begin).last + 1 < run->first)
            begin++;
        for (guint j = begin; j < above->len; j++) {
            const Run *other = &g_array_index(above, Run, j);
            if (other->first > run->last + 1)
                break;
            run->piece = joined ? unite_pieces(search, run->piece, other->piece)
                                : find_piece_root(search, other->piece);
            joined = TRUE;
        }
        if (joined) {
            hf_text_piece_unite(&g_array_index(search->pieces, HfTextPiece, run->piece), &piece);
            continue;
        }
        if (search->pieces->len >= HF_LIMIT_TEXT_PIECES)
            return FALSE;
        run->piece = search->pieces->len;
        g_array_append_val(search->pieces, piece);
        g_array_append_val(search->parents, run->piece);
    }
    return TRUE;
}

static void add_mask_run(GArray *runs, int first, int last)
{
    Run *before = runs->len ? &g_array_index(runs, Run, runs->len - 1) : NULL;
    if (before && first - before->last <= RUN_GAP + 1) {
        before->last = last;
        return;
    }
    Run run = {first, last, 0};
    g_array_append_val(runs, run);
}

static void find_mask_runs(const HfTextMask *mask, int y, GArray *runs)
{
    const guint64 *row = hf_text_mask_row(mask, y);
    g_array_set_size(runs, 0);
    for (gsize word = 0; word < mask->words; word++)
        for (guint64 left = row[word]; left;) {
            int first = __builtin_ctzll(left);
            guint64 rest = ~(left >> first);
            int length = rest ? __builtin_ctzll(rest) : 64;
            int x = (int)word * 64 + first;
            add_mask_run(runs, x, x + length - 1);
            if (first + length >= 64)
                break;
            left &= ~G_GUINT64_CONSTANT(0) << (first + length);
        }
}

/* The pieces that were not joined with another. */
static GArray *collect_text_pieces(PieceSearch *search)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    for (guint i = 0; i < search->pieces->len; i++)
        if (g_array_index(search->parents, guint, i) == i)
            g_array_append_val(found, g_array_index(search->pieces, HfTextPiece, i));
    return found;
}

GArray *hf_text_pieces_find(const HfImage *image)
{
    g_auto(HfTextMask) mask = {0};
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(Run));
    g_autoptr(GArray) other = g_array_new(FALSE, FALSE, sizeof(Run));
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    g_autoptr(GArray) parents = g_array_new(FALSE, FALSE, sizeof(guint));
    PieceSearch search = {{one, other}, pieces, parents};
    hf_text_mask_init(&mask, image);
    for (int y = 0; y < mask.height; y++) {
        GArray *runs = search.runs[y % 2];
        find_mask_runs(&mask, y, runs);
        if (!join_runs_with_row_above(&search, search.runs[(y + 1) % 2], runs, y))
            break;
    }
    return collect_text_pieces(&search);
}
