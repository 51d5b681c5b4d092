/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the owner as desktop notices with buttons. A button that was pressed is told to the
 * desk only if a person's own mouse or keyboard was last on this desktop: an agent that presses the
 * button with its own hands answers nothing. */
#pragma once

#include "hand/main/jobs.h"
#include "shared/base/types.h"

typedef struct HfApprovalNotifications HfApprovalNotifications;

HfApprovalNotifications *hf_approval_notifications_new(HfDesktop *desktop, HfJobs *jobs);
void hf_approval_notifications_free(HfApprovalNotifications *questions);

/* Takes `question` {approval, title, body, yes, no} and `question-closed` {approval}; FALSE: the
 * order is somebody else's. Answers come as the event `answer` {approval, answer, pressed_us}, or
 * `answer-refused` {approval}. */
gboolean hf_approval_notifications_receive(HfApprovalNotifications *questions, const json_t *order);
