/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a call: who, what and how it ended. Never parameters, never results. */
#pragma once

#include "desk/guard/passage.h"

/* The call is about to be done. */
void hf_call_event_started(const HfPassage *passage);
/* The call waits for the "owner" (an answer to that approval) or a "person" (who uses the desktop).
 */
void hf_call_event_waiting(const HfPassage *passage, const char *what, const char *approval);

void hf_call_event_finished(const HfPassage *passage);
/* The owner wants to know about it, and it goes on. */
void hf_call_event_notice(const HfPassage *passage);
/* `approval`: as in hf_approvals_list. */
void hf_call_event_approval_opened(const HfPassage *passage, const json_t *approval);
/* `error`: why the call does not go on; NULL when it does. */
void hf_call_event_approval_closed(const HfPassage *passage, const GError *error);
/* A person began to use a desktop. */
void hf_call_event_takeover(HfEvents *events, const char *desktop, gboolean interrupted);
