/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer on a real X server: what a window saw, not what was sent. */
#include "hand/desktop/pointer.h"

#include <stdlib.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include "hand/safety/call-context.h"
#include "hand/safety/input-journal.h"
#include "recorder.h"
#include "shared/base/error.h"
#include "spawn.h"

#define WIDTH  1280
#define HEIGHT 800

typedef struct Fixture {
    HfDesktop *desktop;
    HfCallContext *context;
    HfDeadline deadline;
    Recorder *recorder;
    xcb_connection_t *other; /* somebody else on this display: a person, another program */
    xcb_window_t root;
} Fixture;

static void set_up(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    f->desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    f->context = hf_call_context_new_unfenced(f->desktop, "a test");
    f->deadline = hf_deadline_in_ms(30000, NULL);
    f->other = xcb_connect(NULL, NULL);
    f->root = xcb_setup_roots_iterator(xcb_get_setup(f->other)).data->root;
    f->recorder = recorder_start("1280x800+0+0", "--override", NULL);
}

static void sync_other(Fixture *f)
{
    free(xcb_get_input_focus_reply(f->other, xcb_get_input_focus(f->other), NULL));
}

static void tear_down(Fixture *f, gconstpointer data)
{
    HfPointerState state;
    g_autoptr(GError) error = NULL;
    hf_pointer_get(f->context, &state, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(state.buttons, ==, 0);
    for (guint button = 1; button < 10; button++)
        g_assert_false(hf_input_journal_holds_button(f->desktop->journal, (guint8)button));
    recorder_free(f->recorder);
    hf_call_context_free(f->context);
    hf_desktop_close(f->desktop);
    xcb_disconnect(f->other);
}

static void assert_at(const json_t *event, HfPoint point)
{
    g_assert_cmpint(hf_json_int(event, "x", -1), ==, point.x);
    g_assert_cmpint(hf_json_int(event, "y", -1), ==, point.y);
}

static void assert_button(Recorder *recorder, const char *kind, HfPoint point, int button)
{
    g_autoptr(json_t) event = recorder_next(recorder, kind);
    assert_at(event, point);
    g_assert_cmpint(hf_json_int(event, "button", 0), ==, button);
}

static void assert_click(Recorder *recorder, HfPoint point, int button)
{
    assert_button(recorder, "button_press", point, button);
    assert_button(recorder, "button_release", point, button);
}

static void click(Fixture *f, HfPoint point, HfButton button, int count)
{
    g_autoptr(GError) error = NULL;
    HfClick what = {.point = point, .button = button, .count = count};
    HfPoint at = {-1, -1};
    hf_pointer_click(f->context, &what, &at, &f->deadline, &error);
    g_assert_no_error(error);
    g_assert_no_error(error);
    g_assert_cmpint(at.x, ==, point.x);
    g_assert_cmpint(at.y, ==, point.y);
}

static void test_clicks_are_exact(Fixture *f, gconstpointer data)
{
    static const HfPoint points[] = {
        {0, 0},
        {WIDTH - 1, 0},
        {0, HEIGHT - 1},
        {WIDTH - 1, HEIGHT - 1},
        {WIDTH / 2, HEIGHT / 2},
        {0, 399},
        {WIDTH - 1, 401},
        {639, 0},
        {641, HEIGHT - 1},
        {1, 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(points); i++)
        for (HfButton button = HF_BUTTON_LEFT; button <= HF_BUTTON_RIGHT; button++) {
            click(f, points[i], button, 1);
            assert_click(f->recorder, points[i], (int)button);
        }
}

static void test_counts(Fixture *f, gconstpointer data)
{
    for (int count = 1; count <= 3; count++) {
        HfPoint point = {100 * count, 50};
        click(f, point, HF_BUTTON_LEFT, count);
        for (int i = 0; i < count; i++)
            assert_click(f->recorder, point, 1);
        g_assert_null(recorder_find(f->recorder, "button_press", 30));
    }
}

static void set_mapping(Fixture *f, const guint8 *map, guint8 length)
{
    free(xcb_set_pointer_mapping_reply(f->other, xcb_set_pointer_mapping(f->other, length, map),
                                       NULL));
}

/* A left-handed person's mouse with natural scrolling: programs must still see button 1 and 5. */
static void test_users_mapping(Fixture *f, gconstpointer data)
{
    static const guint8 swapped[] = {3, 2, 1, 5, 4, 7, 6, 8, 9, 10};
    static const guint8 plain[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    HfPoint point = {30, 40};
    set_mapping(f, swapped, G_N_ELEMENTS(swapped));
    for (HfButton button = HF_BUTTON_LEFT; button <= HF_BUTTON_WHEEL_RIGHT; button++) {
        click(f, point, button, 1);
        assert_click(f->recorder, point, (int)button);
    }
    set_mapping(f, plain, G_N_ELEMENTS(plain));
    click(f, point, HF_BUTTON_LEFT, 1);
    assert_click(f->recorder, point, 1);
}

static void test_disabled_button(Fixture *f, gconstpointer data)
{
    static const guint8 without_middle[] = {1, 0, 3, 4, 5, 6, 7, 8, 9, 10};
    static const guint8 plain[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    g_autoptr(GError) error = NULL;
    HfClick what = {.point = {9, 9}, .button = HF_BUTTON_MIDDLE, .count = 1};
    HfPoint at;
    set_mapping(f, without_middle, G_N_ELEMENTS(without_middle));
    g_assert_false(hf_pointer_click(f->context, &what, &at, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_UNSUPPORTED);
    set_mapping(f, plain, G_N_ELEMENTS(plain));
}

static void test_scroll(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfPoint at;
    HfScroll scroll = {.point = {600, 300}, .wheel = HF_BUTTON_WHEEL_DOWN, .clicks = 120};
    hf_pointer_scroll(f->context, &scroll, &at, &f->deadline, &error);
    g_assert_no_error(error);
    for (int i = 0; i < scroll.clicks; i++)
        assert_click(f->recorder, scroll.point, 5);
    g_assert_null(recorder_find(f->recorder, "button_press", 30));
}

static void test_smooth_move(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfMovement straight = {0}, smooth = {.duration_us = 100000};
    HfPoint at;
    g_assert_true(
        hf_pointer_move(f->context, (HfPoint){10, 10}, &straight, &at, &f->deadline, &error));
    gint64 start = g_get_monotonic_time();
    g_assert_true(
        hf_pointer_move(f->context, (HfPoint){1000, 700}, &smooth, &at, &f->deadline, &error));
    gint64 took = g_get_monotonic_time() - start;
    g_assert_cmpint(took, >=, 100000);
    g_assert_cmpint(at.x, ==, 1000);
    int seen = 0, before = 10;
    for (int x = 0; x != 1000; seen++) {
        g_autoptr(json_t) motion = recorder_next(f->recorder, "motion");
        x = (int)hf_json_int(motion, "x", 0);
        g_assert_cmpint(x, >=, before);
        before = x;
    }
    g_assert_cmpint(seen, >=, 8);
}

static void test_humanize(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfClick what = {
        .point = {WIDTH - 1, 300},
        .button = HF_BUTTON_LEFT,
        .count = 2,
        .movement = {
            .human = TRUE, .shape = {HF_CURVE_ARC, 3}, .pause_min_ms = 20, .pause_max_ms = 200}};
    gboolean off = FALSE;
    json_int_t quickest = G_MAXINT64;
    for (int i = 0; i < 4; i++) {
        HfPoint at;
        hf_pointer_click(f->context, &what, &at, &f->deadline, &error);
        g_assert_no_error(error);
        g_assert_cmpint(ABS(at.x - what.point.x), <=, 3);
        g_assert_cmpint(ABS(at.y - what.point.y), <=, 3);
        off |= at.x != what.point.x || at.y != what.point.y;
        json_int_t times[4];
        const char *const kinds[] = {"button_press", "button_release", "button_press",
                                     "button_release"};
        for (int k = 0; k < 4; k++) {
            g_autoptr(json_t) event = recorder_next(f->recorder, kinds[k]);
            assert_at(event, at);
            times[k] = hf_json_int(event, "time", 0);
        }
        g_assert_cmpint(times[1] - times[0], >=, 19); /* held for a while */
        quickest = MIN(quickest, times[2] - times[0]);
    }
    g_assert_true(off);
    /* Near enough to each other to count as a double click. A busy machine adds to each, so the
     * quickest tells what was meant. */
    g_assert_cmpint(quickest, <=, 300);
}

static void test_drag(Fixture *f, gconstpointer data)
{
    static const gint64 durations_us[] = {0, 200000};
    for (gsize i = 0; i < G_N_ELEMENTS(durations_us); i++) {
        g_autoptr(GError) error = NULL;
        HfDrag drag = {.from = {100, 100},
                       .to = {500, 250},
                       .button = HF_BUTTON_LEFT,
                       .movement = {.duration_us = durations_us[i]}};
        HfPoint at;
        hf_pointer_drag(f->context, &drag, &at, &f->deadline, &error);
        g_assert_no_error(error);
        g_assert_cmpint(at.x, ==, 500);
        assert_button(f->recorder, "button_press", drag.from, 1);
        guint seen = 0;
        for (;; seen++) {
            g_autoptr(json_t) event = recorder_next(f->recorder, "motion");
            g_assert_cmpint(hf_json_int(event, "state", 0), ==, 256);
            if (hf_json_int(event, "x", 0) == 500)
                break;
        }
        g_assert_cmpuint(seen, >=, 5);
        assert_button(f->recorder, "button_release", drag.to, 1);
    }
}

static gpointer cancel_soon(gpointer cancellable)
{
    g_usleep(60000);
    g_cancellable_cancel(cancellable);
    return NULL;
}

static void test_cancelled_drag_lets_go(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    HfDeadline deadline = hf_deadline_in_ms(30000, cancellable);
    HfDrag drag = {.from = {100, 100},
                   .to = {500, 250},
                   .button = HF_BUTTON_RIGHT,
                   .movement = {.duration_us = 20 * G_USEC_PER_SEC}};
    HfPoint at;
    GThread *thread = g_thread_new("cancel", cancel_soon, cancellable);
    gint64 start = g_get_monotonic_time();
    g_assert_false(hf_pointer_drag(f->context, &drag, &at, &deadline, &error));
    g_assert_cmpint(g_get_monotonic_time() - start, <, drag.movement.duration_us);
    g_thread_join(thread);
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_ABORTED);
    assert_button(f->recorder, "button_press", drag.from, 3);
    g_autoptr(json_t) released = recorder_next(f->recorder, "button_release");
    g_assert_cmpint(hf_json_int(released, "button", 0), ==, 3);
}

static void test_press_and_release(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfPoint at;
    g_assert_false(
        hf_pointer_release(f->context, (HfPoint){5, 5}, HF_BUTTON_LEFT, &at, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_clear_error(&error);
    g_assert_true(
        hf_pointer_press(f->context, (HfPoint){70, 80}, HF_BUTTON_LEFT, &at, &f->deadline, &error));
    assert_button(f->recorder, "button_press", (HfPoint){70, 80}, 1);
    g_assert_true(hf_input_journal_holds_button(f->desktop->journal, 1));

    /* A click now would not be seen by any program: it must not be reported as done. */
    HfClick again = {.point = {70, 80}, .button = HF_BUTTON_LEFT, .count = 1};
    g_assert_false(hf_pointer_click(f->context, &again, &at, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_clear_error(&error);
    g_assert_true(hf_input_journal_holds_button(f->desktop->journal, 1));

    hf_pointer_release(f->context, (HfPoint){90, 95}, HF_BUTTON_LEFT, &at, &f->deadline, &error);
    g_assert_no_error(error);
    assert_button(f->recorder, "button_release", (HfPoint){90, 95}, 1);
    g_assert_false(hf_input_journal_holds_button(f->desktop->journal, 1));
}

/* What is still down when a desktop is closed goes up. */
static void test_close_lets_go(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    HfPoint at;
    hf_pointer_press(f->context, (HfPoint){70, 80}, HF_BUTTON_MIDDLE, &at, &f->deadline, &error);
    g_assert_no_error(error);
    hf_call_context_free(f->context);
    hf_desktop_close(f->desktop);
    assert_button(f->recorder, "button_release", (HfPoint){70, 80}, 2);
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    f->desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    f->context = hf_call_context_new_unfenced(f->desktop, "a test");
}

/* A program that keeps the pointer inside its window: no click may go down beside the target. */
static void test_confined_pointer(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    xcb_window_t cage = xcb_generate_id(f->other);
    const uint32_t values[] = {1};
    xcb_create_window(f->other, XCB_COPY_FROM_PARENT, cage, f->root, 200, 200, 100, 100, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT,
                      values);
    xcb_map_window(f->other, cage);
    free(xcb_grab_pointer_reply(f->other,
                                xcb_grab_pointer(f->other, 0, cage, XCB_EVENT_MASK_BUTTON_PRESS,
                                                 XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC, cage,
                                                 XCB_NONE, XCB_CURRENT_TIME),
                                NULL));
    HfClick what = {.point = {10, 10}, .button = HF_BUTTON_LEFT, .count = 1};
    HfPoint at;
    g_assert_false(hf_pointer_click(f->context, &what, &at, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_VERIFY_FAILED);
    g_autoptr(json_t) wire = hf_error_to_json(error);
    const json_t *actual = json_object_get(json_object_get(wire, "details"), "actual");
    g_assert_cmpint(hf_json_int(actual, "x", 0), ==, 200);
    xcb_ungrab_pointer(f->other, XCB_CURRENT_TIME);
    xcb_destroy_window(f->other, cage);
    sync_other(f);
    g_assert_null(recorder_find(f->recorder, "button_press", 30));
}

typedef struct Hand {
    int going;
    GMutex moving; /* held for each movement; who else holds it has the hand at rest */
} Hand;

/* A hand that shakes the mouse without end. */
static gpointer shake(gpointer data)
{
    Hand *hand = data;
    xcb_connection_t *xcb = xcb_connect(NULL, NULL);
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(xcb)).data->root;
    for (int i = 0; g_atomic_int_get(&hand->going); i++) {
        g_mutex_lock(&hand->moving);
        xcb_warp_pointer(xcb, XCB_NONE, root, 0, 0, 0, 0, (int16_t)(i % WIDTH), 790);
        free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
        g_mutex_unlock(&hand->moving);
    }
    xcb_disconnect(xcb);
    return NULL;
}

/* Either the click is at its point or there is none and the call says so; never beside it. The hand
 * rests while the recorder's lines are read: it makes more of them than can be read meanwhile. */
static void test_shaking_hand(Fixture *f, gconstpointer data)
{
    Hand hand = {.going = 1};
    g_mutex_init(&hand.moving);
    GThread *thread = g_thread_new("shake", shake, &hand);
    int done = 0;
    for (int i = 0; i < 40; i++) {
        g_autoptr(GError) error = NULL;
        HfDeadline own = hf_deadline_in_ms(5000, NULL); /* each may wait half a second for quiet */
        HfClick what = {.point = {3 * i, 100}, .button = HF_BUTTON_LEFT, .count = 1};
        HfPoint at;
        if (hf_pointer_click(f->context, &what, &at, &own, &error)) {
            g_mutex_lock(&hand.moving);
            g_autoptr(json_t) event = recorder_next(f->recorder, "button_press");
            g_mutex_unlock(&hand.moving);
            assert_at(event, what.point);
            done++;
        } else {
            g_assert_error(error, HF_ERROR, HF_ERROR_VERIFY_FAILED);
        }
    }
    g_atomic_int_set(&hand.going, 0);
    g_thread_join(thread);
    g_mutex_clear(&hand.moving);
    g_test_message("%d of 40 clicks under a shaking hand", done);
    g_assert_cmpint(done, >, 0); /* how many is the machine's affair; that none is beside is ours */
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    return *(const gint64 *)a < *(const gint64 *)b ? -1 : 1;
}

/* As little as any program can do: a press and a release, and no look at anything. */
static void click_bare(Fixture *f)
{
    for (guint8 kind = XCB_BUTTON_PRESS; kind <= XCB_BUTTON_RELEASE; kind++)
        xcb_test_fake_input(f->other, kind, 1, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
    sync_other(f);
}

static gint64 seen_after(Fixture *f, gint64 start_us)
{
    g_autoptr(json_t) event = recorder_next(f->recorder, "button_press");
    return hf_json_int(event, "at_us", 0) - start_us;
}

/* Measured against the least that it can take, turn by turn, so that a busy machine slows both. */
static void test_speed(Fixture *f, gconstpointer data)
{
    gint64 ours[201], bare[201];
    for (gsize i = 0; i < G_N_ELEMENTS(ours); i++) {
        gint64 start = g_get_monotonic_time();
        click(f, (HfPoint){(int)i, 20}, HF_BUTTON_LEFT, 1);
        ours[i] = seen_after(f, start);
        start = g_get_monotonic_time();
        click_bare(f);
        bare[i] = seen_after(f, start);
    }
    qsort(ours, G_N_ELEMENTS(ours), sizeof *ours, compare_times);
    qsort(bare, G_N_ELEMENTS(bare), sizeof *bare, compare_times);
    g_test_message("call to window: median %d us, p95 %d us; bare: median %d us", (int)ours[100],
                   (int)ours[190], (int)bare[100]);
    g_assert_cmpint(ours[100], <, 2000 + 10 * bare[100]);
}

static void test_server_gone(void)
{
    g_autoptr(GError) error = NULL;
    GSubprocess *server = test_spawn(
        G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, "Xvfb", "-displayfd",
        "1", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset", NULL);
    g_autofree char *number = test_read_line(server);
    g_autofree char *display = g_strconcat(":", number, NULL);
    HfDesktopOptions options = {.display = display};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    test_end(server);
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    HfDrag drag = {.from = {1, 1}, .to = {100, 100}, .button = HF_BUTTON_LEFT};
    HfPoint at;
    g_assert_false(hf_pointer_drag(context, &drag, &at, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add("/pointer/" path, Fixture, NULL, set_up, test, tear_down)
    ADD("clicks-are-exact", test_clicks_are_exact);
    ADD("counts", test_counts);
    ADD("users-mapping", test_users_mapping);
    ADD("disabled-button", test_disabled_button);
    ADD("scroll", test_scroll);
    ADD("smooth-move", test_smooth_move);
    ADD("humanize", test_humanize);
    ADD("drag", test_drag);
    ADD("cancelled-drag-lets-go", test_cancelled_drag_lets_go);
    ADD("press-and-release", test_press_and_release);
    ADD("close-lets-go", test_close_lets_go);
    ADD("confined-pointer", test_confined_pointer);
    ADD("shaking-hand", test_shaking_hand);
    ADD("speed", test_speed);
    g_test_add_func("/pointer/server-gone", test_server_gone);
    return g_test_run();
}
