/* SPDX-License-Identifier: Apache-2.0 */
/* notification_close: closes a notification. */
#include "hand/desktop/notifications.h"
#include "hand/tools/call-undo.h"
#include "shared/tool/call.h"

static HfResult *run(HfCall *call, GError **error)
{
    guint32 id = (guint32)hf_call_int(call, "id");
    if (!hf_notification_close(id, hf_call_deadline(call), error))
        return NULL;
    hf_call_refuse_undo(call, "a closed notification cannot be shown again");
    return hf_result_new(json_pack("{s:b}", "success", TRUE));
}

static const HfParam params[] = {
    HF_INTEGER("id", "The id from notification_send", .required = TRUE, .min = 1,
               .max = 4294967295.0),
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "The server confirmed that it is closed", .required = TRUE),
    {0},
};

const HfTool hf_tool_notification_close = {
    .name = "notification_close",
    .title = "Close a notification",
    .summary = "Close a desktop notification that notification_send has shown, by its id.",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 15000,
    .params = params,
    .result = result,
    .run = run,
};
