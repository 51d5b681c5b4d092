/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a screen and operations on them; terminal-screen.c parses the control sequences. */
#pragma once

#include <glib.h>

/* Marks a character that was written while `fresh` was set. No character uses this bit, and it
 * scrolls with its character. */
#define HF_CELL_NEW          (1u << 31)
#define HF_CELL_CHARACTER(c) ((c) & ~HF_CELL_NEW)

/* A character that takes two columns has 0 in the second one. */
typedef struct HfTerminalCells {
    int rows, columns;
    gboolean fresh;       /* characters written from now on are new */
    gunichar *characters; /* rows * columns; ' ' for an empty cell */
    int row, column;      /* of the cursor, from 0 */
    gboolean wrap_next;   /* the last column was written: the next character starts a new row */
    int top, bottom;      /* scroll region, both rows included */
    int saved_row, saved_column;
} HfTerminalCells;

/* Gets each row that scrolls off the top of the screen. */
typedef void (*HfTerminalCellsGone)(const gunichar *row, int columns, gpointer data);

void hf_terminal_cells_init(HfTerminalCells *cells, int rows, int columns);
void hf_terminal_cells_clear(HfTerminalCells *cells);
void hf_terminal_cells_resize(HfTerminalCells *cells, int rows, int columns);
void hf_terminal_cells_erase(HfTerminalCells *cells, int from_row, int from_column, int to_row,
                             int to_column);
/* Within the scroll region, from `top` on; a negative count scrolls down. */
void hf_terminal_cells_scroll(HfTerminalCells *cells, int top, int count, HfTerminalCellsGone gone,
                              gpointer data);
void hf_terminal_cells_move(HfTerminalCells *cells, int row, int column);
/* Moves down a row; scrolls at the end of the region. */
void hf_terminal_cells_line_feed(HfTerminalCells *cells, HfTerminalCellsGone gone, gpointer data);
void hf_terminal_cells_reverse_feed(HfTerminalCells *cells);
void hf_terminal_cells_put(HfTerminalCells *cells, gunichar character, gboolean wrap,
                           gboolean insert, HfTerminalCellsGone gone, gpointer data);
void hf_terminal_cells_insert_blanks(HfTerminalCells *cells, int count);
void hf_terminal_cells_delete(HfTerminalCells *cells, int count);
/* Marks every character as old. */
void hf_terminal_cells_forget_new(HfTerminalCells *cells);
/* A row as text, without trailing spaces. */
void hf_terminal_cells_append_row(GString *text, const gunichar *row, int columns);
/* All rows, without trailing spaces and trailing empty rows. */
char *hf_terminal_cells_dup_text(const HfTerminalCells *cells);
/* See hf_terminal_screen_shows(). */
gboolean hf_terminal_cells_show(const HfTerminalCells *cells, const char *text, gboolean only_new);
