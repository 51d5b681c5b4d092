/* SPDX-License-Identifier: Apache-2.0 */
/* From pieces to rows. Frames, rules and pictures are dropped by their shape. A piece as high as a
 * letter begins or continues a row, from left to right. Dots, dashes and commas then join the row
 * that they stand in.
 *
 * A terminal cell is mostly background: it has flat pixel rows above and below its letters, and
 * most of what is beside them is background too. A large E also has flat rows, its bars, but hardly
 * any of their colour between them. */
#include "hand/pixels/text/text-rows.h"

#include <stdlib.h>

#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/text/text-pieces.h"

/* Print from 9 px to headlines. Lower pieces are marks: dots, dashes, commas. */
#define LETTER_LEAST 5
#define LETTER_MOST  72
#define ROW_LEAST    5
/* Longer than a few dashes. A solid rule is not in the mask, a dotted one is. */
#define RULE_LENGTH 100
#define RULE_THICK  4
/* The space between two words: percent of the row's height, and the least pixels. */
#define GAP_PERCENT 125
#define GAP_LEAST   7
/* A frame covers less of its box than letters do. */
#define FRAME_PERCENT 25
#define FRAME_LEAST   14
/* The least height of two rows of cells, and the least width of a cell. */
#define ROWS_LEAST 18
#define CELL_LEAST 5
/* A lower band of ink is a part of a letter or a mark. Rows have this gap between them. */
#define INK_LEAST 5
#define CELL_GAP  3
/* A letter has less background above or below it, in pixels and as a part of its height. */
#define MARGIN_LEAST 7
#define MARGIN_SHARE 3

/* ---- terminal cells ---- */

/* Pixel rows [first, end) with ink. */
typedef struct Band {
    int first, end;
} Band;

static int count_colour_in_row(const HfImage *image, HfRect box, int y, guint32 colour)
{
    const guint32 *row = hf_image_row(image, y);
    int count = 0;
    for (int x = box.x; x < box.x + box.width; x++)
        count += hf_colours_alike(row[x], colour);
    return count;
}

static gboolean is_flat_row(const HfImage *image, HfRect box, int y, guint32 colour)
{
    return count_colour_in_row(image, box, y, colour) == box.width;
}

/* Counts rows of a single colour, from `first` on in steps of 1 or -1. */
static int count_flat_rows(const HfImage *image, HfRect box, int first, int step)
{
    guint32 colour = hf_image_row(image, first)[box.x];
    int count = 0;
    while (count < box.height && is_flat_row(image, box, first + count * step, colour))
        count++;
    return count;
}

static gboolean is_excess_margin(int margin, int height)
{
    return margin >= MARGIN_LEAST && margin * MARGIN_SHARE >= height && margin < height;
}

/* Of a bar right above the cursor, cuts off all but the cursor: as much background above its letter
 * as below. */
static void cut_excess_margins(HfTextPiece *piece, const HfImage *image)
{
    HfRect box = hf_text_piece_box(piece);
    int above = count_flat_rows(image, box, box.y, 1);
    int below = count_flat_rows(image, box, box.y + box.height - 1, -1);
    if (is_excess_margin(above, box.height))
        piece->top += MAX(0, above - below);
    if (is_excess_margin(below, box.height))
        piece->bottom -= MAX(0, below - above);
}

/* The bands of letters; NULL: the piece is not made of cells. */
static GArray *find_letter_bands(const HfImage *image, HfRect box)
{
    g_autoptr(GArray) bands = g_array_new(FALSE, FALSE, sizeof(Band));
    guint32 ground = hf_image_row(image, box.y)[box.x];
    gint64 around = 0, all = 0;
    int last = box.y - 1; /* with ink */
    for (int y = box.y; y < box.y + box.height; y++) {
        guint32 first = hf_image_row(image, y)[box.x];
        if (is_flat_row(image, box, y, first)) {
            ground = first;
            continue;
        }
        if (y == box.y)
            return NULL;
        around += count_colour_in_row(image, box, y, ground);
        all += box.width;
        if (bands->len == 0 || y - last > CELL_GAP)
            g_array_append_vals(bands, &(Band){y, y}, 1);
        g_array_index(bands, Band, bands->len - 1).end = y + 1;
        last = y;
    }
    return around * 2 >= all ? g_steal_pointer(&bands) : NULL;
}

static void drop_low_bands(GArray *bands)
{
    for (guint i = bands->len; i-- > 0;) {
        const Band *band = &g_array_index(bands, Band, i);
        if (band->end - band->first < INK_LEAST)
            g_array_remove_index(bands, i);
    }
}

/* Cuts in the middle between two rows. */
static void split_piece_by_rows(GArray *pieces, guint index, const GArray *bands)
{
    HfTextPiece whole = g_array_index(pieces, HfTextPiece, index);
    for (guint i = 0; i < bands->len; i++) {
        const Band *band = &g_array_index(bands, Band, i);
        HfTextPiece cell = whole;
        cell.pixels = whole.pixels / (int)bands->len;
        if (i > 0)
            cell.top = (band[-1].end + band->first) / 2;
        if (i + 1 < bands->len)
            cell.bottom = (band->end + band[1].first) / 2;
        if (i == 0)
            g_array_index(pieces, HfTextPiece, index) = cell;
        else
            g_array_append_val(pieces, cell);
    }
}

static gboolean may_be_cells(const HfTextPiece *piece)
{
    HfRect box = hf_text_piece_box(piece);
    return box.height >= ROWS_LEAST && box.width >= CELL_LEAST;
}

/* In a terminal, cells with their own background (shortcut keys, the cursor) that lie below each
 * other are one piece, two rows high, since their edges continue from one to the next. This makes
 * one piece of each row, and cuts off what is not a cell. */
static void split_cells(GArray *pieces, const HfImage *image)
{
    guint count = pieces->len;
    for (guint i = 0; i < count; i++) {
        HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        if (may_be_cells(piece))
            cut_excess_margins(piece, image);
        if (!may_be_cells(piece))
            continue;
        g_autoptr(GArray) bands = find_letter_bands(image, hf_text_piece_box(piece));
        if (!bands)
            continue;
        drop_low_bands(bands);
        split_piece_by_rows(pieces, i, bands);
    }
}

/* ---- rows ---- */

/* A row is a united piece. */
typedef HfTextPiece Row;

static gboolean is_rule_piece(const HfTextPiece *piece)
{
    int width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
    return (height <= RULE_THICK && width > RULE_LENGTH) ||
           (width <= RULE_THICK && height > LETTER_MOST);
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

/* A wide piece that is hollow or has others in it is the border of a button or field. A square one
 * may be a Chinese character. */
static gboolean is_frame_piece(const GArray *pieces, guint index)
{
    const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, index);
    int width = hf_text_piece_width(piece), height = hf_text_piece_height(piece);
    if (height < FRAME_LEAST || width * 2 <= height * 3)
        return FALSE;
    if ((gint64)piece->pixels * 100 < (gint64)width * height * FRAME_PERCENT)
        return TRUE;
    for (guint i = index + 1; i < pieces->len; i++) {
        const HfTextPiece *other = &g_array_index(pieces, HfTextPiece, i);
        if (other->left >= piece->right)
            break;
        if (is_piece_within(other, piece) && hf_text_piece_height(other) >= LETTER_LEAST)
            return TRUE;
    }
    return FALSE;
}

/* Separates letters from marks and strokes, both from left to right, and drops the rest. */
static void classify_pieces(GArray *pieces, GArray *letters, GArray *marks)
{
    g_array_sort(pieces, compare_pieces_by_left);
    for (guint i = 0; i < pieces->len; i++) {
        const HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        int height = hf_text_piece_height(piece);
        if (height > LETTER_MOST || is_rule_piece(piece) || is_frame_piece(pieces, i))
            continue;
        /* A vertical stroke is an l, a 1, a bracket, or the rest of a frame. */
        if (height < LETTER_LEAST || hf_text_piece_width(piece) * 3 <= height)
            g_array_append_val(marks, *piece);
        else
            g_array_append_val(letters, *piece);
    }
}

static int vertical_overlap(const HfTextPiece *a, const HfTextPiece *b)
{
    return MIN(a->bottom, b->bottom) - MAX(a->top, b->top);
}

/* Negative where they overlap. */
static int horizontal_gap(const HfTextPiece *a, const HfTextPiece *b)
{
    return MAX(a->left, b->left) - MIN(a->right, b->right);
}

static int most_gap(const HfTextPiece *a, const HfTextPiece *b)
{
    int height = MAX(hf_text_piece_height(a), hf_text_piece_height(b));
    return MAX(GAP_LEAST, height * GAP_PERCENT / 100);
}

/* A much higher piece is a picture beside lines of text. */
static gboolean are_of_like_height(const HfTextPiece *a, const HfTextPiece *b)
{
    int one = hf_text_piece_height(a), other = hf_text_piece_height(b);
    return MAX(one, other) * 2 <= MIN(one, other) * 5;
}

static gboolean continues_row(const Row *row, const HfTextPiece *piece)
{
    int one = hf_text_piece_height(row), other = hf_text_piece_height(piece);
    return vertical_overlap(row, piece) * 2 >= MIN(one, other) && are_of_like_height(row, piece) &&
           horizontal_gap(row, piece) <= most_gap(row, piece);
}

/* `open` (of guint) lists the rows that can still continue: letters come from left to right. */
static void add_letter(GArray *rows, GArray *open, const HfTextPiece *piece)
{
    Row *best = NULL;
    for (guint i = 0; i < open->len;) {
        Row *row = &g_array_index(rows, Row, g_array_index(open, guint, i));
        if (row->right + LETTER_MOST * GAP_PERCENT / 100 < piece->left) {
            g_array_remove_index_fast(open, i);
            continue;
        }
        if (continues_row(row, piece) &&
            (!best || vertical_overlap(row, piece) > vertical_overlap(best, piece)))
            best = row;
        i++;
    }
    if (best) {
        hf_text_piece_unite(best, piece);
        return;
    }
    guint number = rows->len;
    g_array_append_val(rows, *piece);
    g_array_append_val(open, number);
}

/* Parts of one row may begin apart, such as the upper and lower half of its first character. */
static gboolean belong_to_one_row(const Row *a, const Row *b)
{
    int least = MIN(hf_text_piece_height(a), hf_text_piece_height(b));
    int gap = are_of_like_height(a, b) ? most_gap(a, b) / 2 : least / 2;
    return vertical_overlap(a, b) * 10 >= least * 6 && horizontal_gap(a, b) <= gap;
}

static int compare_rows_by_top(gconstpointer a, gconstpointer b)
{
    const Row *one = a, *other = b;
    return one->top != other->top ? one->top - other->top : one->left - other->left;
}

static gboolean join_rows_once(GArray *rows)
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
            hf_text_piece_unite(row, other);
            g_array_remove_index(rows, j);
            joined = TRUE;
        }
    return joined;
}

/* A letter may reach above its row or below it. A stroke that does both belongs to a frame. */
static gboolean is_stroke_of(const Row *row, const HfTextPiece *bar)
{
    int above = row->top - bar->top, below = bar->bottom - row->bottom;
    int little = 1 + hf_text_piece_height(row) / 10, much = 2 + hf_text_piece_height(row) * 2 / 5;
    return MIN(above, below) <= little && MAX(above, below) <= much;
}

/* A stroke that is no higher than the row, or a dot or dash in, above or just below it. */
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
        hf_text_piece_unite(best, mark);
}

static void collect_row_boxes(const GArray *found, GArray *boxes)
{
    for (guint i = 0; i < found->len; i++) {
        HfRect box = hf_text_piece_box(&g_array_index(found, Row, i));
        if (box.height >= ROW_LEAST && box.height <= LETTER_MOST)
            g_array_append_val(boxes, box);
    }
}

static GArray *build_text_rows(const GArray *letters, const GArray *marks)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < letters->len; i++)
        add_letter(rows, open, &g_array_index(letters, HfTextPiece, i));
    while (join_rows_once(rows))
        continue;
    /* Twice, since each mark may bring the next one within reach, on either side. */
    for (guint i = 0; i < marks->len; i++)
        add_mark(rows, &g_array_index(marks, HfTextPiece, i));
    for (guint i = marks->len; i-- > 0;)
        add_mark(rows, &g_array_index(marks, HfTextPiece, i));
    while (join_rows_once(rows))
        continue;
    return rows;
}

void hf_text_rows_find(HfTextRows *rows, const HfImage *image)
{
    g_autoptr(GArray) letters = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(HfTextPiece));
    g_autoptr(GArray) pieces = hf_text_pieces_find(image);
    split_cells(pieces, image);
    classify_pieces(pieces, letters, marks);
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
