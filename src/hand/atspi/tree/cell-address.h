/* SPDX-License-Identifier: Apache-2.0 */
/* Where a cell stands in a spreadsheet, as people say it: B2, AA100. */
#pragma once

#include <glib.h>

/* Both from 1 on; 0: none. */
typedef struct HfCellAddress {
    int column, row;
} HfCellAddress;

/* In either case. A column of 0: the text is no address, or one beyond what a spreadsheet has. */
HfCellAddress hf_cell_address_from_text(const char *text);
