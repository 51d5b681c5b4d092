/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/desktop/image-spaces.c: points and areas of pictures, and when they are refused. */
#include "hand/desktop/image-spaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/desktop/screen.h"
#include "shared/base/error.h"

static HfDesktop *desktop;
static xcb_connection_t *client;
static xcb_screen_t *root;

static HfSize screen_size(void)
{
    HfSize size = {0};
    g_assert_true(hf_screen_get_size(desktop, &size, NULL));
    return size;
}

static void sync_client(void)
{
    free(xcb_get_input_focus_reply(client, xcb_get_input_focus(client), NULL));
}

static xcb_window_t make_window(int x, int y, int width, int height)
{
    xcb_window_t window = xcb_generate_id(client);
    xcb_create_window(client, XCB_COPY_FROM_PARENT, window, root->root, (int16_t)x, (int16_t)y,
                      (uint16_t)width, (uint16_t)height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_map_window(client, window);
    sync_client();
    return window;
}

/* Any physical pixel, found in the picture by a planner and sent back, is met within one. */
static void test_round_trip(void)
{
    static const struct {
        HfRect area;
        HfSize size;
    } cases[] = {
        {{0, 0, 1280, 800}, {1280, 800}},   {{0, 0, 1920, 1080}, {1568, 882}},
        {{100, 50, 1000, 700}, {800, 560}}, {{7, 9, 1750, 875}, {1000, 500}},
        {{0, 0, 2000, 1000}, {1000, 500}},  {{3, 5, 997, 613}, {641, 394}},
        {{11, 13, 61, 37}, {1568, 951}},    {{5, 5, 1, 1}, {1568, 1568}},
        {{0, 0, 3840, 2160}, {1568, 882}},  {{40, 30, 640, 400}, {1280, 800}},
        {{0, 0, 1366, 768}, {1093, 614}},   {{1, 2, 3, 5}, {3, 5}},
        {{0, 0, 16384, 4}, {1568, 1}},      {{0, 0, 1600, 900}, {1280, 720}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfRect area = cases[i].area;
        HfSize size = cases[i].size;
        HfImageSpace space = {.area = area, .size = size, .screen = screen_size()};
        g_autofree char *id = hf_image_spaces_add(desktop, &space);
        double tolerance_x = MAX(1, 0.5 * area.width / size.width + 0.5);
        for (int step = 0; step < area.width; step += MAX(1, area.width / 97)) {
            double x = floor((step + 0.5) * size.width / area.width);
            HfPoint point;
            g_assert_true(hf_image_spaces_map_point(desktop, id, x, 0, &point, NULL));
            g_assert_cmpfloat(fabs((double)point.x - area.x - step), <=,
                              area.width <= 2 * size.width ? 1 : tolerance_x);
            g_assert_true(hf_rect_contains(area, point));
        }
        HfPoint last;
        g_assert_true(
            hf_image_spaces_map_point(desktop, id, size.width - 1, size.height - 1, &last, NULL));
        g_assert_true(hf_rect_contains(area, last));
    }
}

static void test_outside(void)
{
    static const double cases[][2] = {{-1, 0},  {0, -0.001}, {100, 10},
                                      {10, 50}, {1e300, 0},  {0, -1e300}};
    HfImageSpace space = {.area = {0, 0, 200, 100}, .size = {100, 50}, .screen = screen_size()};
    g_autofree char *id = hf_image_spaces_add(desktop, &space);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfPoint point = {-7, -7};
        g_autoptr(GError) error = NULL;
        g_assert_false(
            hf_image_spaces_map_point(desktop, id, cases[i][0], cases[i][1], &point, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        g_assert_nonnull(strstr(error->message, "100 x 50"));
        g_assert_cmpint(point.x, ==, -7);
    }
}

static void test_areas(void)
{
    static const struct {
        double corners[4];
        HfRect want; /* empty: refused */
    } cases[] = {
        {{0, 0, 100, 50}, {20, 10, 200, 100}},
        {{10, 5, 20, 10}, {40, 20, 20, 10}},
        {{-50, -50, 1, 1}, {20, 10, 2, 2}},
        {{99, 49, 500, 500}, {218, 108, 2, 2}},
        {{0.25, 0.25, 0.3, 0.3}, {20, 10, 1, 1}},
        {{100, 0, 120, 50}, {0}},
        {{5, 5, 5, 9}, {0}},
        {{9, 9, 5, 5}, {0}},
    };
    HfImageSpace space = {.area = {20, 10, 200, 100}, .size = {100, 50}, .screen = screen_size()};
    g_autofree char *id = hf_image_spaces_add(desktop, &space);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfRect area = {0};
        g_autoptr(GError) error = NULL;
        gboolean mapped = hf_image_spaces_map_area(desktop, id, cases[i].corners, &area, &error);
        g_assert_cmpint(mapped, ==, !hf_rect_is_empty(cases[i].want));
        if (mapped)
            g_assert_true(hf_rect_equal(area, cases[i].want));
        else
            g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
    }
}

static void assert_stale(const char *id)
{
    HfPoint point;
    g_autoptr(GError) error = NULL;
    g_assert_false(hf_image_spaces_map_point(desktop, id, 1, 1, &point, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_STALE_SNAPSHOT);
}

static void test_forgotten(void)
{
    HfImageSpace space = {.area = {0, 0, 10, 10}, .size = {10, 10}, .screen = screen_size()};
    g_autofree char *first = hf_image_spaces_add(desktop, &space);
    g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < HF_LIMIT_IMAGES_KEPT - 1; i++)
        g_assert_true(g_hash_table_add(ids, hf_image_spaces_add(desktop, &space)));
    HfPoint point;
    g_assert_true(hf_image_spaces_map_point(desktop, first, 1, 1, &point, NULL));
    g_assert_true(g_hash_table_add(ids, hf_image_spaces_add(desktop, &space)));
    assert_stale(first);
    assert_stale("i_nothing");
    assert_stale("");
}

static char *add_window_picture(xcb_window_t window)
{
    HfImageSpace space = {.size = {50, 50}, .screen = screen_size(), .window = window};
    g_assert_true(hf_screen_get_window_area(desktop, window, &space.window_area, NULL));
    space.area = space.window_area;
    return hf_image_spaces_add(desktop, &space);
}

static void test_window_changes(void)
{
    static const struct {
        uint16_t mask;
        uint32_t value;
    } cases[] = {{XCB_CONFIG_WINDOW_X, 99},
                 {XCB_CONFIG_WINDOW_HEIGHT, 70},
                 {XCB_CONFIG_WINDOW_BORDER_WIDTH, 4}};
    xcb_window_t window = make_window(30, 40, 100, 100);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *id = add_window_picture(window);
        HfPoint point;
        g_assert_true(hf_image_spaces_map_point(desktop, id, 0, 0, &point, NULL));
        xcb_configure_window(client, window, cases[i].mask, &cases[i].value);
        sync_client();
        assert_stale(id);
    }
    g_autofree char *unmapped = add_window_picture(window);
    xcb_unmap_window(client, window);
    sync_client();
    assert_stale(unmapped);
    xcb_map_window(client, window);
    sync_client();
    HfPoint point;
    g_assert_true(hf_image_spaces_map_point(desktop, unmapped, 0, 0, &point, NULL));
    xcb_destroy_window(client, window);
    sync_client();
    assert_stale(unmapped);
}

static void test_screen_changes(void)
{
    HfImageSpace space = {.area = {0, 0, 10, 10}, .size = {10, 10}, .screen = screen_size()};
    g_autofree char *id = hf_image_spaces_add(desktop, &space);
    HfPoint point;
    g_assert_true(hf_image_spaces_map_point(desktop, id, 1, 1, &point, NULL));
    const char *commands = "xrandr --newmode small 10 1024 1024 1024 1024 768 768 768 768 &&"
                           "xrandr --addmode screen small && xrandr --output screen --mode small";
    g_assert_cmpint(system(commands), ==, 0);
    HfSize now = screen_size();
    g_assert_cmpint(now.width, ==, 1024);
    assert_stale(id);
}

static GBytes *new_look(gsize size, guint8 filling)
{
    guint8 *bytes = g_malloc(size);
    memset(bytes, filling, size);
    return g_bytes_new_take(bytes, size);
}

static char *add_look(gsize size, guint8 filling)
{
    HfImageSpace space = {.area = {0, 0, 10, 10}, .size = {10, 10}, .screen = screen_size()};
    g_autoptr(GBytes) look = new_look(size, filling);
    char *id = hf_image_spaces_add(desktop, &space);
    hf_image_spaces_set_hash(desktop, id, look);
    return id;
}

static gboolean has_look(const char *id)
{
    g_autoptr(GBytes) look = hf_image_spaces_dup_hash(desktop, id);
    return look != NULL;
}

static void test_looks(void)
{
    enum { COUNT = 6 };
    gsize size = HF_LIMIT_LOOKS_BYTES / 4;
    char *ids[COUNT];
    for (int i = 0; i < COUNT; i++)
        ids[i] = add_look(size, (guint8)i);
    for (int i = 0; i < COUNT; i++)
        g_assert_cmpint(has_look(ids[i]), ==, i >= COUNT - 4);
    hf_image_spaces_trim(desktop->spaces);
    for (int i = 0; i < COUNT; i++)
        g_assert_cmpint(has_look(ids[i]), ==, i == COUNT - 1);
    g_autofree char *large = add_look(HF_LIMIT_LOOKS_BYTES + 1, 1);
    g_assert_true(has_look(large));
    g_assert_false(has_look(ids[COUNT - 1]));
    g_assert_false(has_look("i_unknown"));
    for (int i = 0; i < COUNT; i++)
        g_free(ids[i]);
}

/* Any number of pictures of a screen at rest cost one. */
static void test_same_looks(void)
{
    char *ids[HF_LIMIT_IMAGES_KEPT];
    for (guint i = 0; i < HF_LIMIT_IMAGES_KEPT; i++)
        ids[i] = add_look(HF_LIMIT_LOOKS_BYTES / 2, 7);
    g_autoptr(GBytes) first = hf_image_spaces_dup_hash(desktop, ids[0]);
    for (guint i = 0; i < HF_LIMIT_IMAGES_KEPT; i++) {
        g_autoptr(GBytes) look = hf_image_spaces_dup_hash(desktop, ids[i]);
        g_assert_true(look && look == first);
        g_free(ids[i]);
    }
}

static void test_snapshots(void)
{
    g_autofree char *none = hf_image_spaces_dup_of_snapshot(desktop, 1);
    g_assert_null(none);
    hf_image_spaces_note_snapshot(desktop, 1, "i_one");
    hf_image_spaces_note_snapshot(desktop, 2, "i_one");
    g_autofree char *one = hf_image_spaces_dup_of_snapshot(desktop, 1);
    g_autofree char *two = hf_image_spaces_dup_of_snapshot(desktop, 2);
    g_assert_cmpstr(one, ==, "i_one");
    g_assert_cmpstr(two, ==, "i_one");
    hf_image_spaces_note_snapshot(desktop, 1 + HF_LIMIT_IMAGES_KEPT, "i_later");
    g_autofree char *forgotten = hf_image_spaces_dup_of_snapshot(desktop, 1);
    g_autofree char *zero = hf_image_spaces_dup_of_snapshot(desktop, 0);
    g_assert_null(forgotten);
    g_assert_null(zero);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    client = xcb_connect(NULL, NULL);
    root = xcb_setup_roots_iterator(xcb_get_setup(client)).data;
    g_autofree char *state = g_dir_make_tmp("handfast-XXXXXX", NULL);
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state};
    desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(desktop);
    g_test_add_func("/images/round-trip", test_round_trip);
    g_test_add_func("/images/outside", test_outside);
    g_test_add_func("/images/areas", test_areas);
    g_test_add_func("/images/forgotten", test_forgotten);
    g_test_add_func("/images/looks", test_looks);
    g_test_add_func("/images/same-looks", test_same_looks);
    g_test_add_func("/images/snapshots", test_snapshots);
    g_test_add_func("/images/window-changes", test_window_changes);
    g_test_add_func("/images/screen-changes", test_screen_changes);
    int status = g_test_run();
    hf_desktop_close(desktop);
    xcb_disconnect(client);
    g_autofree char *remove = g_strdup_printf("rm -rf '%s'", state);
    g_assert_cmpint(system(remove), ==, 0);
    return status;
}
