/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a screen and what can be done to them; terminal-screen.c reads the sequences that do
 * it. */
#pragma once

#include <glib.h>

/* On a letter that was put while `fresh` was set; no letter has that bit. It goes where the letter
 * goes, whatever scrolls. */
#define HF_CELL_NEW       (1u << 31)
#define HF_CELL_LETTER(c) ((c) & ~HF_CELL_NEW)

/* What takes two columns has 0 in the second one. */
typedef struct HfTerminalCells {
    int rows, columns;
    gboolean fresh;     /* what is put from now on is new */
    gunichar *letters;  /* rows * columns; ' ' where nothing is */
    int row, column;    /* of the cursor, from 0 */
    gboolean wrap_next; /* the last column was written: the next letter begins a new row */
    int top, bottom;    /* rows that scroll, both included */
    int saved_row, saved_column;
} HfTerminalCells;

/* Called with each row that scrolls off the top of the whole screen. */
typedef void (*HfTerminalCellsGone)(const gunichar *row, int columns, gpointer data);

void hf_terminal_cells_init(HfTerminalCells *cells, int rows, int columns);
void hf_terminal_cells_clear(HfTerminalCells *cells);
void hf_terminal_cells_resize(HfTerminalCells *cells, int rows, int columns);
void hf_terminal_cells_erase(HfTerminalCells *cells, int from_row, int from_column, int to_row,
                             int to_column);
/* Within the rows that scroll, from `top` on; negative: down. */
void hf_terminal_cells_scroll(HfTerminalCells *cells, int top, int count, HfTerminalCellsGone gone,
                              gpointer data);
void hf_terminal_cells_move(HfTerminalCells *cells, int row, int column);
/* A row further, scrolling at the end of the region. */
void hf_terminal_cells_line_feed(HfTerminalCells *cells, HfTerminalCellsGone gone, gpointer data);
void hf_terminal_cells_reverse_feed(HfTerminalCells *cells);
void hf_terminal_cells_put(HfTerminalCells *cells, gunichar letter, gboolean wrap, gboolean insert,
                           HfTerminalCellsGone gone, gpointer data);
void hf_terminal_cells_insert_blanks(HfTerminalCells *cells, int count);
void hf_terminal_cells_delete(HfTerminalCells *cells, int count);
/* Nothing is new any more. */
void hf_terminal_cells_forget_new(HfTerminalCells *cells);
/* A row as text, without spaces at its end. */
void hf_terminal_cells_append_row(GString *text, const gunichar *row, int columns);
