/* The numbered boxes on the picture of a look: what can be used, by the numbers of its reference.
 */
#pragma once

#include "access/element-json.h"
#include "platform/screen.h"

/* Draws into the capture's image, which will be shown at `shown`. */
void hf_observe_mark(const HfTree *tree, HfElementNamer name, gpointer data, HfCapture *capture,
                     HfSize shown);
