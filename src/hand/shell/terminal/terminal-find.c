/* SPDX-License-Identifier: Apache-2.0 */
/* A cell does not tell a written space from an empty cell. A prompt ends with a space before the
 * cursor, so the cursor's row is also read up to the cursor, besides all rows without trailing
 * spaces. */
#include "hand/shell/terminal/terminal-find.h"

#include <string.h>

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

static void append_row(Reading *reading, const HfTerminalCells *cells, int row, int least)
{
    const gunichar *characters = cells->characters + (gsize)row * (gsize)cells->columns;
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
        append_row(ret_reading, cells, row, to_cursor && row == cells->row ? cells->column : 0);
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
