/* SPDX-License-Identifier: Apache-2.0 */
/* The window list of hand/safety/privacy-mask.c: windows are listed again only when something has
 * changed, and whatever can change who is blocked, or where, is such a change. */
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "hand/desktop/screen.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

#define RED   0xd02010u
#define GREEN 0x10c040u

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

static void set_title(xcb_window_t window, const char *title)
{
    xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, (guint32)strlen(title), title);
    sync_client();
}

static void make_window(xcb_window_t window, int x, guint32 rgb, const char *title)
{
    xcb_create_window(stand.client, XCB_COPY_FROM_PARENT, window, stand.screen->root, (int16_t)x,
                      100, 80, 60, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL, &rgb);
    set_title(window, title);
    xcb_map_window(stand.client, window);
    sync_client();
}

static HfCapture *look(void)
{
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    HfCapture *picture =
        hf_screen_capture(stand.context, &(HfCaptureRequest){0}, &deadline, &error);
    g_assert_no_error(error);
    return picture;
}

/* What the picture shows in the middle of a window whose left edge is at x. */
static guint32 colour_at(int x)
{
    g_autoptr(HfCapture) picture = look();
    return hf_image_row(picture->image, 130)[x + 40] & 0xffffff;
}

/* The list comes to be known, and is used then. */
static void get_to_know(void)
{
    for (int i = 0; i < 3; i++) {
        g_autoptr(HfCapture) picture = look();
    }
    g_autoptr(HfCapture) one = look();
    g_autoptr(HfCapture) other = look();
    g_assert_cmpuint(one->windows_serial, >, 0);
    g_assert_cmpuint(one->windows_serial, ==, other->windows_serial);
}

static void test_titles(void)
{
    xcb_window_t first = xcb_generate_id(stand.client), second = xcb_generate_id(stand.client);
    make_window(first, 100, RED, "secret plans");
    make_window(second, 300, GREEN, "weather");
    get_to_know();
    g_assert_cmphex(colour_at(100), !=, RED);
    g_assert_cmphex(colour_at(300), ==, GREEN);
    set_title(second, "secret too");
    g_assert_cmphex(colour_at(300), !=, GREEN);
    set_title(second, "weather");
    set_title(first, "plans");
    g_assert_cmphex(colour_at(100), ==, RED);
    g_assert_cmphex(colour_at(300), ==, GREEN);
    xcb_destroy_window(stand.client, first);
    xcb_destroy_window(stand.client, second);
    sync_client();
}

static void test_places(void)
{
    xcb_window_t window = xcb_generate_id(stand.client);
    make_window(window, 100, RED, "secret plans");
    get_to_know();
    xcb_configure_window(stand.client, window, XCB_CONFIG_WINDOW_X, &(guint32){500});
    sync_client();
    g_assert_cmphex(colour_at(500), !=, RED);
    g_assert_cmphex(colour_at(100), ==, 0);
    xcb_unmap_window(stand.client, window);
    sync_client();
    g_assert_cmphex(colour_at(500), ==, 0);
    xcb_map_window(stand.client, window);
    sync_client();
    g_assert_cmphex(colour_at(500), !=, RED);
    xcb_destroy_window(stand.client, window);
    sync_client();
}

/* The number of a window that has gone is soon another's, whose titles nobody listened to. */
static void test_number_used_again(void)
{
    xcb_window_t window = xcb_generate_id(stand.client);
    make_window(window, 100, RED, "weather");
    get_to_know();
    xcb_destroy_window(stand.client, window);
    make_window(window, 100, RED, "weather");
    get_to_know();
    set_title(window, "secret plans");
    g_assert_cmphex(colour_at(100), !=, RED);
    xcb_destroy_window(stand.client, window);
    sync_client();
}

static void test_rest(void)
{
    xcb_window_t window = xcb_generate_id(stand.client);
    make_window(window, 100, RED, "weather");
    get_to_know();
    hf_desktop_trim_memory(stand.desktop);
    set_title(window, "secret plans");
    g_assert_cmphex(colour_at(100), !=, RED);
    set_title(window, "weather");
    get_to_know();
    set_title(window, "secret plans");
    g_assert_cmphex(colour_at(100), !=, RED);
    xcb_destroy_window(stand.client, window);
    sync_client();
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
        guint32 values[] = {20 + (guint32)i * 97 % 600, 20 + (guint32)i * 61 % 400};
        xcb_configure_window(client, runner->window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y,
                             values);
        xcb_flush(client);
        g_usleep((gulong)(i % 40) * 100);
    }
    xcb_disconnect(client);
    return NULL;
}

static guint count_red(const HfCapture *picture)
{
    guint found = 0;
    for (int y = 0; y < picture->image->height; y++)
        for (int x = 0; x < picture->image->width; x++)
            found += (hf_image_row(picture->image, y)[x] & 0xffffff) == RED;
    return found;
}

/* It may be elsewhere when the windows are listed than it was in the picture: each picture is
 * right, or there is none. */
static void test_a_window_that_never_rests(void)
{
    Runner runner = {.window = xcb_generate_id(stand.client)};
    make_window(runner.window, 100, RED, "secret plans");
    GThread *thread = g_thread_new("runner", run_about, &runner);
    for (int i = 0; i < 150; i++) {
        g_autoptr(GError) error = NULL;
        HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
        g_autoptr(HfCapture) picture =
            hf_screen_capture(stand.context, &(HfCaptureRequest){0}, &deadline, &error);
        if (picture)
            g_assert_cmpuint(count_red(picture), ==, 0);
        else
            g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    }
    g_atomic_int_set(&runner.over, TRUE);
    g_thread_join(thread);
    g_autoptr(HfCapture) picture = look();
    g_assert_cmpuint(count_red(picture), ==, 0);
    xcb_destroy_window(stand.client, runner.window);
    sync_client();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *state_dir = g_dir_make_tmp("hf-cover-XXXXXX", NULL);
    stand.client = xcb_connect(NULL, NULL);
    g_assert_false(xcb_connection_has_error(stand.client));
    stand.screen = xcb_setup_roots_iterator(xcb_get_setup(stand.client)).data;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    stand.desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(stand.desktop);
    g_autoptr(json_t) rules = json_pack("{s:[{s:s, s:s, s:[], s:[s]}]}", "rules", "id", "test",
                                        "message", "not to be seen", "apps", "titles", "*secret*");
    g_autoptr(HfFence) fence = hf_fence_new(rules);
    stand.context = hf_call_context_new(stand.desktop, fence, FALSE);
    g_test_add_func("/privacy-mask-cache/titles", test_titles);
    g_test_add_func("/privacy-mask-cache/places", test_places);
    g_test_add_func("/privacy-mask-cache/number-used-again", test_number_used_again);
    g_test_add_func("/privacy-mask-cache/rest", test_rest);
    g_test_add_func("/privacy-mask-cache/never-rests", test_a_window_that_never_rests);
    int failed = g_test_run();
    hf_call_context_free(stand.context);
    hf_desktop_close(stand.desktop);
    xcb_disconnect(stand.client);
    hf_remove_tree(state_dir);
    return failed;
}
