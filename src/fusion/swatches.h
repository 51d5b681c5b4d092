/* Buttons that show a colour, and nothing else: to choose another. */
#pragma once

#include "fusion/scene.h"

/* Says of them that they are for colours. */
void hf_swatches_note(HfScene *scene);
