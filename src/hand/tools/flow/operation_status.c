/* SPDX-License-Identifier: Apache-2.0 */
/* operation_status: the status of a call in the background, and its answer when it has ended. The
 * desk does it: desk/guard/background/operation-status.c. */
#include "hand/tools/flow/flow-schema.h"

static const HfParam params[] = {
    HF_PARAM_OPERATION,
    HF_INTEGER("wait_ms", "How long to wait for its end, instead of asking again and again",
               .min = 0, .max = HF_LIMIT_OPERATION_WAIT_MS, .fallback = "0"),
    {0},
};

const HfTool hf_tool_operation_status = {
    .name = "operation_status",
    .title = "Status of an operation",
    .summary = "Return the status of a call in the background (async: true) and, when it has "
               "ended, its whole answer with its pictures. Answers are kept for a day",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_ANYTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = HF_LIMIT_OPERATION_WAIT_MS + 5000,
    .params = params,
    .result = hf_operation_result,
    .service = HF_SERVICE_OPERATION_STATUS,
};
