/* SPDX-License-Identifier: Apache-2.0 */
/* Tests settle-detector.c: noise does not count, and everything else does. Small scripts draw the
 * pictures, one letter for each step of 100 ms. */
#include "hand/pixels/compare/settle-detector.h"

#include <string.h>

#include "hand/pixels/compare/picture-hash.h"
#include "shared/image/image.h"

#define STEP_US (100 * 1000)
#define START   G_USEC_PER_SEC

static void fill(HfImage *image, HfRect area, guint32 colour)
{
    for (int y = area.y; y < area.y + area.height; y++)
        for (int x = area.x; x < area.x + area.width; x++)
            hf_image_row(image, y)[x] = colour;
}

/* A letter paints the place in a colour of its own; a dot leaves it. A digit paints only a tenth of
 * the place from the left, the digit's: a bar that grows, a block that moves. */
typedef struct Actor {
    HfRect place;
    const char *script;
} Actor;

static void act(HfImage *image, const Actor *actor, int step)
{
    char word = actor->script ? actor->script[step] : '.';
    HfRect part = actor->place;
    if (word == '.')
        return;
    if (g_ascii_isdigit(word)) {
        part.width /= 10;
        part.x += part.width * (word - '0');
    }
    fill(image, part, 0x123456u * (guint32)(g_ascii_isdigit(word) ? 'x' : word));
}

static const struct {
    const char *what;
    Actor actors[2];
    double rested_at;  /* seconds: of the last change that counts; -1: none does */
    const char *noise; /* "kind changes" of each */
    const char *counts;
} cases[] = {
    {"nothing", {{{10, 10, 2, 17}, "........"}}, 0, "", ""},
    {"one change", {{{10, 10, 50, 17}, "...a...."}}, 0.3, "", "changes 1"},
    {"a caret", {{{10, 10, 2, 17}, ".a.b.a.b.a"}}, 0, "blinks 5", ""},
    {"a flash counts, there and back", {{{10, 10, 40, 40}, ".ab....."}}, 0.2, "", "changes 2"},
    {"a block that blinks", {{{10, 10, 90, 60}, ".a..b..a..b.."}}, 0, "blinks 4", ""},
    {"a light of four colours", {{{10, 10, 20, 20}, "abcdabcdabcd"}}, 0, "blinks 12", ""},
    {"five are too many", {{{10, 10, 20, 20}, "abcdeabcdeabcde"}}, 1.4, "", "changes 15"},
    {"a caret that fades", {{{10, 10, 2, 17}, "abcdefghijkl"}}, 0, "caret 12", ""},
    {"a line that lies fades", {{{10, 10, 60, 2}, "abcdefghijkl"}}, 1.1, "", "changes 12"},
    {"a clock", {{{10, 10, 60, 17}, "a.........b.........c.........d"}}, 0, "ticks 4", ""},
    {"a clock seen twice", {{{10, 10, 60, 17}, "a.........b......"}}, 1.0, "", "changes 2"},
    {"an irregular one", {{{10, 10, 60, 17}, "a.........b....c..........d"}}, 2.6, "", "changes 4"},
    {"a large clock",
     {{{0, 0, 300, 200}, "a.........b.........c.........d"}},
     3.0,
     "",
     "changes 4"},
    {"too quick for a clock", {{{10, 10, 60, 17}, "a..b..c..d..e..f"}}, 1.5, "", "changes 6"},
    {"a bar that grows", {{{0, 50, 300, 20}, "0.....1.....2.....3.....4.."}}, 2.4, "", "changes 5"},
    {"a caret, and something else once",
     {{{10, 10, 2, 17}, ".a.b.a.b.a.b"}, {{100, 100, 80, 40}, "......x....."}},
     0.6,
     "blinks 6",
     "changes 1"},
    {"a caret in what was just drawn",
     {{{10, 10, 2, 17}, "...a.b.a.b.a"}, {{0, 0, 200, 100}, ".x.........."}},
     0.1,
     "blinks 5",
     "changes 1"},
    {"a caret, then typing",
     {{{10, 10, 2, 17}, "a.b.a.b.a..."}, {{12, 10, 10, 17}, ".........x.."}},
     0.9,
     "",
     "changes 6"},
    {"a caret beside a clock",
     {{{10, 10, 2, 17}, ".a.b.a.b.a.b.a.b.a.b.a.b"},
      {{200, 100, 60, 17}, "a.........b.........c..."}},
     0,
     "blinks 12; ticks 3",
     ""},
    {"a blinking place that shows something new",
     {{{10, 10, 20, 20}, "a.b.a.b.z..."}},
     0.8,
     "",
     "changes 5"},
};

static char *describe(const HfSettleDetector *detector, gboolean noise)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GArray) list = hf_settle_detector_list_areas(detector, noise, 0);
    for (guint i = 0; i < list->len; i++) {
        HfChangingArea stir = g_array_index(list, HfChangingArea, i);
        g_string_append_printf(text, "%s%s %u", i ? "; " : "",
                               hf_changing_area_kind_name(stir.kind), stir.changes);
    }
    return g_string_free(text, FALSE);
}

/* The order of places is of no account. */
static void assert_same_words(const char *is, const char *wanted)
{
    g_auto(GStrv) parts = g_strsplit(wanted, "; ", -1);
    g_assert_cmpuint(strlen(is), ==, strlen(wanted));
    for (int i = 0; parts[i]; i++)
        g_assert_nonnull(strstr(is, parts[i]));
}

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HfImage) image = hf_image_new(300, 200);
        g_autoptr(HfSettleDetector) detector = hf_settle_detector_new();
        fill(image, (HfRect){0, 0, 300, 200}, 0xffffff);
        g_autoptr(GBytes) first = hf_picture_hash_new(image);
        hf_settle_detector_add_picture(detector, first, NULL, START);
        for (int step = 0; cases[i].actors[0].script[step]; step++) {
            for (int j = 1; j >= 0; j--)
                act(image, &cases[i].actors[j], step);
            g_autoptr(GBytes) hash = hf_picture_hash_new(image);
            hf_settle_detector_add_picture(detector, hash, NULL, START + step * STEP_US);
        }
        g_autofree char *noise = describe(detector, TRUE), *counts = describe(detector, FALSE);
        g_test_message("%s: %s | %s, %.1f", cases[i].what, noise, counts,
                       (double)(hf_settle_detector_get_since(detector) - START) / 1e6);
        assert_same_words(noise, cases[i].noise);
        assert_same_words(counts, cases[i].counts);
        g_assert_cmpfloat_with_epsilon((double)(hf_settle_detector_get_since(detector) - START) /
                                           1e6,
                                       cases[i].rested_at, 1e-9);
    }
}

/* A video of many colours, and the place is right. */
static void test_video(void)
{
    g_autoptr(HfImage) image = hf_image_new(300, 200);
    g_autoptr(HfSettleDetector) detector = hf_settle_detector_new();
    fill(image, (HfRect){0, 0, 300, 200}, 0);
    for (guint i = 0; i < 200; i++) {
        g_autoptr(GBytes) hash = hf_picture_hash_new(image);
        hf_settle_detector_add_picture(detector, hash, NULL, START + i * 30000);
        fill(image, (HfRect){40, 30, 160, 90}, i * 2654435761u | 1);
    }
    g_autoptr(GArray) going = hf_settle_detector_list_areas(detector, FALSE, START + 199 * 30000);
    g_assert_cmpuint(going->len, ==, 1);
    g_assert_true(
        hf_rect_equal(g_array_index(going, HfChangingArea, 0).bounds, (HfRect){40, 30, 160, 90}));
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, START + 199 * 30000);
}

/* Nothing before it, another size, what is ignored, and what others say. */
static void test_rest(void)
{
    g_autoptr(HfImage) image = hf_image_new(100, 100), other = hf_image_new(90, 100);
    g_autoptr(HfSettleDetector) detector = hf_settle_detector_new();
    g_autoptr(GArray) ignore = g_array_new(FALSE, FALSE, sizeof(HfRect));
    HfRect hole = {10, 10, 20, 20};
    g_array_append_val(ignore, hole);
    fill(image, (HfRect){0, 0, 100, 100}, 1);
    fill(other, (HfRect){0, 0, 90, 100}, 1);
    g_autoptr(GBytes) hash = hf_picture_hash_new(image), small = hf_picture_hash_new(other);
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, 0);
    hf_settle_detector_add_picture(detector, hash, ignore, 1000);
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, 1000);
    fill(image, hole, 2);
    g_autoptr(GBytes) ignored = hf_picture_hash_new(image);
    hf_settle_detector_add_picture(detector, ignored, ignore, 2000);
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, 1000);
    hf_settle_detector_add_picture(detector, small, ignore, 3000);
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, 3000);
    hf_settle_detector_disturb(detector, 4000);
    hf_settle_detector_disturb(detector, 3500);
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, 4000);
}

/* Places do not pile up, and those that are forgotten have counted. */
static void test_many_places(void)
{
    g_autoptr(HfImage) image = hf_image_new(1600, 200);
    g_autoptr(HfSettleDetector) detector = hf_settle_detector_new();
    fill(image, (HfRect){0, 0, 1600, 200}, 1);
    g_autoptr(GBytes) first = hf_picture_hash_new(image);
    hf_settle_detector_add_picture(detector, first, NULL, START);
    for (int i = 0; i < 150; i++) {
        fill(image, (HfRect){i % 50 * 32, i / 50 * 64, 3, 3}, 2);
        g_autoptr(GBytes) hash = hf_picture_hash_new(image);
        hf_settle_detector_add_picture(detector, hash, NULL, START + i);
    }
    g_autoptr(GArray) all = hf_settle_detector_list_areas(detector, FALSE, 0);
    g_assert_cmpuint(all->len, ==, 64);
    g_assert_cmpint(hf_settle_detector_get_since(detector), ==, START + 149);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/detector/cases", test_cases);
    g_test_add_func("/detector/video", test_video);
    g_test_add_func("/detector/detector", test_rest);
    g_test_add_func("/detector/many-places", test_many_places);
    return g_test_run();
}
