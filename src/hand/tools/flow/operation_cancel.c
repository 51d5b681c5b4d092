/* SPDX-License-Identifier: Apache-2.0 */
/* operation_cancel: call a call in the background off. The desk does it:
 * desk/guard/background/operations.c. */
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
     .fallback = "3000",
     .about = "Wait so long for its end"},
    {0},
};

const HfTool hf_tool_operation_cancel = {
    .name = "operation_cancel",
    .title = "Call an operation off",
    .summary =
        "Call off a call in the background (async: true) of your own. What it has done until "
        "then stays done: its answer says so. One that has ended already stays as it is",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_SCREEN | HF_READS_PAGE | HF_READS_FILE | HF_READS_SHELL | HF_READS_CLIPBOARD |
             HF_READS_PROGRAMS,
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
