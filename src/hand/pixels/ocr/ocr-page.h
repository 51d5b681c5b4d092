/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a picture. Its rows are cut out first, so that the picture can be freed before they
 * are read. */
#pragma once

#include "hand/pixels/ocr/ocr-line.h"
#include "shared/image/image.h"

typedef struct HfOcrPageLine {
    HfRect box; /* in pixels of the picture */
    HfTextHash hash;
    HfTextLine *line; /* until it is read */
    HfLineText *text; /* NULL: not read yet */
    gboolean cached;  /* it was read before */
} HfOcrPageLine;

/* A part of the screen at a moment: the serial numbers of its contents and of its windows, and a
 * viewer, the same for callers who may see the same. Serial 0: changes cannot be noticed. */
typedef struct HfOcrPageView {
    guint64 serial, windows, viewer;
    HfRect area;
} HfOcrPageView;

typedef struct HfOcrPage {
    HfSize size;
    char *language;
    HfOcrPageView view;
    guint64 hash;         /* of the picture */
    GArray *lines;        /* of HfOcrPageLine, from top to bottom, then from left to right */
    gboolean cut;         /* it has more rows than the limit */
    gboolean timed_out;   /* before all lines were read */
    gboolean unchanged;   /* all of the picture was read before */
    gboolean from_caller; /* the caller's picture, which has a separate cache */
    gboolean partial;     /* it has only some of the picture's lines */
    guint unreadable;     /* lines that made their reader fail */
} HfOcrPage;

/* `language` is the engine's name, or auto. */
HfOcrPage *hf_ocr_page_new(const HfImage *image, const char *language);
/* The same for a picture from the caller. It does not use what was read on the screen: otherwise a
 * caller could find out, by sending pictures, what was on a screen that it may not see. */
HfOcrPage *hf_ocr_page_new_from_caller(const HfImage *image, const char *language);
/* Only these rows (HfRect) of it. */
HfOcrPage *hf_ocr_page_new_from_rows(const HfImage *image, const char *language,
                                     const GArray *rows);
/* What was read of that part of the screen, if nothing was drawn there since. It needs no picture.
 * NULL: it is not in the cache. */
HfOcrPage *hf_ocr_page_find_recent(const HfOcrPageView *view, const char *language);
/* Where and when the picture was taken. */
void hf_ocr_page_set_view(HfOcrPage *page, const HfOcrPageView *view);
void hf_ocr_page_free(HfOcrPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOcrPage, hf_ocr_page_free)

/* Reads until the deadline. Lines left unread are not errors; a cancellation and a missing language
 * are. */
gboolean hf_ocr_page_read(HfOcrPage *page, const HfDeadline *deadline, GError **error);
guint hf_ocr_page_count_unread(const HfOcrPage *page);
/* FALSE: the line is not read, or an icon that looked like a letter. */
gboolean hf_ocr_page_line_is_text(const HfOcrPageLine *line);
