/* Owners of the clipboard that lie, stall, flood or die. Whatever they do, reading ends in bounded
 * time with an answer or an error that says what happened, and the next owner is read as ever. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "clipper.h"
#include "platform/clipboard.h"
#include "requestor.h"

typedef struct Owner {
    xcb_connection_t *xcb;
    Requestor *self;
    const xcb_selection_request_event_t *request;
    guint count; /* of requests so far */
} Owner;

typedef void (*Behaviour)(Owner *owner);

/* ---- What owners can do -------------------------------------------------------------------- */

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

/* Answers TARGETS properly; TRUE when something else was asked for. */
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
    static char piece[4 * 1024 * 1024];
    if (!offer_text(owner))
        return;
    for (guint i = 0; i <= HF_LIMIT_CLIPBOARD_BYTES / sizeof piece; i++)
        xcb_change_property(owner->xcb, XCB_PROP_MODE_APPEND, owner->request->requestor,
                            owner->request->property, XCB_ATOM_STRING, 8, sizeof piece, piece);
    notify(owner, owner->request->property);
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

/* Answers to questions that nobody asked, before and after the right one. */
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

/* Answers only the second reader's questions, when the first has been given up. */
static void take_again_each_time(Owner *owner)
{
    requestor_own(owner->self, "CLIPBOARD");
    offer_text(owner);
}

/* ---- Running them -------------------------------------------------------------------------- */

static void be_owner(Behaviour behave, int ready)
{
    Owner owner = {.self = requestor_new()};
    owner.xcb = requestor_xcb(owner.self);
    requestor_own(owner.self, "CLIPBOARD");
    if (write(ready, "r", 1) != 1)
        _exit(1);
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

static pid_t start_owner(Behaviour behave)
{
    int ready[2];
    char byte;
    g_assert_cmpint(pipe(ready), ==, 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        be_owner(behave, ready[1]);
    }
    close(ready[1]);
    g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    close(ready[0]);
    return pid;
}

static void end_owner(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

#define NONE (-1)

static const struct {
    const char *name;
    Behaviour behave;
    int code; /* the error; NONE: it must be read */
    const char *text;
    int limit_ms;  /* of the call; 0: plenty */
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
    {"garbage-targets", garbage_targets, NONE, "ok", 0, TRUE},
    {"many-targets", many_targets, HF_ERROR_LIMIT_EXCEEDED, NULL, 0, TRUE},
    {"wrong-units", wrong_units, NONE, NULL, 0},
    {"empty-promise", empty_promise, NONE, NULL, 0},
    {"wrong-property", wrong_property, NONE, NULL, 0},
    {"flood", flood, NONE, "ok", 0},
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
    pid_t owner = start_owner(cases[index].behave);
    int limit_ms = cases[index].limit_ms ? cases[index].limit_ms : 30000;
    HfDeadline deadline = hf_deadline_in_ms(limit_ms, NULL);
    gint64 begin_us = g_get_monotonic_time();
    g_autoptr(HfClipboardText) text =
        hf_clipboard_read(desktop, HF_SELECTION_CLIPBOARD, &deadline, &error);
    g_assert_cmpint((g_get_monotonic_time() - begin_us) / 1000, <, MIN(limit_ms + 500, 15000));
    if (cases[index].code == NONE) {
        g_assert_no_error(error);
        g_assert_cmpstr(text->text, ==, cases[index].text);
    } else {
        g_assert_error(error, HF_ERROR, cases[index].code);
        g_assert_null(text);
    }
    end_owner(owner);
    assert_next_owner(desktop);
}

/* The same owners when a text is to be lent: it fails and leaves them alone, or works. */
static void test_lend(gconstpointer data)
{
    guint index = GPOINTER_TO_UINT(data);
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY")};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    Requestor *observer = requestor_new();
    pid_t pid = start_owner(cases[index].behave);
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
    end_owner(pid);
    assert_next_owner(desktop);
    requestor_release(observer, "CLIPBOARD");
    requestor_free(observer);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *reading = g_strdup_printf("/selection/read/%s", cases[i].name);
        g_autofree char *lending = g_strdup_printf("/selection/lend/%s", cases[i].name);
        g_test_add_data_func(reading, GUINT_TO_POINTER(i), test_case);
        if (cases[i].lend)
            g_test_add_data_func(lending, GUINT_TO_POINTER(i), test_lend);
    }
    return g_test_run();
}
