/* SPDX-License-Identifier: Apache-2.0 */
/* Between the owner's questions and the desktops on which a person sits. */
#pragma once

#include "desk/desktops/desk.h"

/* From now on questions are shown on attached desktops, with buttons, and taken away again. */
void hf_approval_notices_begin(HfDesk *desk);
/* A button that a person pressed there, as the hand tells it: {approval, answer, real_us}. */
void hf_approval_notices_answer(HfDesk *desk, const char *desktop, const json_t *event);
/* A button that nobody but an agent can have pressed. */
void hf_approval_notices_audit_fake_press(HfDesk *desk, const char *desktop, const json_t *event);
