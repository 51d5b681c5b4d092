/* SPDX-License-Identifier: Apache-2.0 */
/* Buttons that show a colour, and nothing else: to choose another. */
#pragma once

#include "hand/locate/scene.h"

/* Says of them that they are for colours. */
void hf_swatches_note(HfScene *scene);
