/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of one size beside or below each other, each with a few things in it: cards of products,
 * of contacts, of rooms. Pages tell of the boxes, but not that they are alike. */
#pragma once

#include "hand/locate/scene.h"

/* Makes cards of them, and says of what is in one that it is. */
void hf_cards_note(HfScene *scene);
