/* SPDX-License-Identifier: Apache-2.0 */
/* undo_to: undoes a step and all changes of its run after it. The desk does it:
 * desk/guard/desk-tools/undo.c. */
#include "hand/tools/flow/flow-schema.h"

static const HfParam params[] = {
    HF_STRING("step_id", "The step_id of the first step to undo, from its answer", .required = TRUE,
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES),
    HF_BOOLEAN("only", "Only this step, not those after it", .fallback = "false"),
    HF_PARAM_SKIP,
    {0},
};

const HfTool hf_tool_undo_to = {
    .name = "undo_to",
    .title = "Undo back to a step",
    .summary = "Undo a step and every change that its run made after it, latest first. Stops at "
               "the first that cannot be undone and says what was done",
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
