/* The order in which a call is decided. The owner's word, from the most special to the most
 * general: tool, category, risk, mode; and confirmations by pattern. Then whoever may only tighten:
 * the row for runs that have read others' text, rules that want a person each time, the prompt, the
 * grant of the task, the call itself. */
#include "guard/policy.h"

#include <string.h>

#include "base/json.h"

static const char *const action_names[] = {
    [HF_ACTION_NONE] = "none",          [HF_ACTION_AUTO] = "auto_approve",
    [HF_ACTION_NOTIFY] = "notify_only", [HF_ACTION_ASK] = "require_approval",
    [HF_ACTION_BLOCK] = "always_block",
};

/* What the designs call the categories. */
static const char *const chinese_names[HF_CATEGORY_COUNT] = {
    [HF_CATEGORY_SCREEN] = "屏幕捕获",    [HF_CATEGORY_MOUSE] = "鼠标操控",
    [HF_CATEGORY_KEYBOARD] = "键盘操控",  [HF_CATEGORY_APPS] = "应用管理",
    [HF_CATEGORY_WINDOWS] = "窗口管理",   [HF_CATEGORY_SYSTEM] = "系统操作",
    [HF_CATEGORY_STRUCTURE] = "结构感知", [HF_CATEGORY_FLOW] = "流程",
    [HF_CATEGORY_TERMINAL] = "终端操控",  [HF_CATEGORY_FILES] = "文件系统",
    [HF_CATEGORY_BROWSER] = "浏览器",
};

const char *hf_action_name(HfAction action)
{
    return action_names[action];
}

HfAction hf_action_find(const char *name)
{
    for (HfAction action = HF_ACTION_AUTO; name && action <= HF_ACTION_BLOCK; action++)
        if (strcmp(action_names[action], name) == 0)
            return action;
    return HF_ACTION_NONE;
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

static HfAction find_in(const json_t *map, const char *name)
{
    return name ? hf_action_find(hf_json_string(map, name, NULL)) : HF_ACTION_NONE;
}

static HfAction find_tool(const json_t *map, const HfTool *tool)
{
    HfAction action = find_in(map, tool->name);
    for (const char *const *alias = tool->aliases; alias && *alias; alias++)
        action = MAX(action, find_in(map, *alias));
    return action;
}

static HfAction find_category(const json_t *map, HfCategory category)
{
    return MAX(find_in(map, hf_category_name(category)), find_in(map, chinese_names[category]));
}

static void set(HfDecision *decision, HfAction action, const char *by, const char *which)
{
    decision->action = action;
    g_free(decision->by);
    decision->by = which ? g_strdup_printf("%s.%s", by, which) : g_strdup(by);
}

static void tighten(HfDecision *decision, HfAction action, const char *by, const char *which)
{
    if (action > decision->action)
        set(decision, action, by, which);
}

static HfAction by_mode(const char *mode, HfRisk risk)
{
    if (strcmp(mode, "locked") == 0)
        return HF_ACTION_ASK;
    return strcmp(mode, "auto") != 0 && risk >= HF_RISK_HIGH ? HF_ACTION_ASK : HF_ACTION_AUTO;
}

/* Templates fill every row of risks, so a lock would never be seen behind them: it holds against
 * rows, and only a tool or category that the owner names is more special than it. */
static void decide_general(const HfPolicyCase *facts, HfDecision *decision)
{
    const char *mode = hf_json_string(facts->policy, "mode", "supervised");
    const char *risk = hf_risk_name(facts->risk);
    HfAction row = find_in(json_object_get(facts->policy, "risk_policies"), risk);
    gboolean locked = strcmp(mode, "locked") == 0;
    if (row != HF_ACTION_NONE)
        set(decision, row, "risk_policies", risk);
    if (row == HF_ACTION_NONE || locked)
        tighten(decision, by_mode(mode, facts->risk), "mode", mode);
    if (locked)
        decision->memory = HF_MEMORY_NEVER;
}

static void decide_by_owner(const HfPolicyCase *facts, HfDecision *decision)
{
    HfAction action = find_tool(json_object_get(facts->policy, "tool_overrides"), facts->tool);
    if (action != HF_ACTION_NONE) {
        set(decision, action, "tool_overrides", facts->tool->name);
        return;
    }
    HfCategory category = facts->tool->category;
    action = find_category(json_object_get(facts->policy, "category_overrides"), category);
    if (action != HF_ACTION_NONE)
        set(decision, action, "category_overrides", hf_category_name(category));
    else
        decide_general(facts, decision);
}

/* A word about a tool is about what that tool usually does. Where rules have found more in this
 * call, the row of the risk that they found holds as well. */
static void heed_raised_risk(const HfPolicyCase *facts, HfDecision *decision)
{
    const char *risk = hf_risk_name(facts->risk);
    if (facts->risk > facts->tool->risk)
        tighten(decision, find_in(json_object_get(facts->policy, "risk_policies"), risk),
                "risk_policies", risk);
}

/* Whether any text in the value fits the pattern. */
static gboolean fits(const json_t *value, GPatternSpec *pattern)
{
    const char *key;
    json_t *member;
    size_t index;
    if (json_is_string(value))
        return g_pattern_spec_match_string(pattern, json_string_value(value));
    json_array_foreach (value, index, member)
        if (fits(member, pattern))
            return TRUE;
    json_object_foreach ((json_t *)value, key, member)
        if (fits(member, pattern))
            return TRUE;
    return FALSE;
}

static gboolean is_about(const json_t *confirm, const HfPolicyCase *facts)
{
    const char *tool = hf_json_string(confirm, "tool", NULL);
    const char *pattern = hf_json_string(confirm, "pattern", NULL);
    g_autoptr(json_t) only = tool ? json_pack("{s:s}", tool, "always_block") : NULL;
    if (only && find_tool(only, facts->tool) == HF_ACTION_NONE &&
        find_category(only, facts->tool->category) == HF_ACTION_NONE)
        return FALSE;
    if (!pattern)
        return TRUE;
    g_autoptr(GPatternSpec) spec = g_pattern_spec_new(pattern);
    return fits(facts->params, spec);
}

/* The strictest of the owner's confirmations that are about this call; NULL when none is. */
static const json_t *find_confirmation(const HfPolicyCase *facts)
{
    static const char *const strictest_first[] = {"always", "first_time", "never"};
    const json_t *list = json_object_get(facts->policy, "confirm");
    for (gsize i = 0; i < G_N_ELEMENTS(strictest_first); i++) {
        size_t index;
        json_t *entry;
        json_array_foreach (list, index, entry)
            if (strcmp(hf_json_string(entry, "memory", ""), strictest_first[i]) == 0 &&
                is_about(entry, facts))
                return entry;
    }
    return NULL;
}

/* "never" is the only thing here that loosens, and it is the owner's own word: a question that the
 * owner's general rows would ask is not asked. A lock stays one. */
static void confirm(const HfPolicyCase *facts, HfDecision *decision)
{
    const json_t *entry = find_confirmation(facts);
    const char *memory = hf_json_string(entry, "memory", "");
    if (!entry)
        return;
    if (strcmp(memory, "never") == 0) {
        if (decision->action == HF_ACTION_ASK && decision->memory != HF_MEMORY_NEVER)
            set(decision, HF_ACTION_AUTO, "confirm", memory);
        return;
    }
    tighten(decision, HF_ACTION_ASK, "confirm", memory);
    if (strcmp(memory, "always") == 0) {
        decision->memory = HF_MEMORY_NEVER;
    } else if (decision->memory == HF_MEMORY_IF_TOLD) {
        decision->memory = HF_MEMORY_FIRST_TIME;
        decision->pattern = g_strdup(hf_json_string(entry, "pattern", "*"));
    }
}

#define HELD_BACK                                                                                  \
    (HF_EFFECT_SENDS | HF_EFFECT_RUNS_COMMANDS | HF_EFFECT_DELETES | HF_EFFECT_LEAVES_DOMAIN)

static gboolean is_held_back(const HfPolicyCase *facts)
{
    return facts->tainted && (facts->effects & HELD_BACK) &&
           strcmp(hf_json_string(facts->policy, "tainted", "on"), "off") != 0;
}

/* The strictest word that somebody who may only tighten has about this tool. */
static HfAction strictest_word(const json_t *words, const HfTool *tool)
{
    if (json_is_string(words))
        return hf_action_find(json_string_value(words));
    HfAction action = MAX(find_tool(words, tool), find_category(words, tool->category));
    return MAX(action, find_in(words, "*"));
}

HfDecision hf_policy_decide(const HfPolicyCase *facts)
{
    HfDecision decision = {0};
    decide_by_owner(facts, &decision);
    heed_raised_risk(facts, &decision);
    confirm(facts, &decision);
    if (is_held_back(facts))
        tighten(&decision, HF_ACTION_ASK, "tainted", NULL);
    if (facts->ask_always) {
        tighten(&decision, HF_ACTION_ASK, "rules", NULL);
        decision.memory = HF_MEMORY_NEVER;
    }
    tighten(&decision, strictest_word(facts->prompt, facts->tool), "prompt", NULL);
    tighten(&decision, strictest_word(facts->grant, facts->tool), "grant", NULL);
    HfAction before = decision.action;
    tighten(&decision, strictest_word(facts->call, facts->tool), "call", NULL);
    if (decision.action > before) /* who wants to be asked about now is not answered by the past */
        decision.memory = HF_MEMORY_NEVER;
    return decision;
}
