/* SPDX-License-Identifier: Apache-2.0 */
/* Windows on a real X server: with openbox, without any window manager, and with one that dies.
 * What the programs themselves saw is asked of them, or of the X server. */
#include "hand/desktop/windows.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "await.h"
#include "hand/safety/call-context.h"
#include "hand/x11/core/connection.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/windows/ewmh.h"
#include "programs.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

/* A window of this test's own, so that its properties can be anything. */
static xcb_window_t make_window(HfX11Connection *own, HfRect rect, guint16 border)
{
    xcb_window_t window = xcb_generate_id(own->xcb);
    guint32 mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_FOCUS_CHANGE;
    xcb_create_window(own->xcb, XCB_COPY_FROM_PARENT, window, own->root, (gint16)rect.x,
                      (gint16)rect.y, (guint16)rect.width, (guint16)rect.height, border,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                      &mask);
    return window;
}

static void set_text(HfX11Connection *own, xcb_window_t window, const char *property,
                     const char *type, const char *bytes, gsize length)
{
    xcb_atom_t atom = hf_x11_atom(own, property), type_atom = hf_x11_atom(own, type);
    gsize done = 0;
    do { /* a request cannot be longer than 256 KB */
        gsize part = MIN(length - done, 200000);
        xcb_change_property(own->xcb, done ? XCB_PROP_MODE_APPEND : XCB_PROP_MODE_REPLACE, window,
                            atom, type_atom, 8, (guint32)part, bytes + done);
        done += part;
    } while (done < length);
}

static void set_atoms(HfX11Connection *own, xcb_window_t window, const char *property,
                      const char *first)
{
    xcb_atom_t atom = hf_x11_atom(own, first);
    xcb_change_property(own->xcb, XCB_PROP_MODE_REPLACE, window, hf_x11_atom(own, property),
                        XCB_ATOM_ATOM, 32, 1, &atom);
}

static void map_and_sync(HfX11Connection *own, xcb_window_t window)
{
    xcb_map_window(own->xcb, window);
    g_assert_true(hf_x11_sync(own, NULL));
}

static HfX11Connection *own_connection(void)
{
    g_autoptr(GError) error = NULL;
    HfX11Connection *own = hf_x11_connect(g_getenv("DISPLAY"), &error);
    g_assert_no_error(error);
    return own;
}

static void await_event(HfX11Connection *own, guint8 type, xcb_window_t window)
{
    HfDeadline deadline = test_deadline();
    for (;;) {
        xcb_generic_event_t *event;
        while ((event = xcb_poll_for_event(own->xcb))) {
            gboolean found = (event->response_type & 0x7f) == type;
            free(event);
            if (found)
                return;
        }
        g_autoptr(GError) error = NULL;
        hf_deadline_wait_readable(&deadline, xcb_get_file_descriptor(own->xcb), &error);
        g_assert_no_error(error);
    }
}

static gboolean change(HfDesktop *desktop, guint32 window, HfWindowAction action, GError **error)
{
    HfDeadline deadline = test_deadline();
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    return hf_windows_change(context, window, &(HfWindowChange){.action = action}, &deadline,
                             error);
}

static gboolean place(HfDesktop *desktop, guint32 window, HfRect bounds, int set, GError **error)
{
    HfDeadline deadline = test_deadline();
    HfWindowChange request = {HF_WINDOW_MOVE_RESIZE, bounds, set};
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    return hf_windows_change(context, window, &request, &deadline, error);
}

static HfWindow *get(HfDesktop *desktop, guint32 id)
{
    g_autoptr(GError) error = NULL;
    HfWindow *window = hf_windows_get(desktop, id, &error);
    g_assert_no_error(error);
    return window;
}

#define EVERYTHING (HF_SET_X | HF_SET_Y | HF_SET_WIDTH | HF_SET_HEIGHT)

static void assert_bounds(HfDesktop *desktop, guint32 id, HfRect wanted)
{
    g_autoptr(HfWindow) window = get(desktop, id);
    g_assert_cmpint(window->bounds.x, ==, wanted.x);
    g_assert_cmpint(window->bounds.y, ==, wanted.y);
    g_assert_cmpint(window->bounds.width, ==, wanted.width);
    g_assert_cmpint(window->bounds.height, ==, wanted.height);
}

static void test_unmanaged(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfX11Connection) own = own_connection();
    xcb_window_t low = make_window(own, (HfRect){10, 20, 300, 200}, 3);
    xcb_window_t high = make_window(own, (HfRect){50, 60, 300, 200}, 0);
    set_text(own, low, "_NET_WM_NAME", "UTF8_STRING", "low", 3);
    set_text(own, high, "WM_NAME", "STRING", "h\xf6her", 5);
    map_and_sync(own, low);
    map_and_sync(own, high);

    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    g_assert_cmpuint(windows->len, ==, 2);
    const HfWindow *first = windows->pdata[0], *second = windows->pdata[1];
    g_assert_cmpstr(first->title, ==, "höher");
    g_assert_cmpstr(second->title, ==, "low");
    g_assert_cmpint(first->pid, ==, getpid());
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *name = g_path_get_basename(program);
    g_assert_cmpstr(first->process, ==, name);
    g_assert_true(hf_rect_equal(second->bounds, (HfRect){13, 23, 300, 200}));
    g_assert_true(hf_rect_equal(second->frame, (HfRect){10, 20, 306, 206}));

    g_autoptr(GError) error = NULL;
    change(desktop, low, HF_WINDOW_FOCUS, &error);
    g_assert_no_error(error);
    await_event(own, XCB_FOCUS_IN, low);
    g_autoptr(GPtrArray) after = hf_windows_list(desktop, NULL);
    g_assert_cmpuint(((HfWindow *)after->pdata[0])->id, ==, low);
    g_assert_true(((HfWindow *)after->pdata[0])->focused);

    place(desktop, low, (HfRect){100, 110, 320, 240}, EVERYTHING, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, low, (HfRect){100, 110, 320, 240});
    change(desktop, low, HF_WINDOW_MAXIMIZE, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, low, (HfRect){0, 0, 1280, 800});
    change(desktop, low, HF_WINDOW_MINIMIZE, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_UNSUPPORTED);
}

static void test_unmanaged_close(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfX11Connection) own = own_connection();
    g_autoptr(Program) dialog = program_start("zenity", "--info", "--title=message", NULL);
    g_autoptr(HfWindow) window = await_window(desktop, "message");
    g_assert_cmpint(window->pid, ==, program_pid(dialog));
    g_assert_cmpstr(window->class_name, ==, "Zenity");
    g_autoptr(GError) error = NULL;
    change(desktop, window->id, HF_WINDOW_CLOSE, &error);
    g_assert_no_error(error);

    /* A program that knows no protocol is cut off, as every window manager does. */
    g_autoptr(HfX11Connection) victim = own_connection();
    xcb_window_t rude = make_window(victim, (HfRect){0, 0, 50, 50}, 0);
    map_and_sync(victim, rude);
    change(desktop, rude, HF_WINDOW_CLOSE, &error);
    g_assert_no_error(error);
    g_assert_false(hf_x11_sync(victim, NULL));

    change(desktop, window->id, HF_WINDOW_CLOSE, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_WINDOW_NOT_FOUND);
}

static void test_managed(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(HfX11Connection) own = own_connection();
    xcb_window_t id = make_window(own, (HfRect){200, 150, 400, 300}, 0);
    set_text(own, id, "_NET_WM_NAME", "UTF8_STRING", "mine", 4);
    map_and_sync(own, id);
    g_autoptr(HfWindow) window = await_window(desktop, "mine");
    g_assert_cmpint(window->frame.height, >, window->bounds.height);
    g_assert_true(window->visible);
    g_assert_cmpint(window->workspace, ==, 0);

    static const HfRect places[] = {{300, 200, 400, 300}, {1, 40, 640, 480}, {500, 333, 123, 77}};
    g_autoptr(GError) error = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        place(desktop, id, places[i], EVERYTHING, &error);
        g_assert_no_error(error);
        assert_bounds(desktop, id, places[i]);
    }
    place(desktop, id, (HfRect){.x = 320}, HF_SET_X, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, id, (HfRect){320, 333, 123, 77});
    place(desktop, id, (HfRect){.height = 99}, HF_SET_HEIGHT, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, id, (HfRect){320, 333, 123, 99});

    change(desktop, id, HF_WINDOW_MAXIMIZE, &error);
    g_assert_no_error(error);
    g_autoptr(HfWindow) maximized = get(desktop, id);
    g_assert_true(maximized->maximized);
    g_assert_cmpint(maximized->bounds.width, >, 1200);
    change(desktop, id, HF_WINDOW_RESTORE, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, id, (HfRect){320, 333, 123, 99});
    change(desktop, id, HF_WINDOW_MAXIMIZE, &error);
    place(desktop, id, (HfRect){10, 50, 200, 100}, EVERYTHING, &error); /* unmaximises first */
    g_assert_no_error(error);
    assert_bounds(desktop, id, (HfRect){10, 50, 200, 100});

    change(desktop, id, HF_WINDOW_MINIMIZE, &error);
    g_assert_no_error(error);
    g_autoptr(HfWindow) minimized = get(desktop, id);
    g_assert_true(minimized->minimized && !minimized->visible);
    change(desktop, id, HF_WINDOW_FOCUS, &error);
    g_assert_no_error(error);
    g_autoptr(HfWindow) shown = get(desktop, id);
    g_assert_true(shown->visible && shown->focused && !shown->minimized);
}

static void await_workspace(HfDesktop *desktop, guint32 id, int workspace)
{
    HfDeadline deadline = test_deadline();
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, NULL);
    for (;;) {
        g_autoptr(HfWindow) window = get(desktop, id);
        if (window->workspace == workspace && !window->visible)
            return;
        g_assert_true(hf_window_watch_wait(watch, -1, &deadline, NULL));
    }
}

static void await_fullscreen(HfDesktop *desktop, guint32 id)
{
    HfDeadline deadline = test_deadline();
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, NULL);
    for (;;) {
        g_autoptr(HfWindow) window = get(desktop, id);
        if (window->fullscreen)
            return;
        g_assert_true(hf_window_watch_wait(watch, -1, &deadline, NULL));
    }
}

static void test_elsewhere(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(HfX11Connection) own = own_connection();
    xcb_window_t id = make_window(own, (HfRect){200, 150, 400, 300}, 0);
    set_text(own, id, "_NET_WM_NAME", "UTF8_STRING", "wanderer", 8);
    map_and_sync(own, id);
    g_autoptr(HfWindow) window = await_window(desktop, "wanderer");
    /* On another workspace: focusing it goes there. */
    hf_x11_ewmh_request(own, id, "_NET_WM_DESKTOP", (guint32[5]){2, 2});
    await_workspace(desktop, id, 2);
    g_autoptr(GError) error = NULL;
    change(desktop, id, HF_WINDOW_FOCUS, &error);
    g_assert_no_error(error);
    g_autoptr(HfWindow) found = get(desktop, id);
    g_assert_true(found->visible && found->focused);
    g_assert_cmpint(found->workspace, ==, 2);
    /* Full screen: restoring and moving end it. */
    for (int i = 0; i < 2; i++) {
        hf_x11_ewmh_request(own, id, "_NET_WM_STATE",
                            (guint32[5]){1, hf_x11_atom(own, "_NET_WM_STATE_FULLSCREEN"), 0, 2});
        await_fullscreen(desktop, id);
        if (i == 0)
            change(desktop, id, HF_WINDOW_RESTORE, &error);
        else
            place(desktop, id, (HfRect){.x = 55, .y = 66}, HF_SET_X | HF_SET_Y, &error);
        g_assert_no_error(error);
        g_autoptr(HfWindow) plain = get(desktop, id);
        g_assert_false(plain->fullscreen);
        g_assert_cmpint(plain->bounds.width, ==, 400);
        g_assert_cmpint(plain->bounds.x, ==, i == 0 ? found->bounds.x : 55);
    }
}

/* A terminal allows whole characters only. */
static void test_size_steps(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(Program) terminal = program_start("xterm", "-T", "terminal", NULL);
    g_autoptr(HfWindow) window = await_window(desktop, "terminal");
    g_autoptr(GError) error = NULL;
    place(desktop, window->id, (HfRect){60, 70, 600, 400}, EVERYTHING, &error);
    g_assert_no_error(error);
    g_autoptr(HfWindow) placed = get(desktop, window->id);
    g_assert_cmpint(placed->bounds.x, ==, 60);
    g_assert_cmpint(placed->bounds.y, ==, 70);
    g_assert_cmpint(placed->bounds.width, >, 600 - 20);
    g_assert_cmpint(placed->bounds.width, <, 600);
    /* One pixel more is no whole character: nothing happens, and that is said. */
    int width = placed->bounds.width + 1;
    place(desktop, window->id, (HfRect){.width = width}, HF_SET_WIDTH, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_VERIFY_FAILED);
    g_autoptr(json_t) json = hf_error_to_json(error);
    const json_t *seen = json_object_get(json_object_get(json, "details"), "seen");
    const json_t *bounds = json_object_get(seen, "bounds");
    g_assert_cmpint(hf_json_int(bounds, "width", 0), ==, placed->bounds.width);
}

static void test_fixed_size(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(HfX11Connection) own = own_connection();
    xcb_window_t id = make_window(own, (HfRect){200, 150, 400, 300}, 0);
    guint32 hints[18] = {1 << 4 | 1 << 5, [5] = 400, 300, 400, 300};
    xcb_change_property(own->xcb, XCB_PROP_MODE_REPLACE, id, XCB_ATOM_WM_NORMAL_HINTS,
                        XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
    set_text(own, id, "_NET_WM_NAME", "UTF8_STRING", "fixed", 5);
    map_and_sync(own, id);
    g_autoptr(HfWindow) window = await_window(desktop, "fixed");
    g_autoptr(GError) error = NULL;
    place(desktop, id, (HfRect){.width = 500}, HF_SET_WIDTH, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_UNSUPPORTED);
    g_clear_error(&error);
    change(desktop, id, HF_WINDOW_MAXIMIZE, &error);
    g_assert_nonnull(error);
    g_clear_error(&error);
    place(desktop, id, (HfRect){.x = 5, .y = 60}, HF_SET_X | HF_SET_Y, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, id, (HfRect){5, 60, 400, 300});
}

static void test_modal(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(HfX11Connection) own = own_connection();
    xcb_window_t parent = make_window(own, (HfRect){200, 150, 400, 300}, 0);
    xcb_window_t dialog = make_window(own, (HfRect){250, 200, 200, 100}, 0);
    set_text(own, parent, "_NET_WM_NAME", "UTF8_STRING", "parent", 6);
    set_text(own, dialog, "_NET_WM_NAME", "UTF8_STRING", "Save changes?", 13);
    xcb_change_property(own->xcb, XCB_PROP_MODE_REPLACE, dialog, XCB_ATOM_WM_TRANSIENT_FOR,
                        XCB_ATOM_WINDOW, 32, 1, &parent);
    set_atoms(own, dialog, "_NET_WM_STATE", "_NET_WM_STATE_MODAL");
    map_and_sync(own, parent);
    g_autoptr(HfWindow) first = await_window(desktop, "parent");
    map_and_sync(own, dialog);
    g_autoptr(HfWindow) second = await_window(desktop, "Save");
    g_assert_true(second->modal);
    g_assert_cmpint(second->kind, ==, HF_WINDOW_DIALOG);
    g_assert_cmpuint(second->transient_for, ==, parent);
    static const HfWindowAction actions[] = {HF_WINDOW_FOCUS, HF_WINDOW_CLOSE};
    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
        g_autoptr(GError) error = NULL;
        change(desktop, parent, actions[i], &error);
        g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_MODAL_BLOCKING);
        g_assert_nonnull(strstr(error->message, "Save changes?"));
    }
}

static void test_manager_dies(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(Program) terminal = program_start("xterm", "-T", "terminal", NULL);
    g_autoptr(HfWindow) window = await_window(desktop, "terminal");
    program_kill(manager);
    await_unmanaged(desktop);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(windows->len, ==, 1);
    const HfWindow *left = windows->pdata[0];
    g_assert_cmpuint(left->id, ==, window->id);
    g_assert_true(hf_rect_equal(left->frame, (HfRect){left->bounds.x, left->bounds.y,
                                                      left->bounds.width, left->bounds.height}));
    change(desktop, window->id, HF_WINDOW_FOCUS, &error);
    g_assert_no_error(error);
    place(desktop, window->id, (HfRect){7, 8, 333, 222}, EVERYTHING, &error);
    g_assert_no_error(error);
    assert_bounds(desktop, window->id, (HfRect){7, 8, 333, 222});
}

/* A window manager that is there but does nothing: stopped. */
static void test_manager_hangs(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(Program) terminal = program_start("xterm", "-T", "terminal", NULL);
    g_autoptr(HfWindow) window = await_window(desktop, "terminal");
    g_assert_cmpint(kill(program_pid(manager), SIGSTOP), ==, 0);
    g_autoptr(GError) error = NULL;
    gint64 start = g_get_monotonic_time();
    change(desktop, window->id, HF_WINDOW_MAXIMIZE, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_VERIFY_FAILED);
    g_assert_cmpint(g_get_monotonic_time() - start, <,
                    TEST_PATIENCE_MS * 1000LL); /* its deadline */
    g_clear_error(&error);
    HfDeadline short_limit = hf_deadline_in_ms(50, NULL);
    HfWindowChange request = {.action = HF_WINDOW_MAXIMIZE};
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(desktop, "a test");
    hf_windows_change(context, window->id, &request, &short_limit, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_TIMEOUT);
}

static gpointer destroy_later(gpointer data)
{
    g_usleep(50000); /* in the midst of the other thread's wait */
    program_kill(data);
    return NULL;
}

static void test_vanishes_midway(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(Program) terminal = program_start("xterm", "-T", "terminal", NULL);
    g_autoptr(HfWindow) window = await_window(desktop, "terminal");
    kill(program_pid(manager), SIGSTOP);
    GThread *thread = g_thread_new("killer", destroy_later, terminal);
    g_autoptr(GError) error = NULL;
    change(desktop, window->id, HF_WINDOW_MINIMIZE, &error);
    g_thread_join(thread);
    /* A stopped manager keeps its list; the window itself is gone. */
    g_assert_error(error, HF_ERROR, HF_ERROR_WINDOW_NOT_FOUND);
}

static void test_titles(void)
{
#define BYTES(text) text, sizeof text - 1
    static const struct {
        const char *property, *type, *bytes;
        gsize length;
        const char *expected;
    } cases[] = {
        {"_NET_WM_NAME", "UTF8_STRING", BYTES("bad \xff\xfe end"),
         "bad \xef\xbf\xbd\xef\xbf\xbd end"},
        {"_NET_WM_NAME", "UTF8_STRING", BYTES("a\nb\tc\x1b[31m\x7f"), "a b c [31m "},
        {"_NET_WM_NAME", "UTF8_STRING", BYTES("nul\0inside"), "nul\xef\xbf\xbdinside"},
        {"_NET_WM_NAME", "UTF8_STRING", BYTES("👩‍👩‍👧 emoji"),
         "👩‍👩‍👧 emoji"},
        {"_NET_WM_NAME", "UTF8_STRING", BYTES("שלום \u202e!"), "שלום \u202e!"},
        {"_NET_WM_NAME", "UTF8_STRING", BYTES(""), ""},
        {"WM_NAME", "STRING", BYTES("caf\xe9"), "café"},
        {"WM_NAME", "STRING", BYTES("caf\xc3\xa9"), "café"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b%G\xe4\xb8\xad\x1b%@ ok"), "中 ok"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b$(A\x56\x50\x1b(B ok"), "中 ok"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b$)B\xc6\xfc\xcb\xdc"), "日本"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b$(C\x47\x51"), "한"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b-L\xbf\xe0"), "Пр"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b%/1\x80\x8cKOI8-R\x02\xf0\xf2\xe9!"), "ПРИ!"},
        {"WM_NAME", "COMPOUND_TEXT",
         BYTES("a\x9b"
               "1]b\x9b]c\x1b"),
         "abc\xef\xbf\xbd"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b%/1\xff\xff"), ""},
        {"WM_NAME", "COMPOUND_TEXT",
         BYTES("\x1b%/1\x80\x8c../x//\x02"
               "12345 ok"),
         " ok"},
        {"WM_NAME", "COMPOUND_TEXT", BYTES("\x1b$(Aodd"), "\xef\xbf\xbd"},
        {"WM_NAME", "INTEGER", BYTES("odd"), "odd"},
    };
#undef BYTES
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfX11Connection) own = own_connection();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        xcb_window_t id = make_window(own, (HfRect){0, 0, 50, 50}, 0);
        set_text(own, id, cases[i].property, cases[i].type, cases[i].bytes, cases[i].length);
        map_and_sync(own, id);
        g_autoptr(HfWindow) window = get(desktop, id);
        g_assert_cmpstr(window->title, ==, cases[i].expected);
        xcb_destroy_window(own->xcb, id);
    }
}

static void test_huge_title(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfX11Connection) own = own_connection();
    g_autofree char *title = g_malloc(3 * 350000);
    for (gsize i = 0; i < 350000; i++)
        memcpy(title + 3 * i, "中", 3);
    xcb_window_t id = make_window(own, (HfRect){0, 0, 50, 50}, 0);
    set_text(own, id, "_NET_WM_NAME", "UTF8_STRING", title, 3 * 350000);
    set_text(own, id, "WM_CLASS", "STRING", title, 3000);
    map_and_sync(own, id);
    g_autoptr(HfWindow) window = get(desktop, id);
    g_assert_cmpuint(strlen(window->title), <=, HF_LIMIT_TITLE_BYTES);
    g_assert_cmpuint(strlen(window->title), >, HF_LIMIT_TITLE_BYTES - 4);
    g_assert_true(g_str_has_suffix(window->title, "中"));
    g_assert_true(g_utf8_validate(window->instance, -1, NULL));
}

/* Values of the wrong format or size everywhere. */
static void test_hostile_properties(void)
{
    static const char *const names[] = {
        "_NET_WM_NAME",
        "WM_NAME",
        "WM_CLASS",
        "WM_CLIENT_MACHINE",
        "_NET_WM_PID",
        "_NET_WM_STATE",
        "WM_STATE",
        "_NET_WM_DESKTOP",
        "_NET_FRAME_EXTENTS",
        "_GTK_FRAME_EXTENTS",
        "_NET_WM_WINDOW_TYPE",
        "WM_TRANSIENT_FOR",
        "_NET_STARTUP_ID",
        "WM_NORMAL_HINTS",
    };
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfX11Connection) own = own_connection();
    guint8 rubbish[64];
    memset(rubbish, 0xff, sizeof rubbish);
    static const struct {
        guint8 format;
        guint32 count;
    } forms[] = {{8, 1}, {8, 64}, {16, 3}, {32, 0}, {32, 1}, {32, 16}};
    for (gsize f = 0; f < G_N_ELEMENTS(forms); f++) {
        xcb_window_t id = make_window(own, (HfRect){5, 6, 50, 60}, 0);
        for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
            xcb_change_property(own->xcb, XCB_PROP_MODE_REPLACE, id, hf_x11_atom(own, names[i]),
                                XCB_ATOM_STRING, forms[f].format, forms[f].count, rubbish);
        map_and_sync(own, id);
        g_autoptr(HfWindow) window = get(desktop, id);
        g_assert_cmpint(window->pid, ==, getpid());
        g_assert_true(hf_rect_equal(window->frame, (HfRect){5, 6, 50, 60}));
        g_assert_true(g_utf8_validate(window->title, -1, NULL));
        g_autoptr(GError) error = NULL;
        place(desktop, id, (HfRect){9, 9, 40, 40}, EVERYTHING, &error);
        g_assert_no_error(error);
        xcb_destroy_window(own->xcb, id);
    }
}

static void test_many(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(Program) manager = start_window_manager(desktop);
    g_autoptr(HfX11Connection) own = own_connection();
    for (int i = 0; i < 60; i++) {
        xcb_window_t id = make_window(own, (HfRect){i * 10, i * 8, 200, 150}, 0);
        g_autofree char *title = g_strdup_printf("window %d", i);
        set_text(own, id, "_NET_WM_NAME", "UTF8_STRING", title, strlen(title));
        map_and_sync(own, id);
    }
    g_autoptr(HfWindow) last = await_window(desktop, "window 59");
    gint64 best = G_MAXINT64;
    for (int i = 0; i < 20; i++) {
        gint64 start = g_get_monotonic_time();
        g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
        best = MIN(best, g_get_monotonic_time() - start);
        g_assert_cmpuint(windows->len, ==, 60);
    }
    g_test_message("60 windows listed in %" G_GINT64_FORMAT " us", best);
    g_assert_cmpint(best, <, 60 * 1000);
}

static gpointer list_often(gpointer desktop)
{
    for (int i = 0; i < 60; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) windows = hf_windows_list(desktop, &error);
        g_assert_no_error(error);
        for (guint k = 0; k < windows->len; k++)
            g_assert_true(g_str_has_prefix(((HfWindow *)windows->pdata[k])->title, "brief"));
    }
    return NULL;
}

/* Windows come and go while several threads look. */
static void test_threads(void)
{
    g_autoptr(HfDesktop) desktop = test_desktop();
    g_autoptr(HfX11Connection) own = own_connection();
    GThread *threads[8];
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("list", list_often, desktop);
    for (int i = 0; i < 300; i++) {
        xcb_window_t id = make_window(own, (HfRect){i, i, 20, 20}, 0);
        set_text(own, id, "_NET_WM_NAME", "UTF8_STRING", "brief", 5);
        map_and_sync(own, id);
        xcb_destroy_window(own->xcb, id);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
        g_thread_join(threads[i]);
}

static void test_server_gone(void)
{
    /* A server of its own, to be killed. */
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocess) server =
        g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                         "Xvfb", "-displayfd", "1", "-nolisten", "tcp", NULL);
    g_assert_no_error(error);
    char number[16] = "";
    g_assert_cmpint(g_input_stream_read(g_subprocess_get_stdout_pipe(server), number,
                                        sizeof number - 1, NULL, NULL),
                    >, 0);
    g_autofree char *display = g_strconcat(":", g_strchomp(number), NULL);
    HfDesktopOptions options = {.display = display, .state_dir = g_getenv("XDG_RUNTIME_DIR")};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    g_autoptr(HfWindowWatch) watch = hf_window_watch_new(desktop, &error);
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, &error);
    g_assert_no_error(error);
    g_subprocess_force_exit(server);
    g_subprocess_wait(server, NULL, NULL);
    HfDeadline deadline = test_deadline();
    g_assert_false(hf_window_watch_wait(watch, -1, &deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_clear_error(&error);
    g_assert_null(hf_windows_list(desktop, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
    g_clear_error(&error);
    change(desktop, 1, HF_WINDOW_CLOSE, &error);
    g_assert_error(error, HF_ERROR, HF_ERROR_DESKTOP_UNAVAILABLE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    test_without_bus();
    g_test_add_func("/windows/unmanaged", test_unmanaged);
    g_test_add_func("/windows/unmanaged-close", test_unmanaged_close);
    g_test_add_func("/windows/managed", test_managed);
    g_test_add_func("/windows/elsewhere", test_elsewhere);
    g_test_add_func("/windows/size-steps", test_size_steps);
    g_test_add_func("/windows/fixed-size", test_fixed_size);
    g_test_add_func("/windows/modal", test_modal);
    g_test_add_func("/windows/manager-dies", test_manager_dies);
    g_test_add_func("/windows/manager-hangs", test_manager_hangs);
    g_test_add_func("/windows/vanishes-midway", test_vanishes_midway);
    g_test_add_func("/windows/titles", test_titles);
    g_test_add_func("/windows/huge-title", test_huge_title);
    g_test_add_func("/windows/hostile-properties", test_hostile_properties);
    g_test_add_func("/windows/many", test_many);
    g_test_add_func("/windows/threads", test_threads);
    g_test_add_func("/windows/server-gone", test_server_gone);
    return g_test_run();
}
