/* SPDX-License-Identifier: Apache-2.0 */
/* Switches and sliders of a picture, each with the text that says what it is for. */
#pragma once

#include "hand/locate/composing.h"

/* Adds a shape of these kinds. */
void hf_knobs_add(HfComposing *work, guint index);
/* Whether a text says what one of them is for: it is no label of anything else then. */
gboolean hf_knobs_has_label(const HfComposing *work, const HfSeen *text);
