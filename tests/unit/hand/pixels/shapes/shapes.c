/* SPDX-License-Identifier: Apache-2.0 */
/* Tests src/hand/pixels/shapes and how rows are cut (widgets/picture-shapes.c): each case draws a
 * picture and says which shapes must be found. */
#include "hand/pixels/shapes/shapes.h"

#include <math.h>
#include <string.h>

#include "hand/pixels/image/draw.h"
#include "hand/pixels/pixels-limits.h"
#include "hand/pixels/shapes/flat-areas.h"
#include "hand/pixels/widgets/picture-shapes.h"

#define WIDTH  400
#define HEIGHT 200
#define LIGHT  0xf5f5f7u
#define DARK   0x1c1e24u
#define WHITE  0xffffffu
#define LINE   0x9ea3adu
#define BLUE   0x2173d9u
#define INK    0x1a1a1fu

typedef enum Brush {
    END,
    FILL,  /* a rectangle */
    FRAME, /* the border of one, a pixel wide */
    DISC,  /* that fills the rectangle */
    ROUND, /* a rectangle whose corners are free */
    CROSS,
    PILL,  /* a rectangle with round ends */
    SHADE, /* a rectangle that becomes darker from top to bottom */
    NOISE, /* a photograph */
} Brush;

typedef struct Stroke {
    Brush brush;
    HfRect at;
    guint32 colour;
} Stroke;

typedef struct Case {
    const char *name;
    guint32 ground;
    Stroke strokes[8];
    const char *found; /* "kind x,y wxh marked", one a line, from top to bottom; NULL: no switch or
                          slider */
} Case;

static void dot(HfImage *image, int x, int y, guint32 colour)
{
    hf_image_fill(image, (HfRect){x, y, 1, 1}, colour);
}

static void draw_disc(HfImage *image, HfRect at, guint32 colour)
{
    double radius = at.width / 2.0;
    for (int y = 0; y < at.height; y++)
        for (int x = 0; x < at.width; x++)
            if (hypot(x + 0.5 - radius, y + 0.5 - radius) <= radius)
                dot(image, at.x + x, at.y + y, colour);
}

static void draw_round(HfImage *image, HfRect at, guint32 colour)
{
    static const int free_pixels[] = {4, 2, 1, 1};
    for (int y = 0; y < at.height; y++) {
        int from_edge = MIN(y, at.height - 1 - y);
        int in = from_edge < 4 ? free_pixels[from_edge] : 0;
        hf_image_fill(image, (HfRect){at.x + in, at.y + y, at.width - 2 * in, 1}, colour);
    }
}

static void draw_pill(HfImage *image, HfRect at, guint32 colour)
{
    HfRect end = {at.x, at.y, at.height, at.height};
    draw_disc(image, end, colour);
    end.x = at.x + at.width - at.height;
    draw_disc(image, end, colour);
    hf_image_fill(image, (HfRect){at.x + at.height / 2, at.y, at.width - at.height, at.height},
                  colour);
}

static void draw_cross(HfImage *image, HfRect at, guint32 colour)
{
    for (int i = 0; i + 1 < at.width; i++) {
        hf_image_fill(image, (HfRect){at.x + i, at.y + i, 2, 2}, colour);
        hf_image_fill(image, (HfRect){at.x + at.width - 2 - i, at.y + i, 2, 2}, colour);
    }
}

static void draw_shade(HfImage *image, HfRect at, guint32 colour)
{
    for (int y = 0; y < at.height; y++)
        hf_image_fill(image, (HfRect){at.x, at.y + y, at.width, 1},
                      colour - 0x010101u * (guint32)y);
}

static void draw_noise(HfImage *image, HfRect at)
{
    guint32 seed = 7;
    for (int y = 0; y < at.height; y++)
        for (int x = 0; x < at.width; x++) {
            seed = seed * 1664525u + 1013904223u;
            dot(image, at.x + x, at.y + y, seed >> 8);
        }
}

static void draw(HfImage *image, const Stroke *stroke)
{
    switch (stroke->brush) {
    case FILL:
        hf_image_fill(image, stroke->at, stroke->colour);
        break;
    case FRAME:
        hf_image_frame(image, stroke->at, 1, stroke->colour);
        break;
    case DISC:
        draw_disc(image, stroke->at, stroke->colour);
        break;
    case ROUND:
        draw_round(image, stroke->at, stroke->colour);
        break;
    case PILL:
        draw_pill(image, stroke->at, stroke->colour);
        break;
    case CROSS:
        draw_cross(image, stroke->at, stroke->colour);
        break;
    case SHADE:
        draw_shade(image, stroke->at, stroke->colour);
        break;
    case NOISE:
        draw_noise(image, stroke->at);
        break;
    case END:
        break;
    }
}

static HfImage *new_picture(const Case *one)
{
    HfImage *image = hf_image_new(WIDTH, HEIGHT);
    hf_image_fill(image, (HfRect){0, 0, WIDTH, HEIGHT}, one->ground);
    for (const Stroke *stroke = one->strokes; stroke->brush; stroke++)
        draw(image, stroke);
    return image;
}

static char *describe(const GArray *shapes)
{
    static const char *const kinds[HF_SHAPE_KINDS] = {
        [HF_SHAPE_FRAME] = "frame",   [HF_SHAPE_AREA] = "area",     [HF_SHAPE_BUTTON] = "button",
        [HF_SHAPE_BOX] = "box",       [HF_SHAPE_CIRCLE] = "circle", [HF_SHAPE_ICON] = "icon",
        [HF_SHAPE_SWITCH] = "switch", [HF_SHAPE_SLIDER] = "slider", [HF_SHAPE_PANEL] = "panel",
    };
    GString *text = g_string_new("");
    for (guint i = 0; i < shapes->len; i++) {
        const HfShape *shape = &g_array_index(shapes, HfShape, i);
        g_assert_cmpfloat(shape->confidence, >, 0);
        g_assert_cmpfloat(shape->confidence, <=, 1);
        g_string_append_printf(text, "%s %d,%d %dx%d%s%s\n", kinds[shape->kind], shape->box.x,
                               shape->box.y, shape->box.width, shape->box.height,
                               shape->marked ? " marked" : "", shape->coloured ? " coloured" : "");
        if (shape->kind == HF_SHAPE_SLIDER) {
            g_string_truncate(text, text->len - 1);
            g_string_append_printf(text, " =%d\n", shape->value);
        }
    }
    return g_string_free(text, FALSE);
}

static const Case cases[] = {
    {"an empty field",
     LIGHT,
     {{FILL, {100, 50, 200, 30}, WHITE}, {FRAME, {100, 50, 200, 30}, LINE}},
     "frame 100,50 200x30\n"},
    {"a frame on its own ground",
     LIGHT,
     {{FRAME, {100, 50, 110, 32}, LINE}},
     "frame 100,50 110x32\n"},
    {"a field of a dark program",
     DARK,
     {{FILL, {100, 50, 200, 30}, 0x14141au}, {FRAME, {100, 50, 200, 30}, 0x5c5e6bu}},
     "frame 100,50 200x30\n"},
    {"a button without a line around it, with text",
     LIGHT,
     {{ROUND, {100, 50, 120, 36}, BLUE},
      {FILL, {130, 62, 70, 3}, WHITE},
      {FILL, {130, 70, 70, 3}, WHITE}},
     "frame 100,50 120x36 marked coloured\n"},
    {"a shaded button", LIGHT, {{SHADE, {100, 50, 120, 30}, 0xd8d8d8u}}, "frame 100,50 120x30\n"},
    {"a button with a symbol",
     LIGHT,
     {{FRAME, {50, 50, 32, 32}, LINE}, {CROSS, {58, 58, 16, 16}, INK}},
     "button 50,50 32x32 marked\n"},
    {"a round button",
     LIGHT,
     {{DISC, {50, 50, 40, 40}, BLUE}, {CROSS, {62, 62, 16, 16}, WHITE}},
     "button 50,50 40x40 marked coloured\n"},
    {"a box to tick",
     LIGHT,
     {{FILL, {50, 50, 16, 16}, WHITE}, {FRAME, {50, 50, 16, 16}, LINE}},
     "box 50,50 16x16\n"},
    {"a ticked box",
     LIGHT,
     {{FILL, {50, 50, 16, 16}, BLUE}, {CROSS, {54, 54, 8, 8}, WHITE}},
     "box 50,50 16x16 marked\n"},
    {"a circle to choose",
     LIGHT,
     {{DISC, {50, 50, 16, 16}, LINE}, {DISC, {51, 51, 14, 14}, WHITE}},
     "circle 50,50 16x16\n"},
    {"a chosen circle",
     LIGHT,
     {{DISC, {50, 50, 16, 16}, LINE},
      {DISC, {51, 51, 14, 14}, WHITE},
      {DISC, {54, 54, 8, 8}, BLUE}},
     "circle 50,50 16x16 marked\n"},
    {"a dot of colour is no box", LIGHT, {{FILL, {50, 50, 16, 16}, BLUE}}, "icon 50,50 16x16\n"},
    {"nor a circle", LIGHT, {{DISC, {50, 50, 16, 16}, BLUE}}, "icon 50,50 16x16\n"},
    {"a grey patch neither", LIGHT, {{DISC, {50, 50, 16, 16}, 0x606060u}}, "icon 50,50 16x16\n"},
    {"a cross", DARK, {{CROSS, {50, 50, 14, 14}, WHITE}}, "icon 50,50 14x14\n"},
    {"the bars of a menu",
     LIGHT,
     {{FILL, {50, 50, 16, 2}, INK}, {FILL, {50, 55, 16, 2}, INK}, {FILL, {50, 60, 16, 2}, INK}},
     "icon 50,50 16x12\n"},
    {"icons in a row",
     LIGHT,
     {{CROSS, {50, 50, 16, 16}, INK}, {CROSS, {80, 50, 16, 16}, INK}},
     "icon 50,50 16x16\nicon 80,50 16x16\n"},
    {"an icon in a field",
     LIGHT,
     {{FILL, {100, 50, 200, 30}, WHITE},
      {FRAME, {100, 50, 200, 30}, LINE},
      {CROSS, {270, 58, 14, 14}, INK}},
     "frame 100,50 200x30\nicon 270,58 14x14\n"},
    {"buttons side by side",
     LIGHT,
     {{FRAME, {50, 50, 80, 30}, LINE}, {FRAME, {140, 50, 80, 30}, LINE}},
     "frame 50,50 80x30\nframe 140,50 80x30\n"},
    {"a field on a panel, which holds it",
     LIGHT,
     {{FILL, {80, 40, 240, 60}, 0xd0d0d8u},
      {FILL, {100, 50, 200, 40}, WHITE},
      {FRAME, {100, 50, 200, 40}, LINE}},
     "panel 80,40 240x60 marked\nframe 100,50 200x40\n"},
    {"a frame in a second border",
     LIGHT,
     {{FRAME, {97, 47, 206, 46}, LINE}, {FRAME, {100, 50, 200, 40}, LINE}},
     "frame 100,50 200x40\n"},
    {"room for lines of text",
     LIGHT,
     {{FILL, {50, 40, 300, 120}, WHITE}, {FRAME, {50, 40, 300, 120}, LINE}},
     "area 50,40 300x120\n"},
    {"a panel with a button",
     LIGHT,
     {{FRAME, {50, 40, 300, 120}, LINE}, {FRAME, {100, 60, 80, 30}, LINE}},
     "panel 50,40 300x120 marked\nframe 100,60 80x30\n"},
    {"a switch that is on",
     LIGHT,
     {{PILL, {100, 50, 46, 24}, BLUE}, {DISC, {125, 53, 18, 18}, WHITE}},
     "switch 100,50 46x24 marked\n"},
    {"one that is off, on dark ground",
     DARK,
     {{PILL, {100, 50, 40, 20}, 0x5c5f6bu}, {DISC, {102, 52, 16, 16}, 0xe0e0e0u}},
     "switch 100,50 40x20\n"},
    {"one whose knob is higher than its bar",
     LIGHT,
     {{PILL, {102, 53, 36, 14}, 0x90b8ecu}, {DISC, {120, 50, 20, 20}, BLUE}},
     "switch 102,50 38x20 marked\n"},
    {"a pill without a knob is none",
     LIGHT,
     {{PILL, {100, 50, 46, 24}, BLUE}},
     "frame 100,50 46x24 coloured\n"},
    {"nor is one with two",
     LIGHT,
     {{PILL, {100, 50, 46, 24}, BLUE},
      {DISC, {103, 53, 18, 18}, WHITE},
      {DISC, {125, 53, 18, 18}, WHITE}},
     NULL},
    {"a slider, with its value",
     LIGHT,
     {{FILL, {100, 60, 75, 4}, BLUE},
      {FILL, {175, 60, 75, 4}, LINE},
      {DISC, {168, 55, 14, 14}, INK}},
     "slider 100,55 150x14 =50\n"},
    {"one at its end",
     DARK,
     {{FILL, {100, 60, 150, 4}, LINE}, {DISC, {100, 55, 14, 14}, WHITE}},
     "slider 100,55 150x14 =0\n"},
    {"one that stands upright",
     LIGHT,
     {{FILL, {105, 20, 4, 120}, LINE}, {DISC, {100, 20, 14, 14}, INK}},
     "slider 100,20 14x120 =100\n"},
    {"a dot on a line between others is no slider",
     LIGHT,
     {{FILL, {100, 60, 150, 4}, LINE},
      {DISC, {100, 55, 14, 14}, INK},
      {DISC, {168, 55, 14, 14}, INK},
      {DISC, {236, 55, 14, 14}, INK}},
     NULL},
    {"a photograph", LIGHT, {{NOISE, {50, 30, 200, 120}, 0}}, ""},
    {"a bar from edge to edge", LIGHT, {{FILL, {0, 50, WIDTH, 40}, DARK}}, ""},
    {"lines", LIGHT, {{FILL, {20, 50, 300, 1}, LINE}, {FILL, {20, 60, 1, 100}, LINE}}, ""},
    {"nothing", LIGHT, {{END}}, ""},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = new_picture(&cases[i]);
        g_autoptr(GArray) shapes = hf_shapes_find(image);
        g_autofree char *found = describe(shapes);
        g_test_message("%s", cases[i].name);
        if (cases[i].found)
            g_assert_cmpstr(found, ==, cases[i].found);
        else
            g_assert_true(!strstr(found, "slider") && !strstr(found, "switch"));
    }
}

/* Pictures of any size, also those in which nothing has room. */
static void test_sizes(void)
{
    static const HfSize sizes[] = {{1, 1}, {1, 50}, {50, 1}, {3, 3}, {13, 13}, {65, 7}};
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autoptr(HfImage) image = hf_image_new(sizes[i].width, sizes[i].height);
        hf_image_fill(image, (HfRect){0, 0, sizes[i].width, sizes[i].height}, LIGHT);
        draw_cross(image, (HfRect){0, 0, MIN(sizes[i].width, sizes[i].height), 0}, INK);
        g_autoptr(GArray) shapes = hf_shapes_find(image);
        g_assert_cmpuint(shapes->len, <=, 1);
    }
}

static void test_looks(void)
{
    Case same = {"", LIGHT, {{CROSS, {50, 50, 16, 16}, INK}, {CROSS, {250, 90, 16, 16}, INK}}, ""};
    Case other = {
        "", LIGHT, {{CROSS, {50, 50, 16, 16}, INK}, {CROSS, {250, 90, 16, 16}, BLUE}}, ""};
    g_autoptr(HfImage) image = new_picture(&same), different = new_picture(&other);
    g_autoptr(GArray) alike = hf_shapes_find(image), unlike = hf_shapes_find(different);
    g_assert_cmpuint(alike->len, ==, 2);
    g_assert_cmpuint(unlike->len, ==, 2);
    g_assert_true(g_array_index(alike, HfShape, 0).looks == g_array_index(alike, HfShape, 1).looks);
    g_assert_true(g_array_index(unlike, HfShape, 0).looks !=
                  g_array_index(unlike, HfShape, 1).looks);
}

/* A screen full of boxes is no flood. */
static void test_limit(void)
{
    g_autoptr(HfImage) image = hf_image_new(1920, 1080);
    hf_image_fill(image, (HfRect){0, 0, 1920, 1080}, LIGHT);
    for (int y = 10; y < 1060; y += 22)
        for (int x = 10; x < 1890; x += 24)
            hf_image_frame(image, (HfRect){x, y, 14, 14}, 1, LINE);
    g_autoptr(GArray) shapes = hf_shapes_find(image);
    g_assert_cmpuint(shapes->len, ==, HF_LIMIT_SHAPES);
}

/* Nor do words keep icons from being found. */
static void test_words_and_an_icon(void)
{
    g_autoptr(HfImage) image = hf_image_new(1920, 1080);
    guint crosses = 0;
    hf_image_fill(image, (HfRect){0, 0, 1920, 1080}, LIGHT);
    for (int y = 10; y < 1060; y += 24)
        for (int x = 10; x < 1800; x += 60)
            for (int stroke = 0; stroke < 40; stroke += 4)
                hf_image_fill(image, (HfRect){x + stroke, y, 2, 10}, INK);
    draw_cross(image, (HfRect){1880, 500, 16, 16}, INK);
    g_autoptr(GArray) shapes = hf_shapes_find(image);
    for (guint i = 0; i < shapes->len; i++)
        crosses += g_array_index(shapes, HfShape, i).box.x == 1880;
    g_assert_cmpuint(crosses, ==, 1);
    g_assert_cmpuint(shapes->len, <=, HF_LIMIT_SHAPES);
}

static void test_rows_are_cut(void)
{
    static const struct {
        HfRect box, row;
        HfRect rests[2]; /* empty: none */
    } cuts[] = {
        {{50, 50, 16, 16}, {50, 48, 100, 20}, {{80, 54, 70, 8}}},
        {{120, 50, 16, 16}, {78, 48, 60, 20}, {{80, 54, 38, 8}}},
        {{100, 50, 16, 16}, {78, 48, 74, 20}, {{80, 54, 18, 8}, {118, 54, 32, 8}}},
        {{200, 50, 16, 16}, {78, 54, 74, 8}, {{78, 54, 74, 8}}},
        {{78, 90, 16, 16}, {78, 54, 74, 8}, {{78, 54, 74, 8}}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cuts); i++) {
        g_autoptr(HfImage) image = hf_image_new(WIDTH, HEIGHT);
        g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_autoptr(GArray) shapes = g_array_new(FALSE, FALSE, sizeof(HfShape));
        HfShape box = {.box = cuts[i].box, .kind = HF_SHAPE_BOX};
        hf_image_fill(image, (HfRect){0, 0, WIDTH, HEIGHT}, LIGHT);
        for (int x = 80; x < 150; x += 2)
            hf_image_fill(image, (HfRect){x, 54, 1, 8}, INK);
        hf_image_fill(image, cuts[i].box, WHITE);
        hf_image_frame(image, cuts[i].box, 1, LINE);
        g_array_append_val(rows, cuts[i].row);
        g_array_append_val(shapes, box);
        hf_text_rows_cut_shapes(rows, shapes, image);
        guint count = hf_rect_is_empty(cuts[i].rests[1]) ? 1 : 2;
        g_assert_cmpuint(rows->len, ==, count);
        for (guint k = 0; k < count; k++) {
            HfRect is = g_array_index(rows, HfRect, k), wanted = cuts[i].rests[k];
            g_assert_cmpint(ABS(is.x - wanted.x), <=, 2);
            g_assert_cmpint(ABS(is.y - wanted.y), <=, 1);
            g_assert_cmpint(ABS(is.width - wanted.width), <=, 4);
            g_assert_cmpint(ABS(is.height - wanted.height), <=, 2);
        }
    }
}

/* An icon before a text becomes a separate row, if it stands apart and is the only one. */
static void test_signs_are_cut(void)
{
    static const struct {
        int signs[3]; /* where they begin; 0: none */
        guint rows;
    } cuts[] = {{{50}, 2}, {{64}, 1}, {{50, 200}, 1}, {{100}, 1}};
    for (gsize i = 0; i < G_N_ELEMENTS(cuts); i++) {
        g_autoptr(HfImage) image = hf_image_new(WIDTH, HEIGHT);
        g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_autoptr(GArray) shapes = g_array_new(FALSE, FALSE, sizeof(HfShape));
        HfRect row = {MIN(80, cuts[i].signs[0]), 50, 170, 16};
        hf_image_fill(image, (HfRect){0, 0, WIDTH, HEIGHT}, LIGHT);
        for (int x = 80; x < 150; x += 2)
            hf_image_fill(image, (HfRect){x, 54, 1, 8}, INK);
        for (int k = 0; cuts[i].signs[k]; k++) {
            HfShape sign = {.box = {cuts[i].signs[k], 50, 15, 16}, .kind = HF_SHAPE_ICON};
            draw_cross(image, (HfRect){cuts[i].signs[k], 50, 15, 16}, INK);
            g_array_append_val(shapes, sign);
        }
        g_array_append_val(rows, row);
        hf_text_rows_cut_shapes(rows, shapes, image);
        g_assert_cmpuint(rows->len, ==, cuts[i].rows);
        if (cuts[i].rows == 2)
            g_assert_cmpint(ABS(g_array_index(rows, HfRect, 1).x - 80), <=, 2);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shapes/cases", test_cases);
    g_test_add_func("/shapes/sizes", test_sizes);
    g_test_add_func("/shapes/looks", test_looks);
    g_test_add_func("/shapes/limit", test_limit);
    g_test_add_func("/shapes/words-and-an-icon", test_words_and_an_icon);
    g_test_add_func("/shapes/rows-are-cut", test_rows_are_cut);
    g_test_add_func("/shapes/signs-are-cut", test_signs_are_cut);
    return g_test_run();
}
