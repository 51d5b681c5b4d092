/* The public words of the clipboard: limits are checked here, the back end does the rest. */
#include "platform/clipboard.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"

void hf_clipboard_text_free(HfClipboardText *text)
{
    if (!text)
        return;
    g_free(text->text);
    g_strfreev(text->formats);
    g_free(text);
}

static gboolean check_length(const char *text, GError **error)
{
    gsize length = strlen(text);
    if (length <= HF_LIMIT_CLIPBOARD_BYTES)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                   "the text has %" G_GSIZE_FORMAT " bytes; the clipboard takes at most %u", length,
                   HF_LIMIT_CLIPBOARD_BYTES);
}

HfClipboardText *hf_clipboard_read(HfDesktop *desktop, HfSelection selection,
                                   const HfDeadline *deadline, GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (ops && ops->read)
        return ops->read(desktop, selection, deadline, error);
    hf_desktop_fail_unsupported(desktop, "read the clipboard", error);
    return NULL;
}

gboolean hf_clipboard_write(HfDesktop *desktop, const char *text, const HfDeadline *deadline,
                            GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (!ops || !ops->write)
        return hf_desktop_fail_unsupported(desktop, "write to the clipboard", error);
    return check_length(text, error) && ops->write(desktop, text, deadline, error);
}

gboolean hf_clipboard_lend(HfDesktop *desktop, const HfClipboardLoan *loan, gboolean *ret_fetched,
                           const HfDeadline *deadline, GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (!ops || !ops->lend)
        return hf_desktop_fail_unsupported(desktop, "paste", error);
    return check_length(loan->text, error) &&
           ops->lend(desktop, loan, ret_fetched, deadline, error);
}
