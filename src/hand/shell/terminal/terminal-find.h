/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a screen as text, and a search for text in them. */
#pragma once

#include "hand/shell/terminal/terminal-cells.h"

/* All rows, without trailing spaces and trailing empty rows. */
char *hf_terminal_cells_dup_text(const HfTerminalCells *cells);
/* See hf_terminal_screen_shows(). */
gboolean hf_terminal_cells_show(const HfTerminalCells *cells, const char *text, gboolean only_new);
