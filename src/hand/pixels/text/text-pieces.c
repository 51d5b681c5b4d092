/* SPDX-License-Identifier: Apache-2.0 */
/* Row by row, runs of marked pixels are joined with the runs above that they touch. Only the runs
 * of two rows exist at a time; pieces that meet become one by pointing to each other. */
#include "hand/pixels/text/text-pieces.h"

/* Marks so near to each other in a row are one run: the two sides of a stroke. */
#define RUN_GAP 2

typedef struct Run {
    int first, last; /* both marked */
    guint piece;
} Run;

typedef struct Work {
    GArray *runs[2]; /* of this row and the one above, in turn */
    GArray *pieces;  /* of HfTextPiece */
    GArray *chiefs;  /* for each piece, the one that it has become part of, or itself */
    guint most;
} Work;

static guint find_piece_root(Work *work, guint piece)
{
    guint *chiefs = (guint *)(gpointer)work->chiefs->data;
    while (chiefs[piece] != piece)
        piece = chiefs[piece] = chiefs[chiefs[piece]];
    return piece;
}

static guint unite_pieces(Work *work, guint one, guint other)
{
    one = find_piece_root(work, one);
    other = find_piece_root(work, other);
    if (one == other)
        return one;
    HfTextPiece *pieces = (HfTextPiece *)(gpointer)work->pieces->data;
    HfTextPiece *into = &pieces[one];
    const HfTextPiece *from = &pieces[other];
    into->left = MIN(into->left, from->left);
    into->top = MIN(into->top, from->top);
    into->right = MAX(into->right, from->right);
    into->bottom = MAX(into->bottom, from->bottom);
    into->pixels += from->pixels;
    g_array_index(work->chiefs, guint, other) = one;
    return one;
}

static guint add_piece(Work *work, int y, const Run *run)
{
    HfTextPiece piece = {run->first, y, run->last + 1, y + 1, 0};
    guint number = work->pieces->len;
    g_array_append_val(work->pieces, piece);
    g_array_append_val(work->chiefs, number);
    return number;
}

static void grow_piece(Work *work, guint number, int y, const Run *run)
{
    HfTextPiece *piece = &g_array_index(work->pieces, HfTextPiece, number);
    piece->left = MIN(piece->left, run->first);
    piece->right = MAX(piece->right, run->last + 1);
    piece->bottom = y + 1;
    piece->pixels += run->last - run->first + 1;
}

/* Gives each run of the row its piece. FALSE when there are too many. */
static gboolean join_runs(Work *work, GArray *above, GArray *runs, int y)
{
    guint begin = 0;
    for (guint i = 0; i < runs->len; i++) {
        Run *run = &g_array_index(runs, Run, i);
        gboolean joined = FALSE;
        while (begin < above->len && g_array_index(above, Run, begin).last + 1 < run->first)
            begin++;
        for (guint j = begin; j < above->len; j++) {
            const Run *other = &g_array_index(above, Run, j);
            if (other->first > run->last + 1)
                break;
            run->piece = joined ? unite_pieces(work, run->piece, other->piece)
                                : find_piece_root(work, other->piece);
            joined = TRUE;
        }
        if (!joined && work->pieces->len >= work->most)
            return FALSE;
        if (!joined)
            run->piece = add_piece(work, y, run);
        grow_piece(work, run->piece, y, run);
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

/* Only those that are not part of another. */
static GArray *collect_text_pieces(Work *work)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    for (guint i = 0; i < work->pieces->len; i++)
        if (g_array_index(work->chiefs, guint, i) == i)
            g_array_append_val(found, g_array_index(work->pieces, HfTextPiece, i));
    return found;
}

GArray *hf_text_pieces_find(const HfTextMask *mask, guint most)
{
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(Run));
    g_autoptr(GArray) other = g_array_new(FALSE, FALSE, sizeof(Run));
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    g_autoptr(GArray) chiefs = g_array_new(FALSE, FALSE, sizeof(guint));
    Work work = {{one, other}, pieces, chiefs, most};
    for (int y = 0; y < mask->height; y++) {
        GArray *runs = work.runs[y % 2];
        find_mask_runs(mask, y, runs);
        if (!join_runs(&work, work.runs[(y + 1) % 2], runs, y))
            break;
    }
    return collect_text_pieces(&work);
}
