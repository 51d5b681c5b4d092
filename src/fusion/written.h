/* Lines that were read, as things that were seen. Pure. */
#pragma once

#include "fusion/join.h"
#include "reading/page.h"

/* Adds a line (HfSeen) of a picture that shows this part of the screen. What it points to goes to
 * `kept`, which frees it by g_free. */
void hf_written_add(GArray *seen, GPtrArray *kept, const HfPageLine *line, HfRect area);
