/* SPDX-License-Identifier: Apache-2.0 */
/* Workflows: how references are read and replaced, what conditions hold, and what is refused before
 * anything is done. */
#include "desk/guard/flow/flow-condition.h"
#include "desk/guard/flow/flow-references.h"
#include "desk/guard/flow/flow-steps.h"

#include <string.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/tool/registry.h"

#define STEPS                                                                                      \
    "{\"a\":{\"ok\":true,\"result\":{\"n\":7,\"f\":1.5,\"t\":\"text\",\"list\":[{\"x\":1},{\"x\":" \
    "2}],"                                                                                         \
    "\"null\":null,\"evil\":\"${vars.v}\"}},\"b\":{\"ok\":false}}"

typedef struct Fixture {
    json_t *steps, *vars, *item, *index, *result;
    HfFlowItem inner;
    HfFlowScope scope;
} Fixture;

static void set_up(Fixture *f, gconstpointer unused)
{
    f->steps = json_loads(STEPS, 0, NULL);
    f->vars = json_pack("{s:s, s:i}", "v", "own", "n", 3);
    f->item = json_pack("{s:s}", "name", "first");
    f->index = json_integer(4);
    f->result = json_pack("{s:s}", "title", "done");
    f->inner = (HfFlowItem){.as = "item", .value = f->item, .index = f->index};
    f->scope = (HfFlowScope){f->steps, f->vars, f->result, &f->inner};
}

static void tear_down(Fixture *f, gconstpointer unused)
{
    json_t *values[] = {f->steps, f->vars, f->item, f->index, f->result};
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
        json_decref(values[i]);
}

/* What a value becomes; NULL: an error of that code. */
static const struct {
    const char *value, *filled;
    HfErrorCode code;
    gboolean own_only;
} fills[] = {
    {"\"plain\"", "\"plain\"", 0, FALSE},
    {"\"${steps.a.result.n}\"", "7", 0, FALSE},
    {"\"${steps.a.result.f}\"", "1.5", 0, FALSE},
    {"\"n=${steps.a.result.n}!\"", "\"n=7!\"", 0, FALSE},
    {"\"${steps.a.result.list}\"", "[{\"x\":1},{\"x\":2}]", 0, FALSE},
    {"\"${steps.a.result.list[1].x}\"", "2", 0, FALSE},
    {"\"${steps.a.result.list.1.x}\"", "2", 0, FALSE},
    {"\"x${steps.a.result.list[0]}\"", "\"x{\\\"x\\\":1}\"", 0, FALSE},
    {"\"${steps.a.result.null}\"", "null", 0, FALSE},
    {"\"${vars.v}${vars.v}\"", "\"ownown\"", 0, FALSE},
    {"\"$${vars.v}\"", "\"${vars.v}\"", 0, FALSE},
    {"\"cost: 5$\"", "\"cost: 5$\"", 0, FALSE},
    {"\"$${a} ${vars.n}\"", "\"${a} 3\"", 0, FALSE},
    {"\"${steps.a.result.evil}\"", "\"${vars.v}\"", 0, FALSE}, /* what comes in is not read again */
    {"\"-${steps.a.result.evil}-\"", "\"-${vars.v}-\"", 0, FALSE},
    {"{\"k\":[\"${item.name}\",\"${index}\"]}", "{\"k\":[\"first\",4]}", 0, FALSE},
    {"\"${result.title}\"", "\"done\"", 0, FALSE},
    {"\"${steps.a.result.nope}\"", NULL, HF_ERROR_PRECONDITION_FAILED, FALSE},
    {"\"${steps.c.result}\"", NULL, HF_ERROR_PRECONDITION_FAILED, FALSE},
    {"\"${steps.a.result.list[9]}\"", NULL, HF_ERROR_PRECONDITION_FAILED, FALSE},
    {"\"${steps.a.result.list.x}\"", NULL, HF_ERROR_PRECONDITION_FAILED, FALSE},
    {"\"kill ${steps.a.result.n}\"", "\"kill 7\"", 0, TRUE},
    {"\"echo ${steps.a.result.t}\"", NULL, HF_ERROR_FORBIDDEN, TRUE},
    {"\"${steps.a.result.t}\"", NULL, HF_ERROR_FORBIDDEN, TRUE},
    {"\"${item.name}\"", NULL, HF_ERROR_FORBIDDEN, TRUE},
    {"\"echo ${vars.v}\"", "\"echo own\"", 0, TRUE},
};

static void test_fill(Fixture *f, gconstpointer unused)
{
    for (gsize i = 0; i < G_N_ELEMENTS(fills); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) value = json_loads(fills[i].value, JSON_DECODE_ANY, NULL);
        g_autoptr(json_t) filled = hf_flow_substitute(value, &f->scope, fills[i].own_only, &error);
        g_test_message("%s: %s", fills[i].value, error ? error->message : "fine");
        if (!fills[i].filled) {
            g_assert_null(filled);
            g_assert_error(error, HF_ERROR, (int)fills[i].code);
            continue;
        }
        g_assert_no_error(error);
        g_autoptr(json_t) wanted = json_loads(fills[i].filled, JSON_DECODE_ANY, NULL);
        g_assert_true(json_equal(filled, wanted));
    }
}

static void test_own_lists(Fixture *f, gconstpointer unused)
{
    f->inner.own = TRUE;
    g_autoptr(json_t) value = json_string("rm ${item.name}");
    g_autoptr(json_t) filled = hf_flow_substitute(value, &f->scope, TRUE, NULL);
    g_assert_cmpstr(json_string_value(filled), ==, "rm first");
}

static void test_limits(Fixture *f, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *long_text = g_strnfill(HF_LIMIT_FLOW_VALUE_BYTES / 2 + 1, 'x');
    json_object_set_new(f->vars, "long", json_string(long_text));
    g_autoptr(json_t) value = json_string("${vars.long}${vars.long}");
    g_assert_null(hf_flow_substitute(value, &f->scope, FALSE, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    g_clear_error(&error);
    g_autoptr(json_t) deep = json_string("x");
    for (int i = 0; i < HF_LIMIT_FLOW_VALUE_DEPTH + 2; i++)
        deep = json_pack("[o]", deep);
    g_assert_false(hf_flow_check_references(deep, NULL, NULL, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

static const struct {
    const char *text;
    gboolean fine, has;
} forms[] = {
    {"", TRUE, FALSE},
    {"$", TRUE, FALSE},
    {"${vars.a}", TRUE, TRUE},
    {"${a}", TRUE, TRUE},
    {"$${not", TRUE, FALSE},
    {"${", FALSE, FALSE},
    {"${}", FALSE, FALSE},
    {"${a.}", FALSE, FALSE},
    {"${.a}", FALSE, FALSE},
    {"${a..b}", FALSE, FALSE},
    {"${a[x]}", FALSE, FALSE},
    {"${a[1}", FALSE, FALSE},
    {"${a[1]b}", FALSE, FALSE},
    {"${a b}", FALSE, FALSE},
    {"${vars.a} ${b", FALSE, TRUE},
    {"${steps.${vars.a}}", FALSE, FALSE},
    {"${a[9999999999]}", FALSE, FALSE},
};

static void test_forms(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) value = json_string(forms[i].text);
        g_test_message("'%s'", forms[i].text);
        g_assert_cmpint(hf_flow_check_references(value, NULL, NULL, &error), ==, forms[i].fine);
        g_assert_cmpint(error != NULL, ==, !forms[i].fine);
        g_assert_cmpint(hf_flow_has_reference(value), ==, forms[i].has);
    }
    g_assert_true(hf_flow_is_name("a_1-b") && !hf_flow_is_name("1a") && !hf_flow_is_name("steps") &&
                  !hf_flow_is_name("") && !hf_flow_is_name("a b") && !hf_flow_is_name("-a"));
}

static const struct {
    const char *condition;
    gboolean holds;
} conditions[] = {
    {"{\"exists\":\"${steps.a.result.n}\"}", TRUE},
    {"{\"exists\":\"${steps.a.result.null}\"}", FALSE},
    {"{\"exists\":\"${steps.a.result.x}\"}", FALSE},
    {"{\"ok\":\"a\"}", TRUE},
    {"{\"ok\":\"b\"}", FALSE},
    {"{\"ok\":\"c\"}", FALSE},
    {"{\"equals\":[\"${steps.a.result.n}\",7]}", TRUE},
    {"{\"equals\":[\"${steps.a.result.n}\",7.0]}", TRUE},
    {"{\"equals\":[\"${steps.a.result.n}\",\"7\"]}", FALSE},
    {"{\"equals\":[\"${steps.a.result.x}\",\"${steps.a.result.x}\"]}", FALSE},
    {"{\"contains\":[\"${steps.a.result.t}\",\"ex\"]}", TRUE},
    {"{\"contains\":[\"${steps.a.result.list}\",{\"x\":2}]}", TRUE},
    {"{\"contains\":[\"${steps.a.result}\",\"n\"]}", TRUE},
    {"{\"contains\":[5,5]}", FALSE},
    {"{\"matches\":[\"${steps.a.result.t}\",\"^te.t$\"]}", TRUE},
    {"{\"matches\":[\"${steps.a.result.n}\",\"7\"]}", FALSE},
    {"{\"less\":[\"${steps.a.result.f}\",2]}", TRUE},
    {"{\"greater\":[\"${steps.a.result.f}\",2]}", FALSE},
    {"{\"greater\":[\"b\",\"a\"]}", FALSE},
    {"{\"not\":{\"ok\":\"b\"}}", TRUE},
    {"{\"and\":[{\"ok\":\"a\"},{\"not\":{\"ok\":\"b\"}}]}", TRUE},
    {"{\"and\":[{\"ok\":\"a\"},{\"ok\":\"b\"}]}", FALSE},
    {"{\"or\":[{\"ok\":\"b\"},{\"ok\":\"a\"}]}", TRUE},
    {"{\"or\":[{\"ok\":\"b\"},{\"ok\":\"c\"}]}", FALSE},
    {"{\"equals\":[\"${result.title}\",\"done\"]}", TRUE},
};

static void test_conditions(Fixture *f, gconstpointer unused)
{
    for (gsize i = 0; i < G_N_ELEMENTS(conditions); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) condition = json_loads(conditions[i].condition, 0, NULL);
        g_test_message("%s", conditions[i].condition);
        g_assert_true(hf_flow_condition_check(condition, NULL, NULL, &error));
        g_assert_cmpint(hf_flow_condition_holds(condition, &f->scope, &error), ==,
                        conditions[i].holds);
        g_assert_no_error(error);
    }
}

static void test_hard_patterns(Fixture *f, gconstpointer unused)
{
    g_autofree char *many = g_strnfill(5000, 'a');
    g_autoptr(json_t) hard = json_pack("{s:[s, s]}", "matches", many, "(a+)+$b");
    g_autoptr(json_t) broken = json_pack("{s:{s:[s, s]}}", "not", "matches", "x", "(");
    g_autoptr(GError) error = NULL;
    gint64 began = g_get_monotonic_time();
    g_assert_false(hf_flow_condition_holds(hard, &f->scope, &error));
    g_assert_cmpint(g_get_monotonic_time() - began, <, 5 * G_USEC_PER_SEC);
    g_clear_error(&error);
    g_assert_false(hf_flow_condition_holds(broken, &f->scope, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
}

static const char *const bad_conditions[] = {
    "{}",
    "{\"is\":1}",
    "{\"ok\":\"a\",\"exists\":\"${vars.v}\"}",
    "{\"exists\":\"vars.v\"}",
    "{\"exists\":\"x${vars.v}\"}",
    "{\"ok\":5}",
    "{\"equals\":[1]}",
    "{\"equals\":1}",
    "{\"equals\":[\"${\",1]}",
    "{\"and\":[]}",
    "{\"and\":{}}",
    "{\"not\":[]}",
    "{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{\"not\":{"
    "\"ok\":\"a\"}}}}}}}}}}}",
};

static void test_bad_conditions(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bad_conditions); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) condition = json_loads(bad_conditions[i], 0, NULL);
        g_test_message("%s", bad_conditions[i]);
        g_assert_false(hf_flow_condition_check(condition, NULL, NULL, &error));
        g_assert_nonnull(error);
    }
}

static const struct {
    const char *steps;
    const char *message; /* what it begins with; NULL: fine */
} workflows[] = {
    {"[{'tool':'wait','params':{'duration':0}}]", NULL},
    {"[{'name':'a','tool':'window_list'},{'tool':'wait','params':{'duration':'${steps.a.result.n}'}"
     "}]",
     NULL},
    {"[{'steps':[{'tool':'cursor_position'}],'if':{'exists':'${vars.x}'},'else':[{'tool':"
     "'window_list'}]}]",
     NULL},
    {"[{'for_each':[1,2],'as':'n','tool':'wait','params':{'duration':'${n}'}}]", NULL},
    {"[{'for_each':'${vars.l}','steps':[{'for_each':'${item}','as':'in','tool':'wait','params':{"
     "'duration':'${in}'}}]}]",
     NULL},
    {"[{'tool':'window_list','until':{'exists':'${result.windows[0]}'},'retry':{'times':3}}]",
     NULL},
    {"[{'name':'a','tool':'window_list'},{'name':'a','tool':'window_list'}]",
     "steps[1].name: another step"},
    {"[{'name':'steps','tool':'window_list'}]", "steps[0].name: expected letters"},
    {"[{}]", "steps[0].tool: expected either a tool"},
    {"[{'tool':'wait','steps':[{'tool':'window_list'}],'params':{'duration':0}}]",
     "steps[0].tool: expected either a tool"},
    {"[{'steps':[{'tool':'nope'}]}]", "steps[0].steps[0].tool: there is no tool 'nope'"},
    {"[{'steps':[{'tool':'wait'}]}]", "steps[0].steps[0].params.duration: is required"},
    {"[{'steps':[{'tool':'window_list','hurry':1}]}]", "steps[0].steps[0].hurry: there is no such"},
    {"[{'tool':'run_workflow','params':{'steps':[]}}]", "steps[0].tool: a workflow cannot contain"},
    {"[{'tool':'undo_last'}]", "steps[0].tool: a workflow cannot contain"},
    {"[{'tool':'wait','params':{'duration':'${steps.z.result.n}'}}]",
     "steps[0].params: no step is named 'z'"},
    {"[{'tool':'wait','params':{'duration':'${vars.z}'}}]",
     "steps[0].params: there is no value for ${vars.z}"},
    {"[{'for_each':'${vars.z}','tool':'window_list'}]",
     "steps[0].for_each: there is no value for ${vars.z}"},
    {"[{'tool':'window_list','until':{'matches':['${result.n}','[']}}]",
     "steps[0].until: matches: '[' is not a regular expression: missing"},
    {"[{'tool':'window_list','until':{'matches':['${result.n}','${vars.z}']}}]", NULL},
    {"[{'tool':'wait','params':{'duration':'${item}'}}]",
     "steps[0].params: ${item} is not defined"},
    {"[{'tool':'wait','params':{'duration':'${vars.a'}}]", "steps[0].params.duration: expected"},
    {"[{'tool':'wait','params':{'duration':'${vars.a}','nope':1}}]",
     "steps[0].params.nope: there is no such parameter"},
    {"[{'tool':'wait','params':{'duration':'${vars.a}','nope':'${vars.b}'}}]",
     "steps[0].params.nope: there is no such parameter"},
    {"[{'tool':'type_text','params':{'delay':'${vars.b}'}}]", "steps[0].params.text: is required"},
    {"[{'tool':'wait','params':{'duration':'${result.x}'}}]",
     "steps[0].params: ${result} is not defined"},
    {"[{'tool':'window_list','if':{'is':1}}]", "steps[0].if: expected one of"},
    {"[{'tool':'window_list','else':[{'tool':'window_list'}]}]",
     "steps[0].else: only goes with if"},
    {"[{'tool':'window_list','as':'x'}]", "steps[0].as: only goes with for_each"},
    {"[{'tool':'window_list','for_each':'vars.x'}]", "steps[0].for_each: expected a list"},
    {"[{'steps':[{'tool':'window_list'}],'retry':{'times':1}}]",
     "steps[0].retry: only goes with a tool"},
    {"[{'tool':'window_list','params':{'async':true}}]",
     "steps[0].params.async: belongs to the whole workflow"},
    {"[{'tool':'window_list','otherwise':[{'tool':'window_list','delay_ms':[2,1]}]}]",
     "steps[0].otherwise[0].delay_ms: expected [from, to]"},
};

static json_t *parse(const char *text)
{
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    return json_loads(json, 0, NULL);
}

static void test_workflows(void)
{
    const HfTool *tool = hf_registry_find("run_workflow");
    for (gsize i = 0; i < G_N_ELEMENTS(workflows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) params =
            json_pack("{s:o, s:{s:i, s:i, s:[]}}", "steps", parse(workflows[i].steps), "vars", "a",
                      1, "b", 2, "l");
        g_autoptr(GPtrArray) steps = hf_workflow_steps_new(tool, params, &error);
        g_test_message("%s: %s", workflows[i].steps, error ? error->message : "fine");
        g_assert_cmpint(steps != NULL, ==, workflows[i].message == NULL);
        if (!steps)
            g_assert_true(g_str_has_prefix(error->message, workflows[i].message));
    }
}

static void test_nesting(void)
{
    const HfTool *tool = hf_registry_find("run_workflow");
    g_autoptr(GError) error = NULL;
    json_t *step = parse("{'tool':'window_list'}");
    for (int i = 0; i < HF_LIMIT_FLOW_DEPTH + 1; i++)
        step = json_pack("{s:[o]}", "steps", step);
    g_autoptr(json_t) deep = json_pack("{s:[o]}", "steps", step);
    g_assert_null(hf_workflow_steps_new(tool, deep, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
    g_clear_error(&error);
    json_t *list = json_array();
    for (int i = 0; i < HF_LIMIT_FLOW_STEPS; i++)
        json_array_append_new(list, parse("{'tool':'window_list'}"));
    g_autoptr(json_t) many = json_pack("{s:[{s:o}]}", "steps", "steps", list);
    g_assert_null(hf_workflow_steps_new(tool, many, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_LIMIT_EXCEEDED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/flow/fill", Fixture, NULL, set_up, test_fill, tear_down);
    g_test_add("/flow/own-lists", Fixture, NULL, set_up, test_own_lists, tear_down);
    g_test_add("/flow/limits", Fixture, NULL, set_up, test_limits, tear_down);
    g_test_add_func("/flow/forms", test_forms);
    g_test_add("/flow/conditions", Fixture, NULL, set_up, test_conditions, tear_down);
    g_test_add("/flow/hard-patterns", Fixture, NULL, set_up, test_hard_patterns, tear_down);
    g_test_add_func("/flow/bad-conditions", test_bad_conditions);
    g_test_add_func("/flow/workflows", test_workflows);
    g_test_add_func("/flow/nesting", test_nesting);
    return g_test_run();
}
