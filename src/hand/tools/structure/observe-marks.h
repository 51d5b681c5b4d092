/* SPDX-License-Identifier: Apache-2.0 */
/* The numbered boxes on the picture of a look: what can be used, by the numbers of its reference.
 */
#pragma once

#include "hand/atspi/tree/element-json.h"
#include "hand/desktop/screen.h"

/* Draws into the capture's image, which will be shown at `shown`. */
void hf_observe_mark(const HfTree *tree, HfElementNamer name, gpointer data, HfCapture *capture,
                     HfSize shown);
