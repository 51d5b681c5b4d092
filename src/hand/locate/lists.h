/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and menus by the entry that is chosen: texts below each other, one on a ground of its own.
 * Pure. */
#pragma once

#include "hand/locate/groups.h"

/* Makes entries of the texts above and below a chosen one, in a list; below a menu bar, in a menu.
 */
void hf_lists_group(HfGrouping *work);
