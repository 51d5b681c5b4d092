/* SPDX-License-Identifier: Apache-2.0 */
/* Tests text-rows.c, text-pieces.c and text-line.c: each case draws letters of a small font in its
 * colours, and the rows must be found there. */
#include "hand/pixels/text/text-rows.h"

#include <string.h>

#include "hand/pixels/image/draw.h"
#include "hand/pixels/text/text-line.h"
#include "hand/pixels/text/text-pieces.h"

#define WIDTH  400
#define HEIGHT 120

/* Five columns of seven pixels for each letter, top first. */
static const char *const letters[][8] = {
    {"E", "#####", "#....", "#....", "####.", "#....", "#....", "#####"},
    {"a", ".....", ".....", ".###.", "....#", ".####", "#...#", ".####"},
    {"l", "..#..", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."},
    {"p", ".....", "####.", "#...#", "#...#", "####.", "#....", "#...."},
    {"i", "..#..", ".....", ".##..", "..#..", "..#..", "..#..", ".###."},
};

static const char *const *find_letter(char letter)
{
    for (gsize i = 0; i < G_N_ELEMENTS(letters); i++)
        if (letters[i][0][0] == letter)
            return letters[i];
    return NULL;
}

/* Returns the box of the ink: letters are five `size` wide with one between them. */
static void draw_text(HfImage *image, HfPoint at, const char *text, int size, guint32 colour)
{
    for (; *text; text++, at.x += 6 * size) {
        const char *const *rows = find_letter(*text);
        for (int y = 0; rows && y < 7; y++)
            for (int x = 0; x < 5; x++)
                if (rows[y + 1][x] == '#')
                    hf_image_fill(image, (HfRect){at.x + x * size, at.y + y * size, size, size},
                                  colour);
    }
}

static HfImage *new_screen(guint32 ground)
{
    HfImage *image = hf_image_new(WIDTH, HEIGHT);
    hf_image_fill(image, (HfRect){0, 0, WIDTH, HEIGHT}, ground);
    return image;
}

typedef struct Drawn {
    HfPoint at;
    const char *text;
    int size;
    guint32 colour;
} Drawn;

typedef struct Case {
    const char *name;
    guint32 ground;
    HfRect patch; /* a field of another colour */
    guint32 patch_colour;
    HfRect frame; /* a border */
    Drawn drawn[4];
    HfRect rows[4]; /* what must be found, ended by an empty one */
} Case;

static const Case cases[] = {
    {.name = "nothing", .ground = 0xffffff},
    {.name = "dark on light",
     .ground = 0xffffff,
     .drawn = {{{10, 10}, "Ealap", 1, 0x202020}},
     .rows = {{10, 10, 29, 7}}},
    {.name = "two lines beside a picture",
     .ground = 0xffffff,
     .drawn = {{{10, 10}, "E", 6, 0x202020},
               {{60, 12}, "Eala", 2, 0x202020},
               {{60, 36}, "Eala", 2, 0x202020}},
     .rows = {{10, 10, 30, 42}, {60, 12, 46, 14}, {60, 36, 46, 14}}},
    {.name = "light on dark",
     .ground = 0x1e1e1e,
     .drawn = {{{10, 10}, "Ealap", 1, 0xd4d4d4}},
     .rows = {{10, 10, 29, 7}}},
    {.name = "colours of one brightness",
     .ground = 0xc00000,
     .drawn = {{{10, 10}, "EapE", 1, 0x006600}},
     .rows = {{10, 10, 23, 7}}},
    {.name = "words of a row are one, columns are two",
     .ground = 0xffffff,
     .drawn = {{{10, 10}, "Eap Eap", 2, 0}, {{200, 10}, "Eap", 2, 0}},
     .rows = {{10, 10, 82, 14}, {200, 10, 34, 14}}},
    {.name = "tight rows below each other",
     .ground = 0xffffff,
     .drawn = {{{10, 10}, "EapE", 1, 0}, {{10, 19}, "EapE", 1, 0}, {{10, 28}, "EapE", 1, 0}},
     .rows = {{10, 10, 23, 7}, {10, 19, 23, 7}, {10, 28, 23, 7}}},
    {.name = "a button's border is no text",
     .ground = 0xf0f0f0,
     .frame = {4, 2, 60, 24},
     .drawn = {{{14, 10}, "EapE", 1, 0}},
     .rows = {{14, 10, 23, 7}}},
    {.name = "a long button's border is no text",
     .ground = 0xf0f0f0,
     .frame = {4, 2, 200, 24},
     .drawn = {{{14, 10}, "EapE", 1, 0}},
     .rows = {{14, 10, 23, 7}}},
    {.name = "dots and upright strokes belong to the row",
     .ground = 0xffffff,
     .drawn = {{{10, 10}, "lEil", 2, 0}},
     .rows = {{14, 10, 38, 14}}},
    {.name = "a field that touches the row above",
     .ground = 0xffffff,
     .patch = {8, 18, 100, 12},
     .patch_colour = 0x1a73e8,
     .drawn = {{{10, 10}, "EapE", 1, 0}, {{14, 20}, "EapE", 1, 0xffffff}},
     .rows = {{10, 10, 23, 7}, {14, 20, 23, 7}}},
    {.name = "right beside the border of a window",
     .ground = 0xffffff,
     .patch = {0, 0, 9, 120},
     .patch_colour = 0x506070,
     .drawn = {{{10, 10}, "Eap", 2, 0}, {{10, 40}, "EaE", 2, 0}},
     .rows = {{10, 10, 34, 14}, {10, 40, 34, 14}}},
    {.name = "a field beside a button that begins further down",
     .ground = 0xffffff,
     .patch = {120, 21, 60, 30},
     .patch_colour = 0x1a73e8,
     .frame = {4, 8, 100, 26},
     .drawn = {{{14, 14}, "EapEapE", 2, 0}, {{130, 30}, "Eap", 1, 0xffffff}},
     .rows = {{14, 14, 82, 14}, {130, 30, 17, 7}}},
    {.name = "headlines",
     .ground = 0xffffff,
     .drawn = {{{10, 10}, "Eap", 5, 0}},
     .rows = {{10, 10, 85, 35}}},
};

static gboolean is_near(HfRect a, HfRect b, int most)
{
    return ABS(a.x - b.x) <= most && ABS(a.y - b.y) <= most &&
           ABS(a.x + a.width - b.x - b.width) <= most &&
           ABS(a.y + a.height - b.y - b.height) <= most;
}

static void draw_case(HfImage *image, const Case *one)
{
    if (!hf_rect_is_empty(one->patch))
        hf_image_fill(image, one->patch, one->patch_colour);
    if (!hf_rect_is_empty(one->frame))
        hf_image_frame(image, one->frame, 1, 0x707070);
    for (gsize i = 0; i < G_N_ELEMENTS(one->drawn) && one->drawn[i].text; i++)
        draw_text(image, one->drawn[i].at, one->drawn[i].text, one->drawn[i].size,
                  one->drawn[i].colour);
}

static void test_rows(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Case *one = &cases[i];
        g_autoptr(HfImage) image = new_screen(one->ground);
        draw_case(image, one);
        g_auto(HfTextRows) rows = {0};
        hf_text_rows_find(&rows, image);
        guint wanted = 0;
        while (wanted < G_N_ELEMENTS(one->rows) && !hf_rect_is_empty(one->rows[wanted]))
            wanted++;
        g_test_message("%s: %u rows", one->name, rows.boxes->len);
        g_assert_false(rows.truncated);
        g_assert_cmpuint(rows.boxes->len, ==, wanted);
        for (guint row = 0; row < wanted; row++) {
            HfRect found = g_array_index(rows.boxes, HfRect, row);
            g_test_message("found %d,%d %dx%d", found.x, found.y, found.width, found.height);
            /* Two to the side: strokes at an edge of a field may count as its own. */
            g_assert_true(
                is_near(found, one->rows[row], 2) ||
                (!hf_rect_is_empty(one->patch) && hf_rect_is_empty(one->frame) &&
                 hf_rect_equal(hf_rect_intersect(found, one->rows[row]), one->rows[row])));
        }
    }
}

static void test_any_size(void)
{
    for (int width = 1; width < 140; width += 7) {
        g_autoptr(HfImage) image = hf_image_new(width, 3);
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < width; x++)
                hf_image_row(image, y)[x] = (x + y) % 2 ? 0xffffff : 0;
        g_auto(HfTextRows) rows = {0};
        hf_text_rows_find(&rows, image);
        g_assert_cmpuint(rows.boxes->len, ==, 0);
    }
}

/* The vector form against what a mask is by its definition, long edges apart. */
static void test_mask(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    g_autoptr(HfImage) image = hf_image_new(131, 9);
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 131; x++)
            hf_image_row(image, y)[x] = g_rand_boolean(random) ? 0xff000000 : 0x00001d00;
    g_auto(HfTextMask) mask = {0};
    hf_text_mask_init(&mask, image);
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 131; x++) {
            guint32 here = hf_image_row(image, y)[x] & 0xffffff;
            gboolean wanted = (x > 0 && here != (hf_image_row(image, y)[x - 1] & 0xffffff)) ||
                              (y > 0 && here != (hf_image_row(image, y - 1)[x] & 0xffffff));
            g_assert_cmpint(hf_text_mask_row(&mask, y)[x / 64] >> (x % 64) & 1, ==, wanted);
        }
}

static void test_long_edges(void)
{
    static const struct {
        int length;
        gboolean kept;
    } runs[] = {{1, TRUE}, {31, TRUE}, {32, FALSE}, {33, FALSE}, {64, FALSE}, {150, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(runs); i++)
        for (int left = 5; left < 70; left += 13) {
            g_autoptr(HfImage) image = new_screen(0xffffff);
            hf_image_fill(image, (HfRect){left, 20, runs[i].length, 30}, 0);
            g_auto(HfTextMask) mask = {0};
            hf_text_mask_init(&mask, image);
            int x = left + runs[i].length / 2;
            gboolean side = x == left;
            g_assert_cmpint(hf_text_mask_row(&mask, 20)[x / 64] >> (x % 64) & 1, ==,
                            runs[i].kept || side);
        }
}

static HfTextLine *line_of(guint32 ground, guint32 colour, int x)
{
    g_autoptr(HfImage) image = new_screen(ground);
    draw_text(image, (HfPoint){x, 10}, "Ealap", 2, colour);
    return hf_text_line_new(image, (HfRect){x, 10, 58, 14});
}

/* The same text is the same line, in whatever colours and wherever it stands. */
static void test_colour_is_taken_out(void)
{
    static const struct {
        guint32 ground, colour;
        int x;
    } forms[] = {{0xffffff, 0, 10},
                 {0, 0xffffff, 10},
                 {0x1e1e1e, 0x9da5b4, 57},
                 {0xc00000, 0x006600, 1},
                 {0xf6f5f4, 0xa51d2d, 200}};
    g_autoptr(HfTextLine) first = line_of(forms[0].ground, forms[0].colour, forms[0].x);
    HfTextHash hash = hf_text_line_hash(first);
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autoptr(HfTextLine) line = line_of(forms[i].ground, forms[i].colour, forms[i].x);
        HfTextHash other = hf_text_line_hash(line);
        g_assert_cmpmem(line->grey, (gsize)line->width * (gsize)line->height, first->grey,
                        (gsize)first->width * (gsize)first->height);
        g_assert_cmpmem(&other, sizeof other, &hash, sizeof hash);
    }
    first->grey[100] ^= 0xff;
    HfTextHash changed = hf_text_line_hash(first);
    g_assert_false(memcmp(&changed, &hash, sizeof hash) == 0);
}

/* A letter under a terminal's cursor gives the same line. */
static void test_cells(void)
{
    g_autoptr(HfImage) image = new_screen(0x0000ee);
    g_autoptr(HfImage) plain = new_screen(0xffffff);
    hf_image_fill(image, (HfRect){22, 8, 12, 18}, 0xffffff);
    draw_text(image, (HfPoint){10, 10}, "E", 2, 0xffffff);
    draw_text(image, (HfPoint){22, 10}, "a", 2, 0x0000ee);
    draw_text(image, (HfPoint){34, 10}, "l", 2, 0xffffff);
    draw_text(plain, (HfPoint){10, 10}, "Eal", 2, 0);
    g_autoptr(HfTextLine) line = hf_text_line_new(image, (HfRect){8, 8, 40, 18});
    g_autoptr(HfTextLine) wanted = hf_text_line_new(plain, (HfRect){8, 8, 40, 18});
    g_assert_cmpmem(line->grey, (gsize)line->width * (gsize)line->height, wanted->grey,
                    (gsize)wanted->width * (gsize)wanted->height);
}

/* As nano draws it: a bar, the cursor right below it, and keys on grounds of their own, below each
 * other. */
static const struct {
    HfPoint at;
    const char *text;
    gboolean light;
} terminal[] = {
    {{26, 3}, "Eap", TRUE},   {{3, 17}, "a", TRUE},     {{11, 17}, "pEa", FALSE},
    {{3, 73}, "Ep", TRUE},    {{27, 73}, "Eap", FALSE}, {{3, 87}, "pE", TRUE},
    {{27, 87}, "pEp", FALSE}, {{123, 73}, "pp", TRUE},  {{147, 73}, "EE", FALSE},
    {{123, 87}, "aE", TRUE},  {{147, 87}, "pa", FALSE},
};
static const HfRect inverse[] = {
    {2, 0, WIDTH - 2, 14}, {2, 14, 8, 14}, {2, 70, 14, 28}, {122, 70, 14, 28}};

static HfImage *draw_terminal(gboolean plain)
{
    HfImage *image = new_screen(0xffffff);
    for (gsize i = 0; i < G_N_ELEMENTS(inverse) && !plain; i++)
        hf_image_fill(image, inverse[i], 0);
    for (gsize i = 0; i < G_N_ELEMENTS(terminal); i++)
        draw_text(image, terminal[i].at, terminal[i].text, 1,
                  terminal[i].light && !plain ? 0xffffff : 0);
    return image;
}

static gboolean stands_in(HfRect row, gsize text)
{
    HfRect box = {terminal[text].at.x, terminal[text].at.y,
                  (int)strlen(terminal[text].text) * 6 - 1, 7};
    return hf_rect_equal(hf_rect_intersect(row, box), box);
}

/* Every text stands in a row that is no higher than its cells, and is the same as without them. */
static void test_cells_below_each_other(void)
{
    g_autoptr(HfImage) image = draw_terminal(FALSE), plain = draw_terminal(TRUE);
    g_auto(HfTextRows) rows = {0};
    guint found[G_N_ELEMENTS(terminal)] = {0};
    hf_text_rows_find(&rows, image);
    for (guint i = 0; i < rows.boxes->len; i++) {
        HfRect box = g_array_index(rows.boxes, HfRect, i);
        g_test_message("found %d,%d %dx%d", box.x, box.y, box.width, box.height);
        g_assert_cmpint(box.height, <=, 15);
        for (gsize text = 0; text < G_N_ELEMENTS(terminal); text++)
            found[text] += stands_in(box, text);
        g_autoptr(HfTextLine) line = hf_text_line_new(image, box);
        g_autoptr(HfTextLine) wanted = hf_text_line_new(plain, box);
        g_assert_cmpmem(line->grey, (gsize)line->width * (gsize)line->height, wanted->grey,
                        (gsize)wanted->width * (gsize)wanted->height);
    }
    for (gsize text = 0; text < G_N_ELEMENTS(terminal); text++)
        g_assert_cmpuint(found[text], ==, 1);
}

static void test_ink(void)
{
    HfRect box;
    g_autoptr(HfTextLine) line = line_of(0xffffff, 0, 10);
    g_assert_true(hf_text_line_find_ink(line, 0, line->width, &box));
    g_assert_true(hf_rect_equal(box, (HfRect){0, 0, 58, 14}));
    g_assert_true(hf_text_line_find_ink(line, 24, 36, &box)); /* the l, an upright stroke */
    g_assert_true(hf_rect_equal(box, (HfRect){28, 0, 2, 14}));
    g_assert_false(hf_text_line_find_ink(line, 10, 12, &box));
    g_autoptr(HfTextLine) large = hf_text_line_scale(line, 2.5, 4);
    g_assert_cmpint(large->width, ==, 145 + 8);
    g_assert_true(hf_text_line_find_ink(large, 0, large->width, &box));
    g_assert_true(is_near(box, (HfRect){4, 4, 145, 35}, 1));
    g_autoptr(HfTextLine) small = hf_text_line_scale(line, 0.5, 0);
    g_assert_cmpint(small->height, ==, 7);
    g_autoptr(HfTextLine) part = hf_text_line_cut(line, 24, 36);
    g_assert_cmpint(part->width, ==, 12);
    g_assert_true(hf_text_line_find_ink(part, 0, 12, &box));
    g_assert_true(hf_rect_equal(box, (HfRect){4, 0, 2, 14}));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text-rows/rows", test_rows);
    g_test_add_func("/text-rows/any-size", test_any_size);
    g_test_add_func("/text-rows/mask", test_mask);
    g_test_add_func("/text-rows/long-edges", test_long_edges);
    g_test_add_func("/text-rows/colour", test_colour_is_taken_out);
    g_test_add_func("/text-rows/cells-below-each-other", test_cells_below_each_other);
    g_test_add_func("/text-rows/ink", test_ink);
    g_test_add_func("/text-rows/cells", test_cells);
    return g_test_run();
}
