/* SPDX-License-Identifier: Apache-2.0 */
/* The policy decision about a call: allow, allow and notify, ask the owner, or block. A pure
 * function of the owner's policy and of declared facts. Nothing that a caller, a prompt or a screen
 * says can make it milder. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

/* From the mildest to the strictest, so that MAX is the stricter one. */
typedef enum HfPolicyAction {
    HF_POLICY_ACTION_NONE,
    HF_POLICY_ACTION_AUTO,
    HF_POLICY_ACTION_NOTIFY,
    HF_POLICY_ACTION_ASK,
    HF_POLICY_ACTION_BLOCK,
} HfPolicyAction;

/* How long an answer holds. */
typedef enum HfMemory {
    HF_MEMORY_IF_ASKED,   /* for this call, unless the owner extends it */
    HF_MEMORY_FIRST_TIME, /* asked once, then remembered */
    HF_MEMORY_NEVER,      /* asked every time */
} HfMemory;

typedef struct HfPolicyCase {
    const json_t *policy; /* of the project: hf_config_dup_approval */
    const HfTool *tool;
    const json_t *params; /* checked; for patterns */
    gboolean contained;   /* the desktop: what is run or deleted there stays there */
    HfRisk risk;
    HfEffects effects;
    gboolean tainted;      /* the caller or its run has read text that others wrote */
    gboolean tainted_file; /* it would run a file that came from elsewhere */
    gboolean ask_always;   /* a rule demands a question every time */
    /* These can only tighten. Each is an action, or an object of actions by tool, category or "*".
     * May be NULL. */
    const json_t *grant, *call, *prompt;
} HfPolicyCase;

typedef struct HfDecision {
    HfPolicyAction action;
    HfMemory memory;
    char *by;      /* the reason: "risk_policies.high", "tool_overrides.hotkey", "tainted", ... */
    char *pattern; /* for FIRST_TIME: what the covered calls have in common */
    char *approval_id; /* set when the owner is or was asked */
} HfDecision;

HfDecision hf_policy_decide(const HfPolicyCase *facts);
/* Makes `decision` the stricter of the two; takes the other. */
void hf_decision_tighten(HfDecision *decision, HfDecision take_other);
void hf_decision_clear(HfDecision *decision);

/* "auto_approve", "notify_only", "require_approval", "always_block". */
const char *hf_policy_action_name(HfPolicyAction action);
HfPolicyAction hf_policy_action_find(const char *name); /* NONE when unknown */
