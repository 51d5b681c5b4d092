/* What can be used right now, for a caller that plans: env_summary. */
#pragma once

#include "guard/passage.h"

HfResult *hf_environment_run(HfPassage *passage, GError **error);
