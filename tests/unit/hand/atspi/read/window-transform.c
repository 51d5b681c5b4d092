/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/read/window-transform.c: what toolkits said on real desktops, and where
 * things were. */
#include "hand/atspi/read/window-transform.h"

typedef struct Case {
    const char *about, *toolkit;
    double scale;
    HfRect bounds, frame; /* of the platform's window */
    HfRect top;           /* what the program says of its window */
    HfRect element, expected;
} Case;

static const Case cases[] = {
    {"GTK 3, its own frame",
     "gtk",
     1,
     {554, 659, 1366, 741},
     {554, 659, 1366, 741},
     {554, 659, 1366, 741},
     {1055, 663, 121, 46},
     {1055, 663, 121, 46}},
    {"GTK 3, decorated: it tells the decoration",
     "gtk",
     1,
     {1279, 915, 640, 480},
     {1278, 895, 642, 505},
     {1278, 895, 642, 505},
     {1279, 915, 39, 25},
     {1279, 915, 39, 25}},
    {"GTK 3, scaled, its units rounded down",
     "gtk",
     2,
     {1, 435, 1280, 960},
     {0, 403, 1282, 997},
     {0, 201, 641, 499},
     {0, 217, 39, 25},
     {0, 435, 78, 50}},
    {"GTK 4 knows nothing of the screen",
     "GTK",
     1,
     {100, 200, 420, 360},
     {99, 180, 422, 385},
     {0, 0, 420, 360},
     {17, 5, 386, 24},
     {117, 205, 386, 24}},
    {"GTK 4 draws its frame",
     "GTK",
     1,
     {1120, 0, 800, 600},
     {1120, 0, 800, 600},
     {0, 0, 790, 590},
     {0, 46, 224, 544},
     {1125, 51, 224, 544}},
    {"GTK 4 with a shadow that the platform knows of",
     "GTK",
     2,
     {0, 0, 1040, 1060},
     {20, 18, 1000, 1014},
     {0, 0, 500, 507},
     {10, 10, 5, 5},
     {40, 38, 10, 10}},
    {"GTK 4, scaled",
     "GTK",
     2,
     {320, 0, 1600, 1200},
     {320, 0, 1600, 1200},
     {0, 0, 790, 590},
     {0, 46, 223, 544},
     {330, 102, 446, 1088}},
    {"Qt, scaled",
     "Qt",
     2,
     {260, 213, 1400, 1000},
     {259, 181, 1402, 1037},
     {130, 107, 700, 500},
     {130, 166, 96, 32},
     {260, 331, 192, 64}},
    {"Qt, scaled by a fraction",
     "Qt",
     1.25,
     {100, 100, 875, 625},
     {99, 80, 877, 650},
     {80, 80, 700, 500},
     {88, 88, 40, 20},
     {110, 110, 50, 25}},
    {"Chromium, scaled",
     "Chromium",
     2,
     {20, 20, 1880, 1360},
     {28, 20, 1864, 1352},
     {10, 10, 940, 680},
     {850, 10, 32, 40},
     {1700, 20, 64, 80}},
    {"Chromium, scaled by a fraction",
     "Chromium",
     1.5,
     {30, 30, 1500, 900},
     {30, 30, 1500, 900},
     {20, 20, 1000, 600},
     {40, 40, 100, 20},
     {60, 60, 150, 30}},
    {"GTK 3 does not scale by fractions",
     "gtk",
     1.5,
     {30, 30, 1500, 900},
     {30, 30, 1500, 900},
     {30, 30, 1500, 900},
     {40, 40, 100, 20},
     {40, 40, 100, 20}},
    {"Qt, scaled on a desktop that is not",
     "Qt",
     1,
     {260, 213, 1400, 1000},
     {259, 193, 1402, 1025},
     {130, 107, 700, 500},
     {130, 166, 96, 32},
     {260, 331, 192, 64}},
    {"GTK 4, scaled on a desktop that is not",
     "GTK",
     1,
     {320, 0, 1600, 1200},
     {320, 0, 1600, 1200},
     {0, 0, 790, 590},
     {0, 46, 223, 544},
     {330, 102, 446, 1088}},
    {"A program that does not know where it is",
     "gtk",
     1,
     {300, 300, 400, 200},
     {300, 300, 400, 200},
     {0, 0, 400, 200},
     {10, 20, 30, 40},
     {310, 320, 30, 40}},
};

static GPtrArray *one_window(HfWindow *window)
{
    GPtrArray *windows = g_ptr_array_new();
    g_ptr_array_add(windows, window);
    return windows;
}

static void test_places(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Case *each = &cases[i];
        g_test_message("%s", each->about);
        HfWindow window = {.id = 7,
                           .title = (char *)"Title",
                           .pid = 42,
                           .visible = TRUE,
                           .bounds = each->bounds,
                           .frame = each->frame};
        g_autoptr(GPtrArray) windows = one_window(&window);
        HfTopWindow top = {.name = "Title", .extents = each->top};
        hf_transform_match_windows(hf_toolkit_traits_find(each->toolkit, NULL), 42, windows,
                                   each->scale, &top, 1);
        g_assert_cmpuint(top.window, ==, 7);
        HfRect found = hf_transform_rect(top.transform, each->element);
        g_assert_cmpint(found.x, ==, each->expected.x);
        g_assert_cmpint(found.y, ==, each->expected.y);
        g_assert_cmpint(found.width, ==, each->expected.width);
        g_assert_cmpint(found.height, ==, each->expected.height);
    }
}

/* Two windows of one program and one of another, told by title, by size, and by process. */
static void test_which_window(void)
{
    HfWindow first = {.id = 1,
                      .title = (char *)"Notes",
                      .pid = 42,
                      .visible = TRUE,
                      .bounds = {0, 0, 500, 400},
                      .frame = {0, 0, 500, 400}};
    HfWindow second = {.id = 2,
                       .title = (char *)"Other",
                       .pid = 42,
                       .visible = TRUE,
                       .bounds = {50, 50, 300, 200},
                       .frame = {50, 50, 300, 200}};
    HfWindow foreign = {.id = 3,
                        .title = (char *)"Notes",
                        .pid = 99,
                        .visible = TRUE,
                        .bounds = {0, 0, 500, 400},
                        .frame = {0, 0, 500, 400}};
    g_autoptr(GPtrArray) windows = g_ptr_array_new();
    g_ptr_array_add(windows, &foreign);
    g_ptr_array_add(windows, &first);
    g_ptr_array_add(windows, &second);
    HfTopWindow tops[] = {
        {.name = "", .extents = {50, 50, 300, 200}},
        {.name = "Notes", .extents = {0, 0, 500, 400}},
        {.name = "", .extents = {113, 35, 602, 88}}, /* kept ready, shown nowhere */
    };
    hf_transform_match_windows(hf_toolkit_traits_find("Chromium", NULL), 42, windows, 1, tops,
                               G_N_ELEMENTS(tops));
    g_assert_cmpuint(tops[0].window, ==, 2);
    g_assert_cmpuint(tops[1].window, ==, 1);
    g_assert_cmpuint(tops[2].window, ==, 0);
}

static void test_popups_are_scaled_like_their_program(void)
{
    HfWindow window = {.id = 1,
                       .title = (char *)"Notes",
                       .pid = 42,
                       .visible = TRUE,
                       .bounds = {0, 0, 1000, 800},
                       .frame = {0, 0, 1000, 800}};
    g_autoptr(GPtrArray) windows = one_window(&window);
    HfTopWindow tops[] = {
        {.name = "Notes", .extents = {0, 0, 500, 400}},
        {.name = "", .extents = {20, 30, 100, 200}},
    };
    hf_transform_match_windows(hf_toolkit_traits_find("gtk", NULL), 42, windows, 2, tops,
                               G_N_ELEMENTS(tops));
    g_assert_cmpuint(tops[1].window, ==, 0);
    HfRect found = hf_transform_rect(tops[1].transform, tops[1].extents);
    g_assert_cmpint(found.x, ==, 40);
    g_assert_cmpint(found.height, ==, 400);
}

/* What GTK 4.8 said of an open menu of gtk4-widget-factory, and where the X server had it. */
static void test_popup(void)
{
    static const struct {
        const char *about;
        int pid;
        double scale;
        HfRect popup, extents, element, expected; /* empty: it is no popup */
    } rows[] = {
        {"a menu",
         42,
         1,
         {1325, 108, 241, 287},
         {1422, 5, 241, 287},
         {1443, 252, 199, 30},
         {1346, 355, 199, 30}},
        {"scaled",
         42,
         2,
         {650, 216, 482, 574},
         {711, 2, 241, 287},
         {721, 127, 99, 15},
         {670, 466, 198, 30}},
        {"another program's", 43, 1, {1325, 108, 241, 287}, {1422, 5, 241, 287}, {0}, {0}},
        {"another size", 42, 1, {1325, 108, 241, 287}, {1422, 5, 241, 280}, {0}, {0}},
        {"no size", 42, 1, {0, 0, 1, 1}, {0, 0, 0, 0}, {0}, {0}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        HfWindow popup = {.pid = rows[i].pid, .bounds = rows[i].popup};
        g_autoptr(GPtrArray) popups = one_window(&popup);
        HfTransform transform = {rows[i].scale, 7, 7};
        gboolean expected = !hf_rect_is_empty(rows[i].expected);
        g_test_message("%s", rows[i].about);
        g_assert_cmpint(hf_transform_match_popup(popups, 42, rows[i].extents, &transform), ==,
                        expected);
        g_assert_cmpuint(popups->len, ==, expected ? 0 : 1);
        if (!expected)
            continue;
        HfRect placed = hf_transform_rect(transform, rows[i].element);
        g_assert_true(hf_rect_equal(placed, rows[i].expected));
    }
}

/* What LibreOffice 7.4 said before the pointer was in its window, and after. */
static void test_pane(void)
{
    static const struct {
        const char *about;
        HfRect top, pane;
        double scale;
        int down;
    } rows[] = {
        {"too high", {0, 0, 1280, 800}, {0, 19, 1280, 756}, 1, 25},
        {"right", {0, 0, 1280, 800}, {0, 44, 1280, 756}, 1, 0},
        {"in a frame", {100, 100, 802, 625}, {101, 120, 800, 579}, 1, 25},
        {"scaled", {0, 0, 640, 400}, {0, 10, 640, 365}, 2, 50},
        {"something else", {0, 0, 1280, 800}, {0, 19, 600, 400}, 1, 0},
        {"a strange window", {0, 0, 1280, 800}, {0, 19, 1280, 300}, 1, 0},
        {"outside of it", {50, 0, 1280, 800}, {0, 19, 1380, 756}, 1, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        HfTransform transform = {rows[i].scale, 3, 7};
        g_test_message("%s", rows[i].about);
        hf_transform_correct_pane(rows[i].top, rows[i].pane, &transform);
        g_assert_cmpint(transform.y, ==, 7 + rows[i].down);
        g_assert_cmpint(transform.x, ==, 3);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access-place/places", test_places);
    g_test_add_func("/access-place/which-window", test_which_window);
    g_test_add_func("/access-place/popups", test_popups_are_scaled_like_their_program);
    g_test_add_func("/access-place/popup", test_popup);
    g_test_add_func("/access-place/pane", test_pane);
    return g_test_run();
}
