/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a screen as text, and texts that are to be found there. */
#pragma once

#include "hand/shell/terminal/terminal-cells.h"

/* All rows, without spaces at their ends, without empty rows at the end. */
char *hf_terminal_cells_dup_text(const HfTerminalCells *cells);
/* See hf_terminal_screen_shows(). */
gboolean hf_terminal_cells_show(const HfTerminalCells *cells, const char *text, gboolean only_new);
