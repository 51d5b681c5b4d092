/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of tools: three or more icons side by side or below each other. Pure. */
#pragma once

#include "hand/locate/groups.h"

/* Adds bars, with all that is on their ground. */
void hf_bars_group(HfGrouping *work);
