/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of pages side by side, as below a list of which a part shows. Pure. */
#pragma once

#include "hand/locate/groups.h"

/* Says of such numbers that they are pages, and gives one that could not be read the number that it
 * must have. */
void hf_pages_group(HfGrouping *work);
