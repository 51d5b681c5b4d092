/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a flow, parsed and checked from the parameters of run_workflow or run_macro. A step
 * is a call of a tool or a group of steps. Either may have a condition, a loop over a list, and
 * alternatives for when it fails. Pure. */
#pragma once

#include <jansson.h>

#include "desk/guard/policy/policy-decision.h"

typedef enum HfOnFailure {
    HF_ON_FAILURE_STOP,
    HF_ON_FAILURE_CONTINUE,
    HF_ON_FAILURE_RETRY, /* macros only: retry, then stop */
} HfOnFailure;

typedef struct HfFlowStep {
    char *place;          /* where it is written: "steps[2].otherwise[0]" */
    guint index;          /* of the top-level step that it is or belongs to */
    char *name;           /* later steps refer to it by this; NULL: none */
    const HfTool *tool;   /* NULL: a group */
    json_t *params;       /* as the caller gave them */
    gboolean open;        /* its parameters depend on earlier results */
    GPtrArray *steps;     /* of a group; NULL: a call */
    GPtrArray *instead;   /* done when `when` does not hold; NULL: none */
    GPtrArray *otherwise; /* done when it fails; NULL: none */
    json_t *when, *until; /* conditions; NULL: none */
    json_t *each;         /* a list, or a reference to one; NULL: once */
    char *as;             /* the name of the loop variable */
    gint64 timeout_ms;    /* for all attempts; 0: no limit of its own */
    int delay_ms[2];      /* before it: from, to */
    gboolean pictures[2]; /* before it, after it */
    HfOnFailure on_failure;
    guint retries;
    int retry_delay_ms;
    /* The forecast: how it was judged before the flow began. */
    json_t *checked; /* the parameters, checked and completed; NULL if `open` */
    json_t *rules;
    json_t *call;    /* what an approval is bound to: approval-binding.h */
    char *sha256;    /* of what it would run (HfTool.inspect); NULL: not inspected */
    json_t *scripts; /* the files that it would run; may be NULL */
    char *line;      /* what a shell would run, if dangerous; may be NULL */
    HfRisk risk;
    HfDecision decision;
} HfFlowStep;

HfFlowStep *hf_flow_step_new(const HfTool *tool, json_t *take_params);
void hf_flow_step_free(HfFlowStep *step);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFlowStep, hf_flow_step_free)
GPtrArray *hf_flow_list_new(void);

/* The steps (HfFlowStep) of checked parameters of run_workflow or run_macro. NULL with an error
 * that names the step: its tool does not exist or cannot be a step, its parameters do not fit, or a
 * reference can refer to nothing. */
GPtrArray *hf_workflow_steps_new(const HfTool *workflow, const json_t *params, GError **error);
GPtrArray *hf_macro_steps_new(const json_t *params, GError **error);

/* What both read alike: tool, params, delay_ms and screenshot of a step. `whole`: "macro" or
 * "workflow". `open`: parameters may hold references. */
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

/* Adds the step to an error: before its message, and in its details. */
void hf_flow_add_step_to_error(const HfFlowStep *step, GError **error);

/* The delay before the step; `chance` from 0 to 1 picks a value of its range. */
gint64 hf_flow_delay_us(const HfFlowStep *step, double chance);
/* Whether this error ends the flow whatever the step says: somebody stopped it, or the desktop
 * cannot be used now. */
gboolean hf_flow_error_is_fatal(const GError *error);
/* Whether the step may be retried; never if it may have been done already. */
gboolean hf_flow_may_retry(const HfFlowStep *step, const GError *error);
