/* SPDX-License-Identifier: Apache-2.0 */
/* The clipboard with real programs on the other side: xclip, GTK, and bare X requests. */
#include "hand/desktop/clipboard.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "await.h"
#include "clipper.h"
#include "hand/desktop/desktop-limits.h"
#include "requestor.h"
#include "shared/base/error.h"

#define MEGABYTE (1024 * 1024)

typedef struct Fixture {
    HfDesktop *desktop;
    HfDeadline deadline;
    char *state_dir;
    Requestor *other; /* somebody else on this display */
} Fixture;

static void set_up(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    f->state_dir = g_dir_make_tmp("clipboard-XXXXXX", &error);
    g_assert_no_error(error);
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = f->state_dir};
    f->desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    f->deadline = hf_deadline_in_ms(60000, NULL);
    f->other = requestor_new();
}

static xcb_atom_t atom_of(Fixture *f, const char *name)
{
    return requestor_atom(f->other, name);
}

/* Leaves both selections without an owner, so that closing has nothing to hand over. */
static void tear_down(Fixture *f, gconstpointer data)
{
    requestor_release(f->other, "CLIPBOARD");
    requestor_release(f->other, "PRIMARY");
    hf_desktop_close(f->desktop);
    requestor_free(f->other);
    g_bytes_unref(run_program(NULL, "rm", "-r", f->state_dir, NULL));
    g_free(f->state_dir);
}

static GBytes *bytes_of(const char *text)
{
    return g_bytes_new_static(text, strlen(text));
}

/* Text of about that many bytes in which no two places look the same. */
static char *long_text(gsize bytes)
{
    GString *text = g_string_sized_new(bytes + 32);
    for (guint i = 0; text->len < bytes; i++)
        g_string_append_printf(text, "%u 漢字 ü\n", i);
    return g_string_free(text, FALSE);
}

static HfClipboardText *read_selection(Fixture *f, HfSelection selection)
{
    g_autoptr(GError) error = NULL;
    HfClipboardText *text = hf_clipboard_read(f->desktop, selection, &f->deadline, &error);
    g_assert_no_error(error);
    g_assert_nonnull(text->formats);
    return text;
}

static void write_clipboard(Fixture *f, const char *text)
{
    g_autoptr(GError) error = NULL;
    hf_clipboard_write(f->desktop, HF_SELECTION_CLIPBOARD, text, NULL, &f->deadline, &error);
    g_assert_no_error(error);
}

static void assert_has_format(const HfClipboardText *text, const char *format)
{
    g_assert_true(g_strv_contains((const char *const *)text->formats, format));
}

static void test_empty(Fixture *f, gconstpointer data)
{
    g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_null(text->text);
    g_assert_cmpuint(g_strv_length(text->formats), ==, 0);
    g_assert_cmpuint(requestor_owner_of(f->other, "CLIPBOARD"), ==, XCB_WINDOW_NONE);
}

static void test_read_xclip(Fixture *f, gconstpointer data)
{
    g_autofree char *large = long_text(20 * MEGABYTE);
    const char *const texts[] = {"", "plain", "Grüße, 世界 🎉\nline two\n", large};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GBytes) bytes = bytes_of(texts[i]);
        own_with_xclip("clipboard", "UTF8_STRING", bytes);
        g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
        g_assert_true(g_str_equal(text->text, texts[i]));
        assert_has_format(text, "UTF8_STRING");
        assert_has_format(text, "TARGETS");
    }
}

static void test_read_primary(Fixture *f, gconstpointer data)
{
    g_autoptr(GBytes) first = bytes_of("in primary"), second = bytes_of("in clipboard");
    own_with_xclip("primary", "UTF8_STRING", first);
    own_with_xclip("clipboard", "UTF8_STRING", second);
    g_autoptr(HfClipboardText) primary = read_selection(f, HF_SELECTION_PRIMARY);
    g_autoptr(HfClipboardText) clipboard = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_cmpstr(primary->text, ==, "in primary");
    g_assert_cmpstr(clipboard->text, ==, "in clipboard");
}

static void test_write_xclip(Fixture *f, gconstpointer data)
{
    g_autofree char *large = long_text(20 * MEGABYTE);
    const char *const texts[] = {"", "plain", "Grüße, 世界 🎉\nline two\n", large};
    static const char *const targets[] = {"UTF8_STRING", "text/plain;charset=utf-8", "text/plain"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        write_clipboard(f, texts[i]);
        for (guint j = 0; j < G_N_ELEMENTS(targets); j++) {
            g_autoptr(GBytes) seen =
                run_program(NULL, "xclip", "-o", "-selection", "clipboard", "-t", targets[j], NULL);
            g_autoptr(GBytes) expected = bytes_of(texts[i]);
            g_assert_true(g_bytes_equal(seen, expected));
        }
    }
}

static void test_write_latin1(Fixture *f, gconstpointer data)
{
    write_clipboard(f, "Grüße 世界");
    g_autoptr(GBytes) seen =
        run_program(NULL, "xclip", "-o", "-selection", "clipboard", "-t", "STRING", NULL);
    g_autoptr(GBytes) expected = bytes_of("Gr\xfc\xdf"
                                          "e ??");
    g_assert_true(g_bytes_equal(seen, expected));
}

static void test_write_too_large(Fixture *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_malloc(HF_LIMIT_CLIPBOARD_BYTES + 2);
    memset(text, 'x', HF_LIMIT_CLIPBOARD_BYTES + 1);
    text[HF_LIMIT_CLIPBOARD_BYTES + 1] = '\0';
    g_assert_false(
        hf_clipboard_write(f->desktop, HF_SELECTION_CLIPBOARD, text, NULL, &f->deadline, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    g_assert_cmpuint(requestor_owner_of(f->other, "CLIPBOARD"), ==, XCB_WINDOW_NONE);
}

static void test_gtk_owner(Fixture *f, gconstpointer data)
{
    g_autoptr(Clipper) clipper = clipper_start();
    g_autofree char *large = long_text(3 * MEGABYTE);
    json_decref(clipper_ask(clipper, "{s:s, s:s}", "do", "own_text", "text", large));
    g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_true(g_str_equal(text->text, large));
    assert_has_format(text, "COMPOUND_TEXT");

    json_decref(
        clipper_ask(clipper, "{s:s, s:i, s:i}", "do", "own_image", "width", 64, "height", 48));
    g_autoptr(HfClipboardText) image = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_null(image->text);
    assert_has_format(image, "image/png");
    assert_has_format(image, "image/jpeg");

    json_decref(clipper_ask(clipper, "{s:s, s:s, s:{s:s, s:s, s:s}}", "do", "own", "selection",
                            "CLIPBOARD", "formats", "text/html", "3c623e", "STRING", "e4f6fc",
                            "application/x-thing", "00ff00"));
    g_autoptr(HfClipboardText) several = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_cmpstr(several->text, ==, "äöü"); /* STRING is Latin-1 */
    assert_has_format(several, "text/html");
    assert_has_format(several, "application/x-thing");
}

/* Owners that have text in one old form only. */
static void test_old_forms(Fixture *f, gconstpointer data)
{
    static const struct {
        const char *target, *hex, *text;
    } cases[] = {
        {"COMPOUND_TEXT", "e41b2d4cb01b2d41fc", "äАü"},
        {"TEXT", "c3a4", "ä"},
        {"text/plain", "e4", "ä"},
        {"UTF8_STRING", "61ff62",
         "a\xef\xbf\xbd"
         "b"},
        {"UTF8_STRING", "610062",
         "a\xef\xbf\xbd"
         "b"},
        {"UTF8_STRING", "610000", "a"},
    };
    g_autoptr(Clipper) clipper = clipper_start();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_decref(clipper_ask(clipper, "{s:s, s:s, s:{s:s}}", "do", "own", "selection",
                                "CLIPBOARD", "formats", cases[i].target, cases[i].hex));
        g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
        g_assert_cmpstr(text->text, ==, cases[i].text);
    }
}

static void test_gtk_reader(Fixture *f, gconstpointer data)
{
    g_autoptr(Clipper) clipper = clipper_start();
    g_autofree char *large = long_text(2 * MEGABYTE);
    g_autoptr(GBytes) bytes = bytes_of(large);
    g_autofree char *sum = sha256_of(bytes);
    write_clipboard(f, large);
    g_autoptr(json_t) seen = clipper_ask(clipper, "{s:s, s:s, s:s}", "do", "read", "selection",
                                         "CLIPBOARD", "target", "UTF8_STRING");
    g_assert_cmpstr(hf_json_string(seen, "sha256", ""), ==, sum);
    g_assert_cmpstr(hf_json_string(seen, "type", ""), ==, "UTF8_STRING");
    g_autoptr(json_t) none = clipper_ask(clipper, "{s:s, s:s, s:s}", "do", "read", "selection",
                                         "CLIPBOARD", "target", "image/png");
    g_assert_cmpint(hf_json_int(none, "length", 0), ==, -1);
}

static xcb_atom_t convert(Fixture *f, const char *target, const char *property)
{
    return requestor_convert(f->other, "CLIPBOARD", target, property);
}

static void test_bare_requests(Fixture *f, gconstpointer data)
{
    write_clipboard(f, "bare");
    g_assert_cmpuint(convert(f, "TIMESTAMP", "P"), ==, atom_of(f, "P"));
    xcb_get_property_reply_t *time = requestor_take(f->other, "P");
    g_assert_cmpuint(time->type, ==, XCB_ATOM_INTEGER);
    g_assert_cmpuint(*(guint32 *)xcb_get_property_value(time), !=, 0);
    free(time);
    g_assert_cmpuint(convert(f, "NO_SUCH_FORMAT", "P"), ==, XCB_ATOM_NONE);
    g_assert_cmpuint(convert(f, "SAVE_TARGETS", "P"), ==, atom_of(f, "P"));
    /* Programs from before X11R4 name no property: the target's name is meant. */
    g_assert_cmpuint(convert(f, "UTF8_STRING", NULL), ==, atom_of(f, "UTF8_STRING"));
    xcb_get_property_reply_t *text = requestor_take(f->other, "UTF8_STRING");
    g_assert_cmpmem(xcb_get_property_value(text), xcb_get_property_value_length(text), "bare", 4);
    free(text);
    g_assert_cmpuint(convert(f, "MULTIPLE", NULL), ==, XCB_ATOM_NONE);
}

static void test_multiple(Fixture *f, gconstpointer data)
{
    write_clipboard(f, "many");
    xcb_atom_t pairs[] = {atom_of(f, "UTF8_STRING"), atom_of(f, "A"),      atom_of(f, "image/png"),
                          atom_of(f, "B"),           atom_of(f, "STRING"), atom_of(f, "C")};
    xcb_change_property(requestor_xcb(f->other), XCB_PROP_MODE_REPLACE, requestor_window(f->other),
                        atom_of(f, "PAIRS"), atom_of(f, "ATOM_PAIR"), 32, G_N_ELEMENTS(pairs),
                        pairs);
    g_assert_cmpuint(convert(f, "MULTIPLE", "PAIRS"), ==, atom_of(f, "PAIRS"));
    xcb_get_property_reply_t *result = requestor_take(f->other, "PAIRS");
    const xcb_atom_t *seen = xcb_get_property_value(result);
    g_assert_cmpuint(xcb_get_property_value_length(result), ==, sizeof pairs);
    g_assert_cmpuint(seen[0], ==, pairs[0]);
    g_assert_cmpuint(seen[2], ==, XCB_ATOM_NONE);
    free(result);
    xcb_get_property_reply_t *text = requestor_take(f->other, "C");
    g_assert_cmpmem(xcb_get_property_value(text), xcb_get_property_value_length(text), "many", 4);
    free(text);
}

static gpointer read_in_thread(gpointer data)
{
    Fixture *f = data;
    g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_autoptr(GBytes) bytes = bytes_of(text->text);
    return sha256_of(bytes);
}

static void test_concurrent_reads(Fixture *f, gconstpointer data)
{
    g_autofree char *text = long_text(2 * MEGABYTE);
    g_autoptr(GBytes) bytes = bytes_of(text);
    g_autofree char *sum = sha256_of(bytes);
    GThread *threads[8];
    write_clipboard(f, text);
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("reader", read_in_thread, f);
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_autofree char *seen = g_thread_join(threads[i]);
        g_assert_cmpstr(seen, ==, sum);
    }
}

static gpointer write_in_thread(gpointer data)
{
    for (guint i = 0; i < 10; i++)
        write_clipboard(data, "written");
    return NULL;
}

static void test_concurrent_changes(Fixture *f, gconstpointer data)
{
    GThread *threads[8];
    write_clipboard(f, "written");
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("changer", i % 2 ? write_in_thread : read_in_thread, f);
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        g_free(g_thread_join(threads[i]));
    g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_cmpstr(text->text, ==, "written");
}

/* Until the window is destroyed, which ends with the connection that made it. */
static void await_end_of_window(Requestor *requestor, xcb_window_t window)
{
    xcb_connection_t *xcb = requestor_xcb(requestor);
    gboolean gone = FALSE;
    while (!gone) {
        xcb_generic_event_t *event = xcb_wait_for_event(xcb);
        g_assert_nonnull(event);
        gone = event->response_type == XCB_DESTROY_NOTIFY &&
               ((xcb_destroy_notify_event_t *)event)->window == window;
        free(event);
    }
}

/* Owning takes a connection and a file; losing it gives both back, however often: all rounds fit
 * into the room that a few descriptors leave. */
static void test_leaves_nothing(Fixture *f, gconstpointer data)
{
    struct rlimit before, narrow;
    guint32 mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
    int highest = open("/dev/null", O_RDONLY | O_CLOEXEC);
    g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &before), ==, 0);
    narrow = (struct rlimit){(rlim_t)highest + 24, before.rlim_max};
    g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &narrow), ==, 0);
    g_assert_cmpuint(count_entries(f->state_dir, "clipboard-"), ==, 0);
    for (guint i = 0; i < 30; i++) {
        write_clipboard(f, "mine");
        g_assert_cmpuint(count_entries(f->state_dir, "clipboard-"), ==, 1);
        write_clipboard(f, "mine again");
        g_assert_cmpuint(count_entries(f->state_dir, "clipboard-"), ==, 1);
        xcb_window_t window = requestor_owner_of(f->other, "CLIPBOARD");
        xcb_change_window_attributes(requestor_xcb(f->other), window, XCB_CW_EVENT_MASK, &mask);
        requestor_own(f->other, "CLIPBOARD");
        await_end_of_window(f->other, window);
        g_assert_cmpuint(count_entries(f->state_dir, "clipboard-"), ==, 0);
    }
    g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &before), ==, 0);
    close(highest);
    g_autoptr(GBytes) theirs = bytes_of("theirs");
    own_with_xclip("clipboard", "UTF8_STRING", theirs);
    g_autoptr(HfClipboardText) text = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_cmpstr(text->text, ==, "theirs");
}

/* A requestor that reads a few pieces of a long text and is killed must not disturb the next. */
static void test_requestor_dies(Fixture *f, gconstpointer data)
{
    g_autofree char *text = long_text(4 * MEGABYTE);
    write_clipboard(f, text);
    for (guint i = 0; i < 20; i++) {
        g_assert_cmpuint(convert(f, "UTF8_STRING", "P"), ==, atom_of(f, "P"));
        for (guint piece = 0; piece < i % 3; piece++) {
            free(requestor_take(f->other, "P"));
            free(xcb_wait_for_event(requestor_xcb(f->other)));
        }
        requestor_free(f->other);
        f->other = requestor_new();
    }
    g_autoptr(HfClipboardText) seen = read_selection(f, HF_SELECTION_CLIPBOARD);
    g_assert_true(g_str_equal(seen->text, text));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(Fixture *f, gconstpointer data);
    } tests[] = {
        {"/clipboard/empty", test_empty},
        {"/clipboard/read/xclip", test_read_xclip},
        {"/clipboard/read/primary", test_read_primary},
        {"/clipboard/read/gtk", test_gtk_owner},
        {"/clipboard/read/old-forms", test_old_forms},
        {"/clipboard/read/concurrent", test_concurrent_reads},
        {"/clipboard/write/xclip", test_write_xclip},
        {"/clipboard/write/latin1", test_write_latin1},
        {"/clipboard/write/too-large", test_write_too_large},
        {"/clipboard/write/gtk", test_gtk_reader},
        {"/clipboard/write/bare-requests", test_bare_requests},
        {"/clipboard/write/multiple", test_multiple},
        {"/clipboard/write/concurrent", test_concurrent_changes},
        {"/clipboard/write/leaves-nothing", test_leaves_nothing},
        {"/clipboard/write/requestor-dies", test_requestor_dies},
    };
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        g_test_add(tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
    return g_test_run();
}
