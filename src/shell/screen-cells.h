/* The cells of a screen and what can be done to them; screen.c reads the sequences that do it. */
#pragma once

#include <glib.h>

/* On a letter that was put while `fresh` was set; no letter has that bit. It goes where the letter
 * goes, whatever scrolls. */
#define HF_CELL_NEW       (1u << 31)
#define HF_CELL_LETTER(c) ((c) & ~HF_CELL_NEW)

/* What takes two columns has 0 in the second one. */
typedef struct HfCells {
    int rows, columns;
    gboolean fresh;     /* what is put from now on is new */
    gunichar *letters;  /* rows * columns; ' ' where nothing is */
    int row, column;    /* of the cursor, from 0 */
    gboolean wrap_next; /* the last column was written: the next letter begins a new row */
    int top, bottom;    /* rows that scroll, both included */
    int saved_row, saved_column;
} HfCells;

/* Called with each row that scrolls off the top of the whole screen. */
typedef void (*HfCellsGone)(const gunichar *row, int columns, gpointer data);

void hf_cells_init(HfCells *cells, int rows, int columns);
void hf_cells_clear(HfCells *cells);
void hf_cells_resize(HfCells *cells, int rows, int columns);
void hf_cells_erase(HfCells *cells, int from_row, int from_column, int to_row, int to_column);
/* Within the rows that scroll, from `top` on; negative: down. */
void hf_cells_scroll(HfCells *cells, int top, int count, HfCellsGone gone, gpointer data);
void hf_cells_move(HfCells *cells, int row, int column);
/* A row further, scrolling at the end of the region. */
void hf_cells_line_feed(HfCells *cells, HfCellsGone gone, gpointer data);
void hf_cells_reverse_feed(HfCells *cells);
void hf_cells_put(HfCells *cells, gunichar letter, gboolean wrap, gboolean insert, HfCellsGone gone,
                  gpointer data);
void hf_cells_insert_blanks(HfCells *cells, int count);
void hf_cells_delete(HfCells *cells, int count);
/* Nothing is new any more. */
void hf_cells_forget_new(HfCells *cells);
/* A row as text, without spaces at its end. */
void hf_cells_append_row(GString *text, const gunichar *row, int columns);
