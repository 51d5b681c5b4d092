/* SPDX-License-Identifier: Apache-2.0 */
/* How a call is decided, as a table; and that those who may only tighten never loosen, in every
 * combination. */
#include "desk/guard/policy/policy-decision.h"

#include "shared/base/json.h"

#define AUTO   HF_POLICY_ACTION_AUTO
#define NOTIFY HF_POLICY_ACTION_NOTIFY
#define ASK    HF_POLICY_ACTION_ASK
#define BLOCK  HF_POLICY_ACTION_BLOCK

/* The rows of the templates. */
#define FULL_AUTO                                                                                  \
    "'mode':'auto','tainted':'off','risk_policies':{'low':'auto_approve','medium':'auto_approve'," \
    "'high':'auto_approve','critical':'require_approval'}"
#define DEVELOPMENT                                                                                \
    "'mode':'supervised','tainted':'on','risk_policies':{'low':'auto_approve','medium':"           \
    "'auto_approve','high':'require_approval','critical':'always_block'}"
#define STRICT                                                                                     \
    "'mode':'supervised','tainted':'on','risk_policies':{'low':'auto_approve','medium':"           \
    "'require_approval','high':'require_approval','critical':'always_block'}"
#define WATCH                                                                                      \
    "'mode':'locked','tainted':'on','risk_policies':{'low':'require_approval','medium':"           \
    "'require_approval','high':'require_approval','critical':'always_block'}"
#define NO_ROWS_AUTO       "'mode':'auto','risk_policies':{}"
#define NO_ROWS_SUPERVISED "'mode':'supervised','risk_policies':{}"
#define NO_ROWS_LOCKED     "'mode':'locked','risk_policies':{}"
#define LOCKED_ROWS                                                                                \
    "'mode':'locked','risk_policies':{'low':'auto_approve','medium':'notify_only','high':"         \
    "'require_approval','critical':'always_block'}"
#define TOOL(ACTION)     ",'tool_overrides':{'hotkey':'" ACTION "'}"
#define OTHER(ACTION)    ",'tool_overrides':{'screenshot':'" ACTION "'}"
#define CATEGORY(ACTION) ",'category_overrides':{'keyboard':'" ACTION "'}"
#define CHINESE(ACTION)  ",'category_overrides':{'键盘操控':'" ACTION "'}"
#define CONFIRM(REST)    ",'confirm':[" REST "]"

static const HfTool hotkey = {
    .name = "hotkey", .category = HF_CATEGORY_KEYBOARD, .risk = HF_RISK_LOW};

#define L     HF_RISK_LOW
#define M     HF_RISK_MEDIUM
#define H     HF_RISK_HIGH
#define C     HF_RISK_CRITICAL
#define SHELL HF_EFFECT_RUNS_COMMANDS
#define T     TRUE

static const struct {
    const char *policy;
    HfRisk risk;
    HfPolicyAction action;
    const char *by;
    HfMemory memory;
    HfEffects effects;
    gboolean tainted, ask_always;
    const char *grant, *call, *prompt;
} rows[] = {
    /* the templates, row by row */
    {FULL_AUTO, L, AUTO, "risk_policies.low"},
    {FULL_AUTO, M, AUTO, "risk_policies.medium"},
    {FULL_AUTO, H, AUTO, "risk_policies.high"},
    {FULL_AUTO, C, ASK, "risk_policies.critical"},
    {DEVELOPMENT, L, AUTO, "risk_policies.low"},
    {DEVELOPMENT, M, AUTO, "risk_policies.medium"},
    {DEVELOPMENT, H, ASK, "risk_policies.high"},
    {DEVELOPMENT, C, BLOCK, "risk_policies.critical"},
    {STRICT, L, AUTO, "risk_policies.low"},
    {STRICT, M, ASK, "risk_policies.medium"},
    {STRICT, H, ASK, "risk_policies.high"},
    {STRICT, C, BLOCK, "risk_policies.critical"},
    {WATCH, L, ASK, "risk_policies.low", HF_MEMORY_NEVER},
    {WATCH, M, ASK, "risk_policies.medium", HF_MEMORY_NEVER},
    {WATCH, H, ASK, "risk_policies.high", HF_MEMORY_NEVER},
    {WATCH, C, BLOCK, "risk_policies.critical", HF_MEMORY_NEVER},
    /* the mode, where there is no row */
    {NO_ROWS_AUTO, L, AUTO, "mode.auto"},
    {NO_ROWS_AUTO, C, AUTO, "mode.auto"},
    {NO_ROWS_SUPERVISED, L, AUTO, "mode.supervised"},
    {NO_ROWS_SUPERVISED, M, AUTO, "mode.supervised"},
    {NO_ROWS_SUPERVISED, H, ASK, "mode.supervised"},
    {NO_ROWS_SUPERVISED, C, ASK, "mode.supervised"},
    {NO_ROWS_LOCKED, L, ASK, "mode.locked", HF_MEMORY_NEVER},
    {NO_ROWS_LOCKED, C, ASK, "mode.locked", HF_MEMORY_NEVER},
    /* a lock holds against rows that a template filled in */
    {LOCKED_ROWS, L, ASK, "mode.locked", HF_MEMORY_NEVER},
    {LOCKED_ROWS, M, ASK, "mode.locked", HF_MEMORY_NEVER},
    {LOCKED_ROWS, H, ASK, "risk_policies.high", HF_MEMORY_NEVER},
    {LOCKED_ROWS, C, BLOCK, "risk_policies.critical", HF_MEMORY_NEVER},
    /* the owner's overrides: tool before category before risk, either way */
    {STRICT TOOL("auto_approve"), L, AUTO, "tool_overrides.hotkey"},
    {DEVELOPMENT TOOL("always_block"), L, BLOCK, "tool_overrides.hotkey"},
    {DEVELOPMENT TOOL("notify_only"), L, NOTIFY, "tool_overrides.hotkey"},
    {DEVELOPMENT OTHER("always_block"), L, AUTO, "risk_policies.low"},
    {DEVELOPMENT CATEGORY("require_approval"), L, ASK, "category_overrides.keyboard"},
    {WATCH CATEGORY("auto_approve"), L, AUTO, "category_overrides.keyboard"},
    {DEVELOPMENT CHINESE("require_approval"), L, ASK, "category_overrides.keyboard"},
    {DEVELOPMENT TOOL("auto_approve") CATEGORY("always_block"), L, AUTO, "tool_overrides.hotkey"},
    {DEVELOPMENT TOOL("always_block") CATEGORY("auto_approve"), L, BLOCK, "tool_overrides.hotkey"},
    {WATCH TOOL("auto_approve"), L, AUTO, "tool_overrides.hotkey"},
    /* ... but what rules found in this very call counts beside a word about the tool */
    {DEVELOPMENT TOOL("auto_approve"), H, ASK, "risk_policies.high"},
    {DEVELOPMENT TOOL("auto_approve"), C, BLOCK, "risk_policies.critical"},
    {DEVELOPMENT CATEGORY("auto_approve"), H, ASK, "risk_policies.high"},
    {FULL_AUTO TOOL("auto_approve"), C, ASK, "risk_policies.critical"},
    {DEVELOPMENT TOOL("always_block"), H, BLOCK, "tool_overrides.hotkey"},
    /* confirmations by tool and pattern */
    {DEVELOPMENT CONFIRM("{'tool':'hotkey','memory':'always'}"), L, ASK, "confirm.always",
     HF_MEMORY_NEVER},
    {DEVELOPMENT CONFIRM("{'tool':'hotkey','memory':'first_time'}"), L, ASK, "confirm.first_time",
     HF_MEMORY_FIRST_TIME},
    {DEVELOPMENT CONFIRM("{'tool':'hotkey','memory':'never'}"), H, AUTO, "confirm.never"},
    {DEVELOPMENT CONFIRM("{'tool':'hotkey','memory':'never'}"), C, BLOCK, "risk_policies.critical"},
    {DEVELOPMENT CONFIRM("{'tool':'screenshot','memory':'always'}"), L, AUTO, "risk_policies.low"},
    {DEVELOPMENT CONFIRM("{'tool':'keyboard','memory':'always'}"), L, ASK, "confirm.always",
     HF_MEMORY_NEVER},
    {DEVELOPMENT CONFIRM("{'pattern':'*delete*','memory':'always'}"), L, ASK, "confirm.always",
     HF_MEMORY_NEVER},
    {DEVELOPMENT CONFIRM("{'pattern':'*rm -rf*','memory':'always'}"), L, AUTO, "risk_policies.low"},
    {DEVELOPMENT CONFIRM("{'tool':'hotkey','memory':'never'},{'pattern':'*delete*','memory':"
                         "'always'}"),
     H, ASK, "risk_policies.high", HF_MEMORY_NEVER},
    {DEVELOPMENT CONFIRM("{'memory':'first_time'}"), H, ASK, "risk_policies.high",
     HF_MEMORY_FIRST_TIME},
    {WATCH CONFIRM("{'memory':'never'}"), L, ASK, "risk_policies.low", HF_MEMORY_NEVER},
    {WATCH CONFIRM("{'memory':'first_time'}"), L, ASK, "risk_policies.low", HF_MEMORY_NEVER},
    /* runs that have read others' text */
    {DEVELOPMENT, L, ASK, "tainted", 0, SHELL, T},
    {DEVELOPMENT, L, ASK, "tainted", 0, HF_EFFECT_SENDS, T},
    {DEVELOPMENT, L, ASK, "tainted", 0, HF_EFFECT_DELETES, T},
    {DEVELOPMENT, L, ASK, "tainted", 0, HF_EFFECT_LEAVES_DOMAIN, T},
    {DEVELOPMENT, L, AUTO, "risk_policies.low", 0, HF_EFFECT_NONE, T},
    {DEVELOPMENT, L, AUTO, "risk_policies.low", 0, SHELL, FALSE},
    {FULL_AUTO, L, AUTO, "risk_policies.low", 0, SHELL, T},
    {"'mode':'auto','risk_policies':{}", L, ASK, "tainted", 0, SHELL, T},
    {DEVELOPMENT, C, BLOCK, "risk_policies.critical", 0, SHELL, T},
    {DEVELOPMENT TOOL("auto_approve"), L, ASK, "tainted", 0, SHELL, T},
    {DEVELOPMENT CONFIRM("{'memory':'never'}"), L, ASK, "tainted", 0, SHELL, T},
    /* rules that want a person each time */
    {FULL_AUTO, L, ASK, "rules", HF_MEMORY_NEVER, 0, FALSE, T},
    {DEVELOPMENT, H, ASK, "risk_policies.high", HF_MEMORY_NEVER, 0, FALSE, T},
    {DEVELOPMENT, C, BLOCK, "risk_policies.critical", HF_MEMORY_NEVER, 0, FALSE, T},
    {FULL_AUTO TOOL("auto_approve"), L, ASK, "rules", HF_MEMORY_NEVER, 0, FALSE, T},
    {FULL_AUTO CONFIRM("{'memory':'never'}"), L, ASK, "rules", HF_MEMORY_NEVER, 0, FALSE, T},
    {FULL_AUTO CONFIRM("{'memory':'first_time'}"), L, ASK, "confirm.first_time", HF_MEMORY_NEVER, 0,
     FALSE, T},
    /* who may only tighten */
    {DEVELOPMENT, L, ASK, "grant", 0, 0, 0, 0, "{'hotkey':'require_approval'}"},
    {DEVELOPMENT, L, ASK, "grant", 0, 0, 0, 0, "{'keyboard':'require_approval'}"},
    {DEVELOPMENT, L, BLOCK, "grant", 0, 0, 0, 0, "{'*':'always_block'}"},
    {DEVELOPMENT, L, BLOCK, "grant", 0, 0, 0, 0, "{'*':'always_block','hotkey':'auto_approve'}"},
    {DEVELOPMENT, L, AUTO, "risk_policies.low", 0, 0, 0, 0, "{'screenshot':'always_block'}"},
    {DEVELOPMENT, H, ASK, "risk_policies.high", 0, 0, 0, 0, "{'hotkey':'auto_approve'}"},
    {DEVELOPMENT, C, BLOCK, "risk_policies.critical", 0, 0, 0, 0, "{'*':'require_approval'}"},
    {DEVELOPMENT, L, ASK, "call", HF_MEMORY_NEVER, 0, 0, 0, NULL, "'require_approval'"},
    {DEVELOPMENT, L, NOTIFY, "call", HF_MEMORY_NEVER, 0, 0, 0, NULL, "'notify_only'"},
    {DEVELOPMENT, H, ASK, "risk_policies.high", 0, 0, 0, 0, NULL, "'auto_approve'"},
    {DEVELOPMENT, L, AUTO, "risk_policies.low", 0, 0, 0, 0, NULL, "'nonsense'"},
    {DEVELOPMENT, L, ASK, "prompt", 0, 0, 0, 0, NULL, NULL, "{'键盘操控':'require_approval'}"},
    {DEVELOPMENT, L, BLOCK, "grant", 0, 0, 0, 0, "'always_block'", "'require_approval'",
     "'notify_only'"},
    {DEVELOPMENT TOOL("always_block"), L, BLOCK, "tool_overrides.hotkey", 0, 0, 0, 0,
     "'auto_approve'", "'auto_approve'", "'auto_approve'"},
    {DEVELOPMENT TOOL("require_approval"), L, ASK, "tool_overrides.hotkey", 0, 0, 0, 0,
     "'auto_approve'", "'notify_only'", "'auto_approve'"},
    {FULL_AUTO, L, BLOCK, "call", HF_MEMORY_NEVER, 0, 0, T, NULL, "'always_block'"},
};

/* With ' for ", as it is easier to read here. */
static json_t *parse(const char *text)
{
    if (!text)
        return NULL;
    g_autofree char *plain = g_strdelimit(g_strdup(text), "'", '"');
    json_t *json = json_loads(plain, JSON_DECODE_ANY, NULL);
    g_assert_nonnull(json);
    return json;
}

static void test_rows(void)
{
    g_assert_cmpuint(G_N_ELEMENTS(rows), >=, 60);
    g_autoptr(json_t) params = parse("{'keys':['ctrl','shift+delete'],'count':1}");
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strconcat("{", rows[i].policy, "}", NULL);
        g_autoptr(json_t) policy = parse(text);
        g_autoptr(json_t) grant = parse(rows[i].grant);
        g_autoptr(json_t) call = parse(rows[i].call);
        g_autoptr(json_t) prompt = parse(rows[i].prompt);
        HfPolicyCase facts = {
            .policy = policy,
            .tool = &hotkey,
            .params = params,
            .risk = rows[i].risk,
            .effects = rows[i].effects,
            .tainted = rows[i].tainted,
            .ask_always = rows[i].ask_always,
            .grant = grant,
            .call = call,
            .prompt = prompt,
        };
        g_test_message("row %zu: %s", i, rows[i].policy);
        HfDecision decision = hf_policy_decide(&facts);
        g_assert_cmpstr(hf_policy_action_name(decision.action), ==,
                        hf_policy_action_name(rows[i].action));
        g_assert_cmpstr(decision.by, ==, rows[i].by);
        g_assert_cmpint(decision.memory, ==, rows[i].memory);
        hf_decision_clear(&decision);
    }
}

static json_t *word(int action)
{
    return action ? json_string(hf_policy_action_name((HfPolicyAction)action)) : NULL;
}

/* Whatever the owner says, and whatever the three others say, the answer is the strictest word. */
static void test_only_tighten(void)
{
    for (int code = 0; code < 4 * 5 * 5 * 5; code++) {
        int owner = code % 4 + 1, grant = code / 4 % 5, call = code / 20 % 5, prompt = code / 100;
        g_autoptr(json_t) policy =
            json_pack("{s:s, s:{}, s:{s:s}}", "mode", "supervised", "risk_policies",
                      "tool_overrides", "hotkey", hf_policy_action_name((HfPolicyAction)owner));
        g_autoptr(json_t) by_grant = word(grant);
        g_autoptr(json_t) by_call = word(call);
        g_autoptr(json_t) by_prompt = word(prompt);
        HfPolicyCase facts = {
            .policy = policy,
            .tool = &hotkey,
            .risk = HF_RISK_LOW,
            .grant = by_grant,
            .call = by_call,
            .prompt = by_prompt,
        };
        HfDecision decision = hf_policy_decide(&facts);
        g_assert_cmpint(decision.action, ==, MAX(MAX(owner, grant), MAX(call, prompt)));
        hf_decision_clear(&decision);
    }
}

/* On a contained desktop a tool has its milder risk, and a tainted run is kept only from what
 * leaves the desktop. */
static void test_contained(void)
{
    static const HfTool shell = {
        .name = "shell", .category = HF_CATEGORY_TERMINAL, .risk = H, .risk_inside = M};
    static const struct {
        gboolean contained, tainted;
        HfRisk found; /* by rules */
        HfEffects effects;
        HfPolicyAction action;
    } places[] = {
        {FALSE, FALSE, L, SHELL, ASK},
        {TRUE, FALSE, L, SHELL, AUTO},
        {TRUE, TRUE, L, SHELL, AUTO},
        {TRUE, TRUE, L, SHELL | HF_EFFECT_DELETES, AUTO},
        {TRUE, TRUE, L, SHELL | HF_EFFECT_SENDS, ASK},
        {TRUE, TRUE, L, HF_EFFECT_SENDS, ASK},
        {TRUE, FALSE, H, SHELL, ASK},
        {TRUE, FALSE, C, SHELL, BLOCK},
    };
    g_autofree char *text = g_strdelimit(g_strdup("{" DEVELOPMENT "}"), "'", '"');
    g_autoptr(json_t) policy = json_loads(text, 0, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        HfPolicyCase facts = {.policy = policy,
                              .tool = &shell,
                              .contained = places[i].contained,
                              .risk =
                                  MAX(hf_tool_risk(&shell, places[i].contained), places[i].found),
                              .effects = places[i].effects,
                              .tainted = places[i].tainted};
        HfDecision decision = hf_policy_decide(&facts);
        g_test_message("row %zu", i);
        g_assert_cmpint(decision.action, ==, places[i].action);
        hf_decision_clear(&decision);
    }
    g_assert_cmpint(hf_tool_risk(&hotkey, TRUE), ==, L);
}

static void test_names(void)
{
    for (HfPolicyAction action = HF_POLICY_ACTION_AUTO; action <= HF_POLICY_ACTION_BLOCK; action++)
        g_assert_cmpint(hf_policy_action_find(hf_policy_action_name(action)), ==, action);
    g_assert_cmpint(hf_policy_action_find("none"), ==, HF_POLICY_ACTION_NONE);
    g_assert_cmpint(hf_policy_action_find(NULL), ==, HF_POLICY_ACTION_NONE);
}

/* An alias is the tool. */
static void test_aliases(void)
{
    static const char *const others[] = {"shortcut", NULL};
    HfTool tool = hotkey;
    tool.aliases = others;
    g_autoptr(json_t) policy = parse("{'tool_overrides':{'shortcut':'always_block'}}");
    HfPolicyCase facts = {.policy = policy, .tool = &tool, .risk = HF_RISK_LOW};
    HfDecision decision = hf_policy_decide(&facts);
    g_assert_cmpint(decision.action, ==, HF_POLICY_ACTION_BLOCK);
    hf_decision_clear(&decision);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/policy/rows", test_rows);
    g_test_add_func("/policy/only-tighten", test_only_tighten);
    g_test_add_func("/policy/contained", test_contained);
    g_test_add_func("/policy/names", test_names);
    g_test_add_func("/policy/aliases", test_aliases);
    return g_test_run();
}
