/* Reading, writing and lending on X11. A change of a selection has its turn: one at a time. The
 * contract: whatever happens to us, the user's own content is served by somebody or can be put
 * back; it is copied and written down before a selection is taken, and never taken when that
 * fails. */
#include "platform/x11/clipboard.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "platform/x11/clipboard-keep.h"
#include "platform/x11/selection-read.h"
#include "platform/x11/selection-save.h"
#include "platform/x11/selection-serve.h"
#include "platform/x11/selection-text.h"

/* How many times to begin anew when the user copies something in the middle of our work. */
#define ATTEMPTS 4
/* Programs may fetch a text twice for one paste (Qt, Chromium); this long a silence says that the
 * borrower has all it wants. */
#define SETTLE_US 20000

struct HfX11Clipboard {
    HfX11Connection *names;
    HfSelectionServer *server;
    HfClipboardKeep *keep;
    int turn; /* eventfd as a semaphore */
};

HfX11Clipboard *hf_x11_clipboard_new(HfX11Connection *names, const char *state_dir)
{
    HfX11Clipboard *clipboard = g_new0(HfX11Clipboard, 1);
    clipboard->names = names;
    clipboard->server = hf_selection_server_new(names->display);
    clipboard->keep = hf_clipboard_keep_new(names, state_dir);
    clipboard->turn = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    hf_clipboard_keep_restore(clipboard->keep, clipboard->server);
    return clipboard;
}

void hf_x11_clipboard_free(HfX11Clipboard *clipboard)
{
    if (!clipboard)
        return;
    hf_clipboard_keep_hand_over(clipboard->keep, clipboard->server);
    hf_selection_server_free(clipboard->server);
    hf_clipboard_keep_free(clipboard->keep);
    close(clipboard->turn);
    g_free(clipboard);
}

/* An owner that goes or changes in the middle leaves an error or a text missing: its successor may
 * answer. */
static HfClipboardText *read_text(HfDesktop *desktop, HfSelection selection,
                                  const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(clipboard->names, hf_selection_name(selection), error);
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

static gboolean take_turn(HfX11Clipboard *clipboard, const HfDeadline *deadline, GError **error)
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
    if (claim->content &&
        !hf_clipboard_keep_write(clipboard->keep, claim->selection, claim->content, &file, error))
        return FALSE;
    claim->file = file;
    *ret_taken = FALSE;
    gboolean ok = hf_selection_server_claim(clipboard->server, claim, ret_taken, error);
    if (!*ret_taken)
        hf_clipboard_file_remove(file);
    return ok;
}

static gboolean write_in_turn(HfX11Clipboard *clipboard, const char *text,
                              const HfDeadline *deadline, GError **error)
{
    g_autoptr(HfClipboardData) data = hf_clipboard_data_new_text(text, FALSE);
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(clipboard->names, "CLIPBOARD", error);
    if (!reader)
        return FALSE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        gboolean taken = FALSE;
        if (!hf_selection_reader_start(reader, deadline, error))
            return FALSE;
        HfSelectionClaim claim = {.selection = HF_SELECTION_CLIPBOARD,
                                  .time = hf_selection_reader_get_time(reader),
                                  .content = data};
        if (!claim_written(clipboard, &claim, &taken, error))
            return FALSE;
        if (taken)
            return TRUE;
    }
    return keeps_changing(error);
}

static gboolean write_text(HfDesktop *desktop, const char *text, const HfDeadline *deadline,
                           GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    if (!take_turn(clipboard, deadline, error))
        return FALSE;
    gboolean ok = write_in_turn(clipboard, text, deadline, error);
    end_turn(clipboard);
    return ok;
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
    g_autoptr(HfClipboardData) content =
        hf_selection_server_dup_content(clipboard->server, claim->selection, &time);
    *ret_taken = FALSE;
    if (!content)
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
    g_autoptr(HfSelectionReader) reader =
        hf_selection_reader_new(clipboard->names, hf_selection_name(claim->selection), error);
    if (!reader)
        return FALSE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if (!save_and_claim(clipboard, reader, claim, &taken, deadline, error) || taken)
            return taken;
    return keeps_changing(error);
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
        gboolean fetched = *ret_fetched = state.fetches > 0;
        if (!state.owned)
            return TRUE;
        if (state.under_way > 0)
            step = hf_deadline_within_ms(deadline, HF_LIMIT_CLIPBOARD_STALL_MS);
        else if (fetched)
            step.at_us = MIN(state.active_us + SETTLE_US, deadline->at_us);
        gboolean more = hf_deadline_wait_readable(&step, activity, NULL);
        if (!hf_deadline_check(deadline, fetched ? NULL : error))
            return fetched;
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
    hf_selection_server_end_loan(clipboard->server, loan->selection);
    return ok;
}

static gboolean lend(HfDesktop *desktop, const HfClipboardLoan *loan, gboolean *ret_fetched,
                     const HfDeadline *deadline, GError **error)
{
    HfX11Clipboard *clipboard = hf_x11(desktop)->clipboard;
    *ret_fetched = FALSE;
    if (!take_turn(clipboard, deadline, error))
        return FALSE;
    gboolean ok = lend_in_turn(clipboard, loan, ret_fetched, deadline, error);
    end_turn(clipboard);
    return ok;
}

const HfClipboardOps hf_x11_clipboard_ops = {
    .read = read_text,
    .write = write_text,
    .lend = lend,
};
