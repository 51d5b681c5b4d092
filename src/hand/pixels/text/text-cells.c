/* SPDX-License-Identifier: Apache-2.0 */
/* A cell is mostly ground: above and below its letters there are lines of nothing else, from one
 * edge to the other, and also beside them most is ground. A large E has such lines too, its bars,
 * but hardly any of their colour between them. */
#include "hand/pixels/text/text-cells.h"

#include "hand/pixels/shapes/flat-areas.h"

/* Two rows are no lower, and no cell is narrower. */
#define ROWS_LEAST 18
#define CELL_LEAST 5
/* What is less high is a part of a letter, or a mark; rows are no nearer to each other. */
#define INK_LEAST 5
#define GAP_LEAST 3

/* Of its height, as much as no letter begins or ends with: so high is a cell's ground above what is
 * below it, which is no cell. */
#define MARGIN_LEAST 7
#define MARGIN_SHARE 3

/* Lines with ink, from `first` to just before `end`. */
typedef struct Band {
    int first, end;
} Band;

/* What is within the marked edges, which lie just outside on the right and below. */
static HfRect inside_of(const HfTextPiece *piece)
{
    return (HfRect){piece->left, piece->top, hf_text_piece_width(piece) - 1,
                    hf_text_piece_height(piece) - 1};
}

static int count_colour_in_row(const HfImage *image, HfRect box, int y, guint32 colour)
{
    const guint32 *row = hf_image_row(image, y);
    int count = 0;
    for (int x = box.x; x < box.x + box.width; x++)
        count += hf_colours_alike(row[x], colour);
    return count;
}

static gboolean is_flat(const HfImage *image, HfRect box, int y, guint32 colour)
{
    return count_colour_in_row(image, box, y, colour) == box.width;
}

/* Lines of one colour and nothing else, from `first` on in steps of 1 or -1. */
static int count_flat(const HfImage *image, HfRect box, int first, int step)
{
    guint32 colour = hf_image_row(image, first)[box.x];
    int count = 0;
    while (count < box.height && is_flat(image, box, first + count * step, colour))
        count++;
    return count;
}

static gboolean is_too_much(int margin, int height)
{
    return margin >= MARGIN_LEAST && margin * MARGIN_SHARE >= height && margin < height;
}

/* Of a bar with the cursor right below it only the cursor is left: as much ground above its letter
 * as below. */
static void cut_margins(HfTextPiece *piece, const HfImage *image)
{
    HfRect box = inside_of(piece);
    int above = count_flat(image, box, box.y, 1);
    int below = count_flat(image, box, box.y + box.height - 1, -1);
    if (is_too_much(above, box.height))
        piece->top += MAX(0, above - below);
    if (is_too_much(below, box.height))
        piece->bottom -= MAX(0, below - above);
}

/* The bands of letters; NULL: it is not made of cells. */
static GArray *find_letter_bands(const HfImage *image, HfRect box)
{
    g_autoptr(GArray) bands = g_array_new(FALSE, FALSE, sizeof(Band));
    guint32 ground = hf_image_row(image, box.y)[box.x];
    gint64 around = 0, all = 0;
    int last = box.y - 1; /* with ink */
    for (int y = box.y; y < box.y + box.height; y++) {
        guint32 first = hf_image_row(image, y)[box.x];
        if (is_flat(image, box, y, first)) {
            ground = first;
            continue;
        }
        if (y == box.y)
            return NULL;
        around += count_colour_in_row(image, box, y, ground);
        all += box.width;
        if (bands->len == 0 || y - last > GAP_LEAST)
            g_array_append_vals(bands, &(Band){y, y}, 1);
        g_array_index(bands, Band, bands->len - 1).end = y + 1;
        last = y;
    }
    return around * 2 >= all ? g_steal_pointer(&bands) : NULL;
}

static void drop_marks(GArray *bands)
{
    for (guint i = bands->len; i-- > 0;) {
        const Band *band = &g_array_index(bands, Band, i);
        if (band->end - band->first < INK_LEAST)
            g_array_remove_index(bands, i);
    }
}

/* Between one row and the next it is cut in the middle. */
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
    HfRect box = inside_of(piece);
    return box.height >= ROWS_LEAST && box.width >= CELL_LEAST;
}

void hf_text_cells_split(GArray *pieces, const HfImage *image)
{
    guint count = pieces->len;
    for (guint i = 0; i < count; i++) {
        HfTextPiece *piece = &g_array_index(pieces, HfTextPiece, i);
        if (may_be_cells(piece))
            cut_margins(piece, image);
        if (!may_be_cells(piece))
            continue;
        g_autoptr(GArray) bands = find_letter_bands(image, inside_of(piece));
        if (!bands)
            continue;
        drop_marks(bands);
        split_piece_by_rows(pieces, i, bands);
    }
}
