/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/safety/privacy-list.c: which windows an entry means, and which part of them. */
#include "hand/safety/privacy-list.h"

#include "hand/desktop/windows.h"

#define WHOLE                                                                                      \
    {                                                                                              \
        95, 180, 310, 225                                                                          \
    } /* frame and client area together */

static HfWindow window = {.title = (char *)"Salaries 2026 - Table",
                          .class_name = (char *)"Sheets",
                          .instance = (char *)"sheets-main",
                          .bounds = {100, 200, 300, 200},
                          .frame = {95, 180, 310, 225}};

static const struct {
    const char *list;
    gboolean whole;
    guint count;
    HfRect first;
} cases[] = {
    /* names */
    {"[{\"window\": {\"title\": \"salaries\"}}]", TRUE, 1, WHOLE},
    {"[{\"window\": {\"title\": \"Sal*Table\"}}]", TRUE, 1, WHOLE},
    {"[{\"window\": {\"title\": \"salary\"}}]", FALSE, 0, {0}},
    {"[{\"window\": {\"app\": \"sheets\"}}]", TRUE, 1, WHOLE},
    {"[{\"window\": {\"app\": \"sheets-*\"}}]", TRUE, 1, WHOLE},
    {"[{\"window\": {\"app\": \"heets\"}}]", FALSE, 0, {0}}, /* no part of a name */
    {"[{\"window\": {\"app\": \"*table\"}}]", TRUE, 1, WHOLE},
    /* both must fit */
    {"[{\"window\": {\"app\": \"sheets\", \"title\": \"2026\"}}]", TRUE, 1, WHOLE},
    {"[{\"window\": {\"app\": \"sheets\", \"title\": \"2027\"}}]", FALSE, 0, {0}},
    {"[{\"window\": {\"app\": \"editor\", \"title\": \"2026\"}}]", FALSE, 0, {0}},
    /* one of several */
    {"[{\"window\": {\"app\": \"editor\"}}, {\"window\": {\"app\": \"sheets\"}}]", TRUE, 1, WHOLE},
    {"[{\"window\": {\"title\": \"2026\"}}, {\"window\": {\"app\": \"sheets\"}}]", TRUE, 2, WHOLE},
    /* parts, from each corner */
    {"[{\"window\": {\"title\": \"table\"}, \"rect\": {\"x\": 10, \"y\": 20, \"width\": 50, "
     "\"height\": 40}}]",
     FALSE,
     1,
     {110, 220, 50, 40}},
    {"[{\"window\": {\"title\": \"table\"}, \"corner\": \"top-left\", \"rect\": {\"x\": 10, \"y\": "
     "20, \"width\": 50, \"height\": 40}}]",
     FALSE,
     1,
     {110, 220, 50, 40}},
    {"[{\"window\": {\"title\": \"table\"}, \"corner\": \"top-right\", \"rect\": {\"x\": 10, "
     "\"y\": 20, \"width\": 50, \"height\": 40}}]",
     FALSE,
     1,
     {340, 220, 50, 40}},
    {"[{\"window\": {\"title\": \"table\"}, \"corner\": \"bottom-left\", \"rect\": {\"x\": 10, "
     "\"y\": 20, \"width\": 50, \"height\": 40}}]",
     FALSE,
     1,
     {110, 340, 50, 40}},
    {"[{\"window\": {\"title\": \"table\"}, \"corner\": \"bottom-right\", \"rect\": {\"x\": 0, "
     "\"y\": 0, \"width\": 50, \"height\": 40}}]",
     FALSE,
     1,
     {350, 360, 50, 40}},
    /* no more than there is of the window */
    {"[{\"window\": {\"title\": \"table\"}, \"rect\": {\"x\": 250, \"y\": 150, \"width\": 16384, "
     "\"height\": 16384}}]",
     FALSE,
     1,
     {350, 350, 50, 50}},
    {"[{\"window\": {\"title\": \"table\"}, \"rect\": {\"x\": 16384, \"y\": 0, \"width\": 16384, "
     "\"height\": 1}}]",
     FALSE,
     0,
     {0}},
    {"[{\"window\": {\"title\": \"table\"}, \"corner\": \"bottom-right\", \"rect\": {\"x\": 280, "
     "\"y\": 190, \"width\": 100, \"height\": 100}}]",
     FALSE,
     1,
     {100, 200, 20, 10}},
    /* a place on the screen is about no window */
    {"[{\"rect\": {\"x\": 0, \"y\": 0, \"width\": 900, \"height\": 900}}]", FALSE, 0, {0}},
};

static void test_windows(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].list);
        g_autoptr(json_t) list = json_loads(cases[i].list, 0, NULL);
        g_autoptr(HfPrivacyList) veil = hf_privacy_list_new(list);
        g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_assert_cmpint(hf_privacy_list_add_window(veil, &window, rects), ==, cases[i].whole);
        g_assert_cmpuint(rects->len, ==, cases[i].count);
        if (rects->len > 0)
            g_assert_true(hf_rect_equal(g_array_index(rects, HfRect, 0), cases[i].first));
    }
}

static void test_nameless(void)
{
    static const struct {
        const char *list;
        gboolean fits;
    } lists[] = {{"[{\"window\": {\"title\": \"*\"}}]", TRUE},
                 {"[{\"window\": {\"app\": \"*\"}}]", TRUE},
                 {"[{\"window\": {\"app\": \"?*\"}}]", FALSE},
                 {"[{\"window\": {\"title\": \"a\", \"app\": \"*\"}}]", FALSE}};
    HfWindow nameless = {.title = (char *)"", .bounds = {0, 0, 5, 5}, .frame = {0, 0, 5, 5}};
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_test_message("%s", lists[i].list);
        g_autoptr(json_t) list = json_loads(lists[i].list, 0, NULL);
        g_autoptr(HfPrivacyList) veil = hf_privacy_list_new(list);
        g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
        g_assert_cmpint(hf_privacy_list_add_window(veil, &nameless, rects), ==, lists[i].fits);
        g_assert_true(hf_privacy_list_add_window(veil, &window, rects));
    }
}

static void test_places(void)
{
    g_autoptr(json_t) list = json_loads("[{\"rect\": {\"x\": 1, \"y\": 2, \"width\": 3, "
                                        "\"height\": 4}}, {\"window\": {\"title\": \"x\"}}]",
                                        0, NULL);
    g_autoptr(HfPrivacyList) veil = hf_privacy_list_new(list);
    g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(HfRect));
    hf_privacy_list_add_places(veil, rects);
    g_assert_cmpuint(rects->len, ==, 1);
    g_assert_true(hf_rect_equal(g_array_index(rects, HfRect, 0), (HfRect){1, 2, 3, 4}));
    g_assert_true(hf_privacy_list_has_windows(veil));
}

static void test_nothing(void)
{
    g_autoptr(json_t) empty = json_array();
    g_assert_null(hf_privacy_list_new(NULL));
    g_assert_null(hf_privacy_list_new(empty));
    g_assert_false(hf_privacy_list_has_windows(NULL));
    g_assert_cmpuint(hf_privacy_list_get_hash(NULL), ==, 0);
}

static void test_hash(void)
{
    g_autoptr(json_t) one = json_loads("[{\"window\": {\"title\": \"a\"}}]", 0, NULL);
    g_autoptr(json_t) other = json_loads("[{\"window\": {\"title\": \"b\"}}]", 0, NULL);
    g_autoptr(HfPrivacyList) first = hf_privacy_list_new(one), same = hf_privacy_list_new(one),
                             second = hf_privacy_list_new(other);
    g_assert_cmpuint(hf_privacy_list_get_hash(first), ==, hf_privacy_list_get_hash(same));
    g_assert_cmpuint(hf_privacy_list_get_hash(first), !=, hf_privacy_list_get_hash(second));
    g_assert_cmpuint(hf_privacy_list_get_hash(first), !=, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/veil/windows", test_windows);
    g_test_add_func("/veil/nameless", test_nameless);
    g_test_add_func("/veil/places", test_places);
    g_test_add_func("/veil/nothing", test_nothing);
    g_test_add_func("/veil/hash", test_hash);
    return g_test_run();
}
