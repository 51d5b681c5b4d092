/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/safety/privacy-mask.c: real windows on a real display, without a window manager. No
 * picture may have a pixel of what is listed, wherever that goes meanwhile. */
#include "hand/safety/privacy-mask.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

#define RED   0xd02010u
#define GREEN 0x10c040u
#define EDGE  80

static struct {
    xcb_connection_t *client; /* plays the programs */
    xcb_screen_t *screen;
    HfDesktop *desktop;
    HfCallContext *context;
} stand;

static void sync_client(void)
{
    free(xcb_get_input_focus_reply(stand.client, xcb_get_input_focus(stand.client), NULL));
}

static void list(const char *blur)
{
    g_autofree char *text = g_strdup_printf("{\"rules\": [], \"allowed\": [], \"blur\": %s}", blur);
    g_autoptr(json_t) json = json_loads(text, 0, NULL);
    g_assert_nonnull(json);
    g_autoptr(HfFence) fence = hf_fence_new(json);
    hf_call_context_free(stand.context);
    stand.context = hf_call_context_new(stand.desktop, fence, FALSE);
}

static xcb_window_t show(int x, int y, guint32 rgb, const char *title, gboolean popup)
{
    xcb_window_t window = xcb_generate_id(stand.client);
    guint32 values[] = {rgb, popup};
    xcb_create_window(stand.client, XCB_COPY_FROM_PARENT, window, stand.screen->root, (int16_t)x,
                      (int16_t)y, EDGE, EDGE, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
    if (title)
        xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME,
                            XCB_ATOM_STRING, 8, (guint32)strlen(title), title);
    xcb_map_window(stand.client, window);
    sync_client();
    return window;
}

static void move(xcb_connection_t *client, xcb_window_t window, int x, int y)
{
    guint32 values[] = {(guint32)x, (guint32)y};
    xcb_configure_window(client, window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, values);
}

static void destroy(xcb_window_t window)
{
    xcb_destroy_window(stand.client, window);
    sync_client();
}

static HfCapture *look(guint32 window)
{
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    HfCaptureRequest request = {.window = window};
    HfCapture *picture = hf_screen_capture(stand.context, &request, &deadline, &error);
    g_assert_no_error(error);
    return picture;
}

static guint count(const HfCapture *picture, guint32 rgb)
{
    guint found = 0;
    for (int y = 0; y < picture->image->height; y++)
        for (int x = 0; x < picture->image->width; x++)
            found += (hf_image_row(picture->image, y)[x] & 0xffffff) == rgb;
    return found;
}

static guint count_on_screen(guint32 rgb)
{
    g_autoptr(HfCapture) picture = look(0);
    return count(picture, rgb);
}

#define ALL   (EDGE * EDGE)
#define TITLE "[{\"window\": {\"title\": \"secret\"}}]"

static void test_windows(void)
{
    xcb_window_t red = show(100, 100, RED, "my secret", FALSE);
    xcb_window_t green = show(300, 100, GREEN, "weather", FALSE);
    list("[]");
    g_assert_cmpuint(count_on_screen(RED), ==, ALL);
    list(TITLE);
    g_assert_cmpuint(count_on_screen(RED), ==, 0);
    g_assert_cmpuint(count_on_screen(GREEN), ==, ALL);
    move(stand.client, red, 400, 300);
    sync_client();
    g_assert_cmpuint(count_on_screen(RED), ==, 0);
    g_assert_cmpuint(count_on_screen(GREEN), ==, ALL);
    g_autoptr(HfCapture) own = look(red);
    g_assert_cmpuint(count(own, RED), ==, 0);
    g_clear_pointer(&own, hf_capture_free);
    own = look(green);
    g_assert_cmpuint(count(own, GREEN), ==, ALL);
    list("[]");
    g_assert_cmpuint(count_on_screen(RED), ==, ALL);
    destroy(red);
    destroy(green);
}

/* What lies on top is shown, also when it is moved there, and what is under it in its own picture
 * is not. */
static void test_stacking(void)
{
    list(TITLE);
    xcb_window_t red = show(100, 100, RED, "secret", FALSE);
    xcb_window_t green = show(400, 400, GREEN, "weather", FALSE);
    g_assert_cmpuint(count_on_screen(GREEN), ==, ALL);
    move(stand.client, green, 140, 140);
    sync_client();
    /* The cover reaches a little over what it covers. */
    g_assert_cmpuint(count_on_screen(GREEN), >, ALL * 8 / 10);
    g_assert_cmpuint(count_on_screen(RED), ==, 0);
    guint32 above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(stand.client, red, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    sync_client();
    guint left = count_on_screen(GREEN);
    g_assert_cmpuint(left, >, ALL / 2);
    g_assert_cmpuint(left, <=, ALL - 40 * 40);
    g_autoptr(HfCapture) own = look(red);
    g_assert_cmpuint(count(own, RED), ==, 0);
    destroy(red);
    destroy(green);
}

static void test_parts(void)
{
    xcb_window_t red = show(100, 100, RED, "secret", FALSE);
    list("[{\"window\": {\"title\": \"secret\"}, \"corner\": \"bottom-right\", \"rect\": {\"x\": "
         "10, \"y\": 10, \"width\": 20, \"height\": 20}}]");
    g_assert_cmpuint(count_on_screen(RED), ==, ALL - 24 * 24); /* two more on each side */
    move(stand.client, red, 317, 203);
    sync_client();
    g_autoptr(HfCapture) picture = look(0);
    g_assert_cmpuint(count(picture, RED), ==, ALL - 24 * 24);
    g_assert_cmphex(hf_image_row(picture->image, 203 + 60)[317 + 60] & 0xffffff, !=, RED);
    g_clear_pointer(&picture, hf_capture_free);
    picture = look(red);
    g_assert_cmpuint(count(picture, RED), ==, ALL - 24 * 24);
    destroy(red);
}

/* Whatever is there, and in the own picture of whatever is there. */
static void test_places(void)
{
    xcb_window_t red = show(100, 100, RED, "anything", FALSE);
    list("[{\"rect\": {\"x\": 110, \"y\": 110, \"width\": 20, \"height\": 20}}]");
    g_assert_cmpuint(count_on_screen(RED), ==, ALL - 24 * 24);
    g_autoptr(HfCapture) own = look(red);
    g_assert_cmpuint(count(own, RED), ==, ALL - 24 * 24);
    move(stand.client, red, 300, 300);
    sync_client();
    g_assert_cmpuint(count_on_screen(RED), ==, ALL);
    destroy(red);
}

/* Its menus are covered too; those of others are not told apart by their looks. */
static void test_popups(void)
{
    list(TITLE);
    xcb_window_t red = show(100, 100, RED, "secret", FALSE);
    g_assert_cmpuint(count_on_screen(RED), ==, 0);
    xcb_window_t menu = show(300, 300, RED, NULL, TRUE);
    g_assert_cmpuint(count_on_screen(RED), ==, 0);
    list("[{\"window\": {\"title\": \"else\"}}]");
    g_assert_cmpuint(count_on_screen(RED), ==, 2 * ALL);
    destroy(menu);
    destroy(red);
}

/* Pictures count as changed when something else is listed. */
static void test_serial(void)
{
    list("[]");
    guint64 before = 0, same = 0, after = 0;
    g_assert_true(hf_screen_get_change_serial(stand.context, FALSE, &before, NULL));
    g_assert_true(hf_screen_get_change_serial(stand.context, FALSE, &same, NULL));
    g_assert_cmpuint(before, ==, same);
    list(TITLE);
    g_assert_true(hf_screen_get_change_serial(stand.context, FALSE, &after, NULL));
    g_assert_cmpuint(after, >, before);
    g_autoptr(HfCapture) picture = look(0);
    g_assert_cmpuint(picture->change_serial, >=, after);
}

static void test_hide(void)
{
    list("[{\"rect\": {\"x\": 0, \"y\": 0, \"width\": 50, \"height\": 50}}]");
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(HfRect));
    HfRect within = {10, 10, 20, 20}, half = {40, 0, 20, 50};
    g_array_append_val(places, within);
    g_array_append_val(places, half);
    hf_privacy_mask_hide(stand.context, places);
    g_assert_cmpuint(places->len, ==, 1);
    g_assert_true(hf_rect_equal(g_array_index(places, HfRect, 0), (HfRect){50, 0, 10, 50}));
}

typedef struct Runner {
    xcb_window_t window;
    gint over;
} Runner;

static gpointer run_about(gpointer data)
{
    Runner *runner = data;
    xcb_connection_t *client = xcb_connect(NULL, NULL);
    for (int i = 0; !g_atomic_int_get(&runner->over); i++) {
        move(client, runner->window, 20 + i * 7 % 600, 20 + i * 3 % 400);
        xcb_flush(client);
        g_usleep((gulong)(i % 40) * 100);
    }
    xcb_disconnect(client);
    return NULL;
}

/* Each picture is right, or there is none. */
static void test_a_window_that_never_rests(void)
{
    list(TITLE);
    Runner runner = {.window = show(100, 100, RED, "secret", FALSE)};
    GThread *thread = g_thread_new("runner", run_about, &runner);
    for (int i = 0; i < 150; i++) {
        g_autoptr(GError) error = NULL;
        HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
        g_autoptr(HfCapture) picture =
            hf_screen_capture(stand.context, &(HfCaptureRequest){0}, &deadline, &error);
        if (picture)
            g_assert_cmpuint(count(picture, RED), ==, 0);
        else
            g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    }
    g_atomic_int_set(&runner.over, TRUE);
    g_thread_join(thread);
    g_assert_cmpuint(count_on_screen(RED), ==, 0);
    destroy(runner.window);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *state_dir = g_dir_make_tmp("hf-veil-XXXXXX", NULL);
    stand.client = xcb_connect(NULL, NULL);
    g_assert_false(xcb_connection_has_error(stand.client));
    stand.screen = xcb_setup_roots_iterator(xcb_get_setup(stand.client)).data;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    stand.desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(stand.desktop);
    g_test_add_func("/veil-cover/windows", test_windows);
    g_test_add_func("/veil-cover/stacking", test_stacking);
    g_test_add_func("/veil-cover/parts", test_parts);
    g_test_add_func("/veil-cover/places", test_places);
    g_test_add_func("/veil-cover/popups", test_popups);
    g_test_add_func("/veil-cover/serial", test_serial);
    g_test_add_func("/veil-cover/hide", test_hide);
    g_test_add_func("/veil-cover/never-rests", test_a_window_that_never_rests);
    int failed = g_test_run();
    hf_call_context_free(stand.context);
    hf_desktop_close(stand.desktop);
    xcb_disconnect(stand.client);
    hf_remove_tree(state_dir);
    return failed;
}
