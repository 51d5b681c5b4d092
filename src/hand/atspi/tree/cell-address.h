/* SPDX-License-Identifier: Apache-2.0 */
/* The address of a spreadsheet cell: B2, AA100. */
#pragma once

#include <glib.h>

/* Both count from 1; 0: none. */
typedef struct HfCellAddress {
    int column, row;
} HfCellAddress;

/* Upper or lower case. Column 0: not an address, or beyond the largest spreadsheet. */
HfCellAddress hf_cell_address_from_text(const char *text);
