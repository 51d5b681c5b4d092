/* The screen of a terminal, as text: what a program has drawn there by letters and control
 * sequences of the VT and xterm kind. Colours and other looks are passed over. Pure; reads bytes of
 * others, which may be anything, in bounded memory. */
#pragma once

#include "base/json.h"

typedef struct HfTermScreen HfTermScreen;

HfTermScreen *hf_term_screen_new(int rows, int columns);
void hf_term_screen_free(HfTermScreen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTermScreen, hf_term_screen_free)

/* What the program has written. `replies` (may be NULL) gets what a terminal answers to it. */
void hf_term_screen_feed(HfTermScreen *screen, const char *bytes, gsize length, GString *replies);
void hf_term_screen_resize(HfTermScreen *screen, int rows, int columns);

/* What comes from now on is new, but for the echo of what is about to be written there: these
 * bytes. An echo is looked for only up to the last enter key, of lines that no other key edits, and
 * not while a program has the whole screen: what is typed there without one is to be seen. */
void hf_term_screen_begin_new(HfTermScreen *screen, const char *bytes, gsize length);
/* Whether there has been anything to be seen but that echo. */
gboolean hf_term_screen_has_new(const HfTermScreen *screen);
/* Whether a text is there, over several rows with new lines in it; `only_new`: with at least one
 * letter that is new. Spaces at the end of a row are not known, except before the cursor. */
gboolean hf_term_screen_shows(const HfTermScreen *screen, const char *text, gboolean only_new);

/* All rows, without spaces at their ends, without empty rows at the end. */
char *hf_term_screen_dup_text(const HfTermScreen *screen);
/* The last lines that have left the screen at its top; at most `count`. */
char *hf_term_screen_dup_former(const HfTermScreen *screen, guint count);
/* How many lines have ever left it. */
guint64 hf_term_screen_scrolled(const HfTermScreen *screen);
/* {"rows", "columns", "cursor": {"row", "column", "visible"}, "title", "full_screen"}: rows and
 * columns count from 1; full_screen: a program has the other screen, as editors do. */
json_t *hf_term_screen_describe(const HfTermScreen *screen);
/* Whether keys of the cursor and the keypad are to be sent in their other form. */
gboolean hf_term_screen_wants_application_keys(const HfTermScreen *screen);
