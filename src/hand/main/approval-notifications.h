/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the owner for approval with desktop notifications. A pressed button counts only if a
 * person's mouse or keyboard was used last on this desktop: an agent must not be able to press it.
 */
#pragma once

#include "hand/main/jobs.h"
#include "shared/base/types.h"

typedef struct HfApprovalNotifications HfApprovalNotifications;

HfApprovalNotifications *hf_approval_notifications_new(HfDesktop *desktop, HfJobs *jobs);
void hf_approval_notifications_free(HfApprovalNotifications *questions);

/* Carries out the orders `question` {approval, title, body, yes, no} and `question-closed`
 * {approval}; FALSE for other types. Answers go to the desk as the event `answer` {approval,
 * answer, pressed_us} or `answer-refused` {approval}. */
gboolean hf_approval_notifications_receive(HfApprovalNotifications *questions, const json_t *order);
