/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs together though nobody tells so: bars, columns, rows of cells and repeated cards.
 * Pages keep their boxes to themselves, and tables of GTK 3 have cells without rows. */
#pragma once

#include "hand/locate/scene.h"

/* Rows that are in no tree are numbered from here on. */
#define HF_FAMILY_ROW (1 << 24)

/* Adds the groups as things that only hold others, and says of each thing which row it is in. */
void hf_families_note(HfScene *scene);
