/* What the tools that take changes back return. */
#pragma once

#include "tool/tool.h"

extern const HfParam hf_undo_result[];
