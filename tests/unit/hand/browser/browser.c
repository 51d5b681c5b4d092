/* SPDX-License-Identifier: Apache-2.0 */
/* What the browser stands on, as far as it needs no browser: messages of its pipe, selectors, lists
 * of hosts, keys, files within walls. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xkbcommon/xkbcommon.h>

#include "hand/browser/cdp/cdp.h"
#include "hand/browser/network/page-files.h"
#include "hand/browser/network/page-policy.h"
#include "hand/browser/page/dom-key.h"
#include "hand/browser/page/page-elements.h"
#include "hand/browser/page/page-query.h"
#include "hand/files/change/undo-store.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

/* ---- messages ---- */

static void collect(const char *message, gsize length, gpointer data)
{
    g_ptr_array_add(data, g_strndup(message, length));
}

static void test_messages_however_they_are_cut(void)
{
    const char stream[] = "one\0two\0\0{\"id\":3}\0rest";
    for (gsize step = 1; step < sizeof stream; step++) {
        g_autoptr(HfCdpSplitter) splitter = hf_cdp_splitter_new(64);
        g_autoptr(GPtrArray) got = g_ptr_array_new_with_free_func(g_free);
        for (gsize at = 0; at < sizeof stream - 1; at += step)
            g_assert_true(hf_cdp_splitter_feed(splitter, stream + at,
                                               MIN(step, sizeof stream - 1 - at), collect, got));
        g_assert_cmpuint(got->len, ==, 4);
        g_assert_cmpstr(got->pdata[0], ==, "one");
        g_assert_cmpstr(got->pdata[1], ==, "two");
        g_assert_cmpstr(got->pdata[2], ==, "");
        g_assert_cmpstr(got->pdata[3], ==, "{\"id\":3}");
    }
}

static void test_a_message_without_end(void)
{
    g_autoptr(HfCdpSplitter) splitter = hf_cdp_splitter_new(8);
    g_autoptr(GPtrArray) got = g_ptr_array_new_with_free_func(g_free);
    g_assert_true(hf_cdp_splitter_feed(splitter, "12345678", 8, collect, got));
    g_assert_false(hf_cdp_splitter_feed(splitter, "9", 1, collect, got));
    g_assert_false(hf_cdp_splitter_feed(splitter, "\0fine\0", 6, collect, got));
    g_assert_cmpuint(got->len, ==, 0);
}

/* ---- selectors ---- */

static const struct {
    const char *selector, *query; /* NULL: refused */
} selectors[] = {
    {"#save", "{\"css\": \"#save\", \"or_text\": false}"},
    {"css=Sign in", "{\"css\": \"Sign in\"}"},
    {"button", "{\"css\": \"button\", \"or_text\": false}"},
    {"Sign in", "{\"css\": \"Sign in\", \"or_text\": true}"},
    {"保存", "{\"css\": \"保存\", \"or_text\": true}"},
    {"r12", "{\"ref\": 12}"},
    {"r12x", "{\"css\": \"r12x\", \"or_text\": false}"},
    {"text=Save", "{\"text\": \"Save\", \"exact\": false}"},
    {"text=\"Save it\"", "{\"text\": \"Save it\", \"exact\": true}"},
    {"\"Save\"", "{\"text\": \"Save\", \"exact\": true}"},
    {"text=\"a \\\"b\\\"\"", "{\"text\": \"a \\\"b\\\"\", \"exact\": true}"},
    {"role=button", "{\"role\": \"button\"}"},
    {"role=button[name=\"Save\"]", "{\"role\": \"button\", \"name\": \"Save\", \"exact\": true}"},
    {"role=button[name=Save]", "{\"role\": \"button\", \"name\": \"Save\", \"exact\": false}"},
    {"button \"Save\"", "{\"role\": \"button\", \"name\": \"Save\", \"exact\": true}"},
    {"check box \"I agree\"", "{\"role\": \"check box\", \"name\": \"I agree\", \"exact\": true}"},
    {"", NULL},
    {"   ", NULL},
    {"text=", NULL},
    {"text=\"open", NULL},
    {"\"open", NULL},
    {"role=", NULL},
    {"role=button[title=x]", NULL},
    {"role=button[name=\"open]", NULL},
};

static void test_selectors(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(selectors); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) query = hf_page_query_parse(selectors[i].selector, &error);
        g_autoptr(json_t) wanted =
            selectors[i].query ? json_loads(selectors[i].query, 0, NULL) : NULL;
        g_test_message("%s", selectors[i].selector);
        if (!wanted)
            g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        else
            g_assert_true(json_equal(query, wanted));
        g_assert_true(wanted != NULL || query == NULL);
    }
}

/* ---- hosts ---- */

#define ONLY_A "{\"allowed\": [[\"a.test\", \"*.a.test\"]], \"blocked\": [\"bad.a.test\"]}"
#define BOTH   "{\"allowed\": [[\"*.test\"], [\"a.*\"]], \"blocked\": []}"
#define OPEN   "{\"allowed\": [], \"blocked\": [\"*.bank.com\"]}"
#define FAR    "{\"allowed\": [], \"blocked\": [\"127.0.0.1\", \"10.*\"]}"

static const struct {
    const char *lists, *address;
    gboolean allowed;
} addresses[] = {
    {ONLY_A, "http://a.test/", TRUE},
    {ONLY_A, "https://x.a.test:8443/y?z#w", TRUE},
    {ONLY_A, "http://A.TEST/", TRUE},
    {ONLY_A, "http://a.test./", TRUE},
    {ONLY_A, "http://bad.a.test/", FALSE},
    {ONLY_A, "http://bad.a.test./", FALSE},
    {ONLY_A, "http://a.test.evil/", FALSE},
    {ONLY_A, "http://nota.test/", FALSE},
    {ONLY_A, "http://a.test@evil.test/", FALSE},
    {ONLY_A, "data:text/html,x", FALSE},
    {ONLY_A, "about:blank", TRUE},
    {BOTH, "http://a.test/", TRUE},
    {BOTH, "http://b.test/", FALSE},
    {BOTH, "http://a.other/", FALSE},
    {OPEN, "http://my.bank.com/", FALSE},
    {OPEN, "http://example.com/", TRUE},
    {OPEN, "data:text/html,x", TRUE},
    {OPEN, "file:///etc/passwd", FALSE},
    {OPEN, "FILE:///etc/passwd", FALSE},
    {OPEN, "chrome://settings", FALSE},
    {OPEN, "javascript:alert(1)", FALSE},
    {OPEN, "view-source:http://example.com/", FALSE},
    {OPEN, "blob:http://example.com/1", FALSE},
    {FAR, "http://127.0.0.1:80/", FALSE},
    {FAR, "http://[::ffff:127.0.0.1]/", FALSE},
    {FAR, "http://[::ffff:7f00:1]/", FALSE},
    {FAR, "http://[0:0:0:0:0:FFFF:10.1.2.3]/", FALSE},
    {FAR, "http://[::1]/", TRUE},
    {FAR, "http://[2001:db8::7f00:1]/", TRUE},
    {OPEN, "http:///", FALSE},
    {OPEN, "example.com", FALSE},
    {OPEN, "", FALSE},
};

static void test_addresses(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(addresses); i++) {
        g_autoptr(json_t) lists = json_loads(addresses[i].lists, 0, NULL);
        g_autoptr(HfPagePolicy) policy = hf_page_policy_new(lists);
        g_autoptr(GError) error = NULL;
        g_test_message("%s", addresses[i].address);
        g_assert_cmpint(hf_page_policy_check_address(policy, addresses[i].address, &error), ==,
                        addresses[i].allowed);
        g_assert_true(addresses[i].allowed == (error == NULL));
    }
}

static void test_what_is_no_whole_address(void)
{
    static const struct {
        const char *address;
        HfErrorCode code;
    } cases[] = {
        {"127.0.0.1:8765", HF_ERROR_INVALID_PARAMS},
        {"127.0.0.1:8765/x?y", HF_ERROR_INVALID_PARAMS},
        {"localhost:80", HF_ERROR_INVALID_PARAMS},
        {"example.com:8080/", HF_ERROR_INVALID_PARAMS},
        {"example.com", HF_ERROR_INVALID_PARAMS},
        {"javascript:1", HF_ERROR_FORBIDDEN},
        {"file:1", HF_ERROR_FORBIDDEN},
        {"chrome:version", HF_ERROR_FORBIDDEN},
    };
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_test_message("%s", cases[i].address);
        g_assert_false(hf_page_policy_check_address(policy, cases[i].address, &error));
        g_assert_cmpint((int)hf_error_code(error), ==, (int)cases[i].code);
    }
}

/* Where a tab is already, blobs of an allowed page are part of it. */
static void test_pages(void)
{
    g_autoptr(json_t) lists = json_loads(ONLY_A, 0, NULL);
    g_autoptr(HfPagePolicy) policy = hf_page_policy_new(lists);
    g_assert_true(hf_page_policy_check_page(policy, "blob:http://a.test/1", NULL));
    g_assert_false(hf_page_policy_check_page(policy, "blob:http://b.test/1", NULL));
    g_assert_true(hf_page_policy_check_page(policy, "chrome-error://chromewebdata/", NULL));
    g_assert_false(hf_page_policy_check_page(policy, "chrome://version/", NULL));
    g_assert_false(hf_page_policy_check_page(policy, "file:///etc/passwd", NULL));
}

/* ---- keys ---- */

static const struct {
    guint32 keysym;
    int modifiers;
    const char *key, *code, *text;
    int number;
} keys[] = {
    {XKB_KEY_Return, 0, "Enter", "Enter", "\r", 13},
    {XKB_KEY_a, 0, "a", "KeyA", "a", 65},
    {XKB_KEY_a, HF_DOM_SHIFT, "A", "KeyA", "A", 65},
    {XKB_KEY_a, HF_DOM_CTRL, "a", "KeyA", NULL, 65},
    {XKB_KEY_exclam, 0, "!", "Digit1", "!", 49},
    {XKB_KEY_1, HF_DOM_SHIFT, "!", "Digit1", "!", 49},
    {XKB_KEY_F5, 0, "F5", "F5", NULL, 116},
    {XKB_KEY_Down, 0, "ArrowDown", "ArrowDown", NULL, 40},
    {XKB_KEY_adiaeresis, 0, "ä", "", "ä", 0},
};

static void test_keys(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
        g_autoptr(json_t) down = hf_dom_key_event(keys[i].keysym, TRUE, keys[i].modifiers);
        g_autoptr(json_t) up = hf_dom_key_event(keys[i].keysym, FALSE, keys[i].modifiers);
        g_assert_cmpstr(hf_json_string(down, "key", ""), ==, keys[i].key);
        g_assert_cmpstr(hf_json_string(down, "code", ""), ==, keys[i].code);
        g_assert_cmpstr(hf_json_string(down, "text", NULL), ==, keys[i].text);
        g_assert_cmpint(hf_json_int(down, "windowsVirtualKeyCode", -1), ==, keys[i].number);
        g_assert_cmpstr(hf_json_string(down, "type", ""), ==,
                        keys[i].text ? "keyDown" : "rawKeyDown");
        g_assert_cmpstr(hf_json_string(up, "type", ""), ==, "keyUp");
        g_assert_null(json_object_get(up, "text"));
    }
    g_assert_cmpint(hf_dom_key_modifier(XKB_KEY_Control_R), ==, HF_DOM_CTRL);
    g_assert_cmpint(hf_dom_key_modifier(XKB_KEY_a), ==, 0);
}

/* ---- where a page is ---- */

static void test_spots(void)
{
    static const struct {
        const char *about;
        HfRect window; /* what of it can be seen */
        double width, height, scale;
        gboolean found;
        double x, y, right, bottom; /* of an element, in pixels of the page */
        HfRect placed;
    } spots[] = {
        {"plain", {0, 0, 1280, 800}, 1280, 700, 1, TRUE, 10, 20, 60, 50, {10, 120, 50, 30}},
        {"moved", {100, 50, 1000, 600}, 1000, 500, 1, TRUE, 0, 0, 1, 1, {100, 150, 1, 1}},
        {"scale 2", {8, 0, 1264, 892}, 632, 359, 2, TRUE, 8, 8, 57, 29.5, {24, 190, 98, 43}},
        {"zoomed", {0, 0, 1280, 800}, 853.33, 466.66, 1.5, TRUE, 10, 10, 20, 20, {15, 115, 15, 15}},
        {"edges that touch still do",
         {0, 0, 300, 300},
         240,
         160,
         1.25,
         TRUE,
         0.4,
         0,
         10.8,
         10,
         {1, 100, 13, 13}},
        {"rounded", {0, 0, 1281, 801}, 1280, 700, 1, TRUE, 0, 0, 1280, 700, {0, 101, 1280, 700}},
        {"with a panel beside it", {0, 0, 1280, 800}, 900, 700, 1, FALSE, 0, 0, 0, 0, {0}},
        {"higher than its window", {0, 0, 1280, 800}, 1280, 900, 1, FALSE, 0, 0, 0, 0, {0}},
        {"no size", {0, 0, 0, 0}, 0, 0, 1, FALSE, 0, 0, 0, 0, {0}},
        {"no scale", {0, 0, 1280, 800}, 1280, 700, 0, FALSE, 0, 0, 0, 0, {0}},
        {"no number", {0, 0, 1280, 800}, 1280, 700, NAN, FALSE, 0, 0, 0, 0, {0}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(spots); i++) {
        HfPageViewport spot;
        g_test_message("%s", spots[i].about);
        g_assert_cmpint(hf_page_viewport_find(spots[i].window, spots[i].width, spots[i].height,
                                              spots[i].scale, &spot),
                        ==, spots[i].found);
        if (!spots[i].found)
            continue;
        HfRect rect =
            hf_page_viewport_to_screen(&spot, spots[i].x, spots[i].y, spots[i].right - spots[i].x,
                                       spots[i].bottom - spots[i].y);
        g_assert_cmpint(rect.x, ==, spots[i].placed.x);
        g_assert_cmpint(rect.y, ==, spots[i].placed.y);
        g_assert_cmpint(rect.width, ==, spots[i].placed.width);
        g_assert_cmpint(rect.height, ==, spots[i].placed.height);
    }
}

/* ---- files ---- */

typedef struct Place {
    char *top, *allowed;
    json_t *walls;
} Place;

static void place_init(Place *place)
{
    place->top = g_dir_make_tmp("hf-browser-XXXXXX", NULL);
    place->allowed = g_build_filename(place->top, "allowed", NULL);
    g_mkdir(place->allowed, 0700);
    g_autofree char *denied = g_build_filename(place->allowed, "keys", "**", NULL);
    place->walls = json_pack("{s:[[s]], s:[s], s:i}", "directories", place->allowed, "denied",
                             denied, "max_file_size", 10);
}

static void place_clear(Place *place)
{
    hf_remove_tree(place->top);
    g_free(place->top);
    g_free(place->allowed);
    json_decref(place->walls);
}

static char *write_file(const char *folder, const char *name, const char *text)
{
    char *path = g_build_filename(folder, name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void assert_stage(const Place *place, const char *path, int code)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *copy = hf_page_file_stage(place->walls, path, place->top, &error);
    g_test_message("%s", path);
    if (code < 0)
        g_assert_no_error(error);
    else
        g_assert_error(error, HF_ERROR, code);
    g_assert_true((copy != NULL) == (code < 0));
}

/* What the walls forbid, however it is written; see tests/unit/hand/files/file-place.c for the
 * rest. */
static void test_uploads_stay_within_the_walls(void)
{
    Place place;
    place_init(&place);
    const struct {
        const char *folder, *name; /* below the allowed directory, or the one above it */
        const char *text;          /* NULL: it is not made */
        int code;                  /* -1: it may be used */
    } files[] = {
        {"", "fine.txt", "123", -1},
        {"", "一.txt", "1234567890", -1},
        {"", "large.txt", "12345678901", HF_ERROR_LIMIT_EXCEEDED},
        {"keys", "key", "1", HF_ERROR_FORBIDDEN},
        {"KEYS", "key", "1", HF_ERROR_FORBIDDEN},
        {"own", "audit-key", "1", HF_ERROR_FORBIDDEN},
        {"..", "outside.txt", "1", HF_ERROR_FORBIDDEN},
        {"", "none", NULL, HF_ERROR_FILE_NOT_FOUND},
        {"", "link", NULL, HF_ERROR_FORBIDDEN},
        {"", "inner-link", NULL, -1},
        {"", "fifo", NULL, HF_ERROR_FORBIDDEN},
        {"", "", NULL, HF_ERROR_INVALID_PARAMS},
    };
    const char *folders[] = {"keys", "KEYS", "own"};
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = g_build_filename(place.allowed, folders[i], NULL);
        g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    }
    g_autofree char *link = g_build_filename(place.allowed, "link", NULL);
    g_autofree char *inner = g_build_filename(place.allowed, "inner-link", NULL);
    g_autofree char *fifo = g_build_filename(place.allowed, "fifo", NULL);
    g_autofree char *own = g_build_filename(place.allowed, "own", "files", NULL);
    g_assert_cmpint(symlink("../outside.txt", link), ==, 0);
    g_assert_cmpint(symlink("fine.txt", inner), ==, 0);
    g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
    g_assert_true(hf_undo_store_open(own, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *folder = g_build_filename(place.allowed, files[i].folder, NULL);
        g_autofree char *path = g_build_filename(folder, files[i].name, NULL);
        if (files[i].text)
            g_free(write_file(folder, files[i].name, files[i].text));
        assert_stage(&place, path, files[i].code);
    }
    assert_stage(&place, "fine.txt", HF_ERROR_INVALID_PARAMS);
    g_assert_true(hf_undo_store_open(NULL, NULL));
    place_clear(&place);
}

static const struct {
    const char *name, *placed;
} names[] = {
    {"report.txt", "report.txt"},
    {"report.txt", "report (1).txt"},
    {"../../evil", "evil"},
    {"/etc/passwd", "passwd"},
    {".bashrc", "bashrc"},
    {"", "download"},
    {"a\nb|c.txt", "a_b_c.txt"},
    {"...", "download (1)"},
    {"报告.pdf", "报告.pdf"},
    {"no-extension", "no-extension"},
    {"no-extension", "no-extension (1)"},
};

static void test_downloads_get_safe_names(void)
{
    Place place;
    place_init(&place);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *from = write_file(place.top, "guid", "x");
        g_autofree char *to =
            hf_page_file_place(place.walls, from, place.allowed, names[i].name, NULL);
        g_autofree char *wanted = g_build_filename(place.allowed, names[i].placed, NULL);
        g_assert_cmpstr(to, ==, wanted);
        g_assert_false(g_file_test(from, G_FILE_TEST_EXISTS));
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *from = write_file(place.top, "guid", "x");
    g_autofree char *chosen = hf_page_file_place(place.walls, from, NULL, "free", NULL);
    g_autofree char *wanted = g_build_filename(place.allowed, "free", NULL);
    g_autofree char *again = write_file(place.top, "guid", "x");
    g_autofree char *refused = hf_page_file_place(place.walls, again, "/var/tmp", "free", &error);
    g_assert_cmpstr(chosen, ==, wanted);
    g_assert_null(refused);
    g_assert_error(error, HF_ERROR, HF_ERROR_FORBIDDEN);
    g_assert_false(g_file_test(again, G_FILE_TEST_EXISTS));
    place_clear(&place);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/browser/messages-however-they-are-cut", test_messages_however_they_are_cut);
    g_test_add_func("/browser/a-message-without-end", test_a_message_without_end);
    g_test_add_func("/browser/selectors", test_selectors);
    g_test_add_func("/browser/addresses", test_addresses);
    g_test_add_func("/browser/what-is-no-whole-address", test_what_is_no_whole_address);
    g_test_add_func("/browser/pages", test_pages);
    g_test_add_func("/browser/keys", test_keys);
    g_test_add_func("/browser/spots", test_spots);
    g_test_add_func("/browser/uploads-stay-within-the-walls", test_uploads_stay_within_the_walls);
    g_test_add_func("/browser/downloads-get-safe-names", test_downloads_get_safe_names);
    return g_test_run();
}
