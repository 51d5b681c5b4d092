/* What is being typed on each desktop, and what of it is dangerous when an enter key comes. */
#pragma once

#include "guard/passage.h"
#include "rules/rules.h"

typedef struct HfPrompts HfPrompts;
typedef struct HfTypedLine HfTypedLine;

HfPrompts *hf_prompts_new(void);
void hf_prompts_free(HfPrompts *prompts);

/* Adds to the weight what the call would run if a shell is in front. Whether one is, is not known,
 * and prose is no shell text: only what is a critical command beyond doubt counts, and only where
 * an enter key follows, in this call or a later one. */
void hf_prompts_weigh(HfPassage *passage, const HfRules *rules, HfWeight *weight);

/* For calls that are weighed before others are done: the line as it is now (owned), to be looked at
 * in place of the desktop's own as `passage->ahead`, and changed as if the call had been done. */
HfTypedLine *hf_prompts_dup_line(HfPrompts *prompts, const char *desktop);
void hf_prompts_go_ahead(HfPassage *passage);
