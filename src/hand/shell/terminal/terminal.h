/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal of a session: a thread reads all that is written there, so that no program waits for
 * somebody to look, and keeps the screen as it is. */
#pragma once

#include "hand/shell/session/keeper-link.h"
#include "shared/base/deadline.h"

typedef struct HfTerminal HfTerminal;

/* When to look. */
typedef struct HfTerminalWait {
    gint64 wait_ms;    /* at most; 0: at once */
    const char *until; /* a text that is to be on the screen; NULL: until it rests */
    gboolean written;  /* what counts is what has come since the last write, beyond its echo */
} HfTerminalWait;

/* Borrows the keeper, which must have been ended when the terminal is freed. */
HfTerminal *hf_terminal_new(HfKeeper *keeper, const json_t *plan);
void hf_terminal_free(HfTerminal *terminal);

/* Text as it is typed: a new line is the enter key. */
gboolean hf_terminal_type(HfTerminal *terminal, const char *text, const HfDeadline *deadline,
                          GError **error);
/* Keys by name, one after the other: "ctrl+c", "up", "f1", "enter". */
gboolean hf_terminal_press(HfTerminal *terminal, char *const *keys, const HfDeadline *deadline,
                           GError **error);
gboolean hf_terminal_resize(HfTerminal *terminal, int rows, int columns, GError **error);

/* Whether nobody is left who could write there. */
gboolean hf_terminal_is_over(HfTerminal *terminal);

/* {"screen", "rows", "columns", "cursor", "title", "full_screen", "scrolled", "found"?, "former"?}:
 * `former`: the last so many lines that have left the screen. */
json_t *hf_terminal_look(HfTerminal *terminal, const HfTerminalWait *wait, guint former,
                         const HfDeadline *deadline, GError **error);
