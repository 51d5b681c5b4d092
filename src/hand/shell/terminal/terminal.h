/* SPDX-License-Identifier: Apache-2.0 */
/* A session's terminal. A thread reads everything programs write there, so that none of them waits
 * for a reader, and keeps the screen up to date. */
#pragma once

#include "hand/shell/session/keeper-link.h"
#include "shared/base/deadline.h"

typedef struct HfTerminal HfTerminal;

/* What to wait for before reading the screen. */
typedef struct HfTerminalWait {
    gint64 wait_ms;    /* at most; 0: do not wait */
    const char *until; /* a text that must appear; NULL: until the screen settles */
    gboolean written;  /* only what came after the last write counts, without its echo */
} HfTerminalWait;

/* Borrows the keeper, which must have ended before the terminal is freed. */
HfTerminal *hf_terminal_new(HfKeeper *keeper, const json_t *plan);
void hf_terminal_free(HfTerminal *terminal);

/* Types text; a newline is the enter key. */
gboolean hf_terminal_type(HfTerminal *terminal, const char *text, const HfDeadline *deadline,
                          GError **error);
/* Presses keys by name, one after the other: "ctrl+c", "up", "f1", "enter". */
gboolean hf_terminal_press(HfTerminal *terminal, char *const *keys, const HfDeadline *deadline,
                           GError **error);
gboolean hf_terminal_resize(HfTerminal *terminal, int rows, int columns, GError **error);

/* Whether nobody is left to write there. */
gboolean hf_terminal_is_over(HfTerminal *terminal);

/* {"screen", "rows", "columns", "cursor", "title", "full_screen", "scrolled", "found"?, "former"?}:
 * `former` is how many of the lines that scrolled off to include. */
json_t *hf_terminal_look(HfTerminal *terminal, const HfTerminalWait *wait, guint former,
                         const HfDeadline *deadline, GError **error);

/* Appends the bytes of a key: "enter", "ctrl+c", "alt+x", "shift+tab", "f5", "a". `application`:
 * the program wants application cursor keys. INVALID_PARAMS for an unknown key. */
gboolean hf_terminal_keys_append(GString *bytes, const char *name, gboolean application,
                                 GError **error);
