/* SPDX-License-Identifier: Apache-2.0 */
/* Reading, writing and lending on X11. A change of a selection has its turn: one at a time. The
 * contract: whatever happens to us, the user's own content is served by somebody or can be put
 * back; it is copied and written down before a selection is taken, and never taken when that
 * fails. */
#include "hand/x11/selection/x11-clipboard.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "hand/apps/process-activity.h"
#include "hand/x11/selection/clipboard-persistence.h"
#include "hand/x11/selection/retained-window.h"
#include "hand/x11/selection/selection-read.h"
#include "hand/x11/selection/selection-save.h"
#include "hand/x11/selection/selection-serve.h"
#include "hand/x11/selection/selection-text.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

/* How many times to begin anew when the user copies something in the middle of our work. */
#define ATTEMPTS 4
/* When a borrower has all it wants. Most programs ask once for the text. Chromium asks first to see
 * what is there, then checks, then asks for the text to paste; when the content changes in between,
 * it pastes nothing or something else. So the loan goes on until the program has neither asked nor
 * worked for a while, longer when it is known to come back. Chromium also falls asleep over events
 * that it has received but not looked at, until another one comes: so it is nudged, and has to be
 * calm once more. `most` bounds the time since it last asked, for programs that are never at rest.
 */
typedef struct Calm {
    gint64 silence_us, look_us, most_us;
} Calm;
static const Calm calm_plain = {6000, 3000, 250000};
static const Calm calm_insisting = {40000, 10000, 1000000};
static const Calm calm_satisfied = {12000, 6000, 300000}; /* it has asked as often as it ever did */
static const Calm calm_unknown = {40000, 40000, 250000};  /* its process is not to be seen */

struct HfX11Clipboard {
    HfX11Connection *names;
    HfSelectionServer *server;
    HfClipboardPersistence *keep;
    char *state_dir;
    int turn; /* eventfd as a semaphore */
    /* In turn: the last program that insisted, and how often it has read the text in one paste. */
    guint32 insisting_pid;
    guint insisting_fetches;
};

HfX11Clipboard *hf_x11_clipboard_new(HfX11Connection *names, const char *state_dir)
{
    HfX11Clipboard *clipboard = g_new0(HfX11Clipboard, 1);
    clipboard->names = names;
    clipboard->server = hf_selection_server_new(names->display);
    clipboard->state_dir = g_strdup(state_dir);
    clipboard->keep = hf_clipboard_persistence_new(names, state_dir);
    clipboard->turn = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    hf_retained_window_sweep(names, state_dir, HF_RETAINED_AGE_MS);
    hf_clipboard_persistence_restore(clipboard->keep, clipboard->server);
    return clipboard;
}

void hf_x11_clipboard_free(HfX11Clipboard *clipboard)
{
    if (!clipboard)
        return;
    hf_retained_window_sweep(clipboard->names, clipboard->state_dir, HF_RETAINED_AGE_MS);
    hf_clipboard_persistence_hand_over(clipboard->keep, clipboard->server);
    hf_selection_server_free(clipboard->server);
    hf_clipboard_persistence_free(clipboard->keep);
    g_free(clipboard->state_dir);
    close(clipboard->turn);
    g_free(clipboard);
}

/* An owner that goes or changes in the middle leaves an error or a text missing: its successor may
 * answer. */
static HfClipboardText *read_selection_text(HfDesktop *desktop, HfSelection selection,
                                            const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        clipboard->names, hf_selection_name(selection), clipboard->state_dir, error);
    g_autoptr(HfClipboardText) text = NULL;
    g_autoptr(GError) problem = NULL;
    for (int attempt = 0; reader && attempt < ATTEMPTS; attempt++) {
        g_clear_error(&problem);
        g_clear_pointer(&text, hf_clipboard_text_free);
        if (!hf_selection_reader_start(reader, deadline, error))
            return NULL;
        text = hf_selection_text_read(reader, deadline, &problem);
        if ((text && text->text) || !hf_selection_reader_has_changed(reader) ||
            !hf_deadline_check(deadline, NULL))
            break;
    }
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return g_steal_pointer(&text);
}

static gboolean take_clipboard_turn(HfX11Clipboard *clipboard, const HfDeadline *deadline,
                                    GError **error)
{
    eventfd_t one;
    while (eventfd_read(clipboard->turn, &one) < 0)
        if (!hf_deadline_wait_readable(deadline, clipboard->turn, error))
            return FALSE;
    return TRUE;
}

static void end_turn(HfX11Clipboard *clipboard)
{
    eventfd_write(clipboard->turn, 1);
}

static gboolean keeps_changing(GError **error)
{
    return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "other programs keep changing the clipboard; try again when it is quiet");
}

/* Writes the content down, then takes the selection with it. */
static gboolean claim_written(HfX11Clipboard *clipboard, HfSelectionClaim *claim,
                              gboolean *ret_taken, GError **error)
{
    HfClipboardFile *file = NULL;
    if (claim->content && !hf_clipboard_persistence_write(clipboard->keep, claim->selection,
                                                          claim->content, &file, error))
        return FALSE;
    claim->file = file;
    *ret_taken = FALSE;
    gboolean ok = hf_selection_server_claim(clipboard->server, claim, ret_taken, error);
    if (!*ret_taken)
        hf_clipboard_file_remove(file);
    return ok;
}

static gboolean write_in_turn(HfX11Clipboard *clipboard, HfSelection selection,
                              HfClipboardData *data, const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(clipboard->names, hf_selection_name(selection), NULL, error);
    if (!reader)
        return FALSE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        gboolean taken = FALSE;
        if (!hf_selection_reader_start(reader, deadline, error))
            return FALSE;
        HfSelectionClaim claim = {
            .selection = selection, .time = hf_selection_reader_get_time(reader), .content = data};
        if (!claim_written(clipboard, &claim, &taken, error))
            return FALSE;
        if (taken)
            return TRUE;
    }
    return keeps_changing(error);
}

/* A name that programs ask for is the type of what they get, but for "any text". */
static void add_clipboard_part(HfClipboardData *data, const HfClipboardPart *part)
{
    const char *type = g_str_equal(part->format, "TEXT") ? "UTF8_STRING" : part->format;
    if (!hf_clipboard_data_find(data, part->format))
        hf_clipboard_data_add(data, part->format, type, 8, g_bytes_ref(part->bytes));
}

static gboolean write_selection_content(HfDesktop *desktop, HfSelection selection, const char *text,
                                        const GPtrArray *parts, const HfDeadline *deadline,
                                        GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    g_autoptr(HfClipboardData) data =
        text ? hf_clipboard_data_new_text(text, FALSE) : hf_clipboard_data_new();
    for (guint i = 0; parts && i < parts->len; i++)
        add_clipboard_part(data, parts->pdata[i]);
    if (!take_clipboard_turn(clipboard, deadline, error))
        return FALSE;
    gboolean ok = write_in_turn(clipboard, selection, data, deadline, error);
    end_turn(clipboard);
    return ok;
}

/* ---- other formats ---- */

static gboolean fail_format(const char *const *formats, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the content has no format %s", formats[0]);
    hf_error_suggest(error, "see what it has: formats of clipboard_read");
    return FALSE;
}

/* NULL without an error: the owner does not have it. */
static HfClipboardPart *fetch_one(HfSelectionReader *reader, const char *format,
                                  const HfDeadline *deadline, GError **error)
{
    HfX11Connection *names = hf_selection_reader_get_names(reader);
    g_auto(HfSelectionValue) value = {0};
    if (!hf_selection_fetch(reader, hf_x11_atom(names, format), deadline, &value, error) ||
        !value.bytes)
        return NULL;
    return hf_clipboard_part_new(format, g_bytes_ref(value.bytes));
}

static gboolean has_format(HfSelectionReader *reader, const GArray *targets, const char *format)
{
    xcb_atom_t atom = hf_x11_atom(hf_selection_reader_get_names(reader), format);
    for (guint i = 0; i < targets->len; i++)
        if (g_array_index(targets, xcb_atom_t, i) == atom)
            return TRUE;
    return targets->len == 0; /* an owner that does not say what it has is asked */
}

static HfClipboardPart *fetch_first(HfSelectionReader *reader, const char *const *formats,
                                    const HfDeadline *deadline, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(GArray) targets = hf_selection_reader_get_owner(reader)
                                    ? hf_selection_fetch_targets(reader, deadline, error)
                                    : NULL;
    for (int i = 0; targets && formats[i]; i++) {
        HfClipboardPart *part = has_format(reader, targets, formats[i])
                                    ? fetch_one(reader, formats[i], deadline, &problem)
                                    : NULL;
        if (part)
            return part;
        if (problem) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
    }
    if (targets || !hf_selection_reader_get_owner(reader))
        fail_format(formats, error);
    return NULL;
}

static HfSelectionReader *new_reader(HfDesktop *desktop, HfSelection selection,
                                     const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        clipboard->names, hf_selection_name(selection), clipboard->state_dir, error);
    return reader && hf_selection_reader_start(reader, deadline, error) ? g_steal_pointer(&reader)
                                                                        : NULL;
}

static HfClipboardPart *fetch_selection_part(HfDesktop *desktop, HfSelection selection,
                                             const char *const *formats, const HfDeadline *deadline,
                                             GError **error)
{
    g_autoptr(HfSelectionReader) reader = new_reader(desktop, selection, deadline, error);
    return reader ? fetch_first(reader, formats, deadline, error) : NULL;
}

static GPtrArray *save_selection_parts(HfDesktop *desktop, HfSelection selection,
                                       const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfSelectionReader) reader = new_reader(desktop, selection, deadline, error);
    g_autoptr(HfClipboardData) data = NULL;
    if (!reader || !hf_selection_save(reader, deadline, &data, error))
        return NULL;
    GPtrArray *parts = g_ptr_array_new_with_free_func((GDestroyNotify)hf_clipboard_part_free);
    for (guint i = 0; i < hf_clipboard_data_get_count(data); i++) {
        const HfClipboardFormat *format = hf_clipboard_data_get(data, i);
        if (format->unit == 8)
            g_ptr_array_add(parts,
                            hf_clipboard_part_new(format->target, g_bytes_ref(format->bytes)));
    }
    return parts;
}

/* Copies what is there and takes the selection in its place. Not taken: it changed meanwhile. */
static gboolean save_and_claim(HfX11Clipboard *clipboard, HfSelectionReader *reader,
                               HfSelectionClaim *claim, gboolean *ret_taken,
                               const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfClipboardData) saved = NULL;
    g_autoptr(GError) problem = NULL;
    *ret_taken = FALSE;
    if (!hf_selection_reader_start(reader, deadline, error))
        return FALSE;
    gboolean ok = hf_selection_save(reader, deadline, &saved, &problem);
    if (hf_selection_reader_has_changed(reader) && hf_deadline_check(deadline, error))
        return TRUE;
    if (!ok) {
        if (error && !*error)
            g_propagate_error(error, g_steal_pointer(&problem));
        return FALSE;
    }
    claim->content = hf_clipboard_data_get_count(saved) > 0 ? saved : NULL;
    claim->time = hf_selection_reader_get_time(reader);
    ok = claim_written(clipboard, claim, ret_taken, error);
    claim->content = NULL;
    return ok;
}

/* What is ours is in memory and written down already. */
static gboolean claim_own(HfX11Clipboard *clipboard, HfSelectionClaim *claim, gboolean *ret_taken,
                          GError **error)
{
    xcb_timestamp_t time = 0;
    g_autoptr(HfClipboardData) content = NULL;
    *ret_taken = FALSE;
    if (!hf_selection_server_get_content(clipboard->server, claim->selection, &content, &time))
        return TRUE;
    claim->content = content;
    claim->time = time + 1;
    claim->file = NULL;
    gboolean ok = hf_selection_server_claim(clipboard->server, claim, ret_taken, error);
    claim->content = NULL;
    return ok;
}

static gboolean begin_loan(HfX11Clipboard *clipboard, HfSelectionClaim *claim,
                           const HfDeadline *deadline, GError **error)
{
    gboolean taken = FALSE;
    if (!claim_own(clipboard, claim, &taken, error) || taken)
        return taken;
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        clipboard->names, hf_selection_name(claim->selection), clipboard->state_dir, error);
    if (!reader)
        return FALSE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if (!save_and_claim(clipboard, reader, claim, &taken, deadline, error) || taken)
            return taken;
    return keeps_changing(error);
}

static const Calm *calm_for(const HfX11Clipboard *clipboard, const HfSelectionLoanState *state)
{
    if (!state->pid)
        return &calm_unknown;
    gboolean known = clipboard->insisting_pid == state->pid;
    if (known && state->fetches >= clipboard->insisting_fetches)
        return &calm_satisfied;
    return known || state->insists ? &calm_insisting : &calm_plain;
}

static void remember_insisting(HfX11Clipboard *clipboard, const HfSelectionLoanState *state)
{
    if (!state->insists)
        return;
    if (clipboard->insisting_pid != state->pid)
        clipboard->insisting_fetches = 0;
    clipboard->insisting_pid = state->pid;
    clipboard->insisting_fetches = MAX(clipboard->insisting_fetches, state->fetches);
}

/* Whether the borrower works on the paste, or the X server has work that may be part of it. */
static gboolean is_at_work(HfX11Clipboard *clipboard, HfProcessActivity *borrower)
{
    return borrower && (hf_process_activity_has_worked(borrower) ||
                        hf_process_is_busy(hf_x11_server_pid(clipboard->names)));
}

/* An event that means nothing to anybody. */
static void nudge_window(HfX11Clipboard *clipboard, xcb_window_t window)
{
    HfX11Connection *names = clipboard->names;
    union {
        xcb_client_message_event_t message;
        char bytes[32];
    } event = {.message = {.response_type = XCB_CLIENT_MESSAGE,
                           .format = 32,
                           .window = window,
                           .type = hf_x11_atom(names, "_HANDFAST_NUDGE")}};
    xcb_send_event(names->xcb, 0, window, 0, event.bytes);
    hf_x11_sync(names, NULL);
}

/* Waits until a borrower that has the text wants nothing more. */
static void wait_for_calm(HfX11Clipboard *clipboard, const HfClipboardLoan *loan, guint32 pid,
                          const HfDeadline *deadline)
{
    int activity = hf_selection_server_get_activity_fd(clipboard->server);
    g_autoptr(HfProcessActivity) borrower = pid ? hf_process_activity_new((pid_t)pid) : NULL;
    gint64 worked_us = g_get_monotonic_time(), nudged_us = 0;
    while (hf_deadline_check(deadline, NULL)) {
        HfSelectionLoanState state =
            hf_selection_server_get_loan(clipboard->server, loan->selection);
        const Calm *calm = calm_for(clipboard, &state);
        gboolean works = is_at_work(clipboard, borrower);
        gint64 now = g_get_monotonic_time();
        worked_us = works ? now : worked_us;
        gboolean silent =
            state.under_way == 0 && now >= MAX(worked_us, state.active_us) + calm->silence_us;
        gboolean nudged = nudged_us > state.active_us || !loan->window;
        if (!state.owned || now >= state.active_us + calm->most_us || (silent && nudged)) {
            remember_insisting(clipboard, &state);
            return;
        }
        if (silent) {
            nudge_window(clipboard, loan->window);
            nudged_us = worked_us = g_get_monotonic_time();
        }
        HfDeadline step = *deadline;
        step.at_us = MIN(deadline->at_us, now + calm->look_us);
        hf_deadline_wait_readable(&step, activity, NULL);
    }
}

/* Until the borrower has fetched all it wants, or does not begin to in `wait_ms`. */
static gboolean wait_for_fetch(HfX11Clipboard *clipboard, const HfClipboardLoan *loan,
                               gboolean *ret_fetched, const HfDeadline *deadline, GError **error)
{
    HfDeadline patience = hf_deadline_within_ms(deadline, loan->wait_ms);
    int activity = hf_selection_server_get_activity_fd(clipboard->server);
    for (;;) {
        HfSelectionLoanState state =
            hf_selection_server_get_loan(clipboard->server, loan->selection);
        HfDeadline step = patience;
        *ret_fetched = state.fetches > 0;
        if (*ret_fetched)
            wait_for_calm(clipboard, loan, state.pid, deadline);
        if (*ret_fetched || !state.owned)
            return TRUE;
        if (state.under_way > 0)
            step = hf_deadline_within_ms(deadline, HF_LIMIT_CLIPBOARD_STALL_MS);
        gboolean more = hf_deadline_wait_readable(&step, activity, NULL);
        if (!hf_deadline_check(deadline, error))
            return FALSE;
        if (!more && state.under_way == 0)
            return TRUE;
    }
}

static gboolean lend_in_turn(HfX11Clipboard *clipboard, const HfClipboardLoan *loan,
                             gboolean *ret_fetched, const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfClipboardData) text = hf_clipboard_data_new_text(loan->text, TRUE);
    HfSelectionClaim claim = {.selection = loan->selection, .loan = text, .borrower = loan->window};
    if (!begin_loan(clipboard, &claim, deadline, error))
        return FALSE;
    hf_selection_server_count_fetches(clipboard->server, loan->selection);
    gboolean ok = loan->trigger(loan->data, error) &&
                  wait_for_fetch(clipboard, loan, ret_fetched, deadline, error);
    /* It may have the text although the chord was not seen through: then it must not get it again
     * by another way. */
    HfSelectionLoanState state = hf_selection_server_get_loan(clipboard->server, loan->selection);
    *ret_fetched |= state.fetches > 0 || state.under_way > 0;
    hf_selection_server_end_loan(clipboard->server, loan->selection);
    return ok;
}

static gboolean lend_selection(HfDesktop *desktop, const HfClipboardLoan *loan,
                               gboolean *ret_fetched, const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    *ret_fetched = FALSE;
    if (!take_clipboard_turn(clipboard, deadline, error))
        return FALSE;
    gboolean ok = lend_in_turn(clipboard, loan, ret_fetched, deadline, error);
    end_turn(clipboard);
    return ok;
}

const HfClipboardOps hf_x11_clipboard_ops = {
    .read = read_selection_text,
    .fetch = fetch_selection_part,
    .save = save_selection_parts,
    .write = write_selection_content,
    .lend = lend_selection,
};
