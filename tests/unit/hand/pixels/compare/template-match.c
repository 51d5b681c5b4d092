/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for small pictures: exact, noisy, of another size, on another ground, inverted, partly
 * transparent, several times, and not there at all. */
#include "hand/pixels/compare/template-match.h"

#include <math.h>
#include <stdlib.h>

#include "hand/pixels/pixels-limits.h"
#include "shared/base/error.h"

#define SIDE 40

/* The same numbers each time. */
static guint32 dice;
static int roll(int most)
{
    dice = dice * 1664525u + 1013904223u;
    return (int)((dice >> 8) % (guint32)most);
}

static guint32 grey(double value)
{
    guint32 level = (guint32)CLAMP(lround(value), 0, 255);
    return 0xff000000 | level << 16 | level << 8 | level;
}

/* Something like an icon: a ring with a bar, by how dark it is at a place from -1 to 1. */
static double ink(int which, double x, double y)
{
    double far = hypot(x, y);
    switch (which) {
    case 0: /* a magnifier */
        return fabs(hypot(x + 0.2, y + 0.2) - 0.5) < 0.12 ||
               (x > 0.15 && y > 0.15 && fabs(x - y) < 0.18 && far < 0.95);
    case 1: /* a plus */
        return (fabs(x) < 0.16 && fabs(y) < 0.8) || (fabs(y) < 0.16 && fabs(x) < 0.8);
    case 2: /* three lines */
        return fabs(x) < 0.8 && fabs(fmod(y + 3.1, 0.6) - 0.3) < 0.12;
    default: /* a gear */
        return far < 0.55 + 0.25 * (cos(8 * atan2(y, x)) > 0) && far > 0.25;
    }
}

static void draw(HfImage *image, int which, double left, double top, double side, double dark,
                 double light, gboolean ground)
{
    for (int y = MAX(0, (int)top); y < MIN(image->height, top + side); y++)
        for (int x = MAX(0, (int)left); x < MIN(image->width, left + side); x++) {
            double part = 0;
            for (int k = 0; k < 16; k++)
                part += ink(which, (x - left + (k % 4 + 0.5) / 4) / side * 2 - 1,
                            (y - top + (k / 4 + 0.5) / 4) / side * 2 - 1) /
                        16;
            guint32 *pixel = &hf_image_row(image, y)[x];
            double under = ground ? light : (double)(*pixel & 0xff);
            *pixel = grey(dark * part + under * (1 - part));
        }
}

/* A screen full of windows and lines of text. */
static HfImage *new_screen(int width, int height)
{
    HfImage *image = hf_image_new(width, height);
    dice = 7;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hf_image_row(image, y)[x] = grey(235 - 20.0 * y / height);
    for (int i = 0; i < 400; i++) {
        int left = roll(width - 90), top = roll(height - 20), length = 20 + roll(60);
        for (int y = top; y < top + 9; y++)
            for (int x = left; x < left + length; x++)
                if ((x * 7 + y * 3 + i) % 5 < 2)
                    hf_image_row(image, y)[x] = grey(40 + i % 60);
    }
    return image;
}

static HfImage *new_icon(int which, int side, gboolean transparent)
{
    HfImage *icon = hf_image_new(side, side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            hf_image_row(icon, y)[x] = grey(235);
    draw(icon, which, 0, 0, side, 40, 235, TRUE);
    for (int y = 0; transparent && y < side; y++)
        for (int x = 0; x < side; x++)
            if ((hf_image_row(icon, y)[x] & 0xff) > 200)
                hf_image_row(icon, y)[x] &= 0x00ffffff;
    return icon;
}

static GArray *find(const HfImage *screen, const HfImage *icon, double threshold)
{
    HfTemplateSearch search = {threshold, 10, g_get_monotonic_time() + 60 * G_USEC_PER_SEC};
    g_autoptr(GError) error = NULL;
    GArray *hits = hf_image_find_template(screen, icon, &search, NULL, &error);
    g_assert_no_error(error);
    return hits;
}

/* One icon on a screen, changed in a way. */
static const struct {
    const char *name;
    int which;
    double scale, dark, light;
    int noise;
    gboolean inverted;
} cases[] = {
    {"exact", 0, 1, 40, 235, 0, FALSE},     {"plus", 1, 1, 40, 235, 0, FALSE},
    {"lines", 2, 1, 40, 235, 0, FALSE},     {"gear", 3, 1, 40, 235, 0, FALSE},
    {"noise", 0, 1, 40, 235, 24, FALSE},    {"paler", 3, 1, 120, 220, 8, FALSE},
    {"smaller", 0, 0.8, 40, 235, 0, FALSE}, {"a little smaller", 3, 0.93, 40, 235, 6, FALSE},
    {"larger", 0, 1.25, 40, 235, 0, FALSE}, {"a little larger", 1, 1.08, 40, 235, 6, FALSE},
    {"dark theme", 3, 1, 230, 30, 0, TRUE}, {"dark and larger", 0, 1.1, 230, 30, 4, TRUE},
};

static void add_noise(HfImage *image, int most)
{
    for (int y = 0; most && y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            guint32 *pixel = &hf_image_row(image, y)[x];
            *pixel = grey((double)(*pixel & 0xff) + roll(2 * most + 1) - most);
        }
}

static void test_finds(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) screen = new_screen(640, 400);
        g_autoptr(HfImage) icon = new_icon(cases[i].which, SIDE, FALSE);
        double side = SIDE * cases[i].scale;
        draw(screen, cases[i].which, 301, 147, side, cases[i].dark, cases[i].light, TRUE);
        add_noise(screen, cases[i].noise);
        g_autoptr(GArray) hits = find(screen, icon, 0.8);
        g_test_message("%s: %u", cases[i].name, hits->len);
        g_assert_cmpuint(hits->len, >=, 1);
        const HfTemplateHit *hit = &g_array_index(hits, HfTemplateHit, 0);
        g_test_message("%d,%d %dx%d %.3f at %.2f", hit->box.x, hit->box.y, hit->box.width,
                       hit->box.height, hit->score, hit->scale);
        g_assert_cmpint(abs(hit->box.x + hit->box.width / 2 - (int)(301 + side / 2)), <=, 3);
        g_assert_cmpint(abs(hit->box.y + hit->box.height / 2 - (int)(147 + side / 2)), <=, 3);
        g_assert_cmpfloat(fabs(hit->scale - cases[i].scale), <, 0.08);
        g_assert_cmpint(hit->inverted, ==, cases[i].inverted);
    }
}

/* A button is mostly a thin line around even ground, which is easily lost when it gets small. */
static void test_finds_buttons(void)
{
    for (int i = 0; i < 9; i++) {
        g_autoptr(HfImage) screen = new_screen(900, 500);
        g_autoptr(HfImage) button = hf_image_new(460, 34);
        for (int y = 0; y < 34; y++)
            for (int x = 0; x < 460; x++) {
                gboolean edge = x == 0 || y == 0 || x == 459 || y == 33;
                gboolean text = y > 12 && y < 22 && x > 200 && x < 250 && (x * 3 + y) % 7 < 3;
                hf_image_row(button, y)[x] = grey(edge ? 190 : text ? 60 : 240 - y / 4);
            }
        for (int y = 0; y < 34; y++)
            for (int x = 0; x < 460; x++)
                hf_image_row(screen, 201 + i / 3 + y)[101 + i % 3 + x] = hf_image_row(button, y)[x];
        g_autoptr(GArray) hits = find(screen, button, 0.8);
        g_assert_cmpuint(hits->len, >=, 1);
        g_assert_cmpfloat(g_array_index(hits, HfTemplateHit, 0).score, >, 0.995);
        g_assert_cmpint(g_array_index(hits, HfTemplateHit, 0).box.x, ==, 101 + i % 3);
        g_assert_cmpint(g_array_index(hits, HfTemplateHit, 0).box.y, ==, 201 + i / 3);
    }
}

static void test_finds_several_and_no_other(void)
{
    g_autoptr(HfImage) screen = new_screen(640, 400);
    g_autoptr(HfImage) icon = new_icon(0, SIDE, FALSE);
    for (int i = 0; i < 3; i++)
        draw(screen, 0, 50 + 150 * i, 60 + 90 * i, SIDE, 40, 235, TRUE);
    draw(screen, 1, 500, 60, SIDE, 40, 235, TRUE);
    g_autoptr(GArray) hits = find(screen, icon, 0.85);
    g_assert_cmpuint(hits->len, ==, 3);
    for (guint i = 0; i < 3; i++) {
        HfRect box = g_array_index(hits, HfTemplateHit, i).box;
        g_assert_cmpint((box.x - 50) % 150, ==, 0);
        g_assert_cmpint((box.y - 60) % 90, ==, 0);
    }
}

static void test_what_is_not_there_is_not_found(void)
{
    g_autoptr(HfImage) screen = new_screen(640, 400);
    draw(screen, 1, 300, 100, SIDE, 40, 235, TRUE);
    draw(screen, 2, 100, 300, SIDE, 40, 235, TRUE);
    g_autoptr(HfImage) icon = new_icon(3, SIDE, FALSE);
    g_autoptr(GArray) hits = find(screen, icon, 0.85);
    g_assert_cmpuint(hits->len, ==, 0);
}

/* A transparent ground may be anything. */
static void test_alpha(void)
{
    g_autoptr(HfImage) screen = new_screen(640, 400);
    g_autoptr(HfImage) clear = new_icon(3, SIDE, TRUE);
    /* Without its ground all that is left must differ by itself. */
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (hf_image_row(clear, y)[x] >> 24)
                hf_image_row(clear, y)[x] = grey(x < SIDE / 2 ? 40 : 160);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (hf_image_row(clear, y)[x] >> 24)
                hf_image_row(screen, y + 210)[x + 333] = hf_image_row(clear, y)[x];
            else
                hf_image_row(screen, y + 210)[x + 333] = grey((x * 13 + y * 29) % 255);
    g_autoptr(GArray) hits = find(screen, clear, 0.9);
    g_assert_cmpuint(hits->len, >=, 1);
    HfRect box = g_array_index(hits, HfTemplateHit, 0).box;
    g_assert_cmpint(box.x, ==, 333);
    g_assert_cmpint(box.y, ==, 210);
}

static void assert_refused(int width, int height, gboolean flat, HfErrorCode code)
{
    g_autoptr(HfImage) screen = new_screen(320, 200);
    g_autoptr(HfImage) icon = hf_image_new(width, height);
    g_autoptr(GError) error = NULL;
    HfTemplateSearch search = {0.8, 10, G_MAXINT64};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hf_image_row(icon, y)[x] = grey(flat ? 200 : (x * 5 + y * 3) % 255);
    g_assert_null(hf_image_find_template(screen, icon, &search, NULL, &error));
    g_assert_cmpint((int)hf_error_code(error), ==, (int)code);
}

static void test_refuses(void)
{
    assert_refused(30, 30, TRUE, HF_ERROR_INVALID_PARAMS);
    assert_refused(5, 30, FALSE, HF_ERROR_INVALID_PARAMS);
    assert_refused(321, 30, FALSE, HF_ERROR_INVALID_PARAMS);
    assert_refused(HF_LIMIT_TEMPLATE_EDGE + 1, 30, FALSE, HF_ERROR_LIMIT_EXCEEDED);
}

static void test_ends_in_time(void)
{
    g_autoptr(HfImage) screen = new_screen(640, 400);
    g_autoptr(HfImage) icon = new_icon(0, SIDE, FALSE);
    HfTemplateSearch search = {0.8, 10, g_get_monotonic_time() - 1};
    gboolean late = FALSE;
    g_autoptr(GArray) hits = hf_image_find_template(screen, icon, &search, &late, NULL);
    g_assert_true(late && hits->len == 0);
}

/* With -m perf: how long it takes on a whole screen. */
static void test_speed(void)
{
    static const int sides[] = {16, 24, 48, 96};
    g_autoptr(HfImage) screen = new_screen(1920, 1080);
    draw(screen, 3, 1500, 800, 48, 40, 235, TRUE);
    for (gsize i = 0; g_test_perf() && i < G_N_ELEMENTS(sides); i++) {
        g_autoptr(HfImage) icon = new_icon(3, sides[i], FALSE);
        gint64 begin = g_get_monotonic_time();
        g_autoptr(GArray) hits = find(screen, icon, 0.8);
        g_print("# %dx%d: %.1f ms, %u hits\n", sides[i], sides[i],
                (double)(g_get_monotonic_time() - begin) / 1000, hits->len);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/template/finds", test_finds);
    g_test_add_func("/template/buttons", test_finds_buttons);
    g_test_add_func("/template/several", test_finds_several_and_no_other);
    g_test_add_func("/template/absent", test_what_is_not_there_is_not_found);
    g_test_add_func("/template/alpha", test_alpha);
    g_test_add_func("/template/refuses", test_refuses);
    g_test_add_func("/template/time", test_ends_in_time);
    g_test_add_func("/template/speed", test_speed);
    return g_test_run();
}
