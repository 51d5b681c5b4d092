/* SPDX-License-Identifier: Apache-2.0 */
/* What the tools about operations share. */
#pragma once

#include "shared/tool/tool.h"

/* How an operation stands, as operation_status and operation_cancel answer. */
extern const HfParam hf_operation_result[];
