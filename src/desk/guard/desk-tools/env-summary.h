/* SPDX-License-Identifier: Apache-2.0 */
/* What can be used right now, for a caller that plans: env_summary. */
#pragma once

#include "desk/guard/passage.h"

HfResult *hf_env_summary_run(HfPassage *passage, GError **error);
