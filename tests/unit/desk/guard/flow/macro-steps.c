/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a macro: what is read, what is refused and how it is told, and after what it goes
 * on. */
#include "desk/guard/flow/flow-steps.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/tool/registry.h"

static const struct {
    const char *steps;
    const char *on_failure;
    const char *message; /* what it begins with; NULL: fine */
    HfErrorCode code;
} cases[] = {
    {"[{\"tool\":\"wait\",\"params\":{\"duration\":0}}]", "stop", NULL, 0},
    {"[{\"tool\":\"cursor_position\"}]", "stop", NULL, 0},
    {"[{\"tool\":\"cursor-position\",\"delay_ms\":[5,5]}]", "stop", NULL, 0},
    {"[{\"tool\":\"wait\",\"params\":{\"duration\":0,\"timeout_ms\":5,\"reason\":\"r\"}}]", "stop",
     NULL, 0},
    {"[{\"tool\":\"nope\"}]", "stop", "steps[0].tool: there is no tool 'nope'",
     HF_ERROR_UNKNOWN_TOOL},
    {"[{\"tool\":\"cursor_position\"},{\"tool\":\"run_macro\"}]", "stop", "steps[1].tool: a macro",
     HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"undo_last\"}]", "stop", "steps[0].tool: a macro", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"undo_to\",\"params\":{\"step_id\":\"s\"}}]", "stop", "steps[0].tool: a macro",
     HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"wait\"}]", "stop", "steps[0].params.duration: is required",
     HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"wait\",\"params\":{\"duration\":\"1\"}}]", "stop",
     "steps[0].params.duration: expected a number", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"wait\",\"params\":{\"duration\":0,\"durations\":1}}]", "stop",
     "steps[0].params.durations: there is no such parameter", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"cursor_position\",\"params\":{\"desktop\":\"x\"}}]", "stop",
     "steps[0].params.desktop: belongs to the whole macro", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"cursor_position\",\"params\":{\"dry_run\":true}}]", "stop",
     "steps[0].params.dry_run: belongs to the whole macro", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"cursor_position\",\"params\":{\"idempotency_key\":\"k\"}}]", "stop",
     "steps[0].params.idempotency_key: belongs to the whole macro", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"cursor_position\",\"params\":{\"grant\":\"g\"}}]", "stop",
     "steps[0].params.grant: belongs to the whole macro", HF_ERROR_INVALID_PARAMS},
    {"[{\"tool\":\"cursor_position\",\"delay_ms\":[6,5]}]", "stop",
     "steps[0].delay_ms: expected [from, to]", HF_ERROR_INVALID_PARAMS},
};

static GPtrArray *read_steps(const char *text, const char *on_failure, GError **error)
{
    g_autoptr(json_t) params =
        json_pack("{s:o, s:s}", "steps", json_loads(text, 0, NULL), "on_failure", on_failure);
    return hf_macro_steps_new(params, error);
}

static void test_checks(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) steps = read_steps(cases[i].steps, cases[i].on_failure, &error);
        g_test_message("%s: %s", cases[i].steps, error ? error->message : "fine");
        g_assert_cmpint(steps != NULL, ==, cases[i].message == NULL);
        if (steps)
            continue;
        g_assert_error(error, HF_ERROR, (int)cases[i].code);
        g_assert_true(g_str_has_prefix(error->message, cases[i].message));
        g_autoptr(json_t) json = hf_error_to_json(error);
        g_assert_nonnull(json_object_get(json_object_get(json, "details"), "step"));
    }
}

static void test_reading(void)
{
    g_autoptr(GPtrArray) steps = read_steps(
        "[{\"tool\":\"cursor_position\"},"
        "{\"tool\":\"wait\",\"params\":{\"duration\":0},\"delay_ms\":[40,120],\"screenshot\":"
        "\"after\",\"on_failure\":\"retry\",\"retries\":7,\"retry_delay_ms\":3},"
        "{\"tool\":\"cursor_position\",\"delay_ms\":9,\"screenshot\":\"both\"}]",
        "continue", NULL);
    g_assert_cmpuint(steps->len, ==, 3);
    const HfFlowStep *plain = steps->pdata[0], *full = steps->pdata[1], *last = steps->pdata[2];
    g_assert_true(plain->tool == hf_registry_find("cursor_position"));
    g_assert_cmpint(plain->on_failure, ==, HF_ON_FAILURE_CONTINUE);
    g_assert_cmpint(hf_flow_delay_us(plain, 0.5), ==, 0);
    g_assert_false(plain->pictures[0] || plain->pictures[1]);
    g_assert_cmpint(full->on_failure, ==, HF_ON_FAILURE_RETRY);
    g_assert_cmpuint(full->retries, ==, 7);
    g_assert_cmpint(full->retry_delay_ms, ==, 3);
    g_assert_true(!full->pictures[0] && full->pictures[1]);
    g_assert_cmpint(hf_flow_delay_us(full, 0), ==, 40000);
    g_assert_cmpint(hf_flow_delay_us(full, 0.5), ==, 80000);
    g_assert_cmpint(hf_flow_delay_us(full, 1), ==, 120000);
    g_assert_true(last->pictures[0] && last->pictures[1]);
    g_assert_cmpint(hf_flow_delay_us(last, 0.7), ==, 9000);
}

static const struct {
    HfErrorCode code;
    gboolean over;       /* the macro ends whatever the step says */
    gboolean retry_act;  /* an action may be tried again */
    gboolean retry_look; /* so may a look */
} reactions[] = {
    {HF_ERROR_STOPPED, TRUE, FALSE, FALSE},
    {HF_ERROR_PAUSED, TRUE, FALSE, FALSE},
    {HF_ERROR_DESKTOP_ABORTED, TRUE, FALSE, FALSE},
    {HF_ERROR_LOCKED, TRUE, FALSE, FALSE},
    {HF_ERROR_UAC_REQUIRED, TRUE, FALSE, FALSE},
    {HF_ERROR_OUTCOME_UNKNOWN, FALSE, FALSE, TRUE},
    {HF_ERROR_DESKTOP_TIMEOUT, FALSE, FALSE, TRUE},
    {HF_ERROR_VERIFY_FAILED, FALSE, FALSE, TRUE},
    {HF_ERROR_FORBIDDEN, FALSE, FALSE, FALSE},
    {HF_ERROR_DANGEROUS_ACTION_BLOCKED, FALSE, FALSE, FALSE},
    {HF_ERROR_WINDOW_NOT_FOUND, FALSE, TRUE, TRUE},
    {HF_ERROR_DESKTOP_FOCUS_LOST, FALSE, TRUE, TRUE},
    {HF_ERROR_RATE_LIMITED, FALSE, TRUE, TRUE},
    {HF_ERROR_DESKTOP_UNAVAILABLE, FALSE, TRUE, TRUE},
};

static void test_reactions(void)
{
    HfFlowStep act = {.tool = hf_registry_find("left_click"), .on_failure = HF_ON_FAILURE_RETRY};
    HfFlowStep look = {.tool = hf_registry_find("window_list"), .on_failure = HF_ON_FAILURE_RETRY};
    HfFlowStep stop = {.tool = hf_registry_find("window_list")};
    for (gsize i = 0; i < G_N_ELEMENTS(reactions); i++) {
        g_autoptr(GError) error = NULL;
        hf_fail(&error, reactions[i].code, "x");
        g_test_message("%s", hf_error_code_name(reactions[i].code));
        g_assert_cmpint(hf_flow_error_is_fatal(error), ==, reactions[i].over);
        g_assert_cmpint(hf_flow_may_retry(&act, error), ==, reactions[i].retry_act);
        g_assert_cmpint(hf_flow_may_retry(&look, error), ==, reactions[i].retry_look);
        g_assert_false(hf_flow_may_retry(&stop, error));
    }
}

static void test_blame(void)
{
    g_autoptr(GError) error = NULL;
    hf_fail(&error, HF_ERROR_FORBIDDEN, "no");
    hf_error_suggest(&error, "ask");
    hf_error_take_details(&error, json_pack("{s:s}", "grant", "g"));
    HfFlowStep step = {.place = "steps[4]", .index = 4, .tool = hf_registry_find("left_click")};
    hf_flow_add_step_to_error(&step, &error);
    g_assert_cmpstr(error->message, ==, "steps[4] (left_click): no");
    g_autoptr(json_t) json = hf_error_to_json(error);
    g_assert_cmpstr(hf_json_string(json, "suggestion", ""), ==, "ask");
    const json_t *details = json_object_get(json, "details");
    g_assert_cmpstr(hf_json_string(details, "grant", ""), ==, "g");
    g_assert_cmpint(hf_json_int(details, "step", -1), ==, 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/macro/checks", test_checks);
    g_test_add_func("/macro/reading", test_reading);
    g_test_add_func("/macro/reactions", test_reactions);
    g_test_add_func("/macro/blame", test_blame);
    return g_test_run();
}
