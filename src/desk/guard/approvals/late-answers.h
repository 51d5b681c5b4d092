/* SPDX-License-Identifier: Apache-2.0 */
/* Answers to questions that the disk did not take: denials and withdrawals, which hold in memory
 * until there is room. Any thread. */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfLateAnswers HfLateAnswers;

HfLateAnswers *hf_late_answers_new(HfStore *store);
void hf_late_answers_free(HfLateAnswers *late);

/* Keeps the state that the row of a question should have. */
void hf_late_answers_keep(HfLateAnswers *late, const char *id, const char *state, const char *by,
                          const char *reason);
/* Writes them, if the disk has room again. */
void hf_late_answers_store(HfLateAnswers *late);
/* The state that waits to be written; NULL: none. */
char *hf_late_answers_dup_state(HfLateAnswers *late, const char *id);
