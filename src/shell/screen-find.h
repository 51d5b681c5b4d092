/* The cells of a screen as text, and texts that are to be found there. */
#pragma once

#include "shell/screen-cells.h"

/* All rows, without spaces at their ends, without empty rows at the end. */
char *hf_cells_dup_text(const HfCells *cells);
/* See hf_term_screen_shows(). */
gboolean hf_cells_show(const HfCells *cells, const char *text, gboolean only_new);
