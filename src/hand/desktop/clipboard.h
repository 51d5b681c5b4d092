/* SPDX-License-Identifier: Apache-2.0 */
/* The clipboard: reading, writing, and lending a text to a program that pastes it. After a loan the
 * user's own content is back in all of its formats. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

typedef enum HfSelection {
    HF_SELECTION_CLIPBOARD,
    HF_SELECTION_PRIMARY, /* what middle click and Shift+Insert paste in terminals */
} HfSelection;

typedef struct HfClipboardText {
    char *text;     /* NULL when the content has no text form */
    char **formats; /* all formats, as the owner names them */
} HfClipboardText;

void hf_clipboard_text_free(HfClipboardText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfClipboardText, hf_clipboard_text_free)

/* The content in one format. */
typedef struct HfClipboardPart {
    char *format; /* as programs ask for it: "text/html", "image/png" */
    GBytes *bytes;
} HfClipboardPart;

HfClipboardPart *hf_clipboard_part_new(const char *format, GBytes *take_bytes);
void hf_clipboard_part_free(HfClipboardPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfClipboardPart, hf_clipboard_part_free)

/* Makes the program paste (presses its paste chord) while the text is on loan. */
typedef gboolean (*HfClipboardTrigger)(gpointer data, GError **error);

typedef struct HfClipboardLoan {
    HfSelection selection;
    const char *text;
    guint32 window;             /* only the program of this window gets the text; 0: any program */
    HfClipboardTrigger trigger; /* called with `data` */
    gpointer data;
    guint wait_ms; /* how long to wait for the fetch after the trigger */
} HfClipboardLoan;

struct HfClipboardOps {
    HfClipboardText *(*read)(HfDesktop *desktop, HfSelection selection, const HfDeadline *deadline,
                             GError **error);
    HfClipboardPart *(*fetch)(HfDesktop *desktop, HfSelection selection, const char *const *formats,
                              const HfDeadline *deadline, GError **error);
    GPtrArray *(*save)(HfDesktop *desktop, HfSelection selection, const HfDeadline *deadline,
                       GError **error);
    gboolean (*write)(HfDesktop *desktop, HfSelection selection, const char *text,
                      const GPtrArray *parts, const HfDeadline *deadline, GError **error);
    gboolean (*lend)(HfDesktop *desktop, const HfClipboardLoan *loan, gboolean *ret_fetched,
                     const HfDeadline *deadline, GError **error);
};

/* An empty clipboard has no text and no formats. DESKTOP_TIMEOUT when the program that owns the
 * selection does not answer, LIMIT_EXCEEDED when its text is longer than HF_LIMIT_CLIPBOARD_BYTES.
 */
HfClipboardText *hf_clipboard_read(HfDesktop *desktop, HfSelection selection,
                                   const HfDeadline *deadline, GError **error);
/* The content in the first of these formats (a list that ends with NULL) that it has.
 * PRECONDITION_FAILED when it has none of them; limits as above. */
HfClipboardPart *hf_clipboard_fetch(HfDesktop *desktop, HfSelection selection,
                                    const char *const *formats, const HfDeadline *deadline,
                                    GError **error);
/* The content in all formats (HfClipboardPart), to be restored later. */
GPtrArray *hf_clipboard_save(HfDesktop *desktop, HfSelection selection, const HfDeadline *deadline,
                             GError **error);
/* Writes a text (NULL: none), and other formats of the same content (NULL: none). The content
 * outlives the hand: see hand/x11/selection/x11-clipboard.c. */
gboolean hf_clipboard_write(HfDesktop *desktop, HfSelection selection, const char *text,
                            const GPtrArray *parts, const HfDeadline *deadline, GError **error);
/* `ret_fetched` FALSE: the program did not fetch the text (it does not paste by that chord). The
 * former content is back when this returns, whatever happened, and other programs never see another
 * one. PRECONDITION_FAILED, without a loan, when the content cannot be saved first (its owner
 * hangs, or it is too large). */
gboolean hf_clipboard_lend(HfDesktop *desktop, const HfClipboardLoan *loan, gboolean *ret_fetched,
                           const HfDeadline *deadline, GError **error);
