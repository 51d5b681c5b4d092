/* SPDX-License-Identifier: Apache-2.0 */
/* The triangle before an entry of a tree, which no toolkit tells of. */
#pragma once

#include "hand/locate/scene.h"

/* Adds those of what can be expanded as buttons, where nothing was seen there. */
void hf_expanders_note(HfScene *scene);
