/* SPDX-License-Identifier: Apache-2.0 */
/* The cross at the end of a tab, which few programs tell of. */
#pragma once

#include "hand/locate/scene.h"

/* Adds those that the picture shows as buttons. */
void hf_closers_note(HfScene *scene);
