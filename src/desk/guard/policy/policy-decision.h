/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be done with a call: let it pass, let it pass and say so, ask the owner, or refuse. A
 * pure function of what the owner agreed to and of declared facts; nothing that a caller, a prompt
 * or a screen says can make the answer milder. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

/* From the mildest to the strictest: the stricter of two is the larger. */
typedef enum HfPolicyAction {
    HF_POLICY_ACTION_NONE,
    HF_POLICY_ACTION_AUTO,
    HF_POLICY_ACTION_NOTIFY,
    HF_POLICY_ACTION_ASK,
    HF_POLICY_ACTION_BLOCK,
} HfPolicyAction;

/* How long an answer holds. */
typedef enum HfMemory {
    HF_MEMORY_IF_TOLD,    /* for this call, unless the owner says for how many more */
    HF_MEMORY_FIRST_TIME, /* asked once, then remembered */
    HF_MEMORY_NEVER,      /* asked every time, whatever was answered before */
} HfMemory;

typedef struct HfPolicyCase {
    const json_t *policy; /* of the project, see hf_config_dup_approval */
    const HfTool *tool;
    const json_t *params; /* checked; for patterns */
    HfRisk risk;
    HfEffects effects;
    gboolean tainted;    /* the run has read text of others */
    gboolean ask_always; /* a rule wants to be asked about, every time */
    /* These can only make it stricter; each is an action, or an object of them by tool, category or
     * "*". May be NULL. */
    const json_t *grant, *call, *prompt;
} HfPolicyCase;

typedef struct HfDecision {
    HfPolicyAction action;
    HfMemory memory;
    char *by;      /* what decided: "risk_policies.high", "tool_overrides.hotkey", "tainted", ... */
    char *pattern; /* for what is asked the first time only: what such calls have in common */
    char *approval_id; /* set when the owner was asked, or had been */
} HfDecision;

HfDecision hf_policy_decide(const HfPolicyCase *facts);
/* Makes `decision` the stricter of the two; consumes the other. */
void hf_decision_tighten(HfDecision *decision, HfDecision take_other);
void hf_decision_clear(HfDecision *decision);

/* "auto_approve", "notify_only", "require_approval", "always_block". */
const char *hf_policy_action_name(HfPolicyAction action);
HfPolicyAction
hf_policy_action_find(const char *name); /* HF_POLICY_ACTION_NONE when there is none */
