/* A picture's text: rows are found and cut out first, so that the picture can be given back; then
 * they are read. */
#pragma once

#include "base/image.h"
#include "reading/line.h"

typedef struct HfPageLine {
    HfRect box; /* in pixels of the picture */
    HfTextHash hash;
    HfTextLine *line; /* until it is read */
    HfLineText *text; /* NULL: not read yet */
    gboolean known;   /* it did not have to be read */
} HfPageLine;

/* Which part of the screen, at which count of its changes and of its windows', and for whom: the
 * same for those who may see the same. A count of 0: it cannot be known whether it changes. */
typedef struct HfPageView {
    guint64 serial, windows, viewer;
    HfRect area;
} HfPageView;

typedef struct HfPage {
    HfSize size;
    char *language;
    HfPageView view;
    guint64 hash;     /* of the picture */
    GArray *lines;    /* of HfPageLine, from top to bottom, then from left to right */
    gboolean cut;     /* there are more rows than are looked at */
    gboolean late;    /* the time was over before all were read */
    gboolean same;    /* all of the picture was read before */
    gboolean given;   /* a picture of the caller's: it is known only as such, and not told so */
    gboolean chosen;  /* its lines are only some of the picture's */
    guint unreadable; /* lines that made their reader fail */
} HfPage;

/* To be read in this language: as the engine calls it, or auto. */
HfPage *hf_page_new(const HfImage *image, const char *language);
/* The same for a picture that a caller gives. What was read on the screen, for whomever, does not
 * make it any quicker: one who may not see something could ask by pictures of it whether it was
 * there. */
HfPage *hf_page_new_given(const HfImage *image, const char *language);
/* Only these rows (HfRect) of it, which were found before. */
HfPage *hf_page_new_of_rows(const HfImage *image, const char *language, const GArray *rows);
/* What was read of that part of the screen, if nothing was drawn on it since: no picture is needed.
 * NULL: it is not known. */
HfPage *hf_page_new_seen(const HfPageView *view, const char *language);
/* Where and when the picture was taken. */
void hf_page_note_view(HfPage *page, const HfPageView *view);
void hf_page_free(HfPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPage, hf_page_free)

/* Reads until the deadline; what is left then stays unread, which is no error. A cancellation is,
 * and so is a language that is not there. */
gboolean hf_page_read(HfPage *page, const HfDeadline *deadline, GError **error);
/* Lines that are not read. */
guint hf_page_count_unread(const HfPage *page);
