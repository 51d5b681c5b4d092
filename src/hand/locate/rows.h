/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a list or table: strips side by side that keep step. Pure. */
#pragma once

#include "hand/locate/groups.h"

/* Adds tables with their rows, and what is in them. */
void hf_rows_group(HfGrouping *work);
