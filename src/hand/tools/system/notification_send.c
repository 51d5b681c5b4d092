/* SPDX-License-Identifier: Apache-2.0 */
/* notification_send: shows a message to the person in front of the desktop, and may wait for what
 * they choose. */
#include "hand/desktop/notifications.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/tools-limits.h"
#include "shared/base/limits.h"
#include "shared/tool/call.h"

static const char *const urgencies[] = {"low", "normal", "critical", NULL};

static HfUrgency urgency_of(const char *name)
{
    if (g_str_equal(name, "low"))
        return HF_URGENCY_LOW;
    return g_str_equal(name, "critical") ? HF_URGENCY_CRITICAL : HF_URGENCY_NORMAL;
}

static const char *outcome_name(const HfNoticeOutcome *outcome, gboolean waited)
{
    switch (outcome->end) {
    case HF_NOTICE_PRESSED:
        return "pressed";
    case HF_NOTICE_CLOSED:
        return "closed";
    case HF_NOTICE_EXPIRED:
        return "expired";
    case HF_NOTICE_WITHDRAWN:
        return "withdrawn";
    case HF_NOTICE_SHOWN:
        break;
    }
    return waited ? "unanswered" : "shown";
}

static HfResult *notification_to_result(const HfNotification *notification,
                                        const HfNoticeOutcome *outcome)
{
    json_t *json = json_pack("{s:b, s:I, s:s}", "success", TRUE, "id", (json_int_t)outcome->id,
                             "outcome", outcome_name(outcome, notification->wait_ms > 0));
    guint count = notification->actions ? g_strv_length((char **)notification->actions) : 0;
    if (outcome->end == HF_NOTICE_PRESSED && outcome->action < count) {
        json_object_set_new(json, "action", hf_json_text(notification->actions[outcome->action]));
        json_object_set_new(json, "action_index", json_integer(outcome->action));
    }
    return hf_result_new(json);
}

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(GStrv) actions = hf_call_dup_strings(call, "actions");
    HfNotification notification = {
        .title = hf_call_string(call, "title"),
        .body = hf_call_string(call, "body"),
        .urgency = urgency_of(hf_call_string(call, "urgency")),
        .icon = hf_call_string(call, "icon"),
        .actions = actions[0] ? (const char *const *)actions : NULL,
        .replaces = (guint32)hf_call_int(call, "replaces"),
        .expires_ms = hf_call_has(call, "expire_ms") ? (int)hf_call_int(call, "expire_ms") : -1,
        .wait_ms = hf_call_int(call, "wait_ms"),
    };
    HfNoticeOutcome outcome;
    if (!hf_notification_send(&notification, &outcome, hf_call_deadline(call), error))
        return NULL;
    hf_call_refuse_undo(call, "a person may have read it; notification_close closes it");
    return notification_to_result(&notification, &outcome);
}

static const HfParam label = {.type = HF_TYPE_STRING, .min = 1, .max = HF_LIMIT_NAME_BYTES};

static const HfParam params[] = {
    HF_STRING("title", "One line, shown in bold", .required = TRUE, .means = HF_MEANS_TEXT,
              .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_STRING("body", "Plain text; shown as it is, markup included", .required = TRUE,
              .means = HF_MEANS_TEXT, .min = 0, .max = HF_LIMIT_NOTICE_BYTES),
    HF_STRING("urgency", "critical ones stay until the person closes them", .choices = urgencies,
              .fallback = "\"normal\""),
    HF_ARRAY("actions", "Labels of buttons; with wait_ms the answer says which one was pressed",
             .means = HF_MEANS_TEXT, .min = 1, .max = HF_LIMIT_NOTICE_ACTIONS, .items = &label),
    HF_INTEGER("wait_ms",
               "How long to wait for what the person does with it; to wait longer, see async",
               .min = 0, .max = HF_LIMIT_NOTICE_WAIT_MS, .fallback = "0"),
    HF_INTEGER("expire_ms",
               "How long it is shown; 0: until it is closed (default: the desktop decides)",
               .min = 0, .max = 86400000),
    HF_STRING("icon", "Name of an icon (dialog-information), or the path of a picture",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_INTEGER("replaces", "id of an earlier notification that this one replaces", .min = 1,
               .max = 4294967295.0),
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "Always true", .required = TRUE),
    HF_INTEGER("id", "Id of the notification, for notification_close and replaces",
               .required = TRUE),
    HF_STRING("outcome",
              "shown; with wait_ms: pressed, closed by the person, expired, withdrawn by a "
              "program, or unanswered",
              .required = TRUE),
    HF_STRING("action", "The label of the pressed button"),
    HF_INTEGER("action_index", "Its index in actions, from 0"),
    {0},
};

const HfTool hf_tool_notification_send = {
    .name = "notification_send",
    .title = "Show a notification",
    .summary = "Show a desktop notification to the person in front of the screen, with buttons if "
               "you like. You learn whether they read it only if you wait for what they press.",
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
    .timeout_ms = 75000,
    .params = params,
    .result = result,
    .run = run,
};
