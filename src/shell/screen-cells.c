/* Every place is held within the screen before it is used: a program may ask for any. */
#include "shell/screen-cells.h"

#include <string.h>

static gunichar *row_of(const HfCells *cells, int row)
{
    return cells->letters + (gsize)row * (gsize)cells->columns;
}

static void blank(gunichar *letters, int count)
{
    for (int i = 0; i < count; i++)
        letters[i] = ' ';
}

void hf_cells_init(HfCells *cells, int rows, int columns)
{
    *cells = (HfCells){.rows = rows, .columns = columns, .bottom = rows - 1};
    cells->letters = g_new(gunichar, (gsize)rows * (gsize)columns);
    blank(cells->letters, rows * columns);
}

void hf_cells_clear(HfCells *cells)
{
    g_clear_pointer(&cells->letters, g_free);
}

/* What is above the cursor stays in view. */
void hf_cells_resize(HfCells *cells, int rows, int columns)
{
    HfCells new;
    hf_cells_init(&new, rows, columns);
    int skip = MAX(0, cells->row - rows + 1);
    for (int row = 0; row < MIN(rows, cells->rows - skip); row++)
        memcpy(row_of(&new, row), row_of(cells, row + skip),
               sizeof(gunichar) * (gsize)MIN(columns, cells->columns));
    new.row = CLAMP(cells->row - skip, 0, rows - 1);
    new.column = MIN(cells->column, columns - 1);
    new.saved_row = MIN(cells->saved_row, rows - 1);
    new.saved_column = MIN(cells->saved_column, columns - 1);
    new.fresh = cells->fresh;
    hf_cells_clear(cells);
    *cells = new;
}

/* A letter of two columns is never left half. */
static void heal(HfCells *cells, int row, int column)
{
    if (column > 0 && column < cells->columns && row_of(cells, row)[column] == 0) {
        row_of(cells, row)[column - 1] = ' ';
        row_of(cells, row)[column] = ' ';
    }
}

void hf_cells_erase(HfCells *cells, int from_row, int from_column, int to_row, int to_column)
{
    for (int row = MAX(0, from_row); row <= MIN(to_row, cells->rows - 1); row++) {
        int from = row == from_row ? CLAMP(from_column, 0, cells->columns) : 0;
        int to = row == to_row ? CLAMP(to_column + 1, 0, cells->columns) : cells->columns;
        heal(cells, row, from);
        heal(cells, row, to);
        if (to > from)
            blank(row_of(cells, row) + from, to - from);
    }
    cells->wrap_next = FALSE;
}

static void move_rows(HfCells *cells, int to, int from, int count)
{
    memmove(row_of(cells, to), row_of(cells, from),
            sizeof(gunichar) * (gsize)count * (gsize)cells->columns);
}

void hf_cells_scroll(HfCells *cells, int top, int count, HfCellsGone gone, gpointer data)
{
    int height = cells->bottom - top + 1;
    int by = CLAMP(count, -height, height);
    if (height <= 0 || by == 0)
        return;
    for (int row = 0; gone && top == 0 && row < by; row++)
        gone(row_of(cells, row), cells->columns, data);
    if (by > 0) {
        move_rows(cells, top, top + by, height - by);
        blank(row_of(cells, cells->bottom - by + 1), by * cells->columns);
    } else {
        move_rows(cells, top - by, top, height + by);
        blank(row_of(cells, top), -by * cells->columns);
    }
}

void hf_cells_move(HfCells *cells, int row, int column)
{
    cells->row = CLAMP(row, 0, cells->rows - 1);
    cells->column = CLAMP(column, 0, cells->columns - 1);
    cells->wrap_next = FALSE;
}

void hf_cells_line_feed(HfCells *cells, HfCellsGone gone, gpointer data)
{
    if (cells->row == cells->bottom)
        hf_cells_scroll(cells, cells->top, 1, gone, data);
    else if (cells->row < cells->rows - 1)
        cells->row++;
    cells->wrap_next = FALSE;
}

void hf_cells_reverse_feed(HfCells *cells)
{
    if (cells->row == cells->top)
        hf_cells_scroll(cells, cells->top, -1, NULL, NULL);
    else if (cells->row > 0)
        cells->row--;
    cells->wrap_next = FALSE;
}

static void begin_row(HfCells *cells, HfCellsGone gone, gpointer data)
{
    cells->column = 0;
    hf_cells_line_feed(cells, gone, data);
}

void hf_cells_put(HfCells *cells, gunichar letter, gboolean wrap, gboolean insert, HfCellsGone gone,
                  gpointer data)
{
    int width = g_unichar_iswide(letter) ? 2 : 1;
    if (g_unichar_iszerowidth(letter) || width > cells->columns)
        return; /* marks on letters are not kept */
    if (cells->wrap_next && wrap)
        begin_row(cells, gone, data);
    if (cells->column + width > cells->columns) {
        if (wrap)
            begin_row(cells, gone, data);
        else
            cells->column = cells->columns - width;
    }
    if (insert)
        hf_cells_insert_blanks(cells, width);
    heal(cells, cells->row, cells->column);
    heal(cells, cells->row, cells->column + width);
    gunichar *at = row_of(cells, cells->row) + cells->column;
    at[0] = cells->fresh ? letter | HF_CELL_NEW : letter;
    if (width == 2)
        at[1] = 0;
    cells->wrap_next = cells->column + width >= cells->columns;
    cells->column = MIN(cells->column + width, cells->columns - 1);
}

void hf_cells_insert_blanks(HfCells *cells, int count)
{
    int room = cells->columns - cells->column, by = CLAMP(count, 0, room);
    gunichar *at = row_of(cells, cells->row) + cells->column;
    heal(cells, cells->row, cells->column);
    memmove(at + by, at, sizeof(gunichar) * (gsize)(room - by));
    blank(at, by);
    if (room > 0 && at[room - 1] != 0 && g_unichar_iswide(HF_CELL_LETTER(at[room - 1])))
        at[room - 1] = ' ';
    cells->wrap_next = FALSE;
}

void hf_cells_delete(HfCells *cells, int count)
{
    int room = cells->columns - cells->column, by = CLAMP(count, 0, room);
    gunichar *at = row_of(cells, cells->row) + cells->column;
    heal(cells, cells->row, cells->column);
    heal(cells, cells->row, cells->column + by);
    memmove(at, at + by, sizeof(gunichar) * (gsize)(room - by));
    blank(at + room - by, by);
    cells->wrap_next = FALSE;
}

void hf_cells_forget_new(HfCells *cells)
{
    for (int i = 0; i < cells->rows * cells->columns; i++)
        cells->letters[i] = HF_CELL_LETTER(cells->letters[i]);
}

void hf_cells_append_row(GString *text, const gunichar *row, int columns)
{
    int length = columns;
    while (length > 0 && HF_CELL_LETTER(row[length - 1]) == ' ')
        length--;
    for (int i = 0; i < length; i++)
        if (row[i] != 0)
            g_string_append_unichar(text, HF_CELL_LETTER(row[i]));
}
