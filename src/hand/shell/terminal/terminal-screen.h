/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of a terminal, as text: what a program has drawn there by letters and control
 * sequences of the VT and xterm kind. Colours and other looks are passed over. Pure; reads bytes of
 * others, which may be anything, in bounded memory. */
#pragma once

#include "shared/base/json.h"

typedef struct HfTerminalScreen HfTerminalScreen;

HfTerminalScreen *hf_terminal_screen_new(int rows, int columns);
void hf_terminal_screen_free(HfTerminalScreen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTerminalScreen, hf_terminal_screen_free)

/* What the program has written. `replies` (may be NULL) gets what a terminal answers to it. */
void hf_terminal_screen_feed(HfTerminalScreen *screen, const char *bytes, gsize length,
                             GString *replies);
void hf_terminal_screen_resize(HfTerminalScreen *screen, int rows, int columns);

/* What comes from now on is new, but for the echo of what is about to be written there: these
 * bytes. An echo is looked for only up to the last enter key, of lines that no other key edits, and
 * not while a program has the whole screen: what is typed there without one is to be seen. */
void hf_terminal_screen_begin_new(HfTerminalScreen *screen, const char *bytes, gsize length);
/* Whether there has been anything to be seen but that echo. */
gboolean hf_terminal_screen_has_new(const HfTerminalScreen *screen);
/* Whether a text is there, over several rows with new lines in it; `only_new`: with at least one
 * letter that is new. Spaces at the end of a row are not known, except before the cursor. */
gboolean hf_terminal_screen_shows(const HfTerminalScreen *screen, const char *text,
                                  gboolean only_new);

/* All rows, without spaces at their ends, without empty rows at the end. */
char *hf_terminal_screen_dup_text(const HfTerminalScreen *screen);
/* The last lines that have left the screen at its top; at most `count`. */
char *hf_terminal_screen_dup_former(const HfTerminalScreen *screen, guint count);
/* How many lines have ever left it. */
guint64 hf_terminal_screen_scrolled(const HfTerminalScreen *screen);
/* {"rows", "columns", "cursor": {"row", "column", "visible"}, "title", "full_screen"}: rows and
 * columns count from 1; full_screen: a program has the other screen, as editors do. */
json_t *hf_terminal_screen_describe(const HfTerminalScreen *screen);
/* Whether keys of the cursor and the keypad are to be sent in their other form. */
gboolean hf_terminal_screen_wants_application_keys(const HfTerminalScreen *screen);
