/* The cross at the end of a tab, which few programs tell of. */
#pragma once

#include "fusion/scene.h"

/* Adds those that the picture shows as buttons. */
void hf_closers_note(HfScene *scene);
