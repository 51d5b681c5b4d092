/* SPDX-License-Identifier: Apache-2.0 */
/* operation_status: how a call in the background stands, and its answer when it has ended. The desk
 * does it: desk/guard/background/operations.c. */
#include "hand/tools/flow/operation-result.h"
#include "hand/tools/tools-limits.h"
#include "shared/base/limits.h"

static const HfParam params[] = {
    {.name = "id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "operation.id of the answer to the call with async"},
    {.name = "wait_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_OPERATION_WAIT_MS,
     .fallback = "0",
     .about = "Wait so long for its end, instead of asking again and again"},
    {0},
};

const HfTool hf_tool_operation_status = {
    .name = "operation_status",
    .title = "How an operation stands",
    .summary =
        "Tell how a call in the background (async: true) stands and, when it has ended, give "
        "its whole answer with its pictures. Answers are kept for a day",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_SCREEN | HF_READS_PAGE | HF_READS_FILE | HF_READS_SHELL | HF_READS_CLIPBOARD |
             HF_READS_PROGRAMS,
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
