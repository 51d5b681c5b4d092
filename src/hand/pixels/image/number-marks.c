/* SPDX-License-Identifier: Apache-2.0 */
/* Digits come from a table of dots, so they need no font and are the same on every machine. */
#include "hand/pixels/image/number-marks.h"

#include <math.h>

#include "hand/pixels/image/draw.h"

#define PAPER        0xffffffffu
#define DOT_COLUMNS  5
#define DOT_ROWS     7
#define DIGITS_MAX   6
#define PADDING      1   /* dots around and between the digits */
#define OTHER_NUMBER 100 /* how much worse it is to hide a number than a box */

/* Rows from the top; the highest of five bits is the left dot. */
static const guint8 digits[10][DOT_ROWS] = {
    {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}, {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e},
    {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f}, {0x0e, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0e},
    {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}, {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e},
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}, {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}, {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c},
};

/* Dark enough for white digits; neighbours differ. */
static const guint32 colours[] = {0xffc2185bu, 0xff1565c0u, 0xff2e7d32u, 0xff6a1b9au,
                                  0xffb23c00u, 0xff00695cu, 0xff5d4037u, 0xff283593u};

typedef struct Label {
    char text[DIGITS_MAX + 1];
    int dot; /* pixels */
    HfSize size;
} Label;

static Label make_label(int number, int dot)
{
    Label label = {.dot = dot};
    int length = g_snprintf(label.text, sizeof label.text, "%d", CLAMP(number, 0, 999999));
    label.size = (HfSize){(length * (DOT_COLUMNS + PADDING) + PADDING) * dot,
                          (DOT_ROWS + 2 * PADDING) * dot};
    return label;
}

static void draw_digit(HfImage *image, int digit, HfPoint at, int dot)
{
    for (int row = 0; row < DOT_ROWS; row++)
        for (int column = 0; column < DOT_COLUMNS; column++)
            if (digits[digit][row] & (1 << (DOT_COLUMNS - 1 - column)))
                hf_image_fill(image, (HfRect){at.x + column * dot, at.y + row * dot, dot, dot},
                              PAPER);
}

static void draw_label(HfImage *image, const Label *label, HfPoint at, guint32 colour)
{
    hf_image_fill(image, (HfRect){at.x, at.y, label->size.width, label->size.height}, colour);
    for (int i = 0; label->text[i]; i++) {
        HfPoint place = {at.x + (PADDING + i * (DOT_COLUMNS + PADDING)) * label->dot,
                         at.y + PADDING * label->dot};
        draw_digit(image, label->text[i] - '0', place, label->dot);
    }
}

static gint64 overlap_pixels(HfRect a, HfRect b)
{
    HfRect common = hf_rect_intersect(a, b);
    return (gint64)common.width * common.height;
}

/* The cost of what a number would hide there: other numbers, and the contents of boxes. */
static gint64 label_overlap_cost(HfRect place, const GArray *taken, const HfNumberMark *marks,
                                 gsize count)
{
    gint64 cost = 0;
    for (guint i = 0; i < taken->len; i++)
        cost += OTHER_NUMBER * overlap_pixels(place, g_array_index(taken, HfRect, i));
    for (gsize i = 0; i < count; i++)
        cost += overlap_pixels(place, marks[i].box);
    return cost;
}

/* The first place that hides least. Above the box on the left is best. */
static HfRect find_label_place(const HfImage *image, HfRect box, HfSize size, const GArray *taken,
                               const HfNumberMark *marks, gsize count)
{
    int right = box.x + box.width - size.width, bottom = box.y + box.height;
    const HfPoint places[] = {
        {box.x, box.y - size.height},
        {right, box.y - size.height},
        {box.x - size.width, box.y},
        {box.x + box.width, box.y},
        {box.x, bottom},
        {right, bottom},
        {right, box.y},
        {box.x, box.y},
    };
    HfRect best = {0, 0, size.width, size.height};
    gint64 least = G_MAXINT64;
    for (gsize i = 0; i < G_N_ELEMENTS(places) && least > 0; i++) {
        HfRect place = {CLAMP(places[i].x, 0, MAX(image->width - size.width, 0)),
                        CLAMP(places[i].y, 0, MAX(image->height - size.height, 0)), size.width,
                        size.height};
        gint64 cost = label_overlap_cost(place, taken, marks, count);
        if (cost >= least)
            continue;
        least = cost;
        best = place;
    }
    return best;
}

void hf_image_mark_numbers(HfImage *image, const HfNumberMark *marks, gsize count, double shrink)
{
    g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(HfRect));
    int dot = MAX((int)lround(1.6 * MAX(shrink, 1)), 2);
    for (gsize i = 0; i < count; i++)
        hf_image_frame(image, marks[i].box, dot, colours[i % G_N_ELEMENTS(colours)]);
    for (gsize i = 0; i < count; i++) {
        Label label = make_label(marks[i].number, dot);
        HfRect place = find_label_place(image, marks[i].box, label.size, taken, marks, count);
        g_array_append_val(taken, place);
        draw_label(image, &label, (HfPoint){place.x, place.y}, colours[i % G_N_ELEMENTS(colours)]);
    }
}
