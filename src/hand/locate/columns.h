/* SPDX-License-Identifier: Apache-2.0 */
/* Columns: what stands in a table is called by the header above it as well. */
#pragma once

#include "hand/locate/scene.h"

/* Headers that no program tells are found first: GTK 4 has buttons above a table that it only
 * paints. */
void hf_columns_note(HfScene *scene);
