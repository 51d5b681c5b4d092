/* SPDX-License-Identifier: Apache-2.0 */
/* Lending a text to a program that pastes it: what the program saw, what everybody else saw
 * meanwhile, and that the user's content is back afterwards, bit by bit. */
#include "hand/desktop/clipboard.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include "await.h"
#include "clipper.h"
#include "hand/x11/x11-limits.h"
#include "requestor.h"
#include "shared/base/error.h"

typedef struct Fixture {
    HfDesktop *desktop;
    HfDeadline deadline;
    char *state_dir;
    Requestor *requestor; /* a bare X client that pastes */
    Clipper *clipper;     /* started by tests that need a GTK program */
} Fixture;

static void set_up(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    f->state_dir = g_dir_make_tmp("clipboard-XXXXXX", &error);
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = f->state_dir};
    f->desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    f->deadline = hf_deadline_in_ms(60000, NULL);
    f->requestor = requestor_new();
}

static void tear_down(Fixture *f, gconstpointer data)
{
    clipper_free(f->clipper);
    requestor_release(f->requestor, "CLIPBOARD");
    requestor_release(f->requestor, "PRIMARY");
    hf_desktop_close(f->desktop);
    requestor_free(f->requestor);
    g_bytes_unref(run_program(NULL, "rm", "-r", f->state_dir, NULL));
    g_free(f->state_dir);
}

static void copy(const char *selection, const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    own_with_xclip(selection, "UTF8_STRING", bytes);
}

/* What a program gets that has nothing to do with the loan. */
static char *seen_by_others(const char *selection)
{
    g_autoptr(GBytes) bytes =
        run_program(NULL, "xclip", "-o", "-selection", selection, "-t", "UTF8_STRING", NULL);
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    return g_strndup(text ? text : "", length);
}

static void assert_others_see(const char *selection, const char *text)
{
    g_autofree char *seen = seen_by_others(selection);
    g_assert_cmpstr(seen, ==, text);
}

static void assert_files(Fixture *f, guint count)
{
    g_assert_cmpuint(count_entries(f->state_dir, "clipboard-"), ==, count);
}

/* Presses a chord of two keys of the X server's default map. */
static void press_chord(guint8 modifier, guint8 key)
{
    xcb_connection_t *xcb = xcb_connect(NULL, NULL);
    xcb_test_fake_input(xcb, XCB_KEY_PRESS, modifier, 0, 0, 0, 0, 0);
    xcb_test_fake_input(xcb, XCB_KEY_PRESS, key, 0, 0, 0, 0, 0);
    xcb_test_fake_input(xcb, XCB_KEY_RELEASE, key, 0, 0, 0, 0, 0);
    xcb_test_fake_input(xcb, XCB_KEY_RELEASE, modifier, 0, 0, 0, 0, 0);
    free(xcb_get_input_focus_reply(xcb, xcb_get_input_focus(xcb), NULL));
    xcb_disconnect(xcb);
}

static gboolean press_ctrl_v(gpointer data, GError **error)
{
    press_chord(37, 55);
    return TRUE;
}

static gboolean do_nothing(gpointer data, GError **error)
{
    return TRUE;
}

static gboolean lend(Fixture *f, const char *text, guint32 window, HfClipboardTrigger trigger)
{
    g_autoptr(GError) error = NULL;
    gboolean fetched = FALSE;
    HfClipboardLoan loan = {.text = text,
                            .window = window,
                            .trigger = trigger,
                            .data = f,
                            .wait_ms = trigger == press_ctrl_v ? 10000 : 200};
    hf_clipboard_lend(f->desktop, &loan, &fetched, &f->deadline, &error);
    g_assert_no_error(error);
    return fetched;
}

static void start_clipper(Fixture *f)
{
    f->clipper = clipper_start();
    requestor_focus(f->requestor, clipper_window(f->clipper));
}

static void test_gtk(Fixture *f, gconstpointer data)
{
    start_clipper(f);
    copy("clipboard", "the user's own");
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 0; i < 25; i++) {
        g_autofree char *text = g_strdup_printf("%u: 世界 🎉\n", i);
        g_assert_true(lend(f, text, clipper_window(f->clipper), press_ctrl_v));
        g_string_append(all, text);
    }
    assert_others_see("clipboard", "the user's own");
    clipper_assert_text(f->clipper, all->str);
    assert_files(f, 1);
}

static void test_gtk_large(Fixture *f, gconstpointer data)
{
    start_clipper(f);
    copy("clipboard", "kept");
    g_autoptr(GString) text = g_string_new(NULL);
    while (text->len < 2 * 1024 * 1024)
        g_string_append_printf(text, "%zu 漢\n", text->len);
    g_assert_true(lend(f, text->str, clipper_window(f->clipper), press_ctrl_v));
    assert_others_see("clipboard", "kept");
    g_autoptr(GBytes) bytes = g_bytes_new_static(text->str, text->len);
    g_autofree char *sum = sha256_of(bytes);
    g_autoptr(json_t) seen = clipper_ask(f->clipper, "{s:s}", "do", "text");
    g_assert_cmpstr(hf_json_string(seen, "sha256", ""), ==, sum);
}

/* The checksums of all formats as a GTK program reads them, by name. */
static json_t *read_all_formats(Clipper *clipper)
{
    json_t *all = json_object();
    g_autoptr(json_t) answer =
        clipper_ask(clipper, "{s:s, s:s}", "do", "formats", "selection", "CLIPBOARD");
    size_t index;
    json_t *format;
    json_array_foreach (json_object_get(answer, "formats"), index, format) {
        const char *name = json_string_value(format);
        static const char *const meta[] = {"TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS",
                                           NULL};
        if (g_strv_contains(meta, name))
            continue;
        g_autoptr(json_t) value = clipper_ask(clipper, "{s:s, s:s, s:s}", "do", "read", "selection",
                                              "CLIPBOARD", "target", name);
        if (hf_json_int(value, "length", -1) >= 0) /* GTK lists icons that it cannot make */
            json_object_set(all, name, value);
    }
    return all;
}

static void test_all_formats(Fixture *f, gconstpointer data)
{
    g_autoptr(Clipper) owner = clipper_start();
    start_clipper(f);
    for (guint i = 0; i < 2; i++) {
        if (i == 0)
            json_decref(clipper_ask(owner, "{s:s, s:i, s:i}", "do", "own_image", "width", 640,
                                    "height", 480));
        else
            json_decref(clipper_ask(owner, "{s:s, s:s, s:{s:s, s:s, s:s, s:i, s:s}}", "do", "own",
                                    "selection", "CLIPBOARD", "formats", "text/html", "3c623e",
                                    "UTF8_STRING", "e4b896", "application/x-empty", "",
                                    "application/x-large", 3000000, "image/png", "89504e47"));
        g_autoptr(json_t) before = read_all_formats(f->clipper);
        g_assert_cmpuint(json_object_size(before), >=, 5);
        g_assert_true(lend(f, "pasted ", clipper_window(f->clipper), press_ctrl_v));
        g_autoptr(json_t) after = read_all_formats(f->clipper);
        g_autofree char *before_text = json_dumps(before, JSON_SORT_KEYS | JSON_INDENT(1));
        g_autofree char *after_text = json_dumps(after, JSON_SORT_KEYS | JSON_INDENT(1));
        g_assert_cmpstr(before_text, ==, after_text);
    }
    clipper_assert_text(f->clipper, "pasted pasted ");
}

static void test_empty_before(Fixture *f, gconstpointer data)
{
    start_clipper(f);
    g_assert_true(lend(f, "lent", clipper_window(f->clipper), press_ctrl_v));
    clipper_assert_text(f->clipper, "lent");
    g_assert_null(requestor_fetch(f->requestor, "CLIPBOARD", "UTF8_STRING"));
    assert_files(f, 0);
    g_autoptr(OwnerWatch) watch = owner_watch_new(NULL, "CLIPBOARD");
    owner_watch_await(watch, owner_is_nobody, NULL);
}

/* An owner that is itself the program that pastes. */
static void test_own_content(Fixture *f, gconstpointer data)
{
    start_clipper(f);
    json_decref(clipper_ask(f->clipper, "{s:s, s:s}", "do", "own_text", "text", "copied here"));
    g_assert_true(lend(f, "lent", clipper_window(f->clipper), press_ctrl_v));
    clipper_assert_text(f->clipper, "lent");
    assert_others_see("clipboard", "copied here");
}

/* A program that reads the clipboard when it changes (a clipboard manager). */
static gboolean read_elsewhere(gpointer data, GError **error)
{
    assert_others_see("clipboard", "the user's own");
    return TRUE;
}

static void test_others_see_nothing(Fixture *f, gconstpointer data)
{
    copy("clipboard", "the user's own");
    g_assert_false(lend(f, "secret", requestor_window(f->requestor), read_elsewhere));
    assert_others_see("clipboard", "the user's own");
}

static gboolean fetch_text(gpointer data, GError **error)
{
    Fixture *f = data;
    g_autoptr(GBytes) hint =
        requestor_fetch(f->requestor, "CLIPBOARD", "x-kde-passwordManagerHint");
    g_assert_nonnull(hint);
    g_assert_cmpmem(g_bytes_get_data(hint, NULL), g_bytes_get_size(hint), "secret", 6);
    g_autoptr(GBytes) text = requestor_fetch(f->requestor, "CLIPBOARD", "UTF8_STRING");
    g_assert_nonnull(text);
    g_assert_cmpmem(g_bytes_get_data(text, NULL), g_bytes_get_size(text), "lent", 4);
    return TRUE;
}

static void test_bare_requestor(Fixture *f, gconstpointer data)
{
    copy("clipboard", "the user's own");
    g_assert_true(lend(f, "lent", requestor_window(f->requestor), fetch_text));
    g_assert_true(lend(f, "lent", 0, fetch_text));
    assert_others_see("clipboard", "the user's own");
}

/* A second connection of the same process is the same program. */
static gboolean fetch_by_second_connection(gpointer data, GError **error)
{
    Requestor *second = requestor_new();
    g_autoptr(GBytes) text = requestor_fetch(second, "CLIPBOARD", "UTF8_STRING");
    g_assert_nonnull(text);
    g_assert_cmpmem(g_bytes_get_data(text, NULL), g_bytes_get_size(text), "lent", 4);
    requestor_free(second);
    return TRUE;
}

static void test_second_connection(Fixture *f, gconstpointer data)
{
    copy("clipboard", "the user's own");
    g_assert_true(lend(f, "lent", requestor_window(f->requestor), fetch_by_second_connection));
}

/* GTK 3 does this when another of its requests is under way: a window for this one alone, which it
 * destroys when it has read the text, without deleting it. */
static gboolean fetch_and_vanish(gpointer data, GError **error)
{
    Requestor *brief = requestor_new();
    xcb_atom_t property = requestor_convert(brief, "CLIPBOARD", "UTF8_STRING", "BRIEFLY");
    xcb_connection_t *xcb = requestor_xcb(brief);
    xcb_get_property_reply_t *text = xcb_get_property_reply(
        xcb, xcb_get_property(xcb, 0, requestor_window(brief), property, XCB_ATOM_ANY, 0, 16),
        NULL);
    g_assert_nonnull(text);
    g_assert_cmpmem(xcb_get_property_value(text), xcb_get_property_value_length(text), "lent", 4);
    free(text);
    requestor_free(brief);
    return TRUE;
}

static void test_window_vanishes(Fixture *f, gconstpointer data)
{
    copy("clipboard", "the user's own");
    gint64 start = g_get_monotonic_time();
    g_assert_true(lend(f, "lent", requestor_window(f->requestor), fetch_and_vanish));
    g_assert_cmpint(g_get_monotonic_time() - start, <, HF_LIMIT_CLIPBOARD_STALL_MS * 500LL);
    assert_others_see("clipboard", "the user's own");
}

static gboolean fetch_primary(gpointer data, GError **error)
{
    Fixture *f = data;
    g_autoptr(GBytes) text = requestor_fetch(f->requestor, "PRIMARY", "UTF8_STRING");
    g_assert_cmpmem(g_bytes_get_data(text, NULL), g_bytes_get_size(text), "lent", 4);
    return TRUE;
}

static void test_primary(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    gboolean fetched = FALSE;
    HfClipboardLoan loan = {.selection = HF_SELECTION_PRIMARY,
                            .text = "lent",
                            .window = requestor_window(f->requestor),
                            .trigger = fetch_primary,
                            .data = f,
                            .wait_ms = 1000};
    copy("primary", "marked");
    copy("clipboard", "copied");
    hf_clipboard_lend(f->desktop, &loan, &fetched, &f->deadline, &error);
    g_assert_no_error(error);
    g_assert_true(fetched);
    assert_others_see("primary", "marked");
    assert_others_see("clipboard", "copied");
}

static gboolean copy_something(gpointer data, GError **error)
{
    copy("clipboard", "copied meanwhile");
    return TRUE;
}

static void test_user_copies(Fixture *f, gconstpointer data)
{
    for (guint i = 0; i < 10; i++) {
        copy("clipboard", "before");
        g_assert_false(lend(f, "lent", requestor_window(f->requestor), copy_something));
        assert_others_see("clipboard", "copied meanwhile");
    }
    assert_files(f, 0);
}

static gboolean fail(gpointer data, GError **error)
{
    return hf_fail(error, HF_ERROR_DESKTOP_FOCUS_LOST, "the window lost the focus");
}

static gboolean cancel(gpointer data, GError **error)
{
    g_cancellable_cancel(((Fixture *)data)->deadline.cancellable);
    return TRUE;
}

/* Whatever goes wrong, the content is back. */
static void test_failures(Fixture *f, gconstpointer data)
{
    static const struct {
        HfClipboardTrigger trigger;
        int code;
    } cases[] = {{fail, HF_ERROR_DESKTOP_FOCUS_LOST}, {cancel, HF_ERROR_DESKTOP_ABORTED}};
    copy("clipboard", "the user's own");
    g_assert_false(lend(f, "lent", requestor_window(f->requestor), do_nothing));
    assert_others_see("clipboard", "the user's own");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GCancellable) cancellable = g_cancellable_new();
        gboolean fetched = FALSE;
        f->deadline = hf_deadline_in_ms(60000, cancellable);
        HfClipboardLoan loan = {
            .text = "lent", .trigger = cases[i].trigger, .data = f, .wait_ms = 10000};
        g_assert_false(hf_clipboard_lend(f->desktop, &loan, &fetched, &f->deadline, &error));
        g_assert_error(error, HF_ERROR, cases[i].code);
        g_assert_false(fetched);
        assert_others_see("clipboard", "the user's own");
    }
}

static gboolean fetch_and_fail(gpointer data, GError **error)
{
    return fetch_text(data, error) &&
           hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "nobody saw the chord through");
}

/* What the program has got it must not get by another way, also when the chord failed after it. */
static void test_fetched_then_failed(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    gboolean fetched = FALSE;
    HfClipboardLoan loan = {.text = "lent", .trigger = fetch_and_fail, .data = f, .wait_ms = 1000};
    g_assert_false(hf_clipboard_lend(f->desktop, &loan, &fetched, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_assert_true(fetched);
}

static gboolean refuse(gpointer data, GError **error)
{
    g_assert_not_reached();
}

/* An owner that never answers: its content cannot be saved, so it must not be replaced. */
static void test_owner_hangs(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    gboolean fetched = FALSE;
    requestor_own(f->requestor, "CLIPBOARD");
    xcb_window_t owner = requestor_owner_of(f->requestor, "CLIPBOARD");
    HfClipboardLoan loan = {.text = "lent", .trigger = refuse, .wait_ms = 100};
    g_assert_false(hf_clipboard_lend(f->desktop, &loan, &fetched, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_PRECONDITION_FAILED);
    g_assert_cmpuint(requestor_owner_of(f->requestor, "CLIPBOARD"), ==, owner);
    assert_files(f, 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(Fixture *f, gconstpointer data);
    } tests[] = {
        {"/clipboard/lend/gtk", test_gtk},
        {"/clipboard/lend/gtk-large", test_gtk_large},
        {"/clipboard/lend/all-formats", test_all_formats},
        {"/clipboard/lend/empty-before", test_empty_before},
        {"/clipboard/lend/own-content", test_own_content},
        {"/clipboard/lend/others-see-nothing", test_others_see_nothing},
        {"/clipboard/lend/bare-requestor", test_bare_requestor},
        {"/clipboard/lend/second-connection", test_second_connection},
        {"/clipboard/lend/window-vanishes", test_window_vanishes},
        {"/clipboard/lend/primary", test_primary},
        {"/clipboard/lend/user-copies", test_user_copies},
        {"/clipboard/lend/failures", test_failures},
        {"/clipboard/lend/fetched-then-failed", test_fetched_then_failed},
        {"/clipboard/lend/owner-hangs", test_owner_hangs},
    };
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
    return g_test_run();
}
