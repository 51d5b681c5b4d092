/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the limits of the clipboard. The back end does the rest. */
#include "hand/desktop/clipboard.h"

#include <string.h>

#include "hand/desktop/desktop-limits.h"
#include "shared/base/error.h"

void hf_clipboard_text_free(HfClipboardText *text)
{
    if (!text)
        return;
    g_free(text->text);
    g_strfreev(text->formats);
    g_free(text);
}

HfClipboardPart *hf_clipboard_part_new(const char *format, GBytes *take_bytes)
{
    HfClipboardPart *part = g_new(HfClipboardPart, 1);
    *part = (HfClipboardPart){g_strdup(format), take_bytes};
    return part;
}

void hf_clipboard_part_free(HfClipboardPart *part)
{
    if (!part)
        return;
    g_free(part->format);
    g_bytes_unref(part->bytes);
    g_free(part);
}

static gboolean check_content_length(const char *text, const GPtrArray *parts, GError **error)
{
    gsize length = text ? strlen(text) : 0;
    for (guint i = 0; parts && i < parts->len; i++)
        length += g_bytes_get_size(((const HfClipboardPart *)parts->pdata[i])->bytes);
    if (length <= HF_LIMIT_CLIPBOARD_BYTES)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                   "the content has %" G_GSIZE_FORMAT " bytes, but the clipboard takes at most %u",
                   length, HF_LIMIT_CLIPBOARD_BYTES);
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

HfClipboardPart *hf_clipboard_fetch(HfDesktop *desktop, HfSelection selection,
                                    const char *const *formats, const HfDeadline *deadline,
                                    GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (ops && ops->fetch)
        return ops->fetch(desktop, selection, formats, deadline, error);
    hf_desktop_fail_unsupported(desktop, "read the clipboard", error);
    return NULL;
}

GPtrArray *hf_clipboard_save(HfDesktop *desktop, HfSelection selection, const HfDeadline *deadline,
                             GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (ops && ops->save)
        return ops->save(desktop, selection, deadline, error);
    hf_desktop_fail_unsupported(desktop, "save the clipboard", error);
    return NULL;
}

gboolean hf_clipboard_write(HfDesktop *desktop, HfSelection selection, const char *text,
                            const GPtrArray *parts, const HfDeadline *deadline, GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (!ops || !ops->write)
        return hf_desktop_fail_unsupported(desktop, "write to the clipboard", error);
    return check_content_length(text, parts, error) &&
           ops->write(desktop, selection, text, parts, deadline, error);
}

gboolean hf_clipboard_lend(HfDesktop *desktop, const HfClipboardLoan *loan, gboolean *ret_fetched,
                           const HfDeadline *deadline, GError **error)
{
    const HfClipboardOps *ops = desktop->backend->clipboard;
    if (!ops || !ops->lend)
        return hf_desktop_fail_unsupported(desktop, "paste", error);
    return check_content_length(loan->text, NULL, error) &&
           ops->lend(desktop, loan, ret_fetched, deadline, error);
}
