/* Labels: fields, boxes and what tells nothing of itself are called by the words beside them. */
#pragma once

#include "fusion/scene.h"

void hf_labels_note(HfScene *scene);
