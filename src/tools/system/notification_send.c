/* notification_send: tell the person in front of the desktop something. */
#include "base/limits.h"
#include "platform/notifications.h"
#include "tool/call.h"

static const char *const urgencies[] = {"low", "normal", "critical", NULL};

static HfUrgency urgency_of(const char *name)
{
    if (g_str_equal(name, "low"))
        return HF_URGENCY_LOW;
    return g_str_equal(name, "critical") ? HF_URGENCY_CRITICAL : HF_URGENCY_NORMAL;
}

static HfResult *run(HfCall *call, GError **error)
{
    HfNotification notification = {
        .title = hf_call_string(call, "title"),
        .body = hf_call_string(call, "body"),
        .urgency = urgency_of(hf_call_string(call, "urgency")),
    };
    guint32 id;
    if (!hf_notification_send(&notification, &id, hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(json_pack("{s:b, s:I}", "success", TRUE, "id", (json_int_t)id));
}

static const HfParam params[] = {
    {.name = "title",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_TEXT,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "One line, shown in bold"},
    {.name = "body",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_TEXT,
     .required = TRUE,
     .min = 0,
     .max = HF_LIMIT_NOTICE_BYTES,
     .about = "Plain text; shown as it is, markup included"},
    {.name = "urgency",
     .type = HF_TYPE_STRING,
     .choices = urgencies,
     .fallback = "\"normal\"",
     .about = "critical ones stay until the person closes them"},
    {0},
};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "id",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "The notice's number on its server"},
    {0},
};

const HfTool hf_tool_notification_send = {
    .name = "notification_send",
    .title = "Show a notice",
    .summary = "Show a desktop notification to the person in front of the screen. It says nothing "
               "about whether they read it.",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .pace = HF_PACE_TASK,
    .verifies = HF_VERIFY_ACCEPTED,
    .timeout_ms = 15000,
    .params = params,
    .result = result,
    .run = run,
};
