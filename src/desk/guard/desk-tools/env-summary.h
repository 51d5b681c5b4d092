/* SPDX-License-Identifier: Apache-2.0 */
/* env_summary: what a caller can use right now, for planning. */
#pragma once

#include "desk/guard/passage.h"

HfResult *hf_env_summary_run(HfPassage *passage, GError **error);
