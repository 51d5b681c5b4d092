/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of a terminal as text: what a program has drawn with VT and xterm control sequences.
 * Colours and other attributes are ignored. Pure code; it parses untrusted bytes in bounded memory.
 */
#pragma once

#include "shared/base/json.h"

typedef struct HfTerminalScreen HfTerminalScreen;

HfTerminalScreen *hf_terminal_screen_new(int rows, int columns);
void hf_terminal_screen_free(HfTerminalScreen *screen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTerminalScreen, hf_terminal_screen_free)

/* Feeds the program's output. `replies` (may be NULL) gets the terminal's answers. */
void hf_terminal_screen_feed(HfTerminalScreen *screen, const char *bytes, gsize length,
                             GString *replies);
void hf_terminal_screen_resize(HfTerminalScreen *screen, int rows, int columns);

/* Marks what comes from now on as new, except for the echo of these bytes, which are about to be
 * written. An echo is expected only up to the last enter key, for lines without editing keys, and
 * not while a full-screen program runs: there the typed text itself matters. */
void hf_terminal_screen_begin_new(HfTerminalScreen *screen, const char *bytes, gsize length);
/* Whether anything but the echo has appeared. */
gboolean hf_terminal_screen_has_new(const HfTerminalScreen *screen);
/* Whether the screen shows a text, which may span rows with newlines. `only_new`: at least one of
 * its characters has to be new. Trailing spaces of a row are unknown, except before the cursor. */
gboolean hf_terminal_screen_shows(const HfTerminalScreen *screen, const char *text,
                                  gboolean only_new);

/* All rows, without trailing spaces and trailing empty rows. */
char *hf_terminal_screen_dup_text(const HfTerminalScreen *screen);
/* At most `count` of the lines that last scrolled off the top. */
char *hf_terminal_screen_dup_former(const HfTerminalScreen *screen, guint count);
/* How many lines have ever scrolled off. */
guint64 hf_terminal_screen_scrolled(const HfTerminalScreen *screen);
/* {"rows", "columns", "cursor": {"row", "column", "visible"}, "title", "full_screen"}: rows and
 * columns count from 1; full_screen: a program uses the alternate screen, as editors do. */
json_t *hf_terminal_screen_describe(const HfTerminalScreen *screen);
/* Whether the program wants application cursor keys. */
gboolean hf_terminal_screen_wants_application_keys(const HfTerminalScreen *screen);
