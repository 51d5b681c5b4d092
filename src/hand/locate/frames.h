/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a picture: buttons by what stands in their middle, fields by the room in them. */
#pragma once

#include "hand/locate/composing.h"

/* Adds a frame, called what stands in it. */
void hf_frames_add(HfComposing *work, guint index);
/* Adds an area as a field of several lines, unless it holds more than one thing. */
void hf_frames_add_area(HfComposing *work, guint index);
/* When all frames are there: what fields are for, by the labels beside them or what stands in them.
 */
void hf_frames_label(HfComposing *work);
