/* SPDX-License-Identifier: Apache-2.0 */
/* wait: lets time pass. It blocks nobody, and a cancellation ends it at once. */
#include "shared/base/limits.h"
#include "shared/tool/call.h"

static HfResult *run(HfCall *call, GError **error)
{
    double seconds = hf_call_number(call, "duration");
    gint64 pause_us = (gint64)(seconds * G_USEC_PER_SEC);
    if (!hf_deadline_pause(hf_call_deadline(call), pause_us, error))
        return NULL;
    return hf_result_new(json_pack("{s:b, s:f}", "success", TRUE, "duration", seconds));
}

static const HfParam params[] = {
    HF_NUMBER("duration", "Seconds", .required = TRUE, .min = 0, .max = HF_LIMIT_WAIT_SECONDS),
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "Always true", .required = TRUE),
    HF_NUMBER("duration", "How many seconds have passed", .required = TRUE),
    {0},
};

const HfTool hf_tool_wait = {
    .name = "wait",
    .title = "Wait",
    .summary = "Do nothing for some seconds, for instance while a program loads. Other calls "
               "continue meanwhile.",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = (HF_LIMIT_WAIT_SECONDS + 30) * 1000,
    .params = params,
    .result = result,
    .run = run,
};
