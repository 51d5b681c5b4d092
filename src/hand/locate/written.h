/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that were read, as things that were seen. Pure. */
#pragma once

#include "hand/locate/join.h"
#include "hand/pixels/ocr/ocr-page.h"

/* Adds a line (HfSeen) of a picture that shows this part of the screen. What it points to goes to
 * `kept`, which frees it by g_free. */
void hf_written_add(GArray *seen, GPtrArray *kept, const HfOcrPageLine *line, HfRect area);
