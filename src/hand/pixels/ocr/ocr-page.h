/* SPDX-License-Identifier: Apache-2.0 */
/* A picture's text: rows are found and cut out first, so that the picture can be given back; then
 * they are read. */
#pragma once

#include "hand/pixels/ocr/ocr-line.h"
#include "shared/image/image.h"

typedef struct HfOcrPageLine {
    HfRect box; /* in pixels of the picture */
    HfTextHash hash;
    HfTextLine *line; /* until it is read */
    HfLineText *text; /* NULL: not read yet */
    gboolean known;   /* it did not have to be read */
} HfOcrPageLine;

/* Which part of the screen, at which count of its changes and of its windows', and for whom: the
 * same for those who may see the same. A count of 0: it cannot be known whether it changes. */
typedef struct HfOcrPageView {
    guint64 serial, windows, viewer;
    HfRect area;
} HfOcrPageView;

typedef struct HfOcrPage {
    HfSize size;
    char *language;
    HfOcrPageView view;
    guint64 hash;     /* of the picture */
    GArray *lines;    /* of HfOcrPageLine, from top to bottom, then from left to right */
    gboolean cut;     /* there are more rows than are looked at */
    gboolean late;    /* the time was over before all were read */
    gboolean same;    /* all of the picture was read before */
    gboolean given;   /* a picture of the caller's: it is known only as such, and not told so */
    gboolean chosen;  /* its lines are only some of the picture's */
    guint unreadable; /* lines that made their reader fail */
} HfOcrPage;

/* To be read in this language: as the engine calls it, or auto. */
HfOcrPage *hf_ocr_page_new(const HfImage *image, const char *language);
/* The same for a picture that a caller gives. What was read on the screen, for whomever, does not
 * make it any quicker: one who may not see something could ask by pictures of it whether it was
 * there. */
HfOcrPage *hf_ocr_page_new_from_caller(const HfImage *image, const char *language);
/* Only these rows (HfRect) of it, which were found before. */
HfOcrPage *hf_ocr_page_new_from_rows(const HfImage *image, const char *language,
                                     const GArray *rows);
/* What was read of that part of the screen, if nothing was drawn on it since: no picture is needed.
 * NULL: it is not known. */
HfOcrPage *hf_ocr_page_find_recent(const HfOcrPageView *view, const char *language);
/* Where and when the picture was taken. */
void hf_ocr_page_set_view(HfOcrPage *page, const HfOcrPageView *view);
void hf_ocr_page_free(HfOcrPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfOcrPage, hf_ocr_page_free)

/* Reads until the deadline; what is left then stays unread, which is no error. A cancellation is,
 * and so is a language that is not there. */
gboolean hf_ocr_page_read(HfOcrPage *page, const HfDeadline *deadline, GError **error);
/* Lines that are not read. */
guint hf_ocr_page_count_unread(const HfOcrPage *page);
