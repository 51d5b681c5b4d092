/* SPDX-License-Identifier: Apache-2.0 */
/* What is being typed on each desktop, and what of it is dangerous when an enter key comes. */
#pragma once

#include "desk/guard/passage.h"
#include "shared/rules/rules.h"

typedef struct HfTypedLines HfTypedLines;
typedef struct HfTypedLine HfTypedLine;

HfTypedLines *hf_typed_lines_new(void);
void hf_typed_lines_free(HfTypedLines *prompts);

/* Adds to the weight what the call would run if a shell is in front. Whether one is, is not known,
 * and prose is no shell text: only what is a critical command beyond doubt counts, and only where
 * an enter key follows, in this call or a later one. */
void hf_typed_lines_assess(HfPassage *passage, const HfRules *rules, HfRiskAssessment *weight);

/* FALSE with an error when the enter key would now run another line than the one that was weighed,
 * and that is dangerous. A session's terminal has no turns: there the text is in its line from here
 * on. */
gboolean hf_prompts_check_line(HfPassage *passage, GError **error);
/* What the call has typed is in the line from now on. */
void hf_prompts_record(HfPassage *passage);

/* For calls that are weighed before others are done: the line as it is now (owned), to be looked at
 * in place of the desktop's own as `passage->typed.ahead`, and changed as if the call had been
 * done. */
HfTypedLine *hf_typed_lines_dup_line(HfTypedLines *prompts, const char *desktop);
void hf_typed_lines_apply_ahead(HfPassage *passage);
