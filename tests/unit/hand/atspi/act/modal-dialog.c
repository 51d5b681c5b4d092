/* SPDX-License-Identifier: Apache-2.0 */
/* Twin of src/hand/atspi/act/modal-dialog.c: which window waits for the answer to which dialog, on
 * a real display.
 */
#include "hand/atspi/act/modal-dialog.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "hand/safety/call-context.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/remove-tree.h"

static struct {
    xcb_connection_t *client; /* plays the programs */
    xcb_screen_t *screen;
    HfDesktop *desktop;
    HfCallContext *context;
} stand;

static xcb_atom_t atom(const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        stand.client, xcb_intern_atom(stand.client, FALSE, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t value = reply->atom;
    free(reply);
    return value;
}

static void set32(xcb_window_t window, const char *property, xcb_atom_t type, guint32 value)
{
    xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, window, atom(property), type, 32, 1,
                        &value);
}

static xcb_window_t make_window(const char *title, xcb_window_t owner, gboolean modal)
{
    xcb_window_t window = xcb_generate_id(stand.client);
    xcb_create_window(stand.client, XCB_COPY_FROM_PARENT, window, stand.screen->root, 100, 100, 80,
                      60, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_change_property(stand.client, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, (guint32)strlen(title), title);
    if (owner)
        set32(window, "WM_TRANSIENT_FOR", XCB_ATOM_WINDOW, owner);
    if (modal)
        set32(window, "_NET_WM_STATE", XCB_ATOM_ATOM, atom("_NET_WM_STATE_MODAL"));
    xcb_map_window(stand.client, window);
    free(xcb_get_input_focus_reply(stand.client, xcb_get_input_focus(stand.client), NULL));
    return window;
}

static void end_window(xcb_window_t window)
{
    xcb_destroy_window(stand.client, window);
    free(xcb_get_input_focus_reply(stand.client, xcb_get_input_focus(stand.client), NULL));
}

/* Which window is asked about. */
typedef enum Asked { OWNER, DIALOG, GONE, ANY } Asked;

static void test_check(void)
{
    static const struct {
        const char *about;
        Asked asked;
        gboolean modal, transient, refused;
    } cases[] = {
        {"its modal dialog is open", OWNER, TRUE, TRUE, TRUE},
        {"its dialog is open, and need not be answered", OWNER, FALSE, TRUE, FALSE},
        {"a modal dialog of the whole program is open", OWNER, TRUE, FALSE, TRUE},
        {"the dialog itself", DIALOG, TRUE, TRUE, FALSE},
        {"a window that is gone", GONE, TRUE, TRUE, FALSE},
        {"no window in particular", ANY, TRUE, TRUE, FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        xcb_window_t owner = make_window("the owner", 0, FALSE);
        xcb_window_t dialog =
            make_window("the dialog", cases[i].transient ? owner : 0, cases[i].modal);
        xcb_window_t gone = make_window("gone", 0, FALSE);
        end_window(gone);
        guint32 asked[] = {owner, dialog, gone, 0};
        g_autoptr(GError) error = NULL;
        gboolean free = hf_modal_check(stand.desktop, asked[cases[i].asked], &error);
        g_assert_cmpint(free, ==, !cases[i].refused);
        if (!free) {
            g_assert_cmpint(hf_error_code(error), ==, HF_ERROR_DESKTOP_MODAL_BLOCKING);
            g_autoptr(json_t) json = hf_error_to_json(error);
            const json_t *details = json_object_get(json, "details");
            const json_t *wanted = json_object_get(details, "wanted");
            const json_t *there = json_object_get(details, "window");
            g_assert_cmpint(hf_json_int(wanted, "window_id", 0), ==, owner);
            g_assert_cmpint(hf_json_int(there, "window_id", 0), ==, dialog);
            g_assert_cmpstr(hf_json_string(there, "title", ""), ==, "the dialog");
            g_assert_true(hf_json_bool(there, "modal", FALSE));
        }
        end_window(dialog);
        end_window(owner);
    }
}

/* Errors that name no dialog, or one that says nothing, stay as they are. */
static void test_explain(void)
{
    static const struct {
        const char *about;
        HfErrorCode code; /* 0: no error */
        const char *details;
    } cases[] = {
        {"no error", 0, NULL},
        {"of something else", HF_ERROR_INVALID_PARAMS, "{\"window\": {\"window_id\": 5}}"},
        {"without details", HF_ERROR_DESKTOP_MODAL_BLOCKING, NULL},
        {"the focus went to no dialog", HF_ERROR_DESKTOP_FOCUS_LOST,
         "{\"focus\": {\"window_id\": 5, \"modal\": false}}"},
        {"a dialog that is gone", HF_ERROR_DESKTOP_MODAL_BLOCKING,
         "{\"window\": {\"window_id\": 5}}"},
        {"the focus went to one that is gone", HF_ERROR_DESKTOP_FOCUS_LOST,
         "{\"focus\": {\"window_id\": 5, \"modal\": true}}"},
    };
    HfDeadline deadline = hf_deadline_in_ms(5000, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].about);
        g_autoptr(GError) error = NULL;
        if (cases[i].code)
            hf_fail(&error, cases[i].code, "it was not done");
        if (cases[i].details)
            hf_error_take_details(&error, json_loads(cases[i].details, 0, NULL));
        g_autoptr(json_t) before = error ? hf_error_to_json(error) : NULL;
        hf_modal_explain(stand.context, &deadline, &error);
        g_autoptr(json_t) after = error ? hf_error_to_json(error) : NULL;
        g_assert_true(before == after || json_equal(before, after));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *state_dir = g_dir_make_tmp("hf-modal-XXXXXX", NULL);
    stand.client = xcb_connect(NULL, NULL);
    g_assert_false(xcb_connection_has_error(stand.client));
    stand.screen = xcb_setup_roots_iterator(xcb_get_setup(stand.client)).data;
    HfDesktopOptions options = {.display = g_getenv("DISPLAY"), .state_dir = state_dir};
    stand.desktop = hf_desktop_open(&options, NULL);
    g_assert_nonnull(stand.desktop);
    stand.context = hf_call_context_new_unfenced(stand.desktop, "a test");
    g_test_add_func("/access-modal/check", test_check);
    g_test_add_func("/access-modal/explain", test_explain);
    int failed = g_test_run();
    hf_call_context_free(stand.context);
    hf_desktop_close(stand.desktop);
    xcb_disconnect(stand.client);
    hf_remove_tree(state_dir);
    return failed;
}
