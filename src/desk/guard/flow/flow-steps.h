/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a flow: what the caller of run_workflow or run_macro wrote, read and checked. A step
 * is a call of a tool or a group of steps; either may depend on a condition, be repeated for each
 * member of a list, and have others that are done in its place when it fails. Pure. */
#pragma once

#include <jansson.h>

#include "desk/guard/policy/policy-decision.h"

typedef enum HfOnFailure {
    HF_ON_FAILURE_STOP,
    HF_ON_FAILURE_CONTINUE,
    HF_ON_FAILURE_RETRY, /* of a macro: as its retries say, then stop */
} HfOnFailure;

typedef struct HfFlowStep {
    char *place;          /* where it is written: "steps[2].otherwise[0]" */
    guint index;          /* of the step at the top that it is or belongs to */
    char *name;           /* by which later steps refer to it; NULL: none */
    const HfTool *tool;   /* NULL: a group */
    json_t *params;       /* as the caller gave them */
    gboolean open;        /* they depend on earlier results */
    GPtrArray *steps;     /* of a group; NULL: a call */
    GPtrArray *instead;   /* done in its place when `when` does not hold; NULL: none */
    GPtrArray *otherwise; /* done when it fails; NULL: none */
    json_t *when, *until; /* conditions; NULL: none */
    json_t *each;         /* a list, or a reference to one; NULL: once */
    char *as;             /* how its members are called */
    gint64 timeout_ms;    /* for all of its attempts; 0: none of its own */
    int delay_ms[2];      /* before it: from, to */
    gboolean pictures[2]; /* before it, after it */
    HfOnFailure on_failure;
    guint retries;
    int retry_delay_ms;
    /* As it was weighed before the flow began. */
    json_t *checked; /* the parameters, checked and completed; NULL: it is open */
    json_t *rules;
    json_t *call; /* what an answer of the owner's is remembered by */
    char *line;   /* what a shell would run by it, if that is dangerous; may be NULL */
    HfRisk risk;
    HfDecision decision;
} HfFlowStep;

HfFlowStep *hf_flow_step_new(const HfTool *tool, json_t *take_params);
void hf_flow_step_free(HfFlowStep *step);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFlowStep, hf_flow_step_free)
GPtrArray *hf_flow_list_new(void);

/* Of HfFlowStep, from parameters that fit the description of run_workflow (and its tool, for the
 * form of steps within steps) or run_macro. NULL with an error that names the step: for tools that
 * do not exist or cannot be a step, parameters that do not fit theirs, references that cannot lead
 * anywhere. */
GPtrArray *hf_workflow_steps_new(const HfTool *workflow, const json_t *params, GError **error);
GPtrArray *hf_macro_steps_new(const json_t *params, GError **error);

/* What both read in the same way: tool, params, delay_ms and screenshot of a step. `whole` says
 * what it is a step of; `open`: its parameters may hold references. */
typedef struct HfFlowPlace {
    const char *path;
    guint index;
    const char *whole;
    gboolean open;
} HfFlowPlace;

HfFlowStep *hf_flow_read_call(const HfFlowPlace *place, const json_t *given, GError **error);
void hf_flow_read_pictures(HfFlowStep *step, const json_t *given);
gboolean hf_flow_read_delay(HfFlowStep *step, const HfFlowPlace *place, const json_t *value,
                            GError **error);
gboolean hf_flow_fail_member(const HfFlowPlace *place, const char *member, const char *problem,
                             GError **error);

/* Says of which step an error is: before its message, and in its details. */
void hf_flow_add_step_to_error(const HfFlowStep *step, GError **error);

/* The one of its random waits that is taken, from a number from 0 to 1. */
gint64 hf_flow_delay_us(const HfFlowStep *step, double chance);
/* After such an error no further step is done, whatever the step says: somebody called it off or
 * the desktop is not to be used now. */
gboolean hf_flow_error_is_fatal(const GError *error);
/* Whether the step may be tried again: never what may have happened already. */
gboolean hf_flow_may_retry(const HfFlowStep *step, const GError *error);
