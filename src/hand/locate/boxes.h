/* SPDX-License-Identifier: Apache-2.0 */
/* What is told as a box to tick, and is something else by its picture: GTK 4 says it of circles to
 * choose by and of switches as well. */
#pragma once

#include "hand/locate/scene.h"

/* Makes radio buttons and switches of them. */
void hf_boxes_note(HfScene *scene);
