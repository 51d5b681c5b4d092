/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of a field for numbers that make it larger and smaller. No toolkit tells of them, and
 * people speak of them: "the plus of the quantity". */
#pragma once

#include "hand/locate/scene.h"

/* Adds them as buttons with what they show. */
void hf_steppers_note(HfScene *scene);
