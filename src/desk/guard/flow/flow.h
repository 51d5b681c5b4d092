/* SPDX-License-Identifier: Apache-2.0 */
/* Flows: several calls as one, for run_workflow and run_macro. Each step goes the whole way through
 * the guard, by the same caller and in the same run; what only a whole can have is here: all that
 * is known is weighed before the first step is done, and the owner is asked once about it. What
 * depends on earlier results is weighed when it is known, and asked about then. A macro, and a
 * workflow that says so, has the desktop's turn for all of its steps. */
#pragma once

#include "desk/guard/flow/flow-steps.h"
#include "desk/guard/passage.h"

typedef struct HfFlow {
    gboolean macro;      /* of run_macro: nothing in it depends on anything */
    gboolean exclusive;  /* one hold of the turn covers all steps */
    GPtrArray *steps;    /* of HfFlowStep */
    GPtrArray *calls;    /* all that call a tool, however deep, as they are written; borrowed */
    HfFlowStep *picture; /* the call that takes pictures around steps; NULL: none does */
    guint aimed;         /* the call whose target the owner was shown; past the last: none */
    gboolean agreed; /* the owner was asked, and what its steps type may go into password fields */
} HfFlow;

/* Reads the steps of a passage whose parameters were checked. */
gboolean hf_flow_read(HfPassage *passage, GError **error);
void hf_flow_free(HfFlow *flow);

/* A step's own call: parameters with what the flow hands on (owned), and the request. */
json_t *hf_flow_dup_params(const HfPassage *passage, const json_t *own);
HfRequest hf_flow_request(const HfPassage *passage, const HfFlowStep *step, json_t *params);

/* Makes the flow's decision as strict as the strictest of its steps. */
void hf_flow_tighten(HfPassage *passage);
/* Of a step: whether it was weighed before the flow began, and as strictly. FALSE without an error:
 * the owner is to be asked about it now. With one: a macro is not asked about in the middle. */
gboolean hf_flow_check_assessed(HfPassage *passage, GError **error);
/* Every step as the owner is asked about it: [{index, tool, title, risk, rules, decision,
 * decided_by, types, place, depends}]; `types` is there when what it types may go into a password
 * field, `depends` when its parameters are not known yet. Owned. */
json_t *hf_flow_describe(const HfFlow *flow);
/* For the owner's eyes alone: adds to them what a shell would run, and parameters. */
void hf_flow_show_lines(const HfFlow *flow, json_t *described);
/* What the first step that hits something would hit now, with a marked picture. Never NULL. */
HfResult *hf_flow_preview_first_target(HfPassage *passage, const HfDeadline *deadline);
/* Writes down the answers that are asked for the first time only. */
gboolean hf_flow_remember(const HfPassage *passage, GError **error);

HfResult *hf_flow_run(HfPassage *passage, GError **error);
HfResult *hf_flow_preview(HfPassage *passage, GError **error);
/* Takes out of a recorded answer what steps that only look have seen: that is in memory alone. */
void hf_flow_drop_look_results(json_t *recorded);
