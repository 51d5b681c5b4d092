/* SPDX-License-Identifier: Apache-2.0 */
/* From pieces to rows. Frames, rules and pictures are left out by their shape; what is as high as a
 * letter begins or continues a row, from left to right; dots, dashes and commas then go to the row
 * that they stand in. */
#include "hand/pixels/text/text-rows.h"

#include <stdlib.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/text/text-cells.h"
#include "hand/pixels/text/text-pieces.h"

/* Print from 9 px to headlines. Lower pieces are marks: dots, dashes, commas. */
#define LETTER_LEAST 5
#define LETTER_MOST  72
#define ROW_LEAST    5
/* Longer than a few dashes: dotted, or it would be in no mask. */
#define RULE_LENGTH 100
#define RULE_THICK  4
/* Space between two words, in hundredth of the row's height, and at least in pixels. */
#define GAP_PERCENT 125
#define GAP_LEAST   7
/* A frame covers less of its box than letters do. */
#define FRAME_PERCENT 25
#define FRAME_LEAST   14

/* A row is a piece that has grown; `pixels` counts all of its pieces. */
typedef HfTextPiece Row;

static gboolean is_rule_piece(const HfTextPiece *piece)
{
    int width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
    return (height <= RULE_THICK && width > RULE_LENGTH) ||
           (width <= RULE_THICK && height > LETTER_MOST);
}

static gboolean is_hollow(const HfTextPiece *piece)
{
    int width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
    return height >= FRAME_LEAST && width * 2 > height * 3 &&
           (gint64)piece->pixels * 100 < (gint64)width * height * FRAME_PERCENT;
}

static gboolean is_piece_within(const HfTextPiece *inner, const HfTextPiece *outer)
{
    return inner->left > outer->left + 1 && inner->right < outer->right - 1 &&
           inner->top > outer->top + 1 && inner->bottom < outer->bottom - 1;
}

static int compare_pieces_by_left(gconstpointer a, gconstpointer b)
{
    const HfTextPiece *one = a, *other = b;
    return one->left != other->left ? one->left - other->left : one->top - other->top;
}

/* Something wide with other pieces in it: the border of a button or field around its text. A square
 * one may be a Chinese character. */
static gboolean is_frame(const GArray *pieces, guint index)
{
    const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, index);
    int width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
    if (height < FRAME_LEAST || width * 2 <= height * 3)
        return FALSE;
    for (guint i = index + 1; i < pieces->len; i++) {
        const HfTextPiece *other = &g_array_index(pieces, HfTextPiece, i);
        if (other->left >= piece->right)
            break;
        if (is_piece_within(other, piece) && hf_text_piece_height(other) >= LETTER_LEAST)
            return TRUE;
    }
    return FALSE;
}

/* An upright stroke: l, 1, a bracket; or what is left of a frame. */
static gboolean is_upright_stroke(const HfTextPiece *piece)
{
    return hf_text_piece_width(piece) * 3 <= hf_text_piece_height(piece);
}

/* Letters apart from marks and strokes; the rest is no text. Both from left to right. */
static void sort_out(GArray *pieces, GArray *letters, GArray *marks)
{
    g_array_sort(pieces, compare_pieces_by_left);
    for (guint i = 0; i < pieces->len; i++) {
        const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        int height = hf_text_piece_height(piece);
        if (height > LETTER_MOST || is_rule_piece(piece) || is_hollow(piece) || is_frame(pieces, i))
            continue;
        if (height < LETTER_LEAST || is_upright_stroke(piece))
            g_array_append_val(marks, *piece);
        else
            g_array_append_val(letters, *piece);
    }
}

static int vertical_overlap(const HfTextPiece *a, const HfTextPiece *b)
{
    return MIN(a->bottom, b->bottom) - MAX(a->top, b->top);
}

/* Between them; negative when they stand above each other. */
static int horizontal_gap(const HfTextPiece *a, const HfTextPiece *b)
{
    return MAX(a->left, b->left) - MIN(a->right, b->right);
}

static int most_gap(const HfTextPiece *a, const HfTextPiece *b)
{
    int height = MAX(hf_text_piece_height(a), hf_text_piece_height(b));
    return MAX(GAP_LEAST, height * GAP_PERCENT / 100);
}

/* What is much higher is a picture beside lines of text, not a letter among others. */
static gboolean are_of_one_print(const HfTextPiece *a, const HfTextPiece *b)
{
    int one = hf_text_piece_height(a), other = hf_text_piece_height(b);
    return MAX(one, other) * 2 <= MIN(one, other) * 5;
}

static gboolean continues_row(const Row *row, const HfTextPiece *piece)
{
    int one = hf_text_piece_height(row), other = hf_text_piece_height(piece);
    return vertical_overlap(row, piece) * 2 >= MIN(one, other) && are_of_one_print(row, piece) &&
           horizontal_gap(row, piece) <= most_gap(row, piece);
}

static void grow_text_row(Row *row, const HfTextPiece *piece)
{
    row->left = MIN(row->left, piece->left);
    row->top = MIN(row->top, piece->top);
    row->right = MAX(row->right, piece->right);
    row->bottom = MAX(row->bottom, piece->bottom);
    row->pixels += piece->pixels;
}

/* Rows that end too far to the left for anything that is still to come are not looked at again. */
typedef struct Building {
    GArray *rows;
    GArray *open; /* of guint: rows that may go on */
} Building;

static void add_letter(Building *building, const HfTextPiece *piece)
{
    Row *best = NULL;
    for (guint i = 0; i < building->open->len;) {
        Row *row = &g_array_index(building->rows, Row, g_array_index(building->open, guint, i));
        if (row->right + LETTER_MOST * GAP_PERCENT / 100 < piece->left) {
            g_array_remove_index_fast(building->open, i);
            continue;
        }
        if (continues_row(row, piece) &&
            (!best || vertical_overlap(row, piece) > vertical_overlap(best, piece)))
            best = row;
        i++;
    }
    if (best) {
        grow_text_row(best, piece);
        return;
    }
    guint number = building->rows->len;
    g_array_append_val(building->rows, *piece);
    g_array_append_val(building->open, number);
}

/* Parts of one row that began apart, such as the upper and lower half of its first character. */
static gboolean belong_to_one_row(const Row *a, const Row *b)
{
    int least = MIN(hf_text_piece_height(a), hf_text_piece_height(b));
    int gap = are_of_one_print(a, b) ? most_gap(a, b) / 2 : least / 2;
    return vertical_overlap(a, b) * 10 >= least * 6 && horizontal_gap(a, b) <= gap;
}

static int compare_rows_by_top(gconstpointer a, gconstpointer b)
{
    const Row *one = a, *other = b;
    return one->top != other->top ? one->top - other->top : one->left - other->left;
}

static gboolean join_once(GArray *rows)
{
    gboolean joined = FALSE;
    g_array_sort(rows, compare_rows_by_top);
    for (guint i = 0; i < rows->len; i++)
        for (guint j = i + 1; j < rows->len;) {
            Row *row = &g_array_index(rows, Row, i), *other = &g_array_index(rows, Row, j);
            if (other->top >= row->bottom)
                break;
            if (!belong_to_one_row(row, other)) {
                j++;
                continue;
            }
            grow_text_row(row, other);
            g_array_remove_index(rows, j);
            joined = TRUE;
        }
    return joined;
}

/* A letter may rise above the others of its row, or hang below them; what does both is a frame. */
static gboolean is_stroke_of(const Row *row, const HfTextPiece *bar)
{
    int above = row->top - bar->top, below = bar->bottom - row->bottom;
    int little = 1 + hf_text_piece_height(row) / 10, much = 2 + hf_text_piece_height(row) * 2 / 5;
    return MIN(above, below) <= little && MAX(above, below) <= much;
}

/* A stroke that is no higher than the row, or a dot or dash in it, over it or just below. */
static gboolean mark_fits_row(const Row *row, const HfTextPiece *mark)
{
    int height = hf_text_piece_height(row), middle = (mark->top + mark->bottom) / 2;
    if (horizontal_gap(row, mark) > MAX(4, height))
        return FALSE;
    if (hf_text_piece_height(mark) >= LETTER_LEAST)
        return is_stroke_of(row, mark);
    return middle >= row->top - height * 2 / 5 && middle <= row->bottom + height * 3 / 10;
}

static void add_mark(GArray *rows, const HfTextPiece *mark)
{
    Row *best = NULL;
    int nearest = G_MAXINT;
    for (guint i = 0; i < rows->len; i++) {
        Row *row = &g_array_index(rows, Row, i);
        if (row->top - LETTER_MOST > mark->bottom)
            break;
        int distance = abs(mark->top + mark->bottom - row->top - row->bottom);
        if (distance < nearest && mark_fits_row(row, mark)) {
            nearest = distance;
            best = row;
        }
    }
    if (best)
        grow_text_row(best, mark);
}

/* The mask lies to the right of and below each edge, one pixel beyond the ink. */
static void collect_row_boxes(const GArray *found, GArray *boxes)
{
    for (guint i = 0; i < found->len; i++) {
        const Row *row = &g_array_index(found, Row, i);
        HfRect box = {row->left, row->top, MAX(1, hf_text_piece_width(row) - 1),
                      MAX(1, hf_text_piece_height(row) - 1)};
        if (box.height >= ROW_LEAST && box.height <= LETTER_MOST)
            g_array_append_val(boxes, box);
    }
}

static GArray *build_text_rows(const GArray *letters, const GArray *marks)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    Building building = {rows, open};
    for (guint i = 0; i < letters->len; i++)
        add_letter(&building, &g_array_index(letters, HfTextPiece, i));
    while (join_once(rows))
        continue;
    /* Twice, since each may bring the next one within reach, on either side. */
    for (guint i = 0; i < marks->len; i++)
        add_mark(rows, &g_array_index(marks, HfTextPiece, i));
    for (guint i = marks->len; i-- > 0;)
        add_mark(rows, &g_array_index(marks, HfTextPiece, i));
    while (join_once(rows))
        continue;
    return rows;
}

void hf_text_rows_find(HfTextRows *rows, const HfImage *image)
{
    g_auto(HfTextMask) mask = {0};
    g_autoptr(GArray) letters = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    hf_text_mask_init(&mask, image);
    g_autoptr(GArray) pieces = hf_text_pieces_find(&mask, HF_LIMIT_TEXT_PIECES);
    hf_text_cells_split(pieces, image);
    sort_out(pieces, letters, marks);
    g_autoptr(GArray) found = build_text_rows(letters, marks);
    *rows = (HfTextRows){g_array_new(FALSE, FALSE, sizeof(HfRect)), FALSE};
    collect_row_boxes(found, rows->boxes);
    rows->truncated = pieces->len >= HF_LIMIT_TEXT_PIECES || rows->boxes->len > HF_LIMIT_TEXT_ROWS;
    if (rows->boxes->len > HF_LIMIT_TEXT_ROWS)
        g_array_set_size(rows->boxes, HF_LIMIT_TEXT_ROWS);
}

void hf_text_rows_clear(HfTextRows *rows)
{
    g_clear_pointer(&rows->boxes, g_array_unref);
}
