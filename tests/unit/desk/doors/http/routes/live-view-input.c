/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a live view: which tool each is, with which parameters, and what is none. */
#include "desk/doors/http/routes/live-view-input.h"

#include "shared/base/error.h"
#include "shared/base/json.h"

static const struct {
    const char *message, *tool, *params;
} cases[] = {
    {"{\"type\":\"mouse\",\"action\":\"move\",\"x\":1,\"y\":2}", "mouse_move",
     "{\"x\":1,\"y\":2,\"desktop\":\"work\",\"smooth\":false}"},
    {"{\"type\":\"mouse\",\"action\":\"move\",\"x\":1,\"y\":2,\"smooth\":true}", "mouse_move",
     "{\"x\":1,\"y\":2,\"desktop\":\"work\",\"smooth\":true}"},
    {"{\"type\":\"mouse\",\"action\":\"click\",\"id\":7}", "left_click", "{\"desktop\":\"work\"}"},
    {"{\"type\":\"mouse\",\"action\":\"drag\",\"to_x\":5}", "mouse_drag",
     "{\"to_x\":5,\"desktop\":\"work\"}"},
    {"{\"type\":\"mouse\",\"action\":\"up\",\"desktop\":\"main\"}", "mouse_up",
     "{\"desktop\":\"work\"}"},
    {"{\"type\":\"key\",\"action\":\"press\",\"keys\":[\"a\"]}", "key_press",
     "{\"keys\":[\"a\"],\"desktop\":\"work\"}"},
    {"{\"type\":\"text\",\"text\":\"hi\"}", "type_text", "{\"text\":\"hi\",\"desktop\":\"work\"}"},
    {"{\"type\":\"text\",\"action\":\"type\",\"text\":\"\"}", "type_text",
     "{\"text\":\"\",\"desktop\":\"work\"}"},
    {"{\"type\":\"text\",\"action\":\"press\"}", NULL, NULL},
    {"{\"type\":\"mouse\"}", NULL, NULL},
    {"{\"type\":\"mouse\",\"action\":\"left_click\"}", NULL, NULL},
    {"{\"type\":\"mouse\",\"action\":5}", NULL, NULL},
    {"{\"type\":[],\"action\":\"move\"}", NULL, NULL},
    {"{\"type\":\"app_launch\",\"action\":\"run\"}", NULL, NULL},
    {"{}", NULL, NULL},
};

static void test_cases(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(json_t) message = json_loads(cases[i].message, 0, NULL);
        g_autoptr(json_t) before = json_deep_copy(message);
        g_autoptr(json_t) params = NULL;
        const char *tool = hf_live_view_input_read(message, "work", &params, &error);
        g_test_message("%s", cases[i].message);
        g_assert_cmpstr(tool, ==, cases[i].tool);
        g_assert_true(json_equal(before, message));
        if (tool) {
            g_autoptr(json_t) wanted = json_loads(cases[i].params, 0, NULL);
            g_assert_true(json_equal(params, wanted));
        } else {
            g_assert_error(error, HF_ERROR, HF_ERROR_INVALID_PARAMS);
        }
    }
}

static void test_motion(void)
{
    g_autoptr(json_t) move = json_loads(cases[0].message, 0, NULL);
    g_autoptr(json_t) click = json_loads(cases[2].message, 0, NULL);
    g_assert_true(hf_live_view_input_is_motion(move));
    g_assert_false(hf_live_view_input_is_motion(click));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stream-input/cases", test_cases);
    g_test_add_func("/stream-input/motion", test_motion);
    return g_test_run();
}
