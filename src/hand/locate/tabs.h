/* SPDX-License-Identifier: Apache-2.0 */
/* Tabs without frames: texts side by side, one of which is underlined. Pure. */
#pragma once

#include "hand/locate/groups.h"

/* Makes tabs of such texts, in a list of tabs; the underlined one is selected. */
void hf_tabs_group(HfGrouping *work);
