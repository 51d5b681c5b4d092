/* Questions to the owner as desktop notices with buttons. A button that was pressed is told to the
 * desk only if a person's own mouse or keyboard was last on this desktop: an agent that presses the
 * button with its own hands answers nothing. */
#pragma once

#include "base/types.h"
#include "hand/jobs.h"

typedef struct HfQuestions HfQuestions;

HfQuestions *hf_questions_new(HfDesktop *desktop, HfJobs *jobs);
void hf_questions_free(HfQuestions *questions);

/* Takes `question` {approval, title, body, yes, no} and `question-closed` {approval}; FALSE: the
 * order is somebody else's. Answers come as the event `answer` {approval, answer, real_us}, or
 * `answer-refused` {approval}. */
gboolean hf_questions_receive(HfQuestions *questions, const json_t *order);
