/* SPDX-License-Identifier: Apache-2.0 */
/* operation_cancel: cancels a call in the background. The desk does it:
 * desk/guard/background/operations.c. */
#include "hand/tools/flow/flow-schema.h"

static const HfParam params[] = {
    HF_PARAM_OPERATION,
    HF_INTEGER("wait_ms", "How long to wait for its end", .min = 0,
               .max = HF_LIMIT_OPERATION_WAIT_MS, .fallback = "3000"),
    {0},
};

const HfTool hf_tool_operation_cancel = {
    .name = "operation_cancel",
    .title = "Cancel an operation",
    .summary = "Cancel your own call in the background (async: true). What it has done so far "
               "stays done: its answer says what. A call that has ended already stays as it is",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_ANYTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = HF_LIMIT_OPERATION_WAIT_MS + 5000,
    .params = params,
    .result = hf_operation_result,
    .service = HF_SERVICE_OPERATION_CANCEL,
};
