/* SPDX-License-Identifier: Apache-2.0 */
/* Reads character by character, and stops beyond the largest spreadsheet: callers may send
 * anything.
 */
#include "hand/atspi/tree/cell-address.h"

/* The largest address is XFD1048576. */
#define MOST_COLUMNS 16384
#define MOST_ROWS    1048576

/* Column letters count from 1: Z is followed by AA. */
HfCellAddress hf_cell_address_from_text(const char *text)
{
    const HfCellAddress none = {0, 0};
    int column = 0, row = 0;
    if (!text)
        return none;
    for (; g_ascii_isalpha(*text) && column <= MOST_COLUMNS; text++)
        column = column * 26 + g_ascii_toupper(*text) - 'A' + 1;
    if (column == 0 || column > MOST_COLUMNS || *text == '0')
        return none;
    for (; g_ascii_isdigit(*text) && row <= MOST_ROWS; text++)
        row = row * 10 + *text - '0';
    if (row == 0 || row > MOST_ROWS || *text)
        return none;
    return (HfCellAddress){column, row};
}
