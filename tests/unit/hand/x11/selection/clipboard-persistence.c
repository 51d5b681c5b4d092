/* SPDX-License-Identifier: Apache-2.0 */
/* The user's clipboard outlives hands that are killed during a loan and hands that end cleanly,
 * after which a holder serves it. This program plays the hands and the holder. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "clipper.h"
#include "hand/apps/process-info.h"
#include "hand/desktop/clipboard.h"
#include "hand/x11/selection/clipboard-data.h"
#include "hand/x11/selection/clipboard-persistence.h"
#include "hand/x11/selection/retained-window.h"
#include "requestor.h"
#include "shared/base/error.h"
#include "shared/process/processes.h"
#include "spawn.h"

typedef struct Fixture {
    char *state_dir;
    const char *display;
    Requestor *requestor;
    HfDeadline deadline;
} Fixture;

/* ---- Hands that are killed: roles of this program ----------------------------------------- */

static gboolean say_and_wait(gpointer data, GError **error)
{
    g_print("now\n");
    while (TRUE)
        pause();
    return TRUE;
}

static gboolean do_nothing(gpointer data, GError **error)
{
    return TRUE;
}

static int play_hand(const char *role, const char *state_dir, const char *display)
{
    g_autoptr(GError) error = NULL;
    int leak = open("/dev/zero", O_RDONLY); /* must not reach a holder */
    g_assert_cmpint(leak, >=, 0);
    HfDeadline deadline = hf_deadline_in_ms(60000, NULL);
    HfDesktopOptions options = {.display = display, .state_dir = state_dir};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    HfClipboardLoan loan = {.text = "lent", .wait_ms = 1};
    gboolean fetched = FALSE, for_ever = g_str_equal(role, "lend-for-ever");
    loan.trigger = g_str_equal(role, "lend") ? say_and_wait : do_nothing;
    loan.selection = g_str_equal(role, "lend-primary") ? HF_SELECTION_PRIMARY : 0;
    if (for_ever)
        g_print("now\n");
    do {
        if (g_str_equal(role, "write"))
            hf_clipboard_write(desktop, HF_SELECTION_CLIPBOARD, "written", NULL, &deadline, &error);
        else if (!g_str_equal(role, "open"))
            hf_clipboard_lend(desktop, &loan, &fetched, &deadline, &error);
        g_assert_no_error(error);
    } while (for_ever);
    g_print("now\n");
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
    return 0; /* a clean end: the desktop is closed */
}

static GSubprocess *start_hand(Fixture *f, const char *role)
{
    GSubprocess *hand =
        test_spawn(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, "/proc/self/exe",
                   "play-hand", role, f->state_dir, f->display, NULL);
    g_autofree char *line = test_read_line(hand);
    g_assert_cmpstr(line, ==, "now");
    return hand;
}

static void kill_hand(GSubprocess *take_hand)
{
    g_subprocess_send_signal(take_hand, SIGKILL);
    g_subprocess_wait(take_hand, NULL, NULL);
    g_object_unref(take_hand);
}

static void end_hand(GSubprocess *take_hand)
{
    g_autoptr(GError) error = NULL;
    g_output_stream_close(g_subprocess_get_stdin_pipe(take_hand), NULL, NULL);
    g_subprocess_wait_check(take_hand, NULL, &error);
    g_assert_no_error(error);
    g_object_unref(take_hand);
}

/* ---- Files, holders and selections --------------------------------------------------------- */

static void set_up(Fixture *f, gconstpointer data)
{
    f->state_dir = g_dir_make_tmp("clipboard-XXXXXX", NULL);
    f->display = g_getenv("DISPLAY");
    f->requestor = requestor_new();
    f->deadline = hf_deadline_in_ms(60000, NULL);
}

static guint count_files(Fixture *f)
{
    return count_entries(f->state_dir, "clipboard-");
}

static void await_files(Fixture *f, guint count)
{
    await_entries(f->state_dir, "clipboard-", count);
}

/* Holders that serve a file of this test. */
static GArray *list_holders(Fixture *f)
{
    GArray *holders = hf_processes_list();
    for (guint i = holders->len; i-- > 0;) {
        g_autofree char *path =
            g_strdup_printf("/proc/%d/cmdline", (int)g_array_index(holders, HfProcess, i).pid);
        g_autofree char *line = NULL;
        gsize length = 0;
        g_file_get_contents(path, &line, &length, NULL);
        if (!line || !memmem(line, length, "hold-clipboard", 14) ||
            !memmem(line, length, f->state_dir, strlen(f->state_dir)))
            g_array_remove_index_fast(holders, i);
    }
    return holders;
}

static void await_end(int take_process_fd)
{
    HfDeadline deadline = hf_deadline_in_ms(TEST_PATIENCE_MS, NULL);
    g_assert_true(hf_deadline_wait_readable(&deadline, take_process_fd, NULL));
    close(take_process_fd);
}

/* Waits until all of them have ended. */
static void await_no_holder(Fixture *f)
{
    g_autoptr(GArray) holders = list_holders(f);
    for (guint i = 0; i < holders->len; i++) {
        int fd = hf_process_open(g_array_index(holders, HfProcess, i).pid);
        if (fd >= 0)
            await_end(fd);
    }
}

/* Waits until a holder owns the selection. */
static void await_holder_of(Fixture *f, const char *selection)
{
    g_autoptr(OwnerWatch) watch = owner_watch_new(f->display, selection);
    owner_watch_await(watch, owner_is_running, "hold-clipboard");
}

static void await_holder(Fixture *f)
{
    await_holder_of(f, "CLIPBOARD");
}

static void await_unowned(Fixture *f, const char *selection)
{
    g_autoptr(OwnerWatch) watch = owner_watch_new(f->display, selection);
    owner_watch_await(watch, owner_is_nobody, NULL);
}

/* A holder may need longer to take over than a hand has to end. */
static void await_owned(Fixture *f, const char *selection)
{
    g_autoptr(OwnerWatch) watch = owner_watch_new(f->display, selection);
    owner_watch_await(watch, owner_is_somebody, NULL);
}

static void tear_down(Fixture *f, gconstpointer data)
{
    requestor_release(f->requestor, "CLIPBOARD");
    requestor_release(f->requestor, "PRIMARY");
    await_no_holder(f);
    requestor_free(f->requestor);
    g_bytes_unref(run_program(NULL, "rm", "-r", f->state_dir, NULL));
    g_free(f->state_dir);
}

static void copy(const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    own_with_xclip("clipboard", "UTF8_STRING", bytes);
}

static void assert_content(Fixture *f, const char *text)
{
    g_autoptr(GBytes) bytes = requestor_fetch(f->requestor, "CLIPBOARD", "UTF8_STRING");
    g_assert_nonnull(bytes);
    g_assert_cmpmem(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), text, strlen(text));
}

static HfDesktop *open_desktop(Fixture *f)
{
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = f->state_dir};
    HfDesktop *desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    return desktop;
}

/* ---- Killed -------------------------------------------------------------------------------- */

static void test_killed(Fixture *f, gconstpointer data)
{
    static const struct {
        const char *role, *text;
    } cases[] = {{"lend", "the user's own"}, {"lend-once", "the user's own"}, {"write", "written"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        copy("the user's own");
        kill_hand(start_hand(f, cases[i].role));
        g_assert_cmpuint(count_files(f), ==, 1);
        g_autoptr(HfDesktop) desktop = open_desktop(f);
        assert_content(f, cases[i].text);
        g_assert_cmpuint(count_files(f), ==, 1);
        copy("something newer");
        await_files(f, 0);
    }
}

static void test_killed_all_formats(Fixture *f, gconstpointer data)
{
    static const char *const targets[] = {"text/html", "UTF8_STRING", "image/png", "application/x"};
    g_autoptr(Clipper) reader = clipper_start();
    g_autoptr(Clipper) owner = clipper_start();
    json_decref(clipper_ask(owner, "{s:s, s:s, s:{s:s, s:s, s:i, s:s}}", "do", "own", "selection",
                            "CLIPBOARD", "formats", targets[0], "3c623e", targets[1], "e4b896",
                            targets[2], 1234567, targets[3], "00ff00ff"));
    for (guint round = 0; round < 3; round++) {
        json_t *before[G_N_ELEMENTS(targets)];
        for (guint i = 0; i < G_N_ELEMENTS(targets); i++)
            before[i] = clipper_ask(reader, "{s:s, s:s, s:s}", "do", "read", "selection",
                                    "CLIPBOARD", "target", targets[i]);
        kill_hand(start_hand(f, "lend"));
        await_unowned(f, "CLIPBOARD");
        kill_hand(start_hand(f, "open")); /* restores it, and is killed too */
        g_autoptr(HfDesktop) desktop = open_desktop(f);
        for (guint i = 0; i < G_N_ELEMENTS(targets); i++) {
            g_autoptr(json_t) after = clipper_ask(reader, "{s:s, s:s, s:s}", "do", "read",
                                                  "selection", "CLIPBOARD", "target", targets[i]);
            g_assert_cmpint(hf_json_int(after, "length", -1), >, 0);
            g_assert_true(json_equal(before[i], after));
            json_decref(before[i]);
        }
    }
}

/* Whenever the hand is killed, the former owner still has it, or the next hand restores it. */
static void test_killed_at_random(Fixture *f, gconstpointer data)
{
    copy("the user's own");
    for (guint i = 0; i < 40; i++) {
        GSubprocess *hand = start_hand(f, "lend-for-ever");
        g_usleep((gulong)g_test_rand_int_range(0, 8000));
        kill_hand(hand);
        if (i % 4 == 0)
            copy("the user's own");
        g_autoptr(HfDesktop) desktop = open_desktop(f);
        assert_content(f, "the user's own");
        hf_desktop_close(g_steal_pointer(&desktop));
        await_owned(f, "CLIPBOARD");
        assert_content(f, "the user's own");
    }
}

/* A program that a hand asked before it was killed must still be able to answer: many exit when
 * they write to a window that is gone. What the hand left is removed later. */
static void test_asked_by_the_dead(Fixture *f, gconstpointer data)
{
    xcb_connection_t *xcb = requestor_xcb(f->requestor);
    requestor_own(f->requestor, "CLIPBOARD");
    GSubprocess *hand = test_spawn(G_SUBPROCESS_FLAGS_STDOUT_SILENCE, "/proc/self/exe", "play-hand",
                                   "lend", f->state_dir, f->display, NULL);
    xcb_selection_request_event_t *request = (gpointer)xcb_wait_for_event(xcb);
    g_assert_cmpuint(request->response_type & 0x7f, ==, XCB_SELECTION_REQUEST);
    kill_hand(hand);
    g_autoptr(HfX11Connection) connection = hf_x11_connect(f->display, NULL);
    hf_retained_window_sweep(connection, f->state_dir, HF_RETAINED_AGE_MS); /* too young */
    for (guint round = 0; round < 2; round++) {
        xcb_generic_error_t *problem = xcb_request_check(
            xcb, xcb_change_property_checked(xcb, XCB_PROP_MODE_REPLACE, request->requestor,
                                             request->property, XCB_ATOM_STRING, 8, 4, "late"));
        g_assert_cmpint(problem ? problem->error_code : 0, ==, round == 0 ? 0 : XCB_WINDOW);
        free(problem);
        hf_retained_window_sweep(connection, f->state_dir, 0);
    }
    free(request);
    g_autoptr(GDir) entries = g_dir_open(f->state_dir, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(entries)))
        g_assert_false(g_str_has_prefix(name, "retained-"));
}

static void test_newer_copy_stays(Fixture *f, gconstpointer data)
{
    copy("older");
    kill_hand(start_hand(f, "lend"));
    copy("newer");
    g_autoptr(HfDesktop) desktop = open_desktop(f);
    assert_content(f, "newer");
    g_assert_cmpuint(count_files(f), ==, 0);
}

static void test_primary(Fixture *f, gconstpointer data)
{
    g_autoptr(GBytes) marked = g_bytes_new_static("marked", 6);
    own_with_xclip("primary", "UTF8_STRING", marked);
    kill_hand(start_hand(f, "lend-primary"));
    await_unowned(f, "PRIMARY");
    hf_desktop_close(open_desktop(f));
    await_holder_of(f, "PRIMARY");
    g_autoptr(GBytes) seen = requestor_fetch(f->requestor, "PRIMARY", "UTF8_STRING");
    g_assert_nonnull(seen);
    g_assert_true(g_bytes_equal(seen, marked));
}

/* Content of another X server, and files without content, are removed. */
static void test_foreign_files(Fixture *f, gconstpointer data)
{
    static const char *const contents[] = {
        "",
        "\n",
        "{}",
        "{}\n",
        "[]\n",
        "{\"server\":\"_HANDFAST_0\",\"formats\":[],\"blobs\":[]}\n",
        "{\"server\":\"_HANDFAST_0\",\"formats\":[{\"target\":\"UTF8_STRING\",\"type\":"
        "\"UTF8_STRING\",\"unit\":8,\"blob\":0}],\"blobs\":[3]}\nabc",
        "{\"server\":\"CLIPBOARD\",\"formats\":[{\"target\":\"UTF8_STRING\",\"type\":"
        "\"UTF8_STRING\",\"unit\":8,\"blob\":0}],\"blobs\":[300]}\nabc",
    };
    for (guint i = 0; i < G_N_ELEMENTS(contents); i++) {
        g_autofree char *path = g_strdup_printf("%s/clipboard-CLIPBOARD-%u.saved", f->state_dir, i);
        g_assert_true(g_file_set_contents(path, contents[i], -1, NULL));
    }
    g_autofree char *undone = g_strdup_printf("%s/clipboard-PRIMARY-1.saving", f->state_dir);
    g_assert_true(g_file_set_contents(undone, "{", -1, NULL));
    g_autoptr(HfDesktop) desktop = open_desktop(f);
    g_assert_cmpuint(requestor_owner_of(f->requestor, "CLIPBOARD"), ==, 0);
    g_assert_cmpuint(count_files(f), ==, 0);
}

/* ---- Clean end ----------------------------------------------------------------------------- */

static void test_clean_end(Fixture *f, gconstpointer data)
{
    static const struct {
        const char *role, *text;
    } cases[] = {{"lend-once", "the user's own"}, {"write", "written"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        copy("the user's own");
        end_hand(start_hand(f, cases[i].role));
        await_holder(f);
        assert_content(f, cases[i].text);
        g_assert_cmpuint(count_files(f), ==, 1);
        copy("something newer");
        await_no_holder(f);
        await_files(f, 0);
    }
}

static void test_clean_end_without_change(Fixture *f, gconstpointer data)
{
    copy("the user's own");
    end_hand(start_hand(f, "open"));
    await_no_holder(f);
    assert_content(f, "the user's own");
    g_assert_cmpuint(count_files(f), ==, 0);
}

/* The holder has its own session and none of the desk's descriptors. */
static void test_holder_is_alone(Fixture *f, gconstpointer data)
{
    end_hand(start_hand(f, "write"));
    await_holder(f);
    g_autoptr(GArray) holders = list_holders(f);
    const HfProcess *holder = &g_array_index(holders, HfProcess, 0);
    g_assert_cmpint(holder->session, ==, holder->pid);
    g_autofree char *directory = g_strdup_printf("/proc/%d/fd", (int)holder->pid);
    g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(entries))) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        g_autofree char *target = g_file_read_link(path, NULL);
        g_assert_true(g_str_equal(target, "/dev/null") || strstr(target, f->state_dir) ||
                      g_str_has_prefix(target, "socket:") || strstr(target, "[eventfd]"));
    }
}

static void test_holder_is_killed(Fixture *f, gconstpointer data)
{
    end_hand(start_hand(f, "write"));
    await_holder(f);
    g_autoptr(GArray) holders = list_holders(f);
    hf_processes_end(holders, SIGKILL, 2000);
    g_autoptr(HfDesktop) desktop = open_desktop(f);
    assert_content(f, "written");
}

/* A hand that starts while a holder serves leaves it alone until it lends something. */
static void test_hand_after_holder(Fixture *f, gconstpointer data)
{
    end_hand(start_hand(f, "write"));
    await_holder(f);
    GSubprocess *hand = start_hand(f, "open");
    await_holder(f);
    assert_content(f, "written");
    kill_hand(hand);
    hand = start_hand(f, "lend-once");
    await_no_holder(f);
    assert_content(f, "written");
    await_files(f, 1);
    kill_hand(hand);
    hf_desktop_close(open_desktop(f));
    await_holder(f);
    assert_content(f, "written");
}

static void test_holder_ends_with_server(Fixture *f, gconstpointer data)
{
    GSubprocess *server =
        test_spawn(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, "Xvfb",
                   "-displayfd", "1", "-noreset", "-nolisten", "tcp", NULL);
    g_autofree char *number = test_read_line(server);
    g_autofree char *display = g_strdup_printf(":%s", number);
    f->display = display;
    end_hand(start_hand(f, "write"));
    GSubprocess *killed = start_hand(f, "lend-once");
    await_no_holder(f); /* the hand has taken over from it */
    end_hand(killed);
    await_holder(f);
    GSubprocess *living = start_hand(f, "open");
    test_end(server);
    await_no_holder(f);
    await_files(f, 0);
    end_hand(living);
    await_files(f, 0);
    f->display = g_getenv("DISPLAY");
}

/* For the only file, as the hand would have started it a moment ago. */
static void start_late_holder(Fixture *f)
{
    g_autoptr(GPtrArray) files = hf_clipboard_file_find_orphans(f->state_dir, "CLIPBOARD");
    g_assert_cmpuint(files->len, ==, 1);
    g_assert_true(hf_clipboard_holder_start(f->display, HF_SELECTION_CLIPBOARD,
                                            hf_clipboard_file_get_path(files->pdata[0]),
                                            hf_clipboard_file_get_fd(files->pdata[0]), 1));
}

static GSubprocess *start_server(const char *display)
{
    GSubprocess *server =
        test_spawn(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, "Xvfb",
                   display, "-displayfd", "1", "-noreset", "-nolisten", "tcp", NULL);
    g_autofree char *number = test_read_line(server); /* it is ready */
    g_assert_cmpstr(number, ==, display + 1);
    return server;
}

/* The signal reaches one thread of the process first; until that one has its turn, the others go
 * on. No event tells when all have stopped to somebody who is not the parent. */
static void stop_process(pid_t pid)
{
    gint64 end = g_get_monotonic_time() + TEST_PATIENCE_MS * G_TIME_SPAN_MILLISECOND;
    HfProcess process = {0};
    g_assert_cmpint(kill(pid, SIGSTOP), ==, 0);
    while (process.state != 'T') {
        g_assert_cmpint(g_get_monotonic_time(), <, end);
        g_assert_true(hf_process_read(pid, &process));
        g_usleep(1000);
    }
}

/* Ends the server and starts another at the same display, while `holders` sleep. */
static GSubprocess *replace_server(GSubprocess *take_server, const char *display,
                                   const GArray *holders)
{
    for (guint i = 0; i < holders->len; i++)
        stop_process(g_array_index(holders, HfProcess, i).pid);
    test_end(take_server);
    return start_server(display);
}

/* With another server at the same display, a holder ends, a late holder does not begin, a hand
 * restores nothing, and no file is left. */
static void test_other_life(Fixture *f, gconstpointer data)
{
    /* Servers that look for a free number do not reach these. */
    g_autofree char *display = g_strdup_printf(":%d", 1000 + getpid() % 50000);
    f->display = display;
    for (guint how = 0; how < 3; how++) {
        GSubprocess *server = start_server(display);
        end_hand(start_hand(f, "write"));
        await_holder(f);
        g_autoptr(GArray) holders = list_holders(f);
        g_assert_cmpuint(holders->len, ==, 1);
        server = replace_server(server, display, holders);
        int holder = hf_process_open(g_array_index(holders, HfProcess, 0).pid);
        g_assert_true(hf_process_signal(holder, how == 0 ? SIGCONT : SIGKILL));
        await_end(holder);
        if (how == 1)
            kill_hand(start_hand(f, "open"));
        if (how == 2)
            start_late_holder(f);
        await_files(f, 0);
        await_unowned(f, "CLIPBOARD");
        test_end(server);
    }
    f->display = g_getenv("DISPLAY");
}

/* ---- A clipboard manager ------------------------------------------------------------------- */

typedef enum Manager { MANAGER_TAKES, MANAGER_REFUSES, MANAGER_LIES, MANAGER_SLEEPS } Manager;

static void answer(Requestor *manager, const xcb_selection_request_event_t *request, gboolean yes)
{
    union {
        xcb_selection_notify_event_t notify;
        char bytes[32];
    } reply = {.notify = {.response_type = XCB_SELECTION_NOTIFY,
                          .requestor = request->requestor,
                          .selection = request->selection,
                          .target = request->target,
                          .property = yes ? request->property : XCB_ATOM_NONE}};
    if (yes)
        xcb_change_property(requestor_xcb(manager), XCB_PROP_MODE_REPLACE, request->requestor,
                            request->property, requestor_atom(manager, "NULL"), 32, 0, NULL);
    xcb_send_event(requestor_xcb(manager), 0, request->requestor, 0, reply.bytes);
    xcb_flush(requestor_xcb(manager));
}

/* Serves one request to save, and returns the saved text. */
static GBytes *manage_once(Requestor *manager, Manager kind)
{
    for (;;) {
        xcb_generic_event_t *event = xcb_wait_for_event(requestor_xcb(manager));
        g_assert_nonnull(event);
        if ((event->response_type & 0x7f) != XCB_SELECTION_REQUEST) {
            free(event);
            continue;
        }
        GBytes *saved = NULL;
        if (kind == MANAGER_TAKES) {
            saved = requestor_fetch(manager, "CLIPBOARD", "UTF8_STRING");
            requestor_own(manager, "CLIPBOARD");
        }
        if (kind != MANAGER_SLEEPS)
            answer(manager, (gpointer)event, kind != MANAGER_REFUSES);
        free(event);
        return saved;
    }
}

static void test_manager(Fixture *f, gconstpointer data)
{
    for (Manager kind = MANAGER_TAKES; kind <= MANAGER_SLEEPS; kind++) {
        Requestor *manager = requestor_new();
        requestor_own(manager, "CLIPBOARD_MANAGER");
        GSubprocess *hand = start_hand(f, "write");
        g_output_stream_close(g_subprocess_get_stdin_pipe(hand), NULL, NULL);
        g_autoptr(GBytes) saved = manage_once(manager, kind);
        g_subprocess_wait_check(hand, NULL, NULL);
        g_object_unref(hand);
        if (kind == MANAGER_TAKES) {
            g_assert_cmpmem(g_bytes_get_data(saved, NULL), g_bytes_get_size(saved), "written", 7);
            await_files(f, 0);
            await_no_holder(f);
        } else {
            await_holder(f);
            assert_content(f, "written");
        }
        requestor_release(f->requestor, "CLIPBOARD");
        await_no_holder(f);
        requestor_free(manager);
    }
}

/* When nothing can be saved to disk, nothing is lent or written. */
static void test_no_room(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    gboolean fetched = FALSE;
    copy("the user's own");
    g_autoptr(HfDesktop) desktop = open_desktop(f);
    g_autofree char *away = g_strconcat(f->state_dir, "-away", NULL);
    g_assert_cmpint(rename(f->state_dir, away), ==, 0);
    HfClipboardLoan loan = {.text = "lent", .wait_ms = 1, .trigger = do_nothing};
    g_assert_false(hf_clipboard_lend(desktop, &loan, &fetched, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_clear_error(&error);
    g_assert_false(
        hf_clipboard_write(desktop, HF_SELECTION_CLIPBOARD, "written", NULL, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_STORAGE_FAILED);
    g_assert_cmpint(rename(away, f->state_dir), ==, 0);
    assert_content(f, "the user's own");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(Fixture *f, gconstpointer data);
    } tests[] = {
        {"/clipboard/keep/killed", test_killed},
        {"/clipboard/keep/killed-all-formats", test_killed_all_formats},
        {"/clipboard/keep/killed-at-random", test_killed_at_random},
        {"/clipboard/keep/asked-by-the-dead", test_asked_by_the_dead},
        {"/clipboard/keep/newer-copy-stays", test_newer_copy_stays},
        {"/clipboard/keep/primary", test_primary},
        {"/clipboard/keep/foreign-files", test_foreign_files},
        {"/clipboard/keep/clean-end", test_clean_end},
        {"/clipboard/keep/clean-end-without-change", test_clean_end_without_change},
        {"/clipboard/keep/holder-is-alone", test_holder_is_alone},
        {"/clipboard/keep/holder-is-killed", test_holder_is_killed},
        {"/clipboard/keep/hand-after-holder", test_hand_after_holder},
        {"/clipboard/keep/holder-ends-with-server", test_holder_ends_with_server},
        {"/clipboard/keep/other-life", test_other_life},
        {"/clipboard/keep/manager", test_manager},
        {"/clipboard/keep/no-room", test_no_room},
    };
    if (argc > 1 && g_str_equal(argv[1], "hold-clipboard"))
        return hf_clipboard_holder_main(argc - 1, argv + 1);
    if (argc > 4 && g_str_equal(argv[1], "play-hand"))
        return play_hand(argv[2], argv[3], argv[4]);
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
    return g_test_run();
}
