/* SPDX-License-Identifier: Apache-2.0 */
/* Shows questions to the owner as notifications on attached desktops, and takes the answers. */
#pragma once

#include "desk/desktops/desk.h"

/* From now on attached desktops show open questions, with buttons. */
void hf_approval_notices_begin(HfDesk *desk);
/* A person pressed a button, as the hand reports: {approval, answer, pressed_us}. */
void hf_approval_notices_answer(HfDesk *desk, const char *desktop, const json_t *event);
/* Audits a press of a button that can only have come from an agent. */
void hf_approval_notices_audit_fake_press(HfDesk *desk, const char *desktop, const json_t *event);
