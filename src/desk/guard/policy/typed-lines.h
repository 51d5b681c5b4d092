/* SPDX-License-Identifier: Apache-2.0 */
/* The line at the prompt of each desktop, and the risk of ending it with Enter. */
#pragma once

#include "desk/guard/passage.h"
#include "shared/rules/rules.h"

typedef struct HfTypedLines HfTypedLines;
typedef struct HfTypedLine HfTypedLine;

HfTypedLines *hf_typed_lines_new(void);
void hf_typed_lines_free(HfTypedLines *lines);

/* Adds the risk of what the call would run if a shell is in front. Nobody knows whether one is, and
 * prose is not shell text: so only commands that are clearly critical count, and only once Enter
 * ends the line, in this call or a later one. */
void hf_typed_lines_assess(HfPassage *passage, const HfRules *rules, HfRiskAssessment *assessment);

/* FALSE with an error when Enter would now run another, dangerous line than the one that was
 * judged. Terminals of sessions have no turns, so there the text counts as typed from here on. */
gboolean hf_typed_lines_recheck(HfPassage *passage, GError **error);
/* Adds what the call has typed to the line. */
void hf_typed_lines_record(HfPassage *passage);

/* For forecasts: a copy of the current line (owned), used as `passage->typed.ahead` in place of the
 * real one, and changed as if the call had been done. */
HfTypedLine *hf_typed_lines_dup_line(HfTypedLines *lines, const char *desktop);
void hf_typed_lines_apply_ahead(HfPassage *passage);
