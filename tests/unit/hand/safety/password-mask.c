/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/safety/password-mask.c: what is known of password fields, when windows are
 * looked at, and what a picture shows of them. Real windows on a real display; the test plays the
 * finder. */
#include "hand/safety/password-mask.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "hand/safety/call-context.h"
#include "shared/base/remove-tree.h"

#define RED   0xd02010u
#define GREEN 0x10c040u

static struct {
    xcb_connection_t *client; /* plays the programs */
    xcb_screen_t *screen;
    HfDesktop *desktop;
    HfCallContext *context;
    GMutex lock; /* guards what follows: looks come on several threads */
    guint32 window;
    gboolean has_field; /* what a look at the window finds */
    HfRect bounds;
    gint64 cost_us;
    gboolean mute; /* a look finds nothing at all */
    int cut_short; /* so many of the next looks run out of time before they find anything */
    int looks;
    GThread *looker; /* the last */
} stand;

static void sync_client(void)
{
    free(xcb_get_input_focus_reply(stand.client, xcb_get_input_focus(stand.client), NULL));
}

/* The field is in the middle of the window. */
static HfPasswordScan find_fields(HfDesktop *desktop, guint32 window, guint max_ms)
{
    g_mutex_lock(&stand.lock);
    HfRect bounds = stand.bounds, field = {bounds.x + 20, bounds.y + 20, 40, 20};
    gboolean ours = window == stand.window, found = ours && stand.has_field;
    gint64 cost_us = ours ? stand.cost_us : 0;
    gboolean mute = stand.mute, cut_short = ours && stand.cut_short > 0;
    stand.cut_short -= cut_short;
    stand.looks += ours;
    stand.looker = g_thread_self();
    g_mutex_unlock(&stand.lock);
    g_usleep((gulong)cost_us);
    hf_password_mask_note(desktop, window, bounds, &field, found && !cut_short, !cut_short);
    if (cut_short)
        return HF_PASSWORD_SCAN_UNFINISHED;
    return mute ? HF_PASSWORD_SCAN_INACCESSIBLE : HF_PASSWORD_SCAN_DONE;
}

static int looks(void)
{
    g_mutex_lock(&stand.lock);
    int count = stand.looks;
    g_mutex_unlock(&stand.lock);
    return count;
}

/* Whether the last look was made by whoever took the picture. */
static gboolean was_waited_for(void)
{
    g_mutex_lock(&stand.lock);
    gboolean ours = stand.looker == g_thread_self();
    g_mutex_unlock(&stand.lock);
    return ours;
}

static void set_field(gboolean has, gint64 cost_us)
{
    g_mutex_lock(&stand.lock);
    stand.has_field = has;
    stand.cost_us = cost_us;
    g_mutex_unlock(&stand.lock);
}

static void draw(xcb_window_t window, guint32 rgb)
{
    xcb_gcontext_t gc = xcb_generate_id(stand.client);
    xcb_create_gc(stand.client, gc, window, XCB_GC_FOREGROUND, &rgb);
    xcb_poly_fill_rectangle(stand.client, window, gc, 1, &(xcb_rectangle_t){0, 0, 80, 60});
    xcb_free_gc(stand.client, gc);
    sync_client();
}

static void open_window(gboolean has_field)
{
    xcb_window_t window = xcb_generate_id(stand.client);
    xcb_create_window(stand.client, XCB_COPY_FROM_PARENT, window, stand.screen->root, 100, 100, 80,
                      60, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL,
                      &(guint32){RED});
    xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, 5, "login");
    xcb_map_window(stand.client, window);
    sync_client();
    g_mutex_lock(&stand.lock);
    stand.window = window;
    stand.bounds = (HfRect){100, 100, 80, 60};
    stand.looks = 0;
    g_mutex_unlock(&stand.lock);
    set_field(has_field, 0);
}

static void close_window(void)
{
    xcb_destroy_window(stand.client, stand.window);
    sync_client();
}

/* What a picture shows in the middle of the field, and beside it. */
static guint32 picture_at(int x, int y)
{
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    g_autoptr(HfCapture) picture =
        hf_screen_capture(stand.context, &(HfCaptureRequest){0}, &deadline, &error);
    g_assert_no_error(error);
    return hf_image_row(picture->image, y)[x] & 0xffffff;
}

static void test_first_picture(void)
{
    open_window(TRUE);
    g_assert_cmphex(picture_at(140, 130), !=, RED);
    g_assert_cmphex(picture_at(105, 105), ==, RED);
    g_assert_cmpint(looks(), >=, 1);
    g_assert_true(was_waited_for());
    close_window();
}

/* It moves along with its window, without another look. */
static void test_moved(void)
{
    open_window(TRUE);
    g_assert_cmphex(picture_at(140, 130), !=, RED);
    xcb_configure_window(stand.client, stand.window, XCB_CONFIG_WINDOW_X, &(guint32){500});
    sync_client();
    set_field(TRUE, 0);
    g_assert_cmphex(picture_at(540, 130), !=, RED);
    close_window();
}

/* Pictures are taken until one has looked at the window `more` times beyond those before. */
static void take_until_looked(int more)
{
    int wanted = looks() + more;
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    while (looks() < wanted && g_get_monotonic_time() < end) {
        draw(stand.window, RED);
        picture_at(140, 130);
    }
    g_assert_cmpint(looks(), >=, wanted);
}

/* A field that has come is covered in the first picture of it, once the pause between two looks is
 * over: the pause is longer when a look took long, so on a busy machine not each time. One that has
 * gone is shown again. */
static void test_field_that_comes(void)
{
    open_window(FALSE);
    g_assert_cmphex(picture_at(140, 130), ==, RED);
    gboolean at_once = FALSE;
    for (int turn = 0; turn < 40 && !at_once; turn++) {
        g_usleep(100 * 1000); /* the time between two pictures is what is tested here */
        set_field(TRUE, 0);
        draw(stand.window, GREEN);
        at_once = picture_at(140, 130) != GREEN && was_waited_for();
        take_until_looked(1);
        set_field(FALSE, 0);
        take_until_looked(3); /* the second of them is over then, and was after the change */
        draw(stand.window, GREEN);
        g_assert_cmphex(picture_at(140, 130), ==, GREEN);
    }
    g_assert_true(at_once);
    close_window();
}

/* A picture of a screen on which nothing was drawn looks at nothing, once the window is known for a
 * while; and pictures in a row do not look each time. */
static void test_looks_are_few(void)
{
    open_window(FALSE);
    picture_at(140, 130);
    int before = looks();
    for (int i = 0; i < 20; i++) {
        draw(stand.window, RED);
        picture_at(140, 130);
    }
    g_assert_cmpint(looks() - before, <, 20);
    close_window();
}

/* A program that takes long is looked at beside the pictures. */
static void test_slow_program(void)
{
    open_window(FALSE);
    set_field(FALSE, 60 * 1000);
    picture_at(140, 130);
    take_until_looked(1);
    g_assert_false(was_waited_for());
    close_window();
}

/* Nor does a picture wait again for a program that tells nothing. */
static void test_mute_program(void)
{
    open_window(FALSE);
    g_mutex_lock(&stand.lock);
    stand.mute = TRUE;
    g_mutex_unlock(&stand.lock);
    picture_at(140, 130);
    take_until_looked(1);
    g_assert_false(was_waited_for());
    g_mutex_lock(&stand.lock);
    stand.mute = FALSE;
    g_mutex_unlock(&stand.lock);
    close_window();
}

/* Young windows are looked at whether anything was drawn or not. */
static void open_old_window(gboolean has_field)
{
    open_window(has_field);
    gint64 old = g_get_monotonic_time() + 6 * G_USEC_PER_SEC;
    while (g_get_monotonic_time() < old) {
        picture_at(140, 130);
        g_usleep(100 * 1000); /* the pause between two looks */
    }
}

/* The number of a picture with the pointer, which has looked at the window. */
static guint64 look_with_pointer(void)
{
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    for (gint16 x = 0; g_get_monotonic_time() < end; x++) {
        HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
        int before = looks();
        draw(stand.window, RED);
        xcb_warp_pointer(stand.client, XCB_NONE, stand.screen->root, 0, 0, 0, 0, x, 5);
        sync_client();
        g_usleep(100 * 1000); /* the pause between two looks */
        g_autoptr(HfCapture) picture =
            hf_screen_capture(stand.context, &(HfCaptureRequest){.cursor = TRUE}, &deadline, NULL);
        if (looks() > before && was_waited_for() && x > 3)
            return picture->change_serial;
    }
    g_assert_not_reached();
}

/* Pictures with and without the pointer are numbered apart. One of each with the same number do not
 * show the same. */
static void test_pictures_with_the_pointer(void)
{
    open_old_window(FALSE);
    guint64 last = look_with_pointer(), now = 0;
    set_field(TRUE, 0);
    while (now < last) {
        draw(stand.window, RED);
        g_assert_true(hf_screen_get_change_serial(stand.context, FALSE, &now, NULL));
    }
    g_assert_cmpuint(now, ==, last);
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    while (picture_at(140, 130) == RED && g_get_monotonic_time() < end)
        g_usleep(10 * 1000);
    g_assert_cmphex(picture_at(140, 130), !=, RED);
    close_window();
}

/* A look that ran out of time says nothing about the window. It is looked at again even if nothing
 * is drawn any more, however old the window is. */
static void test_look_that_was_cut_short(void)
{
    open_old_window(TRUE);
    g_assert_cmphex(picture_at(140, 130), !=, RED);
    g_mutex_lock(&stand.lock);
    stand.cut_short = 1;
    g_mutex_unlock(&stand.lock);
    set_field(FALSE, 0);
    draw(stand.window, GREEN);
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    guint32 shown;
    while ((shown = picture_at(140, 130)) != GREEN && g_get_monotonic_time() < end)
        g_usleep(10 * 1000);
    g_assert_cmphex(shown, ==, GREEN);
    g_mutex_lock(&stand.lock);
    g_assert_cmpint(stand.cut_short, ==, 0);
    g_mutex_unlock(&stand.lock);
    close_window();
}

/* What is known of a window, by what was told of it one after the other. */
static void test_notes(void)
{
    static const struct {
        const char *about;
        struct {
            guint count;
            gboolean whole;
        } told[2];
        guint age_ms;
        gboolean none;
    } cases[] = {
        {"none", {{0, TRUE}, {0, TRUE}}, 1000, TRUE},
        {"one", {{0, TRUE}, {1, TRUE}}, 1000, FALSE},
        {"one that has gone", {{1, TRUE}, {0, TRUE}}, 1000, TRUE},
        {"one, and then only a part was read", {{1, TRUE}, {0, FALSE}}, 1000, FALSE},
        {"one was in the part that was read", {{0, TRUE}, {1, FALSE}}, 1000, FALSE},
        {"too long ago", {{0, TRUE}, {0, TRUE}}, 0, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        guint32 window = 0x7000 + (guint32)i;
        HfRect bounds = {0, 0, 100, 100}, field = {1, 1, 5, 5};
        g_assert_false(hf_password_mask_has_none(stand.desktop, window, 1000));
        for (int k = 0; k < 2; k++)
            hf_password_mask_note(stand.desktop, window, bounds, &field, cases[i].told[k].count,
                                  cases[i].told[k].whole);
        g_assert_cmpint(hf_password_mask_has_none(stand.desktop, window, cases[i].age_ms), ==,
                        cases[i].none);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *state_dir = g_dir_make_tmp("hf-secure-XXXXXX", NULL);
    stand.client = xcb_connect(NULL, NULL);
    g_assert_false(xcb_connection_has_error(stand.client));
    stand.screen = xcb_setup_roots_iterator(xcb_get_setup(stand.client)).data;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    stand.desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(stand.desktop);
    stand.context = hf_call_context_new_unfenced(stand.desktop, "a test");
    hf_password_mask_set_finder(stand.desktop, find_fields);
    g_test_add_func("/secure/first-picture", test_first_picture);
    g_test_add_func("/secure/moved", test_moved);
    g_test_add_func("/secure/field-that-comes", test_field_that_comes);
    g_test_add_func("/secure/looks-are-few", test_looks_are_few);
    g_test_add_func("/secure/slow-program", test_slow_program);
    g_test_add_func("/secure/mute-program", test_mute_program);
    g_test_add_func("/secure/pictures-with-the-pointer", test_pictures_with_the_pointer);
    g_test_add_func("/secure/look-that-was-cut-short", test_look_that_was_cut_short);
    g_test_add_func("/secure/notes", test_notes);
    int failed = g_test_run();
    hf_call_context_free(stand.context);
    hf_desktop_close(stand.desktop);
    xcb_disconnect(stand.client);
    hf_remove_tree(state_dir);
    return failed;
}
