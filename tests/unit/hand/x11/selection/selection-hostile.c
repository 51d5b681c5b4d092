/* SPDX-License-Identifier: Apache-2.0 */
/* Owners of the clipboard that lie, stall, flood or die: reading ends in bounded time with an
 * answer or an error that says what happened, and the next owner is read normally. And programs
 * that request our clipboard in such ways: others are served meanwhile, and we can change it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "clipper.h"
#include "hand/desktop/clipboard.h"
#include "hand/desktop/desktop-limits.h"
#include "hand/x11/x11-limits.h"
#include "requestor.h"
#include "shared/base/error.h"
#include "spawn.h"

typedef struct Owner {
    xcb_connection_t *xcb;
    Requestor *self;
    const xcb_selection_request_event_t *request;
    guint count; /* of requests so far */
} Owner;

typedef void (*Behaviour)(Owner *owner);

/* ---- Hostile owners ------------------------------------------------------------------------ */

static void put(Owner *owner, const char *type, int unit, guint32 count, const void *data)
{
    xcb_change_property(owner->xcb, XCB_PROP_MODE_REPLACE, owner->request->requestor,
                        owner->request->property, requestor_atom(owner->self, type), (guint8)unit,
                        count, data);
}

static void notify(Owner *owner, xcb_atom_t property)
{
    union {
        xcb_selection_notify_event_t notify;
        char bytes[32];
    } event = {.notify = {.response_type = XCB_SELECTION_NOTIFY,
                          .requestor = owner->request->requestor,
                          .selection = owner->request->selection,
                          .target = owner->request->target,
                          .property = property}};
    xcb_send_event(owner->xcb, 0, owner->request->requestor, 0, event.bytes);
    xcb_flush(owner->xcb);
}

static gboolean asked_for(Owner *owner, const char *target)
{
    return owner->request->target == requestor_atom(owner->self, target);
}

/* Answers TARGETS correctly; TRUE for another request. */
static gboolean offer_text(Owner *owner)
{
    if (!asked_for(owner, "TARGETS"))
        return TRUE;
    xcb_atom_t atoms[] = {requestor_atom(owner->self, "TARGETS"),
                          requestor_atom(owner->self, "UTF8_STRING")};
    put(owner, "ATOM", 32, G_N_ELEMENTS(atoms), atoms);
    notify(owner, owner->request->property);
    return FALSE;
}

static void refuse_all(Owner *owner)
{
    notify(owner, XCB_ATOM_NONE);
}

static void never_answer(Owner *owner)
{
}

static void answer_targets_only(Owner *owner)
{
    offer_text(owner);
}

/* Waits until the requestor has deleted the property. */
static void await_deletion(Owner *owner)
{
    for (;;) {
        xcb_generic_event_t *event = xcb_wait_for_event(owner->xcb);
        if (!event)
            _exit(0);
        const xcb_property_notify_event_t *change = (gconstpointer)event;
        gboolean deleted = (event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY &&
                           change->state == XCB_PROPERTY_DELETE;
        free(event);
        if (deleted)
            return;
    }
}

static void start_incr(Owner *owner, guint32 size)
{
    guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_change_window_attributes(owner->xcb, owner->request->requestor, XCB_CW_EVENT_MASK, &mask);
    put(owner, "INCR", 32, 1, &size);
    notify(owner, owner->request->property);
    await_deletion(owner);
}

/* Pieces pass the server in bits, each of which waits for a processor. With sixteen busy loops on
 * the same core, 17 pieces of 4 MB took about 30 s in all: near to the 2 s that an owner may take
 * for one. */
static void endless_incr(Owner *owner)
{
    static char piece[1024 * 1024];
    if (!offer_text(owner))
        return;
    start_incr(owner, 10);
    for (;;) {
        put(owner, "UTF8_STRING", 8, sizeof piece, piece);
        xcb_flush(owner->xcb);
        await_deletion(owner);
    }
}

static void dripping_incr(Owner *owner)
{
    if (!offer_text(owner))
        return;
    start_incr(owner, 10);
    for (;;) {
        put(owner, "UTF8_STRING", 8, 1, "x");
        xcb_flush(owner->xcb);
        await_deletion(owner);
    }
}

static void stalled_incr(Owner *owner)
{
    if (!offer_text(owner))
        return;
    start_incr(owner, 10);
    put(owner, "UTF8_STRING", 8, 3, "abc");
    xcb_flush(owner->xcb);
}

static void huge_incr(Owner *owner)
{
    if (offer_text(owner))
        start_incr(owner, G_MAXUINT32);
}

static void empty_incr(Owner *owner)
{
    if (!offer_text(owner))
        return;
    start_incr(owner, 0);
    put(owner, "UTF8_STRING", 8, 0, NULL);
    xcb_flush(owner->xcb);
}

/* INCR without a size, in units that change from piece to piece. */
static void odd_incr(Owner *owner)
{
    guint32 mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    if (!offer_text(owner))
        return;
    xcb_change_window_attributes(owner->xcb, owner->request->requestor, XCB_CW_EVENT_MASK, &mask);
    put(owner, "INCR", 8, 3, "abc");
    notify(owner, owner->request->property);
    await_deletion(owner);
    put(owner, "UTF8_STRING", 8, 2, "od");
    xcb_flush(owner->xcb);
    await_deletion(owner);
    put(owner, "CARDINAL", 32, 1, "d---");
    xcb_flush(owner->xcb);
    await_deletion(owner);
    put(owner, "STRING", 16, 0, NULL);
    xcb_flush(owner->xcb);
}

static void dying_incr(Owner *owner)
{
    if (!offer_text(owner))
        return;
    start_incr(owner, 10);
    put(owner, "UTF8_STRING", 8, 3, "abc");
    requestor_owner_of(owner->self, "CLIPBOARD"); /* the piece has reached the server */
    _exit(0);
}

static void die_at_once(Owner *owner)
{
    _exit(0);
}

/* A property larger than the limit, made piece by piece before the answer. */
static void huge_property(Owner *owner)
{
    static char piece[12 * 1024 * 1024]; /* each is copied with all before it */
    if (!offer_text(owner))
        return;
    for (guint i = 0; i <= HF_LIMIT_CLIPBOARD_BYTES / sizeof piece; i++)
        xcb_change_property(owner->xcb, XCB_PROP_MODE_APPEND, owner->request->requestor,
                            owner->request->property, XCB_ATOM_STRING, 8, sizeof piece, piece);
    notify(owner, owner->request->property);
}

/* A value that grows by a byte forever before the answer. */
static void dripping_property(Owner *owner)
{
    if (!offer_text(owner))
        return;
    for (;;) {
        xcb_change_property(owner->xcb, XCB_PROP_MODE_APPEND, owner->request->requestor,
                            owner->request->property, XCB_ATOM_STRING, 8, 1, "x");
        requestor_owner_of(owner->self, "CLIPBOARD"); /* done before the next */
    }
}

static void garbage_targets(Owner *owner)
{
    guint32 atoms[] = {0, 0xffffffff, 0x7fffffff, 1, requestor_atom(owner->self, "UTF8_STRING"), 0};
    if (asked_for(owner, "TARGETS"))
        put(owner, "ATOM", 32, G_N_ELEMENTS(atoms), atoms);
    else
        put(owner, "UTF8_STRING", 8, 2, "ok");
    notify(owner, owner->request->property);
}

static void many_targets(Owner *owner)
{
    g_autofree guint32 *atoms = g_new(guint32, 100000);
    for (guint i = 0; i < 100000; i++)
        atoms[i] = i;
    put(owner, "ATOM", 32, 100000, atoms);
    notify(owner, owner->request->property);
}

/* The list of formats as bytes, then the text in 32-bit units. */
static void wrong_units(Owner *owner)
{
    gboolean targets = asked_for(owner, "TARGETS");
    put(owner, targets ? "ATOM" : "UTF8_STRING", targets ? 8 : 32, 1, "abcd");
    notify(owner, owner->request->property);
}

static void empty_promise(Owner *owner)
{
    if (offer_text(owner))
        notify(owner, owner->request->property); /* nothing was written */
}

static void wrong_property(Owner *owner)
{
    if (!offer_text(owner))
        return;
    put(owner, "UTF8_STRING", 8, 2, "no");
    notify(owner, requestor_atom(owner->self, "SOMETHING_ELSE"));
}

/* Answers that nobody requested, before and after the right one. */
static void flood(Owner *owner)
{
    if (!offer_text(owner))
        return;
    xcb_selection_request_event_t right = *owner->request, other = right;
    other.requestor = right.requestor - 1;
    for (guint i = 0; i < 10000; i++) {
        owner->request = &other;
        notify(owner, right.property);
    }
    owner->request = &right;
    put(owner, "UTF8_STRING", 8, 2, "ok");
    for (guint i = 0; i < 100; i++)
        notify(owner, right.property);
}

/* The same without end and without a right one. */
static void endless_flood(Owner *owner)
{
    xcb_selection_request_event_t other = *owner->request;
    other.selection = XCB_ATOM_PRIMARY;
    owner->request = &other;
    for (;;)
        notify(owner, other.property);
}

/* Answers only the second reader, after the first has given up. */
static void take_again_each_time(Owner *owner)
{
    requestor_own(owner->self, "CLIPBOARD");
    offer_text(owner);
}

/* ---- Running the cases --------------------------------------------------------------------- */

/* A process that only forked could hang: a thread of the test may have held a lock of malloc(). So
 * each owner is this program, started again with the number of its case. */
G_NORETURN static void play_owner(Behaviour behave)
{
    Owner owner = {.self = requestor_new()};
    owner.xcb = requestor_xcb(owner.self);
    requestor_own(owner.self, "CLIPBOARD");
    g_print("now\n");
    for (;;) {
        xcb_generic_event_t *event = xcb_wait_for_event(owner.xcb);
        if (!event)
            _exit(0);
        if ((event->response_type & 0x7f) == XCB_SELECTION_REQUEST) {
            owner.request = (gconstpointer)event;
            owner.count++;
            behave(&owner);
        }
        free(event);
    }
}

static GSubprocess *start_role(const char *role, guint number)
{
    g_autofree char *text = g_strdup_printf("%u", number);
    GSubprocess *process =
        test_spawn(G_SUBPROCESS_FLAGS_STDOUT_PIPE, "/proc/self/exe", role, text, NULL);
    g_autofree char *line = test_read_line(process);
    g_assert_cmpstr(line, ==, "now");
    return process;
}

#define NONE (-1)

static const struct {
    const char *name;
    Behaviour behave;
    int code; /* the error; NONE: reading succeeds */
    const char *text;
    int limit_ms;  /* of the call; 0: none that matters */
    gboolean lend; /* also when a text is to be lent */
} cases[] = {
    {"refuses-all", refuse_all, NONE, NULL, 0, TRUE},
    {"never-answers", never_answer, HF_ERROR_DESKTOP_TIMEOUT, NULL, 0, TRUE},
    {"answers-targets-only", answer_targets_only, HF_ERROR_DESKTOP_TIMEOUT, NULL, 0, TRUE},
    {"short-limit", never_answer, HF_ERROR_DESKTOP_TIMEOUT, NULL, 100},
    {"endless-incr", endless_incr, HF_ERROR_LIMIT_EXCEEDED, NULL, 0, TRUE},
    {"dripping-incr", dripping_incr, HF_ERROR_DESKTOP_TIMEOUT, NULL, 1000},
    {"stalled-incr", stalled_incr, HF_ERROR_DESKTOP_TIMEOUT, NULL, 0},
    {"huge-incr", huge_incr, HF_ERROR_LIMIT_EXCEEDED, NULL, 0},
    {"empty-incr", empty_incr, NONE, "", 0},
    {"odd-incr", odd_incr, NONE, "odd---", 0},
    {"dying-incr", dying_incr, NONE, NULL, 0, TRUE},
    {"dies-at-once", die_at_once, NONE, NULL, 0},
    {"huge-property", huge_property, HF_ERROR_LIMIT_EXCEEDED, NULL, 0, TRUE},
    {"dripping-property", dripping_property, HF_ERROR_DESKTOP_TIMEOUT, NULL, 1000},
    {"garbage-targets", garbage_targets, NONE, "ok", 0, TRUE},
    {"many-targets", many_targets, HF_ERROR_LIMIT_EXCEEDED, NULL, 0, TRUE},
    {"wrong-units", wrong_units, NONE, NULL, 0},
    {"empty-promise", empty_promise, NONE, NULL, 0},
    {"wrong-property", wrong_property, NONE, NULL, 0},
    {"flood", flood, NONE, "ok", 0},
    {"endless-flood", endless_flood, HF_ERROR_DESKTOP_TIMEOUT, NULL, 1000},
    {"takes-it-again", take_again_each_time, HF_ERROR_DESKTOP_TIMEOUT, NULL, 3000},
};

static gboolean do_nothing(gpointer data, GError **error)
{
    return TRUE;
}

static void assert_next_owner(HfDesktop *desktop)
{
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(30000, NULL);
    g_autoptr(GBytes) bytes = g_bytes_new_static("fine", 4);
    own_with_xclip("clipboard", "UTF8_STRING", bytes);
    g_autoptr(HfClipboardText) text =
        hf_clipboard_read(desktop, HF_SELECTION_CLIPBOARD, &deadline, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(text->text, ==, "fine");
}

static void test_case(gconstpointer data)
{
    guint index = GPOINTER_TO_UINT(data);
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    GSubprocess *owner = start_role("play-owner", index);
    int plenty_ms = cases[index].code == HF_ERROR_LIMIT_EXCEEDED ? 100000 : 30000;
    int limit_ms = cases[index].limit_ms ? cases[index].limit_ms : plenty_ms;
    HfDeadline deadline = hf_deadline_in_ms(limit_ms, NULL);
    gint64 begin_us = g_get_monotonic_time();
    g_autoptr(HfClipboardText) text =
        hf_clipboard_read(desktop, HF_SELECTION_CLIPBOARD, &deadline, &error);
    /* Cases that end by time: the limit of the call or of one or two answers, and what a busy
     * machine adds. The others end by size. */
    if (cases[index].code == HF_ERROR_DESKTOP_TIMEOUT)
        g_assert_cmpint((g_get_monotonic_time() - begin_us) / 1000, <,
                        MIN(limit_ms, 10000) + 10000);
    if (cases[index].code == NONE) {
        g_assert_no_error(error);
        g_assert_cmpstr(text->text, ==, cases[index].text);
    } else {
        g_assert_error(error, HF_ERROR, cases[index].code);
        g_assert_null(text);
    }
    test_end(owner);
    assert_next_owner(desktop);
}

/* With the same owners, lending a text works, or fails and leaves them alone. */
static void test_lend(gconstpointer data)
{
    guint index = GPOINTER_TO_UINT(data);
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    Requestor *observer = requestor_new();
    GSubprocess *process = start_role("play-owner", index);
    xcb_window_t owner = requestor_owner_of(observer, "CLIPBOARD");
    HfDeadline deadline =
        hf_deadline_in_ms(cases[index].limit_ms ? cases[index].limit_ms : 30000, NULL);
    gboolean fetched = FALSE;
    HfClipboardLoan loan = {.text = "lent", .trigger = do_nothing, .wait_ms = 1};
    gboolean ok = hf_clipboard_lend(desktop, &loan, &fetched, &deadline, &error);
    g_assert_cmpint(ok, ==, cases[index].code == NONE);
    if (!ok) {
        g_assert_true(error->code == HF_ERROR_PRECONDITION_FAILED ||
                      error->code == HF_ERROR_LIMIT_EXCEEDED ||
                      error->code == HF_ERROR_DESKTOP_TIMEOUT);
        g_assert_cmpuint(requestor_owner_of(observer, "CLIPBOARD"), ==, owner);
    }
    test_end(process);
    assert_next_owner(desktop);
    requestor_release(observer, "CLIPBOARD");
    requestor_free(observer);
}

/* ---- Hostile requestors -------------------------------------------------------------------- */

typedef struct Serving {
    HfDesktop *desktop;
    char *state_dir;
    Requestor *hostile, *honest;
} Serving;

static void write_text(Serving *f, const char *text)
{
    g_autoptr(GError) error = NULL;
    HfDeadline deadline = hf_deadline_in_ms(30000, NULL);
    hf_clipboard_write(f->desktop, HF_SELECTION_CLIPBOARD, text, NULL, &deadline, &error);
    g_assert_no_error(error);
}

static void write_letters(Serving *f, gsize count)
{
    g_autofree char *text = g_strnfill(count, 'x');
    write_text(f, text);
}

static void set_up(Serving *f, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    f->state_dir = g_dir_make_tmp("clipboard-XXXXXX", &error);
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = f->state_dir};
    f->desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    f->hostile = requestor_new();
    f->honest = requestor_new();
}

/* Afterwards the clipboard can still be changed, served and lost, with its file. */
static void tear_down(Serving *f, gconstpointer data)
{
    write_text(f, "at the end");
    g_autoptr(GBytes) seen = requestor_fetch(f->honest, "CLIPBOARD", "UTF8_STRING");
    g_assert_nonnull(seen);
    g_assert_cmpmem(g_bytes_get_data(seen, NULL), g_bytes_get_size(seen), "at the end", 10);
    requestor_release(f->honest, "CLIPBOARD");
    await_entries(f->state_dir, "clipboard-", 0);
    hf_desktop_close(f->desktop);
    requestor_free(f->hostile);
    requestor_free(f->honest);
    g_bytes_unref(run_program(NULL, "rm", "-r", f->state_dir, NULL));
    g_free(f->state_dir);
}

static xcb_atom_t ask(Requestor *requestor, const char *target, const char *property)
{
    return requestor_convert(requestor, "CLIPBOARD", target, property);
}

/* A hundred thousand requests; more would test the X server instead. */
G_NORETURN static void play_flood(void)
{
    Requestor *self = requestor_new();
    xcb_connection_t *xcb = requestor_xcb(self);
    xcb_atom_t clipboard = requestor_atom(self, "CLIPBOARD"),
               text = requestor_atom(self, "TARGETS");
    g_print("now\n");
    for (guint batch = 0; batch < 100; batch++) {
        for (guint i = 0; i < 1000; i++)
            xcb_convert_selection(xcb, requestor_window(self), clipboard, text, text,
                                  XCB_CURRENT_TIME);
        requestor_owner_of(self, "CLIPBOARD"); /* the X server has read them */
        xcb_generic_event_t *event;
        while ((event = xcb_poll_for_event(xcb)))
            free(event);
    }
    for (;;)
        pause();
}

/* A flood stops neither other programs nor us. */
static void test_flood(Serving *f, gconstpointer data)
{
    write_text(f, "in the flood");
    GSubprocess *process = start_role("play-flood", 0);
    for (guint i = 0; i < 20; i++) {
        g_autoptr(GBytes) seen = requestor_fetch(f->honest, "CLIPBOARD", "UTF8_STRING");
        g_assert_nonnull(seen);
        g_autofree char *text = g_strdup_printf("in the flood %u", i);
        write_text(f, text);
    }
    test_end(process);
}

/* A program over its budget is refused; others are not. */
static void test_budget(Serving *f, gconstpointer data)
{
    xcb_atom_t pairs[2 * HF_LIMIT_CLIPBOARD_FORMATS];
    xcb_atom_t list = requestor_atom(f->hostile, "PAIRS");
    gboolean refused = FALSE;
    write_letters(f, 200 * 1024);
    for (guint i = 0; i < HF_LIMIT_CLIPBOARD_FORMATS; i++) {
        pairs[2 * i] = requestor_atom(f->hostile, "UTF8_STRING");
        pairs[2 * i + 1] = requestor_atom(f->hostile, "P");
    }
    for (guint i = 0; i < 100 && !refused; i++) {
        xcb_change_property(requestor_xcb(f->hostile), XCB_PROP_MODE_REPLACE,
                            requestor_window(f->hostile), list, XCB_ATOM_ATOM, 32,
                            G_N_ELEMENTS(pairs), pairs);
        refused = ask(f->hostile, "MULTIPLE", "PAIRS") == XCB_ATOM_NONE;
        xcb_get_property_reply_t *reply = requestor_take(f->hostile, "PAIRS");
        const xcb_atom_t *seen = xcb_get_property_value(reply);
        for (guint k = 0; !refused && k < HF_LIMIT_CLIPBOARD_FORMATS; k++)
            refused = seen[2 * k] == XCB_ATOM_NONE;
        free(reply);
    }
    g_assert_true(refused);
    g_assert_cmpuint(ask(f->honest, "UTF8_STRING", "P"), !=, XCB_ATOM_NONE);
}

/* Requestors that never read the second piece are limited; others are still served. */
static void test_stalled(Serving *f, gconstpointer data)
{
    write_letters(f, 1024 * 1024);
    guint begun = 0;
    for (guint i = 0; i < HF_LIMIT_CLIPBOARD_TRANSFERS; i++) {
        g_autofree char *property = g_strdup_printf("P%u", i);
        begun += ask(f->hostile, "UTF8_STRING", property) != XCB_ATOM_NONE ? 1 : 0;
    }
    g_assert_cmpuint(begun, ==, HF_LIMIT_CLIPBOARD_TRANSFERS_OF_ONE);
    /* A new request for the same property takes no other slot. */
    g_assert_cmpuint(ask(f->hostile, "UTF8_STRING", "P0"), !=, XCB_ATOM_NONE);
    g_assert_cmpuint(ask(f->honest, "UTF8_STRING", "P"), !=, XCB_ATOM_NONE);
}

static void test_vanishing(Serving *f, gconstpointer data)
{
    write_letters(f, 1024 * 1024);
    for (guint i = 0; i < 3 * HF_LIMIT_CLIPBOARD_TRANSFERS; i++) {
        Requestor *brief = requestor_new();
        xcb_convert_selection(
            requestor_xcb(brief), requestor_window(brief), requestor_atom(brief, "CLIPBOARD"),
            requestor_atom(brief, "UTF8_STRING"), XCB_ATOM_PRIMARY, XCB_CURRENT_TIME);
        if (i % 2)
            xcb_destroy_window(requestor_xcb(brief), requestor_window(brief));
        xcb_flush(requestor_xcb(brief));
        requestor_free(brief);
    }
}

static void forge(Serving *f, xcb_window_t to, const void *event, gsize size)
{
    char bytes[32] = {0};
    memcpy(bytes, event, size);
    xcb_send_event(requestor_xcb(f->hostile), 0, to, 0, bytes);
}

/* Events that only an X server sends, forged by a program. */
static void test_forged(Serving *f, gconstpointer data)
{
    write_letters(f, 1024 * 1024);
    xcb_window_t owner = requestor_owner_of(f->honest, "CLIPBOARD");
    xcb_window_t victim = requestor_window(f->honest);
    xcb_atom_t clipboard = requestor_atom(f->honest, "CLIPBOARD");
    xcb_atom_t property = ask(f->honest, "UTF8_STRING", "P");
    xcb_selection_clear_event_t clear = {
        .response_type = XCB_SELECTION_CLEAR, .owner = owner, .selection = clipboard};
    xcb_property_notify_event_t deleted = {.response_type = XCB_PROPERTY_NOTIFY,
                                           .window = victim,
                                           .atom = property,
                                           .state = XCB_PROPERTY_DELETE};
    xcb_destroy_notify_event_t destroyed = {
        .response_type = XCB_DESTROY_NOTIFY, .event = victim, .window = victim};
    xcb_selection_request_event_t request = {.response_type = XCB_SELECTION_REQUEST,
                                             .owner = owner,
                                             .requestor = victim,
                                             .selection = clipboard,
                                             .target = requestor_atom(f->honest, "TARGETS"),
                                             .property = property};
    forge(f, owner, &clear, sizeof clear);
    forge(f, owner, &deleted, sizeof deleted);
    forge(f, owner, &destroyed, sizeof destroyed);
    forge(f, owner, &request, sizeof request);
    g_assert_cmpuint(ask(f->hostile, "TARGETS", "T"), !=, XCB_ATOM_NONE); /* it has seen them */
    /* The victim's transfer still waits for the victim. */
    xcb_get_property_reply_t *reply = requestor_take(f->honest, "P");
    g_assert_cmpuint(reply->type, ==, requestor_atom(f->honest, "INCR"));
    free(reply);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(Serving *f, gconstpointer data);
    } asking[] = {
        {"/selection/asked/flood", test_flood},         {"/selection/asked/budget", test_budget},
        {"/selection/asked/stalled", test_stalled},     {"/selection/asked/forged", test_forged},
        {"/selection/asked/vanishing", test_vanishing},
    };
    if (argc > 2 && g_str_equal(argv[1], "play-owner"))
        play_owner(cases[atoi(argv[2])].behave);
    if (argc > 2 && g_str_equal(argv[1], "play-flood"))
        play_flood();
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(asking); i++)
        g_test_add(asking[i].name, Serving, NULL, set_up, asking[i].run, tear_down);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *reading = g_strdup_printf("/selection/read/%s", cases[i].name);
        g_autofree char *lending = g_strdup_printf("/selection/lend/%s", cases[i].name);
        g_test_add_data_func(reading, GUINT_TO_POINTER(i), test_case);
        if (cases[i].lend)
            g_test_add_data_func(lending, GUINT_TO_POINTER(i), test_lend);
    }
    return g_test_run();
}
