/* SPDX-License-Identifier: Apache-2.0 */
/* undo_to: take back a step and all that its run has changed after it. The desk does it:
 * desk/guard/desk-tools/undo.c. */
#include "hand/tools/flow/undo-result.h"
#include "shared/base/limits.h"

static const HfParam params[] = {
    {.name = "step_id",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .about = "The step_id of the answer from which on everything is to be taken back"},
    {.name = "only",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "false",
     .about = "Only this step, not what came after it"},
    HF_PARAM_SKIP,
    {0},
};

const HfTool hf_tool_undo_to = {
    .name = "undo_to",
    .title = "Undo back to a step",
    .summary = "Take back a step and every change that its run has made after it, the latest "
               "first. Stops at the first that cannot be taken back and says what was done",
    .category = HF_CATEGORY_FLOW,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 300000,
    .params = params,
    .result = hf_undo_result,
    .service = HF_SERVICE_UNDO_TO,
};
