/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: fields, boxes and what tells nothing of itself are called by the words beside them. */
#pragma once

#include "hand/locate/scene.h"

void hf_labels_note(HfScene *scene);
