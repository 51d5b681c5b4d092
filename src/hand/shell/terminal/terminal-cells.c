/* SPDX-License-Identifier: Apache-2.0 */
/* Every position is clamped to the screen before use: a program may ask for any. */
#include "hand/shell/terminal/terminal-cells.h"

#include <string.h>

static gunichar *get_cell_row(const HfTerminalCells *cells, int row)
{
    return cells->characters + (gsize)row * (gsize)cells->columns;
}

static void fill_blank_cells(gunichar *characters, int count)
{
    for (int i = 0; i < count; i++)
        characters[i] = ' ';
}

void hf_terminal_cells_init(HfTerminalCells *cells, int rows, int columns)
{
    *cells = (HfTerminalCells){.rows = rows, .columns = columns, .bottom = rows - 1};
    cells->characters = g_new(gunichar, (gsize)rows * (gsize)columns);
    fill_blank_cells(cells->characters, rows * columns);
}

void hf_terminal_cells_clear(HfTerminalCells *cells)
{
    g_clear_pointer(&cells->characters, g_free);
}

/* Keeps the cursor's row in view. */
void hf_terminal_cells_resize(HfTerminalCells *cells, int rows, int columns)
{
    HfTerminalCells new;
    hf_terminal_cells_init(&new, rows, columns);
    int skip = MAX(0, cells->row - rows + 1);
    for (int row = 0; row < MIN(rows, cells->rows - skip); row++)
        memcpy(get_cell_row(&new, row), get_cell_row(cells, row + skip),
               sizeof(gunichar) * (gsize)MIN(columns, cells->columns));
    new.row = CLAMP(cells->row - skip, 0, rows - 1);
    new.column = MIN(cells->column, columns - 1);
    new.saved_row = MIN(cells->saved_row, rows - 1);
    new.saved_column = MIN(cells->saved_column, columns - 1);
    new.fresh = cells->fresh;
    hf_terminal_cells_clear(cells);
    *cells = new;
}

/* Half of a wide character never stays behind. */
static void repair_half_character(HfTerminalCells *cells, int row, int column)
{
    if (column > 0 && column < cells->columns && get_cell_row(cells, row)[column] == 0) {
        get_cell_row(cells, row)[column - 1] = ' ';
        get_cell_row(cells, row)[column] = ' ';
    }
}

void hf_terminal_cells_erase(HfTerminalCells *cells, int from_row, int from_column, int to_row,
                             int to_column)
{
    for (int row = MAX(0, from_row); row <= MIN(to_row, cells->rows - 1); row++) {
        int from = row == from_row ? CLAMP(from_column, 0, cells->columns) : 0;
        int to = row == to_row ? CLAMP(to_column + 1, 0, cells->columns) : cells->columns;
        repair_half_character(cells, row, from);
        repair_half_character(cells, row, to);
        if (to > from)
            fill_blank_cells(get_cell_row(cells, row) + from, to - from);
    }
    cells->wrap_next = FALSE;
}

static void move_rows(HfTerminalCells *cells, int to, int from, int count)
{
    memmove(get_cell_row(cells, to), get_cell_row(cells, from),
            sizeof(gunichar) * (gsize)count * (gsize)cells->columns);
}

void hf_terminal_cells_scroll(HfTerminalCells *cells, int top, int count, HfTerminalCellsGone gone,
                              gpointer data)
{
    int height = cells->bottom - top + 1;
    int by = CLAMP(count, -height, height);
    if (height <= 0 || by == 0)
        return;
    for (int row = 0; gone && top == 0 && row < by; row++)
        gone(get_cell_row(cells, row), cells->columns, data);
    if (by > 0) {
        move_rows(cells, top, top + by, height - by);
        fill_blank_cells(get_cell_row(cells, cells->bottom - by + 1), by * cells->columns);
    } else {
        move_rows(cells, top - by, top, height + by);
        fill_blank_cells(get_cell_row(cells, top), -by * cells->columns);
    }
}

void hf_terminal_cells_move(HfTerminalCells *cells, int row, int column)
{
    cells->row = CLAMP(row, 0, cells->rows - 1);
    cells->column = CLAMP(column, 0, cells->columns - 1);
    cells->wrap_next = FALSE;
}

void hf_terminal_cells_line_feed(HfTerminalCells *cells, HfTerminalCellsGone gone, gpointer data)
{
    if (cells->row == cells->bottom)
        hf_terminal_cells_scroll(cells, cells->top, 1, gone, data);
    else if (cells->row < cells->rows - 1)
        cells->row++;
    cells->wrap_next = FALSE;
}

void hf_terminal_cells_reverse_feed(HfTerminalCells *cells)
{
    if (cells->row == cells->top)
        hf_terminal_cells_scroll(cells, cells->top, -1, NULL, NULL);
    else if (cells->row > 0)
        cells->row--;
    cells->wrap_next = FALSE;
}

static void begin_row(HfTerminalCells *cells, HfTerminalCellsGone gone, gpointer data)
{
    cells->column = 0;
    hf_terminal_cells_line_feed(cells, gone, data);
}

void hf_terminal_cells_put(HfTerminalCells *cells, gunichar character, gboolean wrap,
                           gboolean insert, HfTerminalCellsGone gone, gpointer data)
{
    int width = g_unichar_iswide(character) ? 2 : 1;
    if (g_unichar_iszerowidth(character) || width > cells->columns)
        return; /* combining marks are dropped */
    if (cells->wrap_next && wrap)
        begin_row(cells, gone, data);
    if (cells->column + width > cells->columns) {
        if (wrap)
            begin_row(cells, gone, data);
        else
            cells->column = cells->columns - width;
    }
    if (insert)
        hf_terminal_cells_insert_blanks(cells, width);
    repair_half_character(cells, cells->row, cells->column);
    repair_half_character(cells, cells->row, cells->column + width);
    gunichar *at = get_cell_row(cells, cells->row) + cells->column;
    at[0] = cells->fresh ? character | HF_CELL_NEW : character;
    if (width == 2)
        at[1] = 0;
    cells->wrap_next = cells->column + width >= cells->columns;
    cells->column = MIN(cells->column + width, cells->columns - 1);
}

void hf_terminal_cells_insert_blanks(HfTerminalCells *cells, int count)
{
    int room = cells->columns - cells->column, by = CLAMP(count, 0, room);
    gunichar *at = get_cell_row(cells, cells->row) + cells->column;
    repair_half_character(cells, cells->row, cells->column);
    memmove(at + by, at, sizeof(gunichar) * (gsize)(room - by));
    fill_blank_cells(at, by);
    if (room > 0 && at[room - 1] != 0 && g_unichar_iswide(HF_CELL_CHARACTER(at[room - 1])))
        at[room - 1] = ' ';
    cells->wrap_next = FALSE;
}

void hf_terminal_cells_delete(HfTerminalCells *cells, int count)
{
    int room = cells->columns - cells->column, by = CLAMP(count, 0, room);
    gunichar *at = get_cell_row(cells, cells->row) + cells->column;
    repair_half_character(cells, cells->row, cells->column);
    repair_half_character(cells, cells->row, cells->column + by);
    memmove(at, at + by, sizeof(gunichar) * (gsize)(room - by));
    fill_blank_cells(at + room - by, by);
    cells->wrap_next = FALSE;
}

void hf_terminal_cells_forget_new(HfTerminalCells *cells)
{
    for (int i = 0; i < cells->rows * cells->columns; i++)
        cells->characters[i] = HF_CELL_CHARACTER(cells->characters[i]);
}

void hf_terminal_cells_append_row(GString *text, const gunichar *row, int columns)
{
    int length = columns;
    while (length > 0 && HF_CELL_CHARACTER(row[length - 1]) == ' ')
        length--;
    for (int i = 0; i < length; i++)
        if (row[i] != 0)
            g_string_append_unichar(text, HF_CELL_CHARACTER(row[i]));
}

/* ---- as text ---- */

/* Rows as text, and for each byte whether its character is new. */
typedef struct Reading {
    GString *text, *news;
} Reading;

static void append_cell_character(Reading *reading, gunichar cell)
{
    g_string_append_unichar(reading->text, HF_CELL_CHARACTER(cell));
    while (reading->news->len < reading->text->len)
        g_string_append_c(reading->news, cell & HF_CELL_NEW ? 1 : 0);
}

static void append_reading_row(Reading *reading, const HfTerminalCells *cells, int row, int least)
{
    const gunichar *characters = get_cell_row(cells, row);
    int length = cells->columns;
    while (length > least && HF_CELL_CHARACTER(characters[length - 1]) == ' ')
        length--;
    for (int i = 0; i < length; i++)
        if (characters[i] != 0)
            append_cell_character(reading, characters[i]);
}

static void read_cells(Reading *ret_reading, const HfTerminalCells *cells, gboolean to_cursor)
{
    *ret_reading = (Reading){g_string_new(NULL), g_string_new(NULL)};
    for (int row = 0; row < cells->rows; row++) {
        append_reading_row(ret_reading, cells, row,
                           to_cursor && row == cells->row ? cells->column : 0);
        append_cell_character(ret_reading, '\n');
    }
    GString *text = ret_reading->text;
    while (text->len > 0 && text->str[text->len - 1] == '\n')
        g_string_truncate(text, text->len - 1);
}

static void screen_reading_clear(Reading *reading)
{
    g_string_free(reading->text, TRUE);
    g_string_free(reading->news, TRUE);
}

char *hf_terminal_cells_dup_text(const HfTerminalCells *cells)
{
    Reading reading;
    read_cells(&reading, cells, FALSE);
    g_string_free(reading.news, TRUE);
    return g_string_free(reading.text, FALSE);
}

static gboolean screen_reading_holds(const Reading *reading, const char *text, gboolean only_new)
{
    gsize length = strlen(text);
    const char *all = reading->text->str;
    if (length == 0) /* the empty text is everywhere */
        return !only_new;
    for (const char *at = strstr(all, text); at; at = strstr(at + 1, text))
        if (!only_new || memchr(reading->news->str + (at - all), 1, length))
            return TRUE;
    return FALSE;
}

/* Without spaces before the ends of lines, because rows are read without them. */
static char *dup_trimmed(const char *text)
{
    GString *trimmed = g_string_new(NULL);
    for (; *text; text++) {
        while (*text == '\n' && trimmed->len > 0 && trimmed->str[trimmed->len - 1] == ' ')
            g_string_truncate(trimmed, trimmed->len - 1);
        g_string_append_c(trimmed, *text);
    }
    return g_string_free(trimmed, FALSE);
}

/* A cell does not tell a written space from an empty cell. A prompt ends with a space before the
 * cursor, so the cursor's row is also read up to the cursor, besides all rows without trailing
 * spaces. */
gboolean hf_terminal_cells_show(const HfTerminalCells *cells, const char *text, gboolean only_new)
{
    Reading rows, up_to_cursor;
    g_autofree char *trimmed = dup_trimmed(text);
    read_cells(&rows, cells, FALSE);
    read_cells(&up_to_cursor, cells, TRUE);
    gboolean shown = screen_reading_holds(&rows, trimmed, only_new) ||
                     screen_reading_holds(&up_to_cursor, text, only_new);
    screen_reading_clear(&rows);
    screen_reading_clear(&up_to_cursor);
    return shown;
}
