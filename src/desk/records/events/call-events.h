/* SPDX-License-Identifier: Apache-2.0 */
/* What the guard does, as events: who, what and how it went; never parameters, never results. */
#pragma once

#include "desk/guard/passage.h"

/* It is about to be done. */
void hf_call_event_started(const HfPassage *passage);
/* It can go on only after "owner" (an answer to that approval) or "person" (who uses the desktop).
 */
void hf_call_event_waiting(const HfPassage *passage, const char *what, const char *approval);
/* Whatever became of it. */
void hf_call_event_finished(const HfPassage *passage);
/* The owner wants to hear of it, and it goes on. */
void hf_call_event_notice(const HfPassage *passage);
/* A question to the owner, as hf_approvals_list shows it. */
void hf_call_event_approval_opened(const HfPassage *passage, const json_t *approval);
/* The same one is not open any more; `error`: why the call does not go on, NULL when it does. */
void hf_call_event_approval_closed(const HfPassage *passage, const GError *error);
/* A person began to use a desktop; whether that interrupted something. */
void hf_call_event_takeover(HfEvents *events, const char *desktop, gboolean interrupted);
/* What is in the audit and is no call; `data` without secrets. Most of that is nobody's business.
 */
void hf_call_event_audited(HfEvents *events, const char *event, const HfCaller *caller,
                           const json_t *data);
