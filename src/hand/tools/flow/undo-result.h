/* SPDX-License-Identifier: Apache-2.0 */
/* What the tools that take changes back take and return. */
#pragma once

#include "shared/tool/tool.h"

#define HF_PARAM_SKIP                                                                              \
    {                                                                                              \
        .name = "skip", .type = HF_TYPE_BOOLEAN, .fallback = "false",                              \
        .about = "Pass over what has no way back"                                                  \
    }

extern const HfParam hf_undo_result[];
