/* SPDX-License-Identifier: Apache-2.0 */
/* Colours as people call them, and how much of one a part of a picture has. Pure. */
#pragma once

#include "shared/image/image.h"

typedef enum HfColour {
    HF_COLOUR_NONE,
    HF_COLOUR_RED,
    HF_COLOUR_ORANGE,
    HF_COLOUR_YELLOW,
    HF_COLOUR_GREEN,
    HF_COLOUR_BLUE,
    HF_COLOUR_PURPLE,
    HF_COLOUR_PINK,
    HF_COLOUR_COUNT,
} HfColour;

const char *hf_colour_name(HfColour colour);
/* What it is called; NONE: grey, or too dark or too pale to tell. */
HfColour hf_colour_of(guint32 pixel);
/* The part of the box that has it, from 0 to 1. */
double hf_colour_share(const HfImage *image, HfRect box, HfColour colour);
