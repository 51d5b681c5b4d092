/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a flow: what is told of its steps, and what later ones can refer to. */
#pragma once

#include "desk/guard/flow/flow-references.h"
#include "desk/guard/flow/flow.h"

typedef struct HfFlowExecution {
    HfPassage *passage;
    const HfDeadline *deadline; /* of the step or group that is being done */
    HfResult *result;           /* what becomes the answer */
    json_t *steps;              /* what is told of each; borrowed from it */
    json_t *named;              /* the same by name, the latest of each */
    const HfFlowItem *items;    /* the loops around */
    gsize bytes;                /* of binary parts */
    gsize kept;                 /* of results */
    guint failed, skipped;
    guint moves;      /* steps begun or passed over */
    gboolean is_over; /* nothing more is to be done, whatever the steps say */
} HfFlowExecution;

HfFlowScope hf_flow_execution_scope(const HfFlowExecution *play, const json_t *result);

/* One call of a step within the flow. Never NULL. */
HfAnswer *hf_flow_execution_call(HfFlowExecution *play, const HfFlowStep *step);
/* Tells of a step: `place` is where its entry is within the result, `told` its entry. */
void hf_flow_execution_report_step(HfFlowExecution *play, const char *place, const HfAnswer *answer,
                                   json_t *told);
void hf_flow_execution_take_picture(HfFlowExecution *play, const char *place, json_t *told,
                                    const char *moment);
