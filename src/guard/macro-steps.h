/* The steps of a macro: what the caller wrote, read and checked. Pure. */
#pragma once

#include <jansson.h>

#include "guard/policy.h"

typedef enum HfOnFailure {
    HF_ON_FAILURE_STOP,
    HF_ON_FAILURE_CONTINUE,
    HF_ON_FAILURE_RETRY,
} HfOnFailure;

typedef struct HfMacroStep {
    const HfTool *tool;
    json_t *params;       /* as the caller gave them */
    int delay_ms[2];      /* before it: from, to */
    gboolean pictures[2]; /* before it, after it */
    HfOnFailure on_failure;
    guint retries;
    int retry_delay_ms;
    /* As it was weighed before the macro began. */
    json_t *checked; /* the parameters, checked and completed */
    json_t *rules;
    json_t *call; /* what an answer of the owner's is remembered by */
    char *line;   /* what a shell would run by it, if that is dangerous; may be NULL */
    HfRisk risk;
    HfDecision decision;
} HfMacroStep;

HfMacroStep *hf_macro_step_new(const HfTool *tool, json_t *take_params);
void hf_macro_step_free(HfMacroStep *step);

/* Of HfMacroStep, from parameters that fit the description of run_macro. NULL with an error that
 * names the step: for tools that do not exist or cannot be a step, and parameters that do not fit
 * theirs. */
GPtrArray *hf_macro_steps_new(const json_t *params, GError **error);
/* Says of which step an error is: before its message, and in its details. */
void hf_macro_blame(guint index, const char *tool, GError **error);

/* The one of its random waits that is taken, from a number from 0 to 1. */
gint64 hf_macro_delay_us(const HfMacroStep *step, double chance);
/* After such an error no further step is done, whatever the step says: somebody called it off or
 * the desktop is not to be used now. */
gboolean hf_macro_is_over(const GError *error);
/* Whether the step may be tried again: never what may have happened already. */
gboolean hf_macro_may_retry(const HfMacroStep *step, const GError *error);
