/* Tabs without frames: texts side by side, one of which is underlined. Pure. */
#pragma once

#include "fusion/groups.h"

/* Makes tabs of such texts, in a list of tabs; the underlined one is selected. */
void hf_tabs_group(HfGrouping *work);
