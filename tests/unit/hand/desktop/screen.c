/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/x11/capture/x11-capture.c and what it stands on: real servers of several kinds,
 * windows of known colours, and programs that draw late or never. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/composite.h>
#include <xcb/res.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include "hand/desktop/screen.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"

#define RED   0xd02010u
#define GREEN 0x10c040u
#define BLUE  0x2030e0u

/* An X server of its own, a client that plays the programs on it, and the desktop under test. */
typedef struct Stand {
    GPid server;
    char *display;
    xcb_connection_t *client;
    xcb_screen_t *screen;
    char *state_dir;
    HfDesktop *desktop;
    HfCallContext *context;
} Stand;

static void start_server(Stand *stand, const char *depth, const char *without)
{
    g_autofree char *size = g_strdup_printf("800x600x%s", depth);
    const char *argv[] = {"Xvfb",  "-displayfd", "1",   "-screen",  "0",
                          size,    "-nolisten",  "tcp", "-noreset", without ? "-extension" : NULL,
                          without, NULL};
    int output;
    g_assert_true(g_spawn_async_with_pipes(NULL, (char **)argv, NULL,
                                           G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                                               G_SPAWN_STDERR_TO_DEV_NULL,
                                           NULL, NULL, &stand->server, NULL, &output, NULL, NULL));
    char number[16] = "";
    gsize length = 0;
    while (length < sizeof number - 1 && !memchr(number, '\n', length)) {
        gssize got = read(output, number + length, sizeof number - 1 - length);
        g_assert_cmpint(got, >, 0);
        length += (gsize)got;
    }
    close(output);
    stand->display = g_strdup_printf(":%d", atoi(number));
}

static Stand stand_open(const char *depth, const char *without)
{
    Stand stand = {0};
    start_server(&stand, depth, without);
    stand.client = xcb_connect(stand.display, NULL);
    g_assert_false(xcb_connection_has_error(stand.client));
    stand.screen = xcb_setup_roots_iterator(xcb_get_setup(stand.client)).data;
    stand.state_dir = g_dir_make_tmp("hf-capture-XXXXXX", NULL);
    HfDesktopOptions options = {.display = stand.display, .state_dir = stand.state_dir};
    stand.desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(stand.desktop);
    stand.context = hf_call_context_new_unfenced(stand.desktop, "a test");
    return stand;
}

static void stop_server(Stand *stand)
{
    if (!stand->server)
        return;
    kill(stand->server, SIGKILL);
    waitpid(stand->server, NULL, 0);
    stand->server = 0;
}

static void stand_close(Stand *stand)
{
    hf_call_context_free(stand->context);
    hf_desktop_close(stand->desktop);
    xcb_disconnect(stand->client);
    stop_server(stand);
    g_autofree char *remove = g_strdup_printf("rm -rf '%s'", stand->state_dir);
    g_assert_cmpint(system(remove), ==, 0);
    g_free(stand->state_dir);
    g_free(stand->display);
}

static void sync_client(Stand *stand)
{
    free(xcb_get_input_focus_reply(stand->client, xcb_get_input_focus(stand->client), NULL));
}

/* A colour as this server writes it. */
static guint32 server_pixel(Stand *stand, guint32 rgb)
{
    const xcb_visualtype_t *visual = NULL;
    xcb_depth_iterator_t depths = xcb_screen_allowed_depths_iterator(stand->screen);
    for (; depths.rem && !visual; xcb_depth_next(&depths)) {
        xcb_visualtype_iterator_t visuals = xcb_depth_visuals_iterator(depths.data);
        for (; visuals.rem && !visual; xcb_visualtype_next(&visuals))
            if (visuals.data->visual_id == stand->screen->root_visual)
                visual = visuals.data;
    }
    guint32 masks[3] = {visual->red_mask, visual->green_mask, visual->blue_mask}, pixel = 0;
    for (int i = 0; i < 3; i++) {
        int shift = __builtin_ctz(masks[i]);
        guint64 most = masks[i] >> shift;
        pixel |= (guint32)(((rgb >> (16 - 8 * i) & 0xff) * most + 127) / 255) << shift;
    }
    return pixel;
}

static xcb_window_t make_window(Stand *stand, HfRect at, guint32 rgb, guint32 events)
{
    xcb_window_t window = xcb_generate_id(stand->client);
    guint32 values[] = {server_pixel(stand, rgb), events};
    xcb_create_window(stand->client, XCB_COPY_FROM_PARENT, window, stand->screen->root,
                      (int16_t)at.x, (int16_t)at.y, (uint16_t)at.width, (uint16_t)at.height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
    xcb_map_window(stand->client, window);
    sync_client(stand);
    return window;
}

static void drop_window(Stand *stand, xcb_window_t window)
{
    xcb_destroy_window(stand->client, window);
    sync_client(stand);
}

static HfCapture *capture(Stand *stand, HfCaptureRequest request, GError **error)
{
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    return hf_screen_capture(stand->context, &request, &deadline, error);
}

static HfCapture *capture_well(Stand *stand, HfCaptureRequest request)
{
    g_autoptr(GError) error = NULL;
    HfCapture *picture = capture(stand, request, &error);
    g_assert_no_error(error);
    g_assert_cmpint(picture->image->width, ==, picture->area.width);
    g_assert_cmpint(picture->image->height, ==, picture->area.height);
    return picture;
}

static void assert_colour(const HfCapture *picture, int x, int y, guint32 rgb, int tolerance)
{
    guint32 pixel = hf_image_row(picture->image, y)[x];
    for (int shift = 0; shift < 24; shift += 8)
        g_assert_cmpint(abs((int)(pixel >> shift & 0xff) - (int)(rgb >> shift & 0xff)), <=,
                        tolerance);
}

static void assert_refused(Stand *stand, HfCaptureRequest request, HfErrorCode code)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(capture(stand, request, &error));
    g_assert_error(error, HF_ERROR, (int)code);
}

static guint64 serial(Stand *stand, gboolean cursor)
{
    guint64 number = 0;
    g_assert_true(hf_screen_get_change_serial(stand->context, cursor, &number, NULL));
    g_assert_cmpuint(number, >, 0);
    return number;
}

static void test_kinds_of_servers(void)
{
    static const struct {
        const char *depth, *without;
        int tolerance;
    } cases[] = {{"24", NULL, 0},      {"24", "MIT-SHM", 0}, {"16", NULL, 4},
                 {"16", "MIT-SHM", 4}, {"30", NULL, 1},      {"15", NULL, 5}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Stand stand = stand_open(cases[i].depth, cases[i].without);
        make_window(&stand, (HfRect){101, 51, 33, 21}, RED, 0);
        make_window(&stand, (HfRect){140, 51, 33, 21}, GREEN, 0);
        make_window(&stand, (HfRect){101, 90, 33, 21}, BLUE, 0);
        g_autoptr(HfCapture) whole = capture_well(&stand, (HfCaptureRequest){0});
        g_assert_true(hf_rect_equal(whole->area, (HfRect){0, 0, 800, 600}));
        assert_colour(whole, 101, 51, RED, cases[i].tolerance);
        assert_colour(whole, 133, 71, RED, cases[i].tolerance);
        assert_colour(whole, 100, 51, 0, 0);
        assert_colour(whole, 140, 51, GREEN, cases[i].tolerance);
        g_autoptr(HfCapture) part =
            capture_well(&stand, (HfCaptureRequest){.area = {101, 90, 7, 5}});
        assert_colour(part, 6, 4, BLUE, cases[i].tolerance);
        stand_close(&stand);
    }
}

static void test_palette_is_refused(void)
{
    Stand stand = stand_open("8", NULL);
    assert_refused(&stand, (HfCaptureRequest){0}, HF_ERROR_UNSUPPORTED);
    stand_close(&stand);
}

static void test_areas(void)
{
    static const struct {
        HfRect wanted, shown; /* nothing shown: refused */
        gboolean clipped;
    } cases[] = {
        {{0, 0, 800, 600}, {0, 0, 800, 600}, FALSE},
        {{0, 0, 1, 1}, {0, 0, 1, 1}, FALSE},
        {{799, 599, 1, 1}, {799, 599, 1, 1}, FALSE},
        {{-10, -20, 30, 40}, {0, 0, 20, 20}, TRUE},
        {{790, 590, 50, 50}, {790, 590, 10, 10}, TRUE},
        {{-100, 5, 2000, 7}, {0, 5, 800, 7}, TRUE},
        {{800, 0, 10, 10}, {0}, FALSE},
        {{0, -10, 10, 10}, {0}, FALSE},
    };
    Stand stand = stand_open("24", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        HfCaptureRequest request = {.area = cases[i].wanted};
        if (hf_rect_is_empty(cases[i].shown)) {
            assert_refused(&stand, request, HF_ERROR_INVALID_PARAMS);
            continue;
        }
        g_autoptr(HfCapture) picture = capture_well(&stand, request);
        g_assert_true(hf_rect_equal(picture->area, cases[i].shown));
        g_assert_cmpint(picture->clipped, ==, cases[i].clipped);
    }
    stand_close(&stand);
}

static void test_changes(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t window = make_window(&stand, (HfRect){10, 10, 50, 50}, RED, 0);
    g_autoptr(HfCapture) first = capture_well(&stand, (HfCaptureRequest){0});
    g_assert_cmpuint(serial(&stand, FALSE), ==, first->change_serial);
    g_autoptr(HfCapture) again = capture_well(&stand, (HfCaptureRequest){.area = {0, 0, 9, 9}});
    g_assert_cmpuint(again->change_serial, ==, first->change_serial);
    for (int i = 0; i < 20; i++) {
        guint64 before = serial(&stand, FALSE);
        xcb_clear_area(stand.client, 0, window, 0, 0, 5, 5);
        sync_client(&stand);
        guint64 after = serial(&stand, FALSE);
        g_assert_cmpuint(after, >, before);
        g_assert_cmpuint(serial(&stand, FALSE), ==, after);
        xcb_clear_area(stand.client, 0, window, 0, 0, 5, 5);
        sync_client(&stand);
        g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){0});
        g_assert_cmpuint(picture->change_serial, >, after);
        g_assert_cmpuint(serial(&stand, FALSE), ==, picture->change_serial);
    }
    guint64 before = serial(&stand, FALSE);
    for (int i = 0; i < 100; i++) {
        xcb_clear_area(stand.client, 0, window, 0, 0, 5, 5);
        sync_client(&stand);
        guint64 now = serial(&stand, FALSE);
        g_assert_cmpuint(now, >, before);
        before = now;
    }
    drop_window(&stand, window);
    g_assert_cmpuint(serial(&stand, FALSE), >, before);
    stand_close(&stand);
}

/* A program that draws all the time, in ever new colours. */
typedef struct Flicker {
    Stand stand;
    xcb_window_t window;
    gint stop;
} Flicker;

static gpointer flicker(gpointer data)
{
    Flicker *program = data;
    xcb_connection_t *xcb = program->stand.client;
    for (guint32 colour = 1; !g_atomic_int_get(&program->stop); colour++) {
        xcb_change_window_attributes(xcb, program->window, XCB_CW_BACK_PIXEL, &colour);
        xcb_clear_area(xcb, 0, program->window, 0, 0, 0, 0);
        sync_client(&program->stand);
    }
    return NULL;
}

/* When the count says that nothing has changed since a picture, it shows what is on the screen. */
static void test_no_change_is_missed(void)
{
    Stand stand = stand_open("24", NULL);
    guint unchanged = 0;
    for (int i = 0; i < 200; i++) {
        Flicker program = {.stand = stand};
        program.stand.client = xcb_connect(stand.display, NULL);
        program.window = make_window(&program.stand, (HfRect){10, 10, 20, 20}, RED, 0);
        GThread *thread = g_thread_new("flicker", flicker, &program);
        HfCaptureRequest request = {.area = {15, 15, 1, 1}};
        g_autoptr(HfCapture) picture = capture_well(&stand, request);
        g_atomic_int_set(&program.stop, 1);
        g_thread_join(thread);
        if (serial(&stand, FALSE) == picture->change_serial) {
            g_autoptr(HfCapture) now = capture_well(&stand, request);
            g_assert_cmphex(hf_image_row(now->image, 0)[0], ==, hf_image_row(picture->image, 0)[0]);
            unchanged++;
        }
        drop_window(&program.stand, program.window);
        xcb_disconnect(program.stand.client);
    }
    g_test_message("%u of 200 pictures were still right", unchanged);
    stand_close(&stand);
}

static void test_pointer(void)
{
    Stand stand = stand_open("24", NULL);
    static const HfPoint places[] = {{123, 77}, {0, 0}, {799, 599}};
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        guint64 plain = serial(&stand, FALSE), with_pointer = serial(&stand, TRUE);
        xcb_test_fake_input(stand.client, XCB_MOTION_NOTIFY, 0, 0, stand.screen->root,
                            (int16_t)places[i].x, (int16_t)places[i].y, 0);
        sync_client(&stand);
        g_assert_cmpuint(serial(&stand, TRUE), >, with_pointer);
        g_assert_cmpuint(serial(&stand, TRUE), ==, serial(&stand, TRUE));
        g_assert_cmpuint(serial(&stand, FALSE), ==, plain);
        g_autoptr(HfCapture) picture =
            capture_well(&stand, (HfCaptureRequest){.area = {0, 0, 800, 600}, .cursor = TRUE});
        g_assert_nonnull(picture->cursor);
        HfRect cursor = {picture->cursor_at.x, picture->cursor_at.y, picture->cursor->width,
                         picture->cursor->height};
        g_assert_true(hf_rect_contains(cursor, places[i]));
        guint opaque = 0;
        for (int y = 0; y < picture->cursor->height; y++)
            for (int x = 0; x < picture->cursor->width; x++)
                opaque += hf_image_row(picture->cursor, y)[x] >> 24 == 255;
        g_assert_cmpuint(opaque, >, 0);
    }
    g_autoptr(HfCapture) without = capture_well(&stand, (HfCaptureRequest){0});
    g_assert_null(without->cursor);
    stand_close(&stand);
}

/* A program that fills its window with one colour when it is asked to draw, after a while. */
typedef struct Painter {
    GThread *thread;
    xcb_connection_t *xcb;
    xcb_window_t window;
    guint32 pixel;
    guint delay_us;
    gint drawn;
} Painter;

static gpointer paint(gpointer data)
{
    Painter *painter = data;
    xcb_gcontext_t gc = xcb_generate_id(painter->xcb);
    xcb_create_gc(painter->xcb, gc, painter->window, XCB_GC_FOREGROUND, &painter->pixel);
    xcb_generic_event_t *event;
    while ((event = xcb_wait_for_event(painter->xcb))) {
        guint8 type = event->response_type & 0x7f;
        free(event);
        if (type == XCB_CLIENT_MESSAGE)
            break;
        if (type != XCB_EXPOSE)
            continue;
        g_usleep(painter->delay_us);
        xcb_rectangle_t all = {0, 0, 1000, 1000};
        xcb_poly_fill_rectangle(painter->xcb, painter->window, gc, 1, &all);
        xcb_flush(painter->xcb);
        g_atomic_int_inc(&painter->drawn);
    }
    return NULL;
}

static void painter_start(Painter *painter, Stand *stand, HfRect at, guint32 rgb, guint delay_us)
{
    Stand own = *stand;
    own.client = painter->xcb = xcb_connect(stand->display, NULL);
    painter->delay_us = delay_us;
    painter->pixel = server_pixel(stand, rgb);
    painter->drawn = 0;
    painter->window = make_window(&own, at, 0, XCB_EVENT_MASK_EXPOSURE);
    painter->thread = g_thread_new("painter", paint, painter);
    while (!g_atomic_int_get(&painter->drawn))
        g_thread_yield();
}

static void painter_stop(Painter *painter, Stand *stand)
{
    xcb_client_message_event_t stop = {
        .response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = painter->window};
    xcb_send_event(stand->client, 0, painter->window, 0, (const char *)&stop);
    xcb_flush(stand->client);
    g_thread_join(painter->thread);
    xcb_disconnect(painter->xcb);
}

static xcb_window_t focus_of(Stand *stand)
{
    xcb_get_input_focus_reply_t *reply =
        xcb_get_input_focus_reply(stand->client, xcb_get_input_focus(stand->client), NULL);
    xcb_window_t window = reply->focus;
    free(reply);
    return window;
}

static void test_covered_window_is_drawn(void)
{
    static const guint delays_us[] = {0, 20000, 120000};
    Stand stand = stand_open("24", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(delays_us); i++) {
        Painter painter;
        painter_start(&painter, &stand, (HfRect){50, 60, 200, 100}, GREEN, delays_us[i]);
        xcb_set_input_focus(stand.client, XCB_INPUT_FOCUS_PARENT, painter.window, 0);
        g_autoptr(HfCapture) free_one =
            capture_well(&stand, (HfCaptureRequest){.window = painter.window});
        g_assert_cmpuint(free_one->change_serial, >, 0);
        xcb_window_t cover = make_window(&stand, (HfRect){150, 0, 300, 300}, RED, 0);
        g_autoptr(HfCapture) picture =
            capture_well(&stand, (HfCaptureRequest){.window = painter.window});
        g_assert_true(hf_rect_equal(picture->area, (HfRect){50, 60, 200, 100}));
        g_assert_false(picture->occluded);
        g_assert_cmpuint(picture->change_serial, ==, 0);
        assert_colour(picture, 0, 0, GREEN, 0);
        assert_colour(picture, 199, 99, GREEN, 0);
        g_assert_cmpuint(focus_of(&stand), ==, painter.window);
        g_autoptr(HfCapture) screen = capture_well(&stand, (HfCaptureRequest){0});
        assert_colour(screen, 200, 100, RED, 0);
        assert_colour(screen, 60, 70, GREEN, 0);
        drop_window(&stand, cover);
        painter_stop(&painter, &stand);
    }
    stand_close(&stand);
}

static void test_covered_window_without_program(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t plain = make_window(&stand, (HfRect){50, 60, 200, 100}, GREEN, 0);
    xcb_window_t hung =
        make_window(&stand, (HfRect){50, 200, 200, 100}, BLUE, XCB_EVENT_MASK_EXPOSURE);
    make_window(&stand, (HfRect){100, 0, 100, 600}, RED, 0);
    gint64 start = g_get_monotonic_time();
    g_autoptr(HfCapture) first = capture_well(&stand, (HfCaptureRequest){.window = plain});
    g_assert_cmpint(g_get_monotonic_time() - start, <, 200000);
    g_assert_false(first->occluded);
    assert_colour(first, 80, 50, GREEN, 0);
    start = g_get_monotonic_time();
    g_autoptr(HfCapture) second = capture_well(&stand, (HfCaptureRequest){.window = hung});
    g_assert_cmpint(g_get_monotonic_time() - start, <, 2000000);
    g_assert_true(second->occluded);
    stand_close(&stand);
}

static void place(Stand *stand, xcb_window_t window, HfRect at)
{
    guint32 values[] = {(guint32)at.x, (guint32)at.y, (guint32)at.width, (guint32)at.height};
    xcb_configure_window(stand->client, window,
                         XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH |
                             XCB_CONFIG_WINDOW_HEIGHT,
                         values);
    sync_client(stand);
}

static void raise_window(Stand *stand, xcb_window_t window)
{
    guint32 above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(stand->client, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    sync_client(stand);
}

/* Twice, so that the second one is taken from where the first one has found it. */
static void assert_pictured(Stand *stand, xcb_window_t window, HfRect area, guint32 rgb)
{
    for (int i = 0; i < 2; i++) {
        g_autoptr(HfCapture) picture = capture_well(stand, (HfCaptureRequest){.window = window});
        g_assert_true(hf_rect_equal(picture->area, area));
        g_assert_true(hf_rect_equal(picture->window_area, area));
        assert_colour(picture, 0, 0, rgb, 0);
        assert_colour(picture, area.width - 1, area.height - 1, rgb, 0);
        g_autoptr(HfCapture) told =
            capture(stand, (HfCaptureRequest){.window = window, .only_describe = TRUE}, NULL);
        g_assert_true(hf_rect_equal(told->area, area));
    }
}

/* Where a window is remembered from its last picture, and all that can become of it since. */
static void test_remembered_window(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t other = make_window(&stand, (HfRect){300, 300, 100, 100}, RED, 0);
    xcb_window_t window = make_window(&stand, (HfRect){50, 60, 200, 100}, GREEN, 0);
    assert_pictured(&stand, window, (HfRect){50, 60, 200, 100}, GREEN);
    place(&stand, window, (HfRect){70, 80, 200, 100});
    assert_pictured(&stand, window, (HfRect){70, 80, 200, 100}, GREEN);
    place(&stand, window, (HfRect){70, 80, 120, 140});
    assert_pictured(&stand, window, (HfRect){70, 80, 120, 140}, GREEN);
    place(&stand, other, (HfRect){60, 70, 50, 50}); /* below it */
    assert_pictured(&stand, window, (HfRect){70, 80, 120, 140}, GREEN);
    raise_window(&stand, other); /* and on top, where the window has to be drawn elsewhere */
    assert_pictured(&stand, window, (HfRect){70, 80, 120, 140}, GREEN);
    assert_pictured(&stand, other, (HfRect){60, 70, 50, 50}, RED);
    raise_window(&stand, window);
    assert_pictured(&stand, window, (HfRect){70, 80, 120, 140}, GREEN);
    assert_pictured(&stand, other, (HfRect){60, 70, 50, 50}, RED);
    guint32 shadow[] = {10, 20, 30, 40}; /* left, right, top, bottom */
    xcb_intern_atom_reply_t *atom = xcb_intern_atom_reply(
        stand.client,
        xcb_intern_atom(stand.client, 0, strlen("_GTK_FRAME_EXTENTS"), "_GTK_FRAME_EXTENTS"), NULL);
    xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, window, atom->atom, XCB_ATOM_CARDINAL,
                        32, 4, shadow);
    sync_client(&stand);
    free(atom);
    assert_pictured(&stand, window, (HfRect){80, 110, 90, 70}, GREEN);
    xcb_unmap_window(stand.client, window);
    sync_client(&stand);
    assert_refused(&stand, (HfCaptureRequest){.window = window}, HF_ERROR_PRECONDITION_FAILED);
    xcb_map_window(stand.client, window);
    sync_client(&stand);
    assert_pictured(&stand, window, (HfRect){80, 110, 90, 70}, GREEN);
    drop_window(&stand, window);
    assert_refused(&stand, (HfCaptureRequest){.window = window}, HF_ERROR_WINDOW_NOT_FOUND);
    stand_close(&stand);
}

/* A part of a window that is clear says nothing of the rest. */
static void test_remembered_part(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t window = make_window(&stand, (HfRect){50, 60, 200, 100}, GREEN, 0);
    make_window(&stand, (HfRect){150, 60, 100, 100}, RED, 0);
    for (int i = 0; i < 2; i++) {
        g_autoptr(HfCapture) part =
            capture_well(&stand, (HfCaptureRequest){.window = window, .area = {50, 60, 90, 100}});
        g_assert_cmpuint(part->change_serial, >, 0); /* from the screen */
        assert_colour(part, 89, 99, GREEN, 0);
    }
    g_autoptr(HfCapture) whole = capture_well(&stand, (HfCaptureRequest){.window = window});
    assert_colour(whole, 0, 0, GREEN, 0);
    assert_colour(whole, 199, 99, GREEN, 0);
    stand_close(&stand);
}

/* A menu above its own window is a part of it, and no cover. */
static void test_own_menu(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t window = make_window(&stand, (HfRect){50, 60, 200, 100}, GREEN, 0);
    xcb_window_t menu = xcb_generate_id(stand.client);
    guint32 values[] = {BLUE, 1};
    xcb_create_window(stand.client, XCB_COPY_FROM_PARENT, menu, stand.screen->root, 70, 80, 50, 50,
                      0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
    xcb_map_window(stand.client, menu);
    sync_client(&stand);
    g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){.window = window});
    g_assert_false(picture->occluded);
    assert_colour(picture, 0, 0, GREEN, 0);
    assert_colour(picture, 25, 25, BLUE, 0);
    stand_close(&stand);
}

/* Under a compositing window manager all windows are in memory already. */
static void test_covered_window_under_compositor(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_connection_t *manager = xcb_connect(stand.display, NULL);
    free(xcb_composite_query_version_reply(manager, xcb_composite_query_version(manager, 0, 4),
                                           NULL));
    xcb_composite_redirect_subwindows(manager, stand.screen->root, XCB_COMPOSITE_REDIRECT_MANUAL);
    free(xcb_get_input_focus_reply(manager, xcb_get_input_focus(manager), NULL));
    xcb_window_t hung =
        make_window(&stand, (HfRect){50, 60, 200, 100}, GREEN, XCB_EVENT_MASK_EXPOSURE);
    make_window(&stand, (HfRect){100, 0, 100, 600}, RED, 0);
    gint64 quickest = G_MAXINT64;
    for (int i = 0; i < 5; i++) {
        gint64 start = g_get_monotonic_time();
        g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){.window = hung});
        quickest = MIN(quickest, g_get_monotonic_time() - start);
        g_assert_false(picture->occluded);
        assert_colour(picture, 0, 0, GREEN, 0);
        assert_colour(picture, 100, 50, GREEN, 0);
    }
    /* Nobody is waited for; a busy machine adds to each, so the quickest tells. */
    g_assert_cmpint(quickest, <, 200000);
    xcb_disconnect(manager);
    stand_close(&stand);
}

static void test_covered_window_without_composite(void)
{
    Stand stand = stand_open("24", "Composite");
    xcb_window_t plain = make_window(&stand, (HfRect){50, 60, 200, 100}, GREEN, 0);
    make_window(&stand, (HfRect){100, 0, 100, 600}, RED, 0);
    g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){.window = plain});
    g_assert_true(picture->occluded);
    assert_colour(picture, 10, 10, GREEN, 0);
    assert_colour(picture, 60, 10, RED, 0);
    stand_close(&stand);
}

static void test_windows_that_cannot_be_seen(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t outside = make_window(&stand, (HfRect){900, 10, 50, 50}, RED, 0);
    assert_refused(&stand, (HfCaptureRequest){.window = outside}, HF_ERROR_PRECONDITION_FAILED);
    xcb_window_t partly = make_window(&stand, (HfRect){-30, 580, 50, 50}, RED, 0);
    g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){.window = partly});
    g_assert_true(picture->clipped);
    g_assert_true(hf_rect_equal(picture->area, (HfRect){0, 580, 20, 20}));
    g_assert_true(hf_rect_equal(picture->window_area, (HfRect){-30, 580, 50, 50}));
    assert_colour(picture, 19, 19, RED, 0);
    xcb_unmap_window(stand.client, partly);
    sync_client(&stand);
    assert_refused(&stand, (HfCaptureRequest){.window = partly}, HF_ERROR_PRECONDITION_FAILED);
    drop_window(&stand, partly);
    assert_refused(&stand, (HfCaptureRequest){.window = partly}, HF_ERROR_WINDOW_NOT_FOUND);
    assert_refused(&stand, (HfCaptureRequest){.window = 0x7fffffff}, HF_ERROR_WINDOW_NOT_FOUND);
    assert_refused(&stand, (HfCaptureRequest){.window = stand.screen->root},
                   HF_ERROR_WINDOW_NOT_FOUND);
    stand_close(&stand);
}

/* Several pictures may be held at the same time, also by several threads. */
static gpointer take_many(gpointer data)
{
    Stand *stand = data;
    for (int i = 0; i < 20; i++) {
        g_autoptr(HfCapture) one = capture_well(stand, (HfCaptureRequest){0});
        g_autoptr(HfCapture) two =
            capture_well(stand, (HfCaptureRequest){.area = {10 + i, 10, 50, 50}});
        assert_colour(one, 20, 20, RED, 0);
        assert_colour(two, 0, 0, RED, 0);
        g_assert_true(one->image->pixels != two->image->pixels);
    }
    return NULL;
}

static void test_threads(void)
{
    Stand stand = stand_open("24", NULL);
    make_window(&stand, (HfRect){10, 10, 200, 200}, RED, 0);
    GThread *threads[4];
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("taker", take_many, &stand);
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        g_thread_join(threads[i]);
    stand_close(&stand);
}

static void test_server_gone(void)
{
    Stand stand = stand_open("24", NULL);
    xcb_window_t window = make_window(&stand, (HfRect){10, 10, 200, 200}, RED, 0);
    g_autoptr(HfCapture) kept = capture_well(&stand, (HfCaptureRequest){0});
    stop_server(&stand);
    assert_colour(kept, 20, 20, RED, 0);
    assert_refused(&stand, (HfCaptureRequest){0}, HF_ERROR_DESKTOP_UNAVAILABLE);
    assert_refused(&stand, (HfCaptureRequest){.window = window}, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_screen_get(stand.desktop, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    guint64 number;
    g_clear_error(&error);
    g_assert_false(hf_screen_get_change_serial(stand.context, FALSE, &number, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_clear_pointer(&kept, hf_capture_free);
    stand_close(&stand);
}

static guint count_segments(void)
{
    g_autofree char *maps = NULL;
    g_assert_true(g_file_get_contents("/proc/self/maps", &maps, NULL, NULL));
    g_auto(GStrv) parts = g_strsplit(maps, "memfd:handfast-screen", -1);
    return g_strv_length(parts) - 1;
}

/* One segment is kept for the next picture, and none while nothing is asked for. */
static void test_memory(void)
{
    Stand stand = stand_open("24", NULL);
    for (int i = 0; i < 3; i++) {
        HfCapture *one = capture_well(&stand, (HfCaptureRequest){0});
        HfCapture *two = capture_well(&stand, (HfCaptureRequest){0});
        g_assert_cmpuint(count_segments(), ==, 2);
        hf_capture_free(one);
        hf_desktop_trim_memory(stand.desktop);
        g_assert_cmpuint(count_segments(), ==, 1);
        hf_capture_free(two);
        g_assert_cmpuint(count_segments(), ==, 1);
        hf_capture_free(capture_well(&stand, (HfCaptureRequest){.area = {0, 0, 10, 10}}));
        g_assert_cmpuint(count_segments(), ==, 1);
        hf_desktop_trim_memory(stand.desktop);
        g_assert_cmpuint(count_segments(), ==, 0);
    }
    HfCapture *kept = capture_well(&stand, (HfCaptureRequest){0});
    stand_close(&stand);
    g_assert_cmpuint(count_segments(), ==, 1);
    hf_capture_free(kept);
    g_assert_cmpuint(count_segments(), ==, 0);
}

static GArray *list_clients(Stand *stand)
{
    GArray *bases = g_array_new(FALSE, FALSE, sizeof(guint32));
    xcb_res_query_clients_reply_t *reply =
        xcb_res_query_clients_reply(stand->client, xcb_res_query_clients(stand->client), NULL);
    xcb_res_client_iterator_t at = xcb_res_query_clients_clients_iterator(reply);
    for (; at.rem; xcb_res_client_next(&at))
        g_array_append_val(bases, at.data->resource_base);
    free(reply);
    return bases;
}

/* The server ends the connection that pictures come through, and no other. */
static void test_connection_lost(void)
{
    Stand stand = stand_open("24", NULL);
    make_window(&stand, (HfRect){10, 10, 200, 200}, RED, 0);
    g_autoptr(GArray) before = list_clients(&stand);
    guint64 number = serial(&stand, FALSE);
    g_autoptr(GArray) after = list_clients(&stand);
    g_assert_cmpuint(after->len, ==, before->len + 1);
    for (guint i = 0; i < after->len; i++) {
        guint32 base = g_array_index(after, guint32, i);
        gboolean known = FALSE;
        for (guint k = 0; k < before->len; k++)
            known |= g_array_index(before, guint32, k) == base;
        for (guint32 id = 0; !known && id < 8; id++)
            xcb_kill_client(stand.client, base + id);
    }
    sync_client(&stand);
    g_autoptr(GArray) killed = list_clients(&stand);
    g_assert_cmpuint(killed->len, ==, before->len);
    g_autoptr(GError) error = NULL;
    HfCapture *lost = capture(&stand, (HfCaptureRequest){0}, &error);
    hf_capture_free(lost); /* the loss may be noticed by this one */
    g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){0});
    assert_colour(picture, 20, 20, RED, 0);
    g_assert_cmpuint(picture->change_serial, >, number);
    stand_close(&stand);
}

static void test_cancelled(void)
{
    Stand stand = stand_open("24", NULL);
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_cancellable_cancel(cancellable);
    HfDeadline deadline = hf_deadline_in_ms(5000, cancellable);
    g_autoptr(GError) error = NULL;
    g_assert_null(hf_screen_capture(stand.context, &(HfCaptureRequest){0}, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    stand_close(&stand);
}

static void test_monitors(void)
{
    Stand stand = stand_open("24", NULL);
    g_autoptr(HfScreen) one = hf_screen_get(stand.desktop, NULL);
    g_assert_cmpuint(one->monitors->len, ==, 1);
    g_assert_cmpfloat(one->scale, ==, 1);
    g_assert_cmpint(one->depth, ==, 24);
    g_autofree char *commands =
        g_strdup_printf("DISPLAY=%s sh -c 'xrandr --setmonitor left 500/100x600/100+0+0 screen &&"
                        " xrandr --setmonitor right 300/100x600/100+500+0 none &&"
                        " echo Xft.dpi: 168 | xrdb -merge'",
                        stand.display);
    g_assert_cmpint(system(commands), ==, 0);
    g_autoptr(HfScreen) two = hf_screen_get(stand.desktop, NULL);
    g_assert_cmpuint(two->monitors->len, ==, 2);
    HfMonitor *right = &g_array_index(two->monitors, HfMonitor, 1);
    g_assert_cmpstr(right->name, ==, "right");
    g_assert_true(hf_rect_equal(right->area, (HfRect){500, 0, 300, 600}));
    g_assert_cmpfloat(two->scale, ==, 1.75);
    g_autoptr(HfCapture) picture = capture_well(&stand, (HfCaptureRequest){0});
    g_assert_cmpfloat(picture->scale, ==, 1.75);
    stand_close(&stand);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/capture/kinds-of-servers", test_kinds_of_servers);
    g_test_add_func("/capture/palette", test_palette_is_refused);
    g_test_add_func("/capture/areas", test_areas);
    g_test_add_func("/capture/changes", test_changes);
    g_test_add_func("/capture/no-change-missed", test_no_change_is_missed);
    g_test_add_func("/capture/pointer", test_pointer);
    g_test_add_func("/capture/covered-drawn", test_covered_window_is_drawn);
    g_test_add_func("/capture/covered-not-drawn", test_covered_window_without_program);
    g_test_add_func("/capture/remembered-window", test_remembered_window);
    g_test_add_func("/capture/remembered-part", test_remembered_part);
    g_test_add_func("/capture/own-menu", test_own_menu);
    g_test_add_func("/capture/covered-compositor", test_covered_window_under_compositor);
    g_test_add_func("/capture/covered-no-composite", test_covered_window_without_composite);
    g_test_add_func("/capture/unseen-windows", test_windows_that_cannot_be_seen);
    g_test_add_func("/capture/threads", test_threads);
    g_test_add_func("/capture/server-gone", test_server_gone);
    g_test_add_func("/capture/memory", test_memory);
    g_test_add_func("/capture/connection-lost", test_connection_lost);
    g_test_add_func("/capture/cancelled", test_cancelled);
    g_test_add_func("/capture/monitors", test_monitors);
    return g_test_run();
}
