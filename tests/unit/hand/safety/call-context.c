/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/safety/call-context.c, on a real display: nothing acts or looks without a context
 * that says what it may touch, and the threads of a call may touch no more than the call. */
#include "hand/safety/call-context.h"

#include <stdlib.h>
#include <xcb/xcb.h>
#include <xkbcommon/xkbcommon.h>

#include "hand/apps/launch.h"
#include "hand/apps/running-apps.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/desktop/keyboard.h"
#include "hand/desktop/pointer.h"
#include "hand/desktop/screen.h"
#include "hand/desktop/windows.h"
#include "hand/safety/fence.h"
#include "hand/safety/input-journal.h"
#include "shared/base/error.h"
#include "shared/base/remove-tree.h"

#define RED 0xd02010u

static struct {
    xcb_connection_t *client; /* plays the programs */
    xcb_screen_t *screen;
    HfDesktop *desktop;
    xcb_window_t secret; /* its title says so; from 100,100 to 180,160 */
    HfDeadline deadline;
} stand;

static void sync_client(void)
{
    free(xcb_get_input_focus_reply(stand.client, xcb_get_input_focus(stand.client), NULL));
}

static void show_secret(void)
{
    guint32 rgb = RED;
    stand.secret = xcb_generate_id(stand.client);
    xcb_create_window(stand.client, XCB_COPY_FROM_PARENT, stand.secret, stand.screen->root, 100,
                      100, 80, 60, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL, &rgb);
    xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, stand.secret, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, 6, "secret");
    xcb_map_window(stand.client, stand.secret);
    sync_client();
}

static HfCallContext *new_fenced(void)
{
    g_autoptr(json_t) rules = json_pack("{s:[{s:s, s:s, s:[], s:[s]}]}", "rules", "id", "test",
                                        "message", "not to be touched", "apps", "titles", "secret");
    g_autoptr(HfFence) fence = hf_fence_new(rules);
    return hf_call_context_new(stand.desktop, fence, FALSE);
}

/* ---- nothing goes without ---- */

typedef gboolean (*Action)(const HfCallContext *context, GError **error);

static gboolean do_look_at_pointer(const HfCallContext *context, GError **error)
{
    HfPointerState state;
    return hf_pointer_get(context, &state, error);
}

static gboolean do_move(const HfCallContext *context, GError **error)
{
    HfMovement straight = {0};
    HfPoint at;
    return hf_pointer_move(context, (HfPoint){5, 5}, &straight, &at, &stand.deadline, error);
}

static gboolean do_click(const HfCallContext *context, GError **error)
{
    HfClick click = {.point = {5, 5}, .button = HF_BUTTON_LEFT, .count = 1};
    HfPoint at;
    return hf_pointer_click(context, &click, &at, &stand.deadline, error);
}

static gboolean do_click_as_a_person(const HfCallContext *context, GError **error)
{
    HfClick click = {.point = {5, 5},
                     .button = HF_BUTTON_LEFT,
                     .count = 1,
                     .movement = {.human = TRUE, .shape = {.jitter_px = 2}}};
    HfPoint at;
    return hf_pointer_click(context, &click, &at, &stand.deadline, error);
}

static gboolean do_drag(const HfCallContext *context, GError **error)
{
    HfDrag drag = {.from = {5, 5}, .to = {50, 50}, .button = HF_BUTTON_LEFT};
    HfPoint at;
    return hf_pointer_drag(context, &drag, &at, &stand.deadline, error);
}

static gboolean do_scroll(const HfCallContext *context, GError **error)
{
    HfScroll scroll = {.point = {5, 5}, .wheel = HF_BUTTON_WHEEL_DOWN, .clicks = 1};
    HfPoint at;
    return hf_pointer_scroll(context, &scroll, &at, &stand.deadline, error);
}

static gboolean do_press(const HfCallContext *context, GError **error)
{
    HfPoint at;
    return hf_pointer_press(context, (HfPoint){5, 5}, HF_BUTTON_LEFT, &at, &stand.deadline, error);
}

static gboolean do_release(const HfCallContext *context, GError **error)
{
    HfPoint at;
    return hf_pointer_release(context, (HfPoint){5, 5}, HF_BUTTON_LEFT, &at, &stand.deadline,
                              error);
}

static GArray *new_keys(void)
{
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 keysym = XKB_KEY_Shift_L;
    g_array_append_val(keys, keysym);
    return keys;
}

static gboolean do_key(const HfCallContext *context, GError **error)
{
    return hf_keyboard_key(context, XKB_KEY_Shift_L, TRUE, error);
}

static gboolean do_chord(const HfCallContext *context, GError **error)
{
    g_autoptr(GArray) keys = new_keys();
    return hf_keyboard_chord(context, &(HfChord){keys, 1, 0}, &stand.deadline, error);
}

static gboolean do_hold(const HfCallContext *context, GError **error)
{
    g_autoptr(GArray) keys = new_keys();
    return hf_keyboard_hold_all(context, keys, &stand.deadline, error);
}

static gboolean do_drop(const HfCallContext *context, GError **error)
{
    g_autoptr(GArray) keys = new_keys();
    return hf_keyboard_drop_all(context, keys, &stand.deadline, error);
}

static gboolean do_type(const HfCallContext *context, GError **error)
{
    HfTyping typing = {.text = "a"};
    HfTyped typed;
    return hf_keyboard_type(context, &typing, &typed, &stand.deadline, error);
}

static gboolean do_change_window(const HfCallContext *context, GError **error)
{
    HfWindowChange change = {.action = HF_WINDOW_FOCUS};
    return hf_windows_change(context, stand.secret, &change, &stand.deadline, error);
}

static gboolean do_capture(const HfCallContext *context, GError **error)
{
    g_autoptr(HfCapture) capture =
        hf_screen_capture(context, &(HfCaptureRequest){0}, &stand.deadline, error);
    return capture != NULL;
}

static gboolean do_capture_serial(const HfCallContext *context, GError **error)
{
    guint64 serial;
    return hf_screen_get_change_serial(context, FALSE, &serial, error);
}

static gboolean do_launch(const HfCallContext *context, GError **error)
{
    g_autoptr(HfProgram) program = hf_program_resolve("true", (const char *const[]){NULL}, error);
    g_autoptr(HfLaunched) launched =
        program ? hf_launch(context, program, 0, &stand.deadline, error) : NULL;
    return launched != NULL;
}

static gboolean do_kill_app(const HfCallContext *context, GError **error)
{
    HfRunningApp app = {.name = (char *)"none"};
    HfAppClosed closed;
    return hf_running_apps_kill(context, &app, &closed, &stand.deadline, error);
}

static gboolean do_read(const HfCallContext *context, GError **error)
{
    g_autoptr(HfTree) tree = hf_tree_read(context, &(HfTreeScope){0}, &stand.deadline, error);
    return tree != NULL;
}

static gboolean do_check_input(const HfCallContext *context, GError **error)
{
    return hf_call_context_check_input(context, error);
}

static const struct {
    const char *name;
    Action action;
} actions[] = {
    {"look at the pointer", do_look_at_pointer},
    {"move", do_move},
    {"click", do_click},
    {"click as a person", do_click_as_a_person},
    {"drag", do_drag},
    {"scroll", do_scroll},
    {"press", do_press},
    {"release", do_release},
    {"key", do_key},
    {"chord", do_chord},
    {"hold", do_hold},
    {"drop", do_drop},
    {"type", do_type},
    {"change a window", do_change_window},
    {"capture", do_capture},
    {"capture serial", do_capture_serial},
    {"launch", do_launch},
    {"kill an application", do_kill_app},
    {"read", do_read},
    {"input at all", do_check_input},
};

static HfPoint pointer_place(void)
{
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(GError) error = NULL;
    HfPointerState state;
    hf_pointer_get(context, &state, &error);
    g_assert_no_error(error);
    return state.point;
}

static void assert_refused(const HfCallContext *context)
{
    HfPoint before = pointer_place();
    gint64 injected = hf_brake_get_injected(stand.desktop->brake);
    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
        g_test_message("%s", actions[i].name);
        g_autoptr(GError) error = NULL;
        g_assert_false(actions[i].action(context, &error));
        g_assert_error(error, HF_ERROR, HF_ERROR_INTERNAL);
    }
    HfPoint after = pointer_place();
    g_assert_true(before.x == after.x && before.y == after.y);
    g_assert_cmpint(hf_brake_get_injected(stand.desktop->brake), ==, injected);
}

static void test_no_context(void)
{
    assert_refused(NULL);
}

static void test_no_fence(void)
{
    g_autoptr(HfCallContext) empty = hf_call_context_new(stand.desktop, NULL, FALSE);
    assert_refused(empty);
}

static void test_no_reason(void)
{
    g_autoptr(HfCallContext) silent = hf_call_context_new_unfenced(stand.desktop, "");
    g_autoptr(HfCallContext) none = hf_call_context_new_unfenced(stand.desktop, NULL);
    assert_refused(silent);
    assert_refused(none);
}

/* What cannot fail says the safe thing. */
static void test_what_is_not_known_is_blocked(void)
{
    g_autoptr(HfCallContext) open = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(GError) error = NULL;
    g_autoptr(HfWindow) window = hf_windows_get(stand.desktop, stand.secret, &error);
    g_assert_no_error(error);
    g_assert_true(hf_fence_blocks(NULL, window));
    g_assert_true(hf_fence_blocks_any(NULL));
    g_assert_false(hf_fence_is_open(NULL));
    g_assert_false(hf_fence_blocks(open, window));
    g_assert_false(hf_fence_blocks_any(open));
    g_assert_true(hf_fence_is_open(open));
}

/* ---- with one ---- */

static void test_unfenced(void)
{
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(GError) error = NULL;
    gint64 injected = hf_brake_get_injected(stand.desktop->brake);
    do_click(context, &error);
    g_assert_no_error(error);
    HfPoint at = pointer_place();
    g_assert_true(at.x == 5 && at.y == 5);
    g_assert_cmpint(hf_brake_get_injected(stand.desktop->brake), >, injected);
}

/* A takeover keeps back what is ours, and not what a person does from afar, which is not counted as
 * ours either; a stop keeps back both. */
static void test_human(void)
{
    HfBrake *brake = stand.desktop->brake;
    g_autoptr(HfFence) fence = hf_fence_new_open();
    g_autoptr(HfCallContext) ours = hf_call_context_new(stand.desktop, fence, FALSE);
    g_autoptr(HfCallContext) theirs = hf_call_context_new(stand.desktop, fence, TRUE);
    g_autoptr(GError) error = NULL;
    hf_brake_set_quiet(brake, 60 * G_USEC_PER_SEC);
    hf_brake_take_over(brake, g_get_monotonic_time());
    gint64 injected = hf_brake_get_injected(brake);
    g_assert_false(do_move(ours, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PAUSED);
    g_clear_error(&error);
    do_move(theirs, &error);
    g_assert_no_error(error);
    g_assert_cmpint(hf_brake_get_injected(brake), ==, injected);
    hf_brake_set(brake, HF_BRAKE_STOP);
    g_assert_false(do_move(theirs, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STOPPED);
    hf_brake_set(brake, HF_BRAKE_OFF);
    hf_brake_set_quiet(brake, 0);
}

static void on_press(HfPoint point, gpointer data)
{
    *(HfPoint *)data = point;
}

static void test_observer(void)
{
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(GError) error = NULL;
    HfPoint seen = {-1, -1};
    hf_call_context_set_observer(context, on_press, &seen);
    do_move(context, &error);
    g_assert_cmpint(seen.x, ==, -1);
    do_click(context, &error);
    g_assert_no_error(error);
    g_assert_true(seen.x == 5 && seen.y == 5);
}

/* Two calls at once mean two windows, each its own. */
static void test_aims_are_apart(void)
{
    g_autoptr(HfCallContext) one = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(HfCallContext) other = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(GError) error = NULL;
    hf_call_context_set_pointer_window(one, stand.secret);
    hf_call_context_set_pointer_window(one, 7); /* only the first counts */
    g_assert_cmpuint(hf_call_context_pointer_window(one), ==, stand.secret);
    g_assert_cmpuint(hf_call_context_pointer_window(other), ==, 0);
    g_assert_false(do_click(one, &error)); /* 5,5 is not in it */
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_FOCUS_LOST);
    g_clear_error(&error);
    do_click(other, &error);
    g_assert_no_error(error);
}

/* ---- threads ---- */

typedef struct Helper {
    const HfCallContext *context;
    GError *error;
    HfCapture *picture;
} Helper;

static gpointer click_and_look(gpointer data)
{
    Helper *helper = data;
    HfClick click = {.point = {140, 130}, .button = HF_BUTTON_LEFT, .count = 1};
    HfPoint at;
    hf_pointer_click(helper->context, &click, &at, &stand.deadline, &helper->error);
    helper->picture =
        hf_screen_capture(helper->context, &(HfCaptureRequest){0}, &stand.deadline, NULL);
    return NULL;
}

static guint32 run_helper(const HfCallContext *context, GError **error)
{
    Helper helper = {context, NULL, NULL};
    g_thread_join(g_thread_new("helper", click_and_look, &helper));
    g_assert_nonnull(helper.picture);
    guint32 pixel = hf_image_row(helper.picture->image, 130)[140];
    hf_capture_free(helper.picture);
    if (helper.error)
        g_propagate_error(error, helper.error);
    return pixel & 0xffffff;
}

static void test_helper_thread_is_fenced(void)
{
    g_autoptr(HfCallContext) fenced = new_fenced();
    g_autoptr(HfCallContext) open = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_autoptr(GError) error = NULL;
    g_assert_cmphex(run_helper(fenced, &error), !=, RED);
    g_assert_error(error, HF_ERROR, HF_ERROR_APP_NOT_ALLOWED);
    g_clear_error(&error);
    g_assert_cmphex(run_helper(open, &error), ==, RED); /* else it proves nothing */
    g_assert_no_error(error);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *state_dir = g_dir_make_tmp("hf-context-XXXXXX", NULL);
    stand.client = xcb_connect(NULL, NULL);
    g_assert_false(xcb_connection_has_error(stand.client));
    stand.screen = xcb_setup_roots_iterator(xcb_get_setup(stand.client)).data;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    stand.desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(stand.desktop);
    stand.deadline = hf_deadline_in_ms(60000, NULL);
    show_secret();
    g_test_add_func("/call-context/none", test_no_context);
    g_test_add_func("/call-context/no-fence", test_no_fence);
    g_test_add_func("/call-context/no-reason", test_no_reason);
    g_test_add_func("/call-context/blocked", test_what_is_not_known_is_blocked);
    g_test_add_func("/call-context/unfenced", test_unfenced);
    g_test_add_func("/call-context/human", test_human);
    g_test_add_func("/call-context/observer", test_observer);
    g_test_add_func("/call-context/aims", test_aims_are_apart);
    g_test_add_func("/call-context/helper-thread", test_helper_thread_is_fenced);
    int failed = g_test_run();
    hf_desktop_close(stand.desktop);
    xcb_disconnect(stand.client);
    hf_remove_tree(state_dir);
    return failed;
}
