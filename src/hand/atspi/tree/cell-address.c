/* SPDX-License-Identifier: Apache-2.0 */
/* Read letter by letter, and given up as soon as it is beyond what a spreadsheet has: callers may
 * say anything. */
#include "hand/atspi/tree/cell-address.h"

/* What the largest spreadsheets have: XFD1048576. */
#define MOST_COLUMNS 16384
#define MOST_ROWS    1048576

/* Letters count from A to Z, then AA: there is no letter for nothing. */
static int read_column(const char **text)
{
    int column = 0;
    for (; g_ascii_isalpha(**text) && column <= MOST_COLUMNS; (*text)++)
        column = column * 26 + g_ascii_toupper(**text) - 'A' + 1;
    return column;
}

static int parse_row_number(const char **text)
{
    int row = 0;
    if (**text == '0')
        return 0;
    for (; g_ascii_isdigit(**text) && row <= MOST_ROWS; (*text)++)
        row = row * 10 + **text - '0';
    return row;
}

HfCellAddress hf_cell_address_from_text(const char *text)
{
    const HfCellAddress none = {0, 0};
    if (!text)
        return none;
    int column = read_column(&text);
    if (column == 0 || column > MOST_COLUMNS)
        return none;
    int row = parse_row_number(&text);
    if (row == 0 || row > MOST_ROWS || *text)
        return none;
    return (HfCellAddress){column, row};
}
