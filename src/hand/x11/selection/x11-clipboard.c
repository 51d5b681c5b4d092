/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes and lends selections; one change at a time. Whatever happens to us, some process
 * serves the user's own content or the next hand can restore it: it is copied and saved to disk
 * before we take a selection. If that fails, we do not take it. */
#include "hand/desktop/clipboard.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "hand/apps/process-activity.h"
#include "hand/x11/core/x11.h"
#include "hand/x11/selection/clipboard-persistence.h"
#include "hand/x11/selection/retained-window.h"
#include "hand/x11/selection/selection-read.h"
#include "hand/x11/selection/selection-serve.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/error.h"

/* How often to start again when the user copies something meanwhile. */
#define ATTEMPTS 4
/* When a borrower has everything it wants. Most programs request the text once. Chromium requests
 * it to see what is there, checks, and requests it again to paste; when the content changes in
 * between, it pastes nothing or something else. So the loan lasts until the program has neither
 * asked nor worked for `quiet_us`, longer when it is known to ask again. Chromium may also sleep
 * with received but unhandled events until another one comes, so it gets one more event and must be
 * idle again. `max_us` bounds the time since its last request, for programs that are never idle. */
typedef struct IdleLimits {
    gint64 quiet_us, poll_us, max_us;
} IdleLimits;
static const IdleLimits idle_plain = {6000, 3000, 250000};
static const IdleLimits idle_repeating = {40000, 10000, 1000000};
static const IdleLimits idle_satisfied = {12000, 6000,
                                          300000};             /* it has asked as often as before */
static const IdleLimits idle_unknown = {40000, 40000, 250000}; /* its process cannot be observed */

struct HfX11Clipboard {
    HfX11Connection *shared;
    HfSelectionServer *server;
    HfClipboardPersistence *persistence;
    char *state_dir;
    int turn; /* an eventfd as semaphore: one change at a time */
    /* The last program that asked again, and how often it has read the text in one paste. */
    guint32 repeat_pid;
    guint repeat_fetches;
};

HfX11Clipboard *hf_x11_clipboard_new(HfX11Connection *shared, const char *state_dir)
{
    HfX11Clipboard *clipboard = g_new0(HfX11Clipboard, 1);
    clipboard->shared = shared;
    clipboard->server = hf_selection_server_new(shared->display);
    clipboard->state_dir = g_strdup(state_dir);
    clipboard->persistence = hf_clipboard_persistence_new(shared, state_dir);
    clipboard->turn = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    hf_retained_window_sweep(shared, state_dir, HF_RETAINED_AGE_MS);
    hf_clipboard_persistence_restore(clipboard->persistence, clipboard->server);
    return clipboard;
}

void hf_x11_clipboard_free(HfX11Clipboard *clipboard)
{
    if (!clipboard)
        return;
    hf_retained_window_sweep(clipboard->shared, clipboard->state_dir, HF_RETAINED_AGE_MS);
    hf_clipboard_persistence_hand_over(clipboard->persistence, clipboard->server);
    hf_selection_server_free(clipboard->server);
    hf_clipboard_persistence_free(clipboard->persistence);
    g_free(clipboard->state_dir);
    close(clipboard->turn);
    g_free(clipboard);
}

/* The best comes first. */
static const char *const text_targets[] = {"UTF8_STRING",
                                           "text/plain;charset=utf-8",
                                           "text/plain;charset=UTF-8",
                                           "STRING",
                                           "TEXT",
                                           "text/plain",
                                           "COMPOUND_TEXT"};

/* `ret_text` is NULL when the owner has no such format. */
static gboolean fetch_text(HfSelectionReader *reader, const char *target,
                           const HfDeadline *deadline, char **ret_text, GError **error)
{
    HfX11Connection *shared = hf_selection_reader_get_shared(reader);
    g_auto(HfSelectionValue) value = {0};
    if (!hf_selection_fetch(reader, hf_x11_atom(shared, target), deadline, &value, error))
        return FALSE;
    *ret_text = NULL;
    if (!value.bytes || value.unit != 8)
        return TRUE;
    gsize length = 0;
    const char *bytes = g_bytes_get_data(value.bytes, &length);
    g_autofree char *type = value.type ? hf_x11_dup_atom_name(shared, value.type) : NULL;
    *ret_text = hf_x11_text_decode_type(type ? type : target, bytes, length);
    return TRUE;
}

static char **dup_format_names(HfSelectionReader *reader, const GArray *targets)
{
    g_autoptr(GPtrArray) names = hf_selection_dup_names(reader, targets);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *valid = names->pdata[i] ? g_utf8_make_valid(names->pdata[i], -1) : NULL;
        if (valid)
            g_strv_builder_add(builder, valid);
    }
    return g_strv_builder_end(builder);
}

/* The formats on offer, and the best text among them. */
static HfClipboardText *read_best_text(HfSelectionReader *reader, const HfDeadline *deadline,
                                       GError **error)
{
    g_autoptr(HfClipboardText) result = g_new0(HfClipboardText, 1);
    if (!hf_selection_reader_get_owner(reader)) {
        result->formats = g_new0(char *, 1);
        return g_steal_pointer(&result);
    }
    g_autoptr(GArray) targets = hf_selection_fetch_targets(reader, deadline, error);
    if (!targets)
        return NULL;
    result->formats = dup_format_names(reader, targets);
    /* An owner that does not list its formats is asked for each of them. */
    gboolean silent = targets->len == 0;
    for (gsize i = 0; i < G_N_ELEMENTS(text_targets) && !result->text; i++) {
        const char *target = text_targets[i];
        if (!silent && !g_strv_contains((const char *const *)result->formats, target))
            continue;
        if (!fetch_text(reader, target, deadline, &result->text, error))
            return NULL;
        if (silent && result->text) {
            g_strfreev(result->formats);
            result->formats = g_strdupv((char *[]){(char *)target, NULL});
        }
    }
    return g_steal_pointer(&result);
}

/* When the owner goes or changes meanwhile, there is an error or no text, but the next owner may
 * answer. */
static HfClipboardText *read_selection_text(HfDesktop *desktop, HfSelection selection,
                                            const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        clipboard->shared, hf_selection_name(selection), clipboard->state_dir, error);
    g_autoptr(HfClipboardText) text = NULL;
    g_autoptr(GError) problem = NULL;
    for (int attempt = 0; reader && attempt < ATTEMPTS; attempt++) {
        g_clear_error(&problem);
        g_clear_pointer(&text, hf_clipboard_text_free);
        if (!hf_selection_reader_start(reader, deadline, error))
            return NULL;
        text = read_best_text(reader, deadline, &problem);
        if ((text && text->text) || !hf_selection_reader_has_changed(reader) ||
            !hf_deadline_check(deadline, NULL))
            break;
    }
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return g_steal_pointer(&text);
}

/* The turn to change a selection, while the variable is in scope. */
typedef HfX11Clipboard ClipboardTurn;

static void end_clipboard_turn(ClipboardTurn *clipboard)
{
    if (clipboard)
        eventfd_write(clipboard->turn, 1);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ClipboardTurn, end_clipboard_turn)

static ClipboardTurn *take_clipboard_turn(HfDesktop *desktop, const HfDeadline *deadline,
                                          GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    eventfd_t one;
    while (eventfd_read(clipboard->turn, &one) < 0)
        if (!hf_deadline_wait_readable(deadline, clipboard->turn, error))
            return NULL;
    return clipboard;
}

static gboolean fail_keeps_changing(GError **error)
{
    return hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                   "other programs keep changing the clipboard; try again when they stop");
}

/* Saves the content to a file, then takes the selection. */
static gboolean save_file_and_claim(HfX11Clipboard *clipboard, HfSelectionClaim *claim,
                                    gboolean *ret_taken, GError **error)
{
    HfClipboardFile *file = NULL;
    if (claim->content && !hf_clipboard_persistence_write(clipboard->persistence, claim->selection,
                                                          claim->content, &file, error))
        return FALSE;
    claim->file = file;
    *ret_taken = FALSE;
    gboolean ok = hf_selection_server_claim(clipboard->server, claim, ret_taken, error);
    if (!*ret_taken)
        hf_clipboard_file_remove(file);
    return ok;
}

/* Programs expect a type of the same name as the format, except for TEXT. */
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
    g_autoptr(HfClipboardData) data =
        text ? hf_clipboard_data_new_text(text, FALSE) : hf_clipboard_data_new();
    for (guint i = 0; parts && i < parts->len; i++)
        add_clipboard_part(data, parts->pdata[i]);
    g_autoptr(ClipboardTurn) clipboard = take_clipboard_turn(desktop, deadline, error);
    if (!clipboard)
        return FALSE;
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(clipboard->shared, hf_selection_name(selection), NULL, error);
    for (int attempt = 0; reader && attempt < ATTEMPTS; attempt++) {
        gboolean taken = FALSE;
        if (!hf_selection_reader_start(reader, deadline, error))
            return FALSE;
        HfSelectionClaim claim = {
            .selection = selection, .time = hf_selection_reader_get_time(reader), .content = data};
        if (!save_file_and_claim(clipboard, &claim, &taken, error))
            return FALSE;
        if (taken)
            return TRUE;
    }
    return reader && fail_keeps_changing(error);
}

static HfSelectionReader *start_reader(HfDesktop *desktop, HfSelection selection,
                                       const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        clipboard->shared, hf_selection_name(selection), clipboard->state_dir, error);
    return reader && hf_selection_reader_start(reader, deadline, error) ? g_steal_pointer(&reader)
                                                                        : NULL;
}

/* An owner that does not list its formats may have it. */
static gboolean may_have_format(const GArray *targets, xcb_atom_t format)
{
    for (guint i = 0; i < targets->len; i++)
        if (g_array_index(targets, xcb_atom_t, i) == format)
            return TRUE;
    return targets->len == 0;
}

static HfClipboardPart *fetch_selection_part(HfDesktop *desktop, HfSelection selection,
                                             const char *const *formats, const HfDeadline *deadline,
                                             GError **error)
{
    g_autoptr(HfSelectionReader) reader = start_reader(desktop, selection, deadline, error);
    if (!reader)
        return NULL;
    gboolean owned = hf_selection_reader_get_owner(reader) != XCB_WINDOW_NONE;
    g_autoptr(GArray) targets = owned ? hf_selection_fetch_targets(reader, deadline, error) : NULL;
    if (owned && !targets)
        return NULL;
    for (int i = 0; owned && formats[i]; i++) {
        xcb_atom_t format = hf_x11_atom(hf_selection_reader_get_shared(reader), formats[i]);
        g_auto(HfSelectionValue) value = {0};
        if (!may_have_format(targets, format))
            continue;
        if (!hf_selection_fetch(reader, format, deadline, &value, error))
            return NULL;
        if (value.bytes)
            return hf_clipboard_part_new(formats[i], g_bytes_ref(value.bytes));
    }
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "the clipboard has no format %s", formats[0]);
    hf_error_suggest(error, "clipboard_read lists the formats that it has");
    return NULL;
}

static GPtrArray *save_selection_parts(HfDesktop *desktop, HfSelection selection,
                                       const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfSelectionReader) reader = start_reader(desktop, selection, deadline, error);
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

/* Copies the content and takes the selection. Not taken: it changed meanwhile. */
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
    ok = save_file_and_claim(clipboard, claim, ret_taken, error);
    claim->content = NULL;
    return ok;
}

/* Content that is ours is already in memory and on disk. */
static gboolean reclaim_own(HfX11Clipboard *clipboard, HfSelectionClaim *claim, gboolean *ret_taken,
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
    if (!reclaim_own(clipboard, claim, &taken, error) || taken)
        return taken;
    g_autoptr(HfSelectionReader) reader = hf_selection_reader_new(
        clipboard->shared, hf_selection_name(claim->selection), clipboard->state_dir, error);
    if (!reader)
        return FALSE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if (!save_and_claim(clipboard, reader, claim, &taken, deadline, error) || taken)
            return taken;
    return fail_keeps_changing(error);
}

static const IdleLimits *idle_limits_for(const HfX11Clipboard *clipboard,
                                         const HfSelectionLoanState *state)
{
    if (!state->pid)
        return &idle_unknown;
    gboolean known = clipboard->repeat_pid == state->pid;
    if (known && state->fetches >= clipboard->repeat_fetches)
        return &idle_satisfied;
    return known || state->asks_again ? &idle_repeating : &idle_plain;
}

static void remember_repeated_fetches(HfX11Clipboard *clipboard, const HfSelectionLoanState *state)
{
    if (!state->asks_again)
        return;
    if (clipboard->repeat_pid != state->pid)
        clipboard->repeat_fetches = 0;
    clipboard->repeat_pid = state->pid;
    clipboard->repeat_fetches = MAX(clipboard->repeat_fetches, state->fetches);
}

/* Whether the borrower works, or the X server, whose work may be part of the paste. */
static gboolean is_paste_in_progress(HfX11Clipboard *clipboard, HfProcessActivity *borrower)
{
    return borrower && (hf_process_activity_has_worked(borrower) ||
                        hf_process_is_busy(hf_x11_server_pid(clipboard->shared)));
}

/* Sends an event that means nothing to any program. */
static void nudge_window(HfX11Clipboard *clipboard, xcb_window_t window)
{
    HfX11Connection *names = clipboard->shared;
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

/* Waits until a borrower that has read the text is done with its paste. */
static void wait_until_borrower_idle(HfX11Clipboard *clipboard, const HfClipboardLoan *loan,
                                     guint32 pid, const HfDeadline *deadline)
{
    int activity = hf_selection_server_get_activity_fd(clipboard->server);
    g_autoptr(HfProcessActivity) borrower = pid ? hf_process_activity_new((pid_t)pid) : NULL;
    gint64 worked_us = g_get_monotonic_time(), nudged_us = 0;
    while (hf_deadline_check(deadline, NULL)) {
        HfSelectionLoanState state =
            hf_selection_server_get_loan(clipboard->server, loan->selection);
        const IdleLimits *limits = idle_limits_for(clipboard, &state);
        gboolean works = is_paste_in_progress(clipboard, borrower);
        gint64 now = g_get_monotonic_time();
        worked_us = works ? now : worked_us;
        gboolean silent =
            state.in_progress == 0 && now >= MAX(worked_us, state.active_us) + limits->quiet_us;
        gboolean nudged = nudged_us > state.active_us || !loan->window;
        if (!state.owned || now >= state.active_us + limits->max_us || (silent && nudged)) {
            remember_repeated_fetches(clipboard, &state);
            return;
        }
        if (silent) {
            nudge_window(clipboard, loan->window);
            nudged_us = worked_us = g_get_monotonic_time();
        }
        HfDeadline step = *deadline;
        step.at_us = MIN(deadline->at_us, now + limits->poll_us);
        hf_deadline_wait_readable(&step, activity, NULL);
    }
}

/* Waits until the borrower has read everything it wants, or has not begun within `wait_ms`. */
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
            wait_until_borrower_idle(clipboard, loan, state.pid, deadline);
        if (*ret_fetched || !state.owned)
            return TRUE;
        if (state.in_progress > 0)
            step = hf_deadline_within_ms(deadline, HF_LIMIT_CLIPBOARD_STALL_MS);
        gboolean more = hf_deadline_wait_readable(&step, activity, NULL);
        if (!hf_deadline_check(deadline, error))
            return FALSE;
        if (!more && state.in_progress == 0)
            return TRUE;
    }
}

static gboolean lend_selection(HfDesktop *desktop, const HfClipboardLoan *loan,
                               gboolean *ret_fetched, const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfClipboardData) text = hf_clipboard_data_new_text(loan->text, TRUE);
    HfSelectionClaim claim = {.selection = loan->selection, .loan = text, .borrower = loan->window};
    *ret_fetched = FALSE;
    g_autoptr(ClipboardTurn) clipboard = take_clipboard_turn(desktop, deadline, error);
    if (!clipboard || !begin_loan(clipboard, &claim, deadline, error))
        return FALSE;
    hf_selection_server_count_fetches(clipboard->server, loan->selection);
    gboolean ok = loan->trigger(loan->data, error) &&
                  wait_for_fetch(clipboard, loan, ret_fetched, deadline, error);
    /* The borrower may have the text although the trigger failed: then it must not get it again by
     * another method. */
    HfSelectionLoanState state = hf_selection_server_get_loan(clipboard->server, loan->selection);
    *ret_fetched |= state.fetches > 0 || state.in_progress > 0;
    hf_selection_server_end_loan(clipboard->server, loan->selection);
    return ok;
}

const HfClipboardOps hf_x11_clipboard_ops = {
    .read = read_selection_text,
    .fetch = fetch_selection_part,
    .save = save_selection_parts,
    .write = write_selection_content,
    .lend = lend_selection,
};
