/* SPDX-License-Identifier: Apache-2.0 */
/* Flows: several calls as one, for run_workflow and run_macro. Each step is a call of its own
 * through the whole guard, by the same caller and in the same run. Everything that is known is
 * judged before the first step, and the owner is asked once about it. What depends on earlier
 * results is judged, and asked about, when it is known. A macro keeps the desktop's turn for all of
 * its steps; so does a workflow that asks for it. */
#pragma once

#include "desk/guard/flow/flow-steps.h"
#include "desk/guard/passage.h"

typedef struct HfFlow {
    gboolean macro;      /* run_macro: no step depends on another */
    gboolean exclusive;  /* one turn covers all steps */
    GPtrArray *steps;    /* of HfFlowStep */
    GPtrArray *calls;    /* all steps that call a tool, however deep, in order; borrowed */
    HfFlowStep *picture; /* the call that takes pictures around steps; NULL: none */
    guint shown_call;    /* index of the call whose target the owner saw; past the end: none */
    gboolean approved;   /* the owner approved it: its steps may type into password fields */
} HfFlow;

/* Reads the steps from checked parameters. */
gboolean hf_flow_read(HfPassage *passage, GError **error);
void hf_flow_free(HfFlow *flow);

/* The call of a step: its parameters with those that it inherits (owned), and the request. */
json_t *hf_flow_dup_params(const HfPassage *passage, const json_t *own);
HfRequest hf_flow_request(const HfPassage *passage, const HfFlowStep *step, json_t *params);

/* Makes the flow's decision as strict as the strictest of its steps. */
void hf_flow_tighten(HfPassage *passage);
/* For a step: whether it was judged at least as strictly before the flow began. FALSE without an
 * error: the owner must be asked now. With an error: a macro cannot ask in the middle. */
gboolean hf_flow_check_assessed(HfPassage *passage, GError **error);
/* The steps as the owner sees them: [{index, tool, title, risk, rules, decision, decided_by, types,
 * place, depends}]. `types`: it types, maybe into a password field. `depends`: its parameters are
 * not known yet. Owned. */
json_t *hf_flow_describe(const HfFlow *flow);
/* Adds what only the owner may see: the line that a shell would run, and parameters. */
void hf_flow_show_lines(const HfFlow *flow, json_t *described);
/* The target of the first step that has one, with a marked picture. Never NULL. */
HfResult *hf_flow_preview_first_target(HfPassage *passage, const HfDeadline *deadline);
/* Remembers the owner's approval for steps that are asked about only once. */
gboolean hf_flow_remember(const HfPassage *passage, GError **error);

HfResult *hf_flow_run(HfPassage *passage, GError **error);
HfResult *hf_flow_preview(HfPassage *passage, GError **error);
/* Removes the results of read-only steps from an answer that goes to the disk. */
void hf_flow_drop_look_results(json_t *recorded);
