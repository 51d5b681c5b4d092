/* SPDX-License-Identifier: Apache-2.0 */
/* The executor API in the words of our tools: what a request becomes, and what is refused. */
#include "desk/doors/http/executor/executor.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/tool/param-check.h"
#include "shared/tool/registry.h"

static const struct {
    const HfExecutorAction *action;
    const char *body;
    const char *tool;   /* NULL: refused */
    const char *params; /* or what the message begins with */
} cases[] = {
    {&hf_executor_list, "{}", "window_list", "{}"},
    {&hf_executor_list, "{\"visibleOnly\":true,\"processName\":\"QQ.exe\",\"titleContains\":null}",
     "window_list", "{\"visible_only\":true,\"process\":\"QQ.exe\"}"},
    {&hf_executor_list, "{\"visible\":true}", NULL, "visible: there is no such field"},
    {&hf_executor_focus, "{\"match\":{\"titleContains\":\"a\",\"titleRegex\":null}}",
     "window_focus", "{\"match\":{\"title_contains\":\"a\"}}"},
    {&hf_executor_focus, "{\"match\":{\"titleRegex\":\"^a\",\"processName\":\"x\"}}",
     "window_focus", "{\"match\":{\"title_regex\":\"^a\",\"process\":\"x\"}}"},
    {&hf_executor_focus, "{\"match\":{\"hwnd\":7}}", "window_focus", "{\"window_id\":7}"},
    {&hf_executor_focus, "{\"match\":{\"hwnd\":7,\"titleContains\":\"a\"}}", NULL, "match: hwnd"},
    {&hf_executor_focus, "{\"match\":{}}", NULL, "match: give titleContains"},
    {&hf_executor_focus, "{}", NULL, "match: is required"},
    {&hf_executor_focus, "{\"match\":\"a\"}", NULL, "match: expected an object"},
    {&hf_executor_capture, "{}", "screenshot", "{\"max_dimension\":0,\"format\":\"png\"}"},
    {&hf_executor_capture,
     "{\"mode\":\"window\",\"window\":{\"processName\":\"QQ.exe\"},\"format\":\"png\",\"region\":"
     "null}",
     "screenshot", "{\"max_dimension\":0,\"format\":\"png\",\"match\":{\"process\":\"QQ.exe\"}}"},
    {&hf_executor_capture,
     "{\"mode\":\"region\",\"region\":{\"x\":100,\"y\":200,\"w\":800,\"h\":600},\"format\":"
     "\"jpeg\",\"quality\":80}",
     "screenshot",
     "{\"max_dimension\":0,\"format\":\"jpeg\",\"quality\":80,\"region\":{\"x\":100,\"y\":200,"
     "\"width\":800,\"height\":600}}"},
    {&hf_executor_capture, "{\"mode\":\"screen\",\"screenId\":1,\"runId\":\"r\"}", "screenshot",
     "{\"max_dimension\":0,\"format\":\"png\",\"display\":1,\"run_id\":\"r\"}"},
    {&hf_executor_capture, "{\"mode\":\"window\"}", NULL, "window: is required for mode"},
    {&hf_executor_capture, "{\"mode\":\"region\"}", NULL, "region: is required for mode"},
    {&hf_executor_capture, "{\"region\":{\"x\":1,\"y\":1,\"w\":1,\"h\":1}}", NULL,
     "region: works with mode 'region'"},
    {&hf_executor_capture, "{\"mode\":\"region\",\"region\":{\"x\":1,\"y\":1,\"w\":1}}", NULL,
     "region.h: is required"},
    {&hf_executor_capture, "{\"mode\":\"all\"}", NULL, "mode: expected one of"},
    {&hf_executor_mouse,
     "{\"kind\":\"click\",\"x\":1200,\"y\":220,\"button\":\"left\",\"humanize\":{\"jitterPx\":2,"
     "\"delayMs\":[40,120]}}",
     "left_click", "{\"x\":1200,\"y\":220,\"humanize\":{\"jitter_px\":2,\"delay_ms\":[40,120]}}"},
    {&hf_executor_mouse, "{\"kind\":\"move\",\"x\":1,\"y\":2}", "mouse_move",
     "{\"x\":1,\"y\":2,\"smooth\":false}"},
    {&hf_executor_mouse, "{\"kind\":\"move\",\"x\":1,\"y\":2,\"durationMs\":300}", "mouse_move",
     "{\"x\":1,\"y\":2,\"duration\":300}"},
    {&hf_executor_mouse,
     "{\"kind\":\"click\",\"x\":1,\"y\":2,\"button\":\"middle\",\"modifiers\":[\"CTRL\",\"WIN\"]}",
     "middle_click", "{\"x\":1,\"y\":2,\"modifiers\":[\"ctrl\",\"super\"]}"},
    {&hf_executor_mouse, "{\"kind\":\"click\",\"x\":1,\"y\":2,\"button\":\"right\"}", "right_click",
     "{\"x\":1,\"y\":2}"},
    {&hf_executor_mouse, "{\"kind\":\"double\",\"x\":1,\"y\":2}", "double_click",
     "{\"x\":1,\"y\":2}"},
    {&hf_executor_mouse, "{\"kind\":\"right\",\"x\":1,\"y\":2}", "right_click",
     "{\"x\":1,\"y\":2}"},
    {&hf_executor_mouse, "{\"kind\":\"drag\",\"x\":1,\"y\":2,\"toX\":3,\"toY\":4}", "mouse_drag",
     "{\"from_x\":1,\"from_y\":2,\"to_x\":3,\"to_y\":4}"},
    {&hf_executor_mouse, "{\"kind\":\"wheel\",\"x\":1,\"y\":2,\"deltaY\":3}", "scroll",
     "{\"x\":1,\"y\":2,\"direction\":\"down\",\"clicks\":3}"},
    {&hf_executor_mouse, "{\"kind\":\"wheel\",\"deltaY\":-2}", "scroll",
     "{\"direction\":\"up\",\"clicks\":2}"},
    {&hf_executor_mouse, "{\"kind\":\"wheel\",\"deltaX\":-1}", "scroll",
     "{\"direction\":\"left\",\"clicks\":1}"},
    {&hf_executor_mouse, "{\"kind\":\"wheel\"}", NULL, "deltaY: give either"},
    {&hf_executor_mouse, "{\"kind\":\"wheel\",\"deltaX\":1,\"deltaY\":1}", NULL, "deltaY: give"},
    {&hf_executor_mouse, "{\"kind\":\"click\",\"x\":1}", NULL, "y: is required for kind 'click'"},
    {&hf_executor_mouse, "{\"kind\":\"click\",\"x\":1,\"y\":1,\"toX\":1}", NULL,
     "toX: does not go with kind 'click'"},
    {&hf_executor_mouse, "{\"kind\":\"triple\",\"x\":1,\"y\":1}", NULL, "kind: expected one of"},
    {&hf_executor_mouse, "{\"kind\":\"click\",\"x\":1,\"y\":1,\"humanize\":{\"jitterPx\":99}}",
     NULL, "humanize.jitterPx: expected 0 to 50"},
    {&hf_executor_key, "{\"kind\":\"press\",\"keys\":[\"CTRL\",\"L\"]}", "key_press",
     "{\"keys\":[\"ctrl\",\"l\"]}"},
    {&hf_executor_key, "{\"kind\":\"press\",\"keys\":[\"WIN\",\"F1\"],\"repeat\":2}", "key_press",
     "{\"keys\":[\"super\",\"f1\"],\"repeat\":2}"},
    {&hf_executor_key, "{\"kind\":\"type\",\"text\":\"Ab\"}", "type_text", "{\"text\":\"Ab\"}"},
    {&hf_executor_key, "{\"kind\":\"press\"}", NULL, "keys: is required for kind 'press'"},
    {&hf_executor_key, "{\"kind\":\"press\",\"keys\":[]}", NULL, "keys: expected 1 to"},
    {&hf_executor_key, "{\"kind\":\"press\",\"keys\":[\"a\"],\"text\":\"b\"}", NULL,
     "text: does not go"},
    {&hf_executor_key, "{\"kind\":\"press\",\"keys\":[\"a\"],\"runId\":5}", NULL,
     "runId: expected a string"},
    {&hf_executor_wait, "{\"ms\":1500}", "wait", "{\"duration\":1.5}"},
};

static void test_requests(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(json_t) body = json_loads(cases[i].body, 0, NULL);
        g_autoptr(GError) error = NULL;
        g_auto(HfExecutorCall) call = {0};
        gboolean read = hf_executor_read(cases[i].action, body, TRUE, &call, &error);
        g_test_message("%s: %s", cases[i].body, error ? error->message : call.tool);
        g_assert_cmpint(read, ==, cases[i].tool != NULL);
        if (!read) {
            g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
            g_assert_true(g_str_has_prefix(error->message, cases[i].params));
            continue;
        }
        g_autoptr(json_t) expected = json_loads(cases[i].params, 0, NULL);
        g_assert_cmpstr(call.tool, ==, cases[i].tool);
        g_assert_true(json_equal(call.params, expected));
        g_autoptr(json_t) checked =
            hf_check_params(hf_registry_find(call.tool)->params, call.params, &error);
        g_assert_no_error(error);
        g_assert_nonnull(checked);
    }
}

static void test_text_is_off(void)
{
    g_autoptr(json_t) body = json_pack("{s:s, s:s}", "kind", "type", "text", "x");
    g_autoptr(json_t) macro =
        json_pack("{s:[{s:s, s:s, s:s}]}", "actions", "action", "key", "kind", "type", "text", "x");
    g_auto(HfExecutorCall) call = {0};
    g_autoptr(GError) error = NULL;
    g_assert_false(hf_executor_read(&hf_executor_key, body, FALSE, &call, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_TEXT_INPUT_DISABLED);
    g_assert_cmpint(hf_error_code_status(HF_ERROR_TEXT_INPUT_DISABLED), ==, 403);
    g_clear_error(&error);
    g_assert_false(hf_executor_read_macro(macro, FALSE, &call, &error));
    g_assert_error(error, HF_ERROR, HF_ERROR_TEXT_INPUT_DISABLED);
}

static const struct {
    const char *body;
    const char *params; /* NULL: refused */
    const char *message;
} macros[] = {
    {"{\"actions\":[{\"action\":\"mouse\",\"kind\":\"move\",\"x\":1,\"y\":2,\"delayMs\":[1,2],"
     "\"screenshot\":\"after\",\"onFailure\":\"retry\",\"retries\":3,\"retryDelayMs\":4},"
     "{\"action\":\"wait\",\"ms\":0}],\"onFailure\":\"continue\",\"runId\":\"r\"}",
     "{\"steps\":[{\"tool\":\"mouse_move\",\"params\":{\"x\":1,\"y\":2,\"smooth\":false},"
     "\"delay_ms\":[1,2],\"screenshot\":\"after\",\"on_failure\":\"retry\",\"retries\":3,"
     "\"retry_delay_ms\":4},{\"tool\":\"wait\",\"params\":{\"duration\":0.0}}],\"on_failure\":"
     "\"continue\",\"run_id\":\"r\"}",
     NULL},
    {"{}", NULL, "actions: is required"},
    {"{\"actions\":[]}", NULL, "actions: expected 1 to 100"},
    {"{\"actions\":[{\"action\":\"fly\"}]}", NULL, "actions[0].action: expected one of"},
    {"{\"actions\":[{\"action\":\"wait\",\"ms\":0},{\"action\":\"mouse\",\"kind\":\"move\"}]}",
     NULL, "actions[1].x: is required"},
    {"{\"actions\":[{\"action\":\"wait\",\"ms\":0,\"delayMs\":-1}]}", NULL, "actions[0].delayMs:"},
    {"{\"actions\":[{\"action\":\"wait\",\"ms\":0,\"x\":1}]}", NULL, "actions[0].x: there is no"},
};

static void test_macros(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(macros); i++) {
        g_autoptr(json_t) body = json_loads(macros[i].body, 0, NULL);
        g_autoptr(GError) error = NULL;
        g_auto(HfExecutorCall) call = {0};
        gboolean read = hf_executor_read_macro(body, TRUE, &call, &error);
        g_test_message("%s: %s", macros[i].body, error ? error->message : call.tool);
        g_assert_cmpint(read, ==, macros[i].params != NULL);
        if (!read) {
            g_assert_true(g_str_has_prefix(error->message, macros[i].message));
            continue;
        }
        g_autoptr(json_t) expected = json_loads(macros[i].params, 0, NULL);
        g_assert_cmpstr(call.tool, ==, "run_macro");
        g_assert_true(json_equal(call.params, expected));
    }
}

static void test_what_became_of_a_macro(void)
{
    g_autoptr(json_t) actions = json_loads(
        "[{\"action\":\"mouse\"},{\"action\":\"capture\"},{\"action\":\"focus\"}]", 0, NULL);
    g_autoptr(HfAnswer) answer = hf_answer_new("run_macro", "r");
    answer->result = hf_result_new(json_loads(
        "{\"steps\":[{\"index\":0,\"tool\":\"left_click\",\"ok\":true,\"step_id\":\"s\","
        "\"attempts\":1,\"duration_ms\":2.5,\"result\":{\"success\":true,\"position\":{\"x\":1,"
        "\"y\":2}},\"screenshots\":{\"after\":{\"region\":{\"x\":0,\"y\":0,\"width\":4,\"height\":"
        "3},\"display_scale\":2.0}}},{\"index\":1,\"tool\":\"screenshot\",\"ok\":true,\"result\":{"
        "\"display_scale\":1.0}},{\"index\":2,\"tool\":\"window_focus\",\"ok\":false,\"error\":{"
        "\"code\":\"WINDOW_NOT_FOUND\",\"message\":\"m\",\"suggestion\":\"s\",\"details\":{}}}],"
        "\"failed\":1}",
        0, NULL));
    hf_result_add_attachment(answer->result, "steps/0/screenshots/after/image", "image/png",
                             g_bytes_new("a", 1));
    hf_result_add_attachment(answer->result, "steps/1/result/image", "image/png",
                             g_bytes_new("b", 1));
    g_autoptr(HfResult) told = hf_executor_render_macro(answer, actions);
    g_autoptr(GString) text = g_string_new(NULL);
    hf_result_append_with(told, text, hf_attachment_append_base64, NULL);
    g_autoptr(json_t) json = json_loads(text->str, 0, NULL);
    const json_t *results = json_object_get(json, "results");
    const json_t *click = json_array_get(results, 0), *capture = json_array_get(results, 1);
    const json_t *focus = json_array_get(results, 2);
    g_assert_cmpstr(hf_json_string(click, "action", ""), ==, "mouse");
    g_assert_cmpstr(hf_json_string(click, "stepId", ""), ==, "s");
    const json_t *after = json_object_get(json_object_get(click, "screenshots"), "after");
    g_assert_cmpstr(hf_json_string(after, "imageB64", ""), ==, "YQ==");
    g_assert_cmpfloat(hf_json_number(after, "dpi", 0), ==, 192);
    g_assert_cmpint(hf_json_int(json_object_get(after, "regionRectPx"), "h", 0), ==, 3);
    g_assert_cmpstr(hf_json_string(json_object_get(capture, "result"), "imageB64", ""), ==, "Yg==");
    g_assert_cmpstr(hf_json_string(json_object_get(focus, "error"), "code", ""), ==,
                    "WINDOW_NOT_FOUND");
    g_assert_cmpint(hf_json_int(json, "failed", 0), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/executor/requests", test_requests);
    g_test_add_func("/executor/text-is-off", test_text_is_off);
    g_test_add_func("/executor/macros", test_macros);
    g_test_add_func("/executor/what-became", test_what_became_of_a_macro);
    return g_test_run();
}
