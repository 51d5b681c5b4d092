/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the decision. First the owner's settings, from the most specific to the most
 * general: tool, category, risk, mode; then confirmations by pattern. After that comes what can
 * only tighten: taint, rules that demand a person each time, the prompt, the grant, the call
 * itself. */
#include "desk/guard/policy/policy-decision.h"

#include <string.h>

#include "shared/base/json.h"

static const char *const action_names[] = {
    [HF_POLICY_ACTION_NONE] = "none",          [HF_POLICY_ACTION_AUTO] = "auto_approve",
    [HF_POLICY_ACTION_NOTIFY] = "notify_only", [HF_POLICY_ACTION_ASK] = "require_approval",
    [HF_POLICY_ACTION_BLOCK] = "always_block",
};

/* Chinese names of the categories, accepted in the configuration too. */
static const char *const chinese_names[HF_CATEGORY_COUNT] = {
    [HF_CATEGORY_SCREEN] = "屏幕捕获",    [HF_CATEGORY_MOUSE] = "鼠标操控",
    [HF_CATEGORY_KEYBOARD] = "键盘操控",  [HF_CATEGORY_APPS] = "应用管理",
    [HF_CATEGORY_WINDOWS] = "窗口管理",   [HF_CATEGORY_SYSTEM] = "系统操作",
    [HF_CATEGORY_STRUCTURE] = "结构感知", [HF_CATEGORY_FLOW] = "流程",
    [HF_CATEGORY_TERMINAL] = "终端操控",  [HF_CATEGORY_FILES] = "文件系统",
    [HF_CATEGORY_BROWSER] = "浏览器",
};

const char *hf_policy_action_name(HfPolicyAction action)
{
    return action_names[action];
}

HfPolicyAction hf_policy_action_find(const char *name)
{
    for (HfPolicyAction action = HF_POLICY_ACTION_AUTO; name && action <= HF_POLICY_ACTION_BLOCK;
         action++)
        if (strcmp(action_names[action], name) == 0)
            return action;
    return HF_POLICY_ACTION_NONE;
}

void hf_decision_clear(HfDecision *decision)
{
    g_clear_pointer(&decision->by, g_free);
    g_clear_pointer(&decision->pattern, g_free);
    g_clear_pointer(&decision->approval_id, g_free);
}

void hf_decision_tighten(HfDecision *decision, HfDecision take_other)
{
    gboolean stricter =
        take_other.action > decision->action ||
        (take_other.action == decision->action && take_other.memory == HF_MEMORY_NEVER);
    HfDecision milder = stricter ? *decision : take_other;
    if (stricter)
        *decision = take_other;
    hf_decision_clear(&milder);
}

static HfPolicyAction find_in(const json_t *map, const char *name)
{
    return name ? hf_policy_action_find(hf_json_string(map, name, NULL)) : HF_POLICY_ACTION_NONE;
}

static HfPolicyAction find_tool_action(const json_t *map, const HfTool *tool)
{
    HfPolicyAction action = find_in(map, tool->name);
    for (const char *const *alias = tool->aliases; alias && *alias; alias++)
        action = MAX(action, find_in(map, *alias));
    return action;
}

static HfPolicyAction find_category(const json_t *map, HfCategory category)
{
    return MAX(find_in(map, hf_category_name(category)), find_in(map, chinese_names[category]));
}

static void set_decision(HfDecision *decision, HfPolicyAction action, const char *by,
                         const char *which)
{
    decision->action = action;
    g_free(decision->by);
    decision->by = which ? g_strdup_printf("%s.%s", by, which) : g_strdup(by);
}

static void tighten_decision(HfDecision *decision, HfPolicyAction action, const char *by,
                             const char *which)
{
    if (action > decision->action)
        set_decision(decision, action, by, which);
}

static HfPolicyAction by_mode(const char *mode, HfRisk risk)
{
    if (strcmp(mode, "locked") == 0)
        return HF_POLICY_ACTION_ASK;
    return strcmp(mode, "auto") != 0 && risk >= HF_RISK_HIGH ? HF_POLICY_ACTION_ASK
                                                             : HF_POLICY_ACTION_AUTO;
}

/* Templates fill every risk row, which would hide the mode "locked". So a lock overrides the rows;
 * only a tool or category that the owner names is more specific. */
static void decide_general(const HfPolicyCase *facts, HfDecision *decision)
{
    const char *mode = hf_json_string(facts->policy, "mode", "supervised");
    const char *risk = hf_risk_name(facts->risk);
    HfPolicyAction row = find_in(json_object_get(facts->policy, "risk_policies"), risk);
    gboolean locked = strcmp(mode, "locked") == 0;
    if (row != HF_POLICY_ACTION_NONE)
        set_decision(decision, row, "risk_policies", risk);
    if (row == HF_POLICY_ACTION_NONE || locked)
        tighten_decision(decision, by_mode(mode, facts->risk), "mode", mode);
    if (locked)
        decision->memory = HF_MEMORY_NEVER;
}

static void decide_by_owner(const HfPolicyCase *facts, HfDecision *decision)
{
    HfPolicyAction action =
        find_tool_action(json_object_get(facts->policy, "tool_overrides"), facts->tool);
    if (action != HF_POLICY_ACTION_NONE) {
        set_decision(decision, action, "tool_overrides", facts->tool->name);
        return;
    }
    HfCategory category = facts->tool->category;
    action = find_category(json_object_get(facts->policy, "category_overrides"), category);
    if (action != HF_POLICY_ACTION_NONE)
        set_decision(decision, action, "category_overrides", hf_category_name(category));
    else
        decide_general(facts, decision);
}

/* A setting for a tool is about its usual risk. Where rules raise the risk of this call, the row of
 * the raised risk applies as well. */
static void tighten_for_raised_risk(const HfPolicyCase *facts, HfDecision *decision)
{
    const char *risk = hf_risk_name(facts->risk);
    if (facts->risk > hf_tool_risk(facts->tool, facts->contained))
        tighten_decision(decision, find_in(json_object_get(facts->policy, "risk_policies"), risk),
                         "risk_policies", risk);
}

static gboolean value_fits_pattern(const json_t *value, GPatternSpec *pattern)
{
    const char *key;
    json_t *member;
    if (json_is_string(value))
        return g_pattern_spec_match_string(pattern, json_string_value(value));
    hf_json_each (item, value)
        if (value_fits_pattern(item, pattern))
            return TRUE;
    json_object_foreach ((json_t *)value, key, member)
        if (value_fits_pattern(member, pattern))
            return TRUE;
    return FALSE;
}

static gboolean is_about(const json_t *confirm, const HfPolicyCase *facts)
{
    const char *tool = hf_json_string(confirm, "tool", NULL);
    const char *pattern = hf_json_string(confirm, "pattern", NULL);
    g_autoptr(json_t) only = tool ? json_pack("{s:s}", tool, "always_block") : NULL;
    if (only && find_tool_action(only, facts->tool) == HF_POLICY_ACTION_NONE &&
        find_category(only, facts->tool->category) == HF_POLICY_ACTION_NONE)
        return FALSE;
    if (!pattern)
        return TRUE;
    g_autoptr(GPatternSpec) spec = g_pattern_spec_new(pattern);
    return value_fits_pattern(facts->params, spec);
}

/* The strictest of the owner's confirmations that match this call; NULL: none. */
static const json_t *find_confirmation(const HfPolicyCase *facts)
{
    static const char *const strictest_first[] = {"always", "first_time", "never"};
    const json_t *list = json_object_get(facts->policy, "confirm");
    for (gsize i = 0; i < G_N_ELEMENTS(strictest_first); i++) {
        hf_json_each (entry, list)
            if (strcmp(hf_json_string(entry, "memory", ""), strictest_first[i]) == 0 &&
                is_about(entry, facts))
                return entry;
    }
    return NULL;
}

/* Only "never" loosens, and the owner wrote it: it drops a question that a general row would ask.
 * It does not override a lock. */
static void apply_confirmation(const HfPolicyCase *facts, HfDecision *decision)
{
    const json_t *entry = find_confirmation(facts);
    const char *memory = hf_json_string(entry, "memory", "");
    if (!entry)
        return;
    if (strcmp(memory, "never") == 0) {
        if (decision->action == HF_POLICY_ACTION_ASK && decision->memory != HF_MEMORY_NEVER)
            set_decision(decision, HF_POLICY_ACTION_AUTO, "confirm", memory);
        return;
    }
    tighten_decision(decision, HF_POLICY_ACTION_ASK, "confirm", memory);
    if (strcmp(memory, "always") == 0) {
        decision->memory = HF_MEMORY_NEVER;
    } else if (decision->memory == HF_MEMORY_IF_ASKED) {
        decision->memory = HF_MEMORY_FIRST_TIME;
        decision->pattern = g_strdup(hf_json_string(entry, "pattern", "*"));
    }
}

/* What a tainted run is kept from. On a contained desktop that is only what others get to see:
 * other domains are within its walls, unless a list forbids them. */
#define HELD_BACK_INSIDE HF_EFFECT_SENDS
#define HELD_BACK                                                                                  \
    (HF_EFFECT_SENDS | HF_EFFECT_LEAVES_DOMAIN | HF_EFFECT_RUNS_COMMANDS | HF_EFFECT_DELETES)

static void hold_back_tainted(const HfPolicyCase *facts, HfDecision *decision)
{
    if (strcmp(hf_json_string(facts->policy, "tainted", "on"), "off") == 0)
        return;
    if (facts->tainted_file && !facts->contained)
        tighten_decision(decision, HF_POLICY_ACTION_ASK, "tainted_file", NULL);
    if (facts->tainted && (facts->effects & (facts->contained ? HELD_BACK_INSIDE : HELD_BACK)))
        tighten_decision(decision, HF_POLICY_ACTION_ASK, "tainted", NULL);
}

/* The strictest action for this tool in a set that may only tighten. */
static HfPolicyAction strictest_word(const json_t *words, const HfTool *tool)
{
    if (json_is_string(words))
        return hf_policy_action_find(json_string_value(words));
    HfPolicyAction action =
        MAX(find_tool_action(words, tool), find_category(words, tool->category));
    return MAX(action, find_in(words, "*"));
}

HfDecision hf_policy_decide(const HfPolicyCase *facts)
{
    HfDecision decision = {0};
    decide_by_owner(facts, &decision);
    tighten_for_raised_risk(facts, &decision);
    apply_confirmation(facts, &decision);
    hold_back_tainted(facts, &decision);
    if (facts->ask_always) {
        tighten_decision(&decision, HF_POLICY_ACTION_ASK, "rules", NULL);
        decision.memory = HF_MEMORY_NEVER;
    }
    tighten_decision(&decision, strictest_word(facts->prompt, facts->tool), "prompt", NULL);
    tighten_decision(&decision, strictest_word(facts->grant, facts->tool), "grant", NULL);
    HfPolicyAction before = decision.action;
    tighten_decision(&decision, strictest_word(facts->call, facts->tool), "call", NULL);
    if (decision.action >
        before) /* a call that demands a question now is not covered by an earlier answer */
        decision.memory = HF_MEMORY_NEVER;
    return decision;
}
