/* SPDX-License-Identifier: Apache-2.0 */
/* Colour is removed glyph by glyph. Between glyphs there are columns of plain background. In each
 * row, what differs from the nearest of these columns is ink. So a selected word, a button with a
 * gradient and a line in several colours all become black on white.
 *
 * Faint columns count as background, so letters whose smooth edges touch are separate shapes.
 * Shades are compared in few steps, so that rounding makes no difference. */
#include "hand/pixels/text/text-line.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/shapes/flat-areas.h"
#include "shared/base/hash.h"

/* The greatest difference between neighbours in a background column. */
#define EVEN 14
/* The greatest distance of a background column from the commonest colour. */
#define ALIKE 24
/* Differences below this are noise, however faint the text is. */
#define FAINT 24
/* The least width of a band of background, in pixels. */
#define BAND_LEAST 4
/* Darker is ink, of 255. */
#define INK_LEVEL 200
/* The same where a line is cut into shapes. */
#define SHAPE_INK 160
/* Eight shades. */
#define SHADE_SHIFT 5
/* A shape up to this height is low, in percent of the median height. */
#define LOW_PERCENT 60

static gboolean is_even_column(const HfImage *image, int x, int first, int last)
{
    for (int y = MAX(0, first) + 1; y <= MIN(image->height - 1, last); y++)
        if (hf_colour_distance(hf_image_row(image, y)[x], hf_image_row(image, y - 1)[x]) > EVEN)
            return FALSE;
    return TRUE;
}

/* The commonest colour in the box and right around it. Colours are counted exactly, by their hash:
 * the background is one colour, while ink has many shades. */
static guint32 find_commonest_colour(const HfImage *image, HfRect box)
{
    HfRect around = {box.x - 1, box.y - 1, box.width + 2, box.height + 2};
    around = hf_rect_intersect(around, (HfRect){0, 0, image->width, image->height});
    guint32 best = 0;
    int counts[1024] = {0}, most = 0;
    for (int y = around.y; y < around.y + around.height; y++)
        for (int x = around.x; x < around.x + around.width; x++) {
            guint32 pixel = hf_image_row(image, y)[x] & 0xffffff;
            int *count = &counts[pixel * 0x9e3779b1u >> 22];
            if (++*count > most) {
                most = *count;
                best = pixel;
            }
        }
    return best;
}

/* A background column has the commonest colour of its surroundings, or continues above and below
 * the box, where a vertical stroke would end. */
static gboolean is_ground_column(const HfImage *image, HfRect box, int x, guint32 common)
{
    int last = box.y + box.height - 1;
    if (!is_even_column(image, x, box.y, last))
        return FALSE;
    return hf_colour_distance(hf_image_row(image, box.y)[x], common) <= ALIKE ||
           is_even_column(image, x, box.y - 1, last + 1);
}

static gboolean is_outer_ground(const HfImage *image, HfRect box, int x, guint32 common)
{
    return x >= 0 && x < image->width && is_even_column(image, x, box.y, box.y + box.height - 1) &&
           hf_colour_distance(hf_image_row(image, box.y)[x], common) <= ALIKE;
}

/* For each column of the box: the commonest colour around it, and the nearest background column, on
 * the left if possible; -1: none. */
typedef struct Grounds {
    guint32 *common;
    int *columns;
} Grounds;

static void find_common_colours(const HfImage *image, HfRect box, Grounds grounds)
{
    int step = box.height * 4;
    for (int first = 0; first < box.width; first += step) {
        int width = MIN(step, box.width - first);
        guint32 common =
            find_commonest_colour(image, (HfRect){box.x + first, box.y, width, box.height});
        for (int i = first; i < first + width; i++)
            grounds.common[i] = common;
    }
}

static void find_grounds(const HfImage *image, HfRect box, Grounds grounds)
{
    find_common_colours(image, box, grounds);
    int last = is_outer_ground(image, box, box.x - 1, grounds.common[0]) ? box.x - 1 : -1;
    for (int i = 0; i < box.width; i++) {
        if (is_ground_column(image, box, box.x + i, grounds.common[i]))
            last = box.x + i;
        grounds.columns[i] = last;
    }
    int after = box.x + box.width;
    int next = is_outer_ground(image, box, after, grounds.common[box.width - 1]) ? after : -1;
    for (int i = box.width - 1; i >= 0; i--) {
        if (grounds.columns[i] == box.x + i)
            next = box.x + i;
        if (grounds.columns[i] < 0)
            grounds.columns[i] = next;
    }
}

/* Whether two rows have the same colours, like the rows of background above and below letters. */
static gboolean are_rows_alike(const HfImage *image, HfRect box, int one, int other)
{
    const guint32 *a = hf_image_row(image, one) + box.x, *b = hf_image_row(image, other) + box.x;
    for (int i = 0; i < box.width; i++)
        if (hf_colour_distance(a[i], b[i]) > EVEN)
            return FALSE;
    return TRUE;
}

/* Terminal cells may have their own background, like the cursor or the number of a key. Such a row
 * is as high as its cells, and has the same bands above and below the letters. FALSE: it is no such
 * row. */
static gboolean find_cell_bands(const HfImage *image, HfRect box, Grounds grounds)
{
    const guint32 *row = hf_image_row(image, box.y) + box.x;
    int bottom = box.y + box.height - 1, least = MAX(BAND_LEAST, box.height / 4), bands = 0;
    while (bottom > box.y + box.height * 3 / 4 && !are_rows_alike(image, box, box.y, bottom))
        bottom--;
    if (bottom <= box.y + box.height * 3 / 4)
        return FALSE;
    for (int first = 0, end; first < box.width; first = end, bands++) {
        for (end = first + 1; end < box.width && hf_colour_distance(row[end], row[first]) <= EVEN;)
            end++;
        if (end - first < least && first > 0 && end < box.width)
            return FALSE;
    }
    for (int i = 0; bands > 1 && i < box.width; i++) {
        grounds.common[i] = row[i];
        grounds.columns[i] = -1;
    }
    return bands > 1;
}

static void measure_ink_distance(const HfImage *image, HfRect box, guint8 *distances)
{
    g_autofree guint32 *common = g_new(guint32, box.width);
    g_autofree int *columns = g_new(int, box.width);
    if (!find_cell_bands(image, box, (Grounds){common, columns}))
        find_grounds(image, box, (Grounds){common, columns});
    for (int y = 0; y < box.height; y++) {
        const guint32 *row = hf_image_row(image, box.y + y);
        for (int x = 0; x < box.width; x++)
            distances[(gsize)y * (gsize)box.width + (gsize)x] = (guint8)hf_colour_distance(
                row[box.x + x], columns[x] < 0 ? common[x] : row[columns[x]]);
    }
}

/* For each column: the strongest ink around it, so that each word gets its own contrast. */
static void find_contrasts(const guint8 *distances, HfRect box, guint8 *contrasts)
{
    g_autofree guint8 *columns = g_new0(guint8, box.width);
    int reach = box.height * 3 / 2;
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++)
            columns[x] = MAX(columns[x], distances[y * box.width + x]);
    for (int x = 0; x < box.width; x++) {
        guint8 most = FAINT;
        for (int i = MAX(0, x - reach); i < MIN(box.width, x + reach + 1); i++)
            most = MAX(most, columns[i]);
        contrasts[x] = most;
    }
}

static HfTextLine *text_line_alloc(int width, int height)
{
    HfTextLine *line = g_new(HfTextLine, 1);
    *line = (HfTextLine){width, height, g_malloc((gsize)width * (gsize)height)};
    return line;
}

HfTextLine *hf_text_line_new(const HfImage *image, HfRect box)
{
    box = hf_rect_intersect(box, (HfRect){0, 0, image->width, image->height});
    if (hf_rect_is_empty(box))
        return NULL;
    HfTextLine *line = text_line_alloc(box.width, box.height);
    g_autofree guint8 *contrasts = g_new(guint8, box.width);
    measure_ink_distance(image, box, line->grey);
    find_contrasts(line->grey, box, contrasts);
    for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++) {
            guint8 *pixel = &line->grey[y * box.width + x];
            *pixel = (guint8)(255 - MIN(255, *pixel * 255 / contrasts[x]));
        }
    return line;
}

void hf_text_line_free(HfTextLine *line)
{
    if (!line)
        return;
    g_free(line->grey);
    g_free(line);
}

/* In 16 steps of grey, so that rounding makes no difference. */
HfTextHash hf_text_line_hash(const HfTextLine *line)
{
    gsize size = (gsize)line->width * (gsize)line->height, i = 0;
    guint64 start = (guint64)line->width << 32 | (guint64)line->height;
    guint64 one = hf_hash_mix(1, start), other = hf_hash_mix(2, start), value;
    for (; i + sizeof value <= size; i += sizeof value) {
        memcpy(&value, line->grey + i, sizeof value);
        value = value >> 4 & G_GUINT64_CONSTANT(0x0f0f0f0f0f0f0f0f);
        one = hf_hash_mix(one, value);
        other = hf_hash_mix(other, value + one);
    }
    for (; i < size; i++) {
        one = hf_hash_mix(one, line->grey[i] >> 4);
        other = hf_hash_mix(other, one);
    }
    return (HfTextHash){{one, other}};
}

/* Catmull-Rom: sharper than bilinear, which matters for 9 px print. */
static void cubic_weights(double t, double weights[4])
{
    weights[0] = ((-0.5 * t + 1.0) * t - 0.5) * t;
    weights[1] = (1.5 * t - 2.5) * t * t + 1.0;
    weights[2] = ((-1.5 * t + 2.0) * t + 0.5) * t;
    weights[3] = (0.5 * t - 0.5) * t * t;
}

/* The source pixels of one result along one axis, and their weights. */
typedef struct Tap {
    int from[4]; /* -1: background outside of the line */
    float weights[4];
} Tap;

/* The mean of the source pixels, for print that is larger than the engine needs. */
static Tap *make_shrinking_taps(int count, int results, double scale)
{
    Tap *taps = g_new(Tap, results);
    double step = 1 / scale;
    for (int i = 0; i < results; i++)
        for (int k = 0; k < 4; k++) {
            int from = (int)floor(i * step + (k + 0.5) * step / 4);
            taps[i].from[k] = from >= count ? -1 : from;
            taps[i].weights[k] = 0.25f;
        }
    return taps;
}

static Tap *make_taps(int count, int results, double scale)
{
    if (scale < 1)
        return make_shrinking_taps(count, results, scale);
    Tap *taps = g_new(Tap, results);
    for (int i = 0; i < results; i++) {
        double at = (i + 0.5) / scale - 0.5, weights[4];
        int first = (int)floor(at);
        cubic_weights(at - first, weights);
        for (int k = 0; k < 4; k++) {
            int from = first - 1 + k;
            taps[i].from[k] = from < 0 || from >= count ? -1 : from;
            taps[i].weights[k] = (float)weights[k];
        }
    }
    return taps;
}

static float apply_tap(const guint8 *row, const Tap *tap)
{
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += tap->weights[k] * (tap->from[k] >= 0 ? (float)row[tap->from[k]] : 255.0f);
    return sum;
}

/* The line at its new width. */
static float *scale_line_rows(const HfTextLine *line, int width, double scale)
{
    g_autofree Tap *taps = make_taps(line->width, width, scale);
    float *wide = g_new(float, (gsize)width *(gsize)line->height);
    for (int y = 0; y < line->height; y++)
        for (int x = 0; x < width; x++)
            wide[(gsize)y * (gsize)width + (gsize)x] =
                apply_tap(line->grey + (gsize)y * (gsize)line->width, &taps[x]);
    return wide;
}

HfTextLine *hf_text_line_scale(const HfTextLine *line, double scale, int border)
{
    int width = MAX(1, (int)lround(line->width * scale));
    int height = MAX(1, (int)lround(line->height * scale));
    HfTextLine *scaled = text_line_alloc(width + 2 * border, height + 2 * border);
    memset(scaled->grey, 255, (gsize)scaled->width * (gsize)scaled->height);
    g_autofree float *wide = scale_line_rows(line, width, scale);
    g_autofree Tap *taps = make_taps(line->height, height, scale);
    for (int y = 0; y < height; y++) {
        guint8 *to = scaled->grey + (gsize)(y + border) * (gsize)scaled->width + border;
        for (int x = 0; x < width; x++) {
            float sum = 0.5f;
            for (int k = 0; k < 4; k++) {
                int from = taps[y].from[k];
                sum += taps[y].weights[k] *
                       (from < 0 ? 255.0f : wide[(gsize)from * (gsize)width + (gsize)x]);
            }
            to[x] = (guint8)CLAMP(sum, 0.0f, 255.0f);
        }
    }
    return scaled;
}

HfTextLine *hf_text_line_cut(const HfTextLine *line, int first, int end)
{
    HfTextLine *part = text_line_alloc(end - first, line->height);
    for (int y = 0; y < line->height; y++)
        memcpy(part->grey + (gsize)y * (gsize)part->width,
               line->grey + (gsize)y * (gsize)line->width + first, (gsize)part->width);
    return part;
}

gboolean hf_text_line_find_ink(const HfTextLine *line, int first, int end, HfRect *ret_box)
{
    int left = G_MAXINT, top = G_MAXINT, right = -1, bottom = -1;
    for (int y = 0; y < line->height; y++)
        for (int x = MAX(0, first); x < MIN(line->width, end); x++)
            if (line->grey[(gsize)y * (gsize)line->width + (gsize)x] < INK_LEVEL) {
                left = MIN(left, x);
                right = MAX(right, x);
                top = MIN(top, y);
                bottom = MAX(bottom, y);
            }
    if (right < 0)
        return FALSE;
    *ret_box = (HfRect){left, top, right - left + 1, bottom - top + 1};
    return TRUE;
}

/* ---- shapes ---- */

static guint8 get_line_pixel(const HfTextLine *line, int x, int y)
{
    return line->grey[(gsize)y * (gsize)line->width + (gsize)x];
}

static gboolean column_has_ink(const HfTextLine *line, int x)
{
    for (int y = 0; y < line->height; y++)
        if (get_line_pixel(line, x, y) < SHAPE_INK)
            return TRUE;
    return FALSE;
}

static gboolean row_has_ink(const HfTextLine *line, int y, int left, int right)
{
    for (int x = left; x < right; x++)
        if (get_line_pixel(line, x, y) < SHAPE_INK)
            return TRUE;
    return FALSE;
}

static HfTextShape shape_between(const HfTextLine *line, int left, int right)
{
    HfTextShape shape = {left, 0, right, line->height};
    while (!row_has_ink(line, shape.top, left, right))
        shape.top++;
    while (!row_has_ink(line, shape.bottom - 1, left, right))
        shape.bottom--;
    return shape;
}

static void cut_line_into_shapes(HfTextShapes *shapes)
{
    const HfTextLine *line = shapes->line;
    for (int x = 0; x < line->width;) {
        int end = x;
        while (end < line->width && column_has_ink(line, end))
            end++;
        if (end > x) {
            HfTextShape shape = shape_between(line, x, end);
            g_array_append_val(shapes->list, shape);
        }
        x = MAX(end, x + 1);
    }
}

/* The commonest bottom, the lower of two. */
static void find_baseline(HfTextShapes *shapes)
{
    g_autofree int *bottoms = g_new0(int, shapes->line->height + 1);
    for (guint i = 0; i < shapes->list->len; i++)
        bottoms[hf_text_shape(shapes, i)->bottom]++;
    for (int i = 0; i <= shapes->line->height; i++)
        if (bottoms[i] >= bottoms[shapes->baseline])
            shapes->baseline = i;
}

static int compare_ints(gconstpointer a, gconstpointer b)
{
    return *(const int *)a - *(const int *)b;
}

static void find_median_shape_height(HfTextShapes *shapes)
{
    g_autoptr(GArray) heights = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < shapes->list->len; i++) {
        int height = hf_text_shape(shapes, i)->bottom - hf_text_shape(shapes, i)->top;
        g_array_append_val(heights, height);
    }
    g_array_sort(heights, compare_ints);
    shapes->median_height = heights->len > 0 ? g_array_index(heights, int, heights->len / 2) : 0;
}

void hf_text_shapes_find(HfTextShapes *shapes, const HfTextLine *line)
{
    *shapes = (HfTextShapes){line, g_array_new(FALSE, FALSE, sizeof(HfTextShape))};
    cut_line_into_shapes(shapes);
    find_baseline(shapes);
    find_median_shape_height(shapes);
}

void hf_text_shapes_clear(HfTextShapes *shapes)
{
    g_clear_pointer(&shapes->list, g_array_unref);
}

HfRect hf_text_shapes_box(const HfTextShapes *shapes, guint first, guint end)
{
    const HfTextShape *shape = hf_text_shape(shapes, first);
    int left = shape->left, top = shape->top, right = shape->right, bottom = shape->bottom;
    for (guint i = first + 1; i < end; i++) {
        shape = hf_text_shape(shapes, i);
        top = MIN(top, shape->top);
        right = MAX(right, shape->right);
        bottom = MAX(bottom, shape->bottom);
    }
    return (HfRect){left, top, right - left, bottom - top};
}

guint64 hf_text_shapes_hash(const HfTextShapes *shapes, guint first, guint end, guint64 seed)
{
    const HfTextLine *line = shapes->line;
    HfRect box = hf_text_shapes_box(shapes, first, end);
    gboolean low = box.height * 100 <= shapes->median_height * LOW_PERCENT;
    guint64 hash = hf_hash_mix(seed, (guint64)box.width << 32 | (guint64)box.height), packed = 0;
    int count = 0;
    if (low)
        hash = hf_hash_mix(hash, (guint64)(guint)(shapes->baseline - box.y));
    for (int y = box.y; y < box.y + box.height; y++)
        for (int x = box.x; x < box.x + box.width; x++) {
            packed = packed << 3 | get_line_pixel(line, x, y) >> SHADE_SHIFT;
            if (++count % 21 == 0)
                hash = hf_hash_mix(hash, packed);
        }
    return hf_hash_mix(hash, packed);
}
