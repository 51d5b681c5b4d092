/* Tools that the desk does itself: no hand is asked. */
#pragma once

#include "guard/passage.h"

HfResult *hf_service_run(HfPassage *passage, GError **error);
/* What it would do, for a dry run: {target}, with pictures. */
HfResult *hf_service_preview(HfPassage *passage, GError **error);
