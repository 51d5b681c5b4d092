/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of hand/main/jobs.c: a call is done only when the desk has said what it must not touch. */
#include "hand/main/jobs.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "hand/desktop/desktop.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

static const char fence[] = "{\"rules\": [{\"id\": \"test\", \"message\": \"not to be touched\","
                            " \"apps\": [], \"titles\": [\"secret\"]}]}";

/* In this order: what was told last holds. `fence`: the JSON of that member, NULL: it is left out.
 * A window with the title "secret" is at 140, 130. */
static const struct {
    const char *about, *fence;
    int x, y;
    const char *code; /* NULL: it is done */
} cases[] = {
    {"nobody has said anything", NULL, 5, 5, "INTERNAL"},
    {"the one that was told before, but none was", "true", 5, 5, "INTERNAL"},
    {"no fence at all is not the same as none to keep", "null", 5, 5, "INTERNAL"},
    {"a number is no fence", "0", 5, 5, "INTERNAL"},
    {"there is nothing to keep", "false", 5, 5, NULL},
    {"the same at the window", "false", 140, 130, NULL},
    {"a fence", "text", 140, 130, "APP_NOT_ALLOWED"},
    {"beside the window", "true", 5, 5, NULL},
    {"the one that was told before", "true", 140, 130, "APP_NOT_ALLOWED"},
    {"left out after one was told", NULL, 5, 5, "INTERNAL"},
    {"nothing to keep, of this call alone", "false", 140, 130, NULL},
    {"the one that was told before is still known", "true", 140, 130, "APP_NOT_ALLOWED"},
    {"a text that is no fence", "broken", 5, 5, "INTERNAL"},
    {"and after it none is known", "true", 5, 5, "INTERNAL"},
};

static void show_secret(xcb_connection_t *client)
{
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(client)).data;
    xcb_window_t window = xcb_generate_id(client);
    xcb_create_window(client, XCB_COPY_FROM_PARENT, window, screen->root, 100, 100, 80, 60, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_change_property(client, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                        6, "secret");
    xcb_map_window(client, window);
    free(xcb_get_input_focus_reply(client, xcb_get_input_focus(client), NULL));
}

static json_t *fence_of(const char *told)
{
    if (g_str_equal(told, "text"))
        return json_string(fence);
    if (g_str_equal(told, "broken"))
        return json_string("{");
    return json_loads(told, JSON_DECODE_ANY, NULL);
}

static void test_fence(void)
{
    g_autofree char *state_dir = g_dir_make_tmp("hf-jobs-XXXXXX", NULL);
    xcb_connection_t *client = xcb_connect(NULL, NULL);
    show_secret(client);
    int pair[2];
    g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
    g_autoptr(GError) error = NULL;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    g_autoptr(HfDesktop) desktop = hf_desktop_open(&options, &error);
    g_assert_no_error(error);
    HfJobs *jobs = hf_jobs_new(desktop, pair[0], hf_hold_table_new(&error));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        json_t *message = json_pack("{s:s, s:i, s:s, s:{s:i, s:i}, s:i}", "type", "call", "id",
                                    (int)i + 1, "tool", "left_click", "params", "x", cases[i].x,
                                    "y", cases[i].y, "timeout_ms", 20000);
        if (cases[i].fence)
            json_object_set_new(message, "fence", fence_of(cases[i].fence));
        g_autoptr(HfFrame) frame = hf_frame_new(message);
        hf_jobs_receive(jobs, frame);
        g_autoptr(HfFrame) answer = hf_frame_read(pair[1], &error);
        g_assert_no_error(error);
        const json_t *failure = json_object_get(answer->json, "error");
        g_assert_cmpstr(hf_json_string(failure, "code", NULL), ==, cases[i].code);
        g_assert_cmpint(json_object_get(answer->json, "result") != NULL, ==, !cases[i].code);
    }
    hf_jobs_free(jobs);
    close(pair[0]);
    close(pair[1]);
    xcb_disconnect(client);
    hf_remove_tree(state_dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/jobs/fence", test_fence);
    return g_test_run();
}
