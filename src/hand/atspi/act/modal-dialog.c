/* SPDX-License-Identifier: Apache-2.0 */
/* Every error that names a modal dialog passes through here, wherever it came from. */
#include "hand/atspi/act/modal-dialog.h"

#include "hand/atspi/bus/atspi-session.h"
#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/windows.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define LOOK_MS      300
#define MOST_BUTTONS 12
#define MOST_LINES   12

gboolean hf_modal_check(HfDesktop *desktop, guint32 window, GError **error)
{
    if (!window)
        return TRUE;
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, error);
    if (!windows)
        return FALSE;
    const HfWindow *wanted = hf_windows_find(windows, window);
    const HfWindow *dialog = wanted ? hf_windows_find_modal(windows, wanted) : NULL;
    if (!dialog)
        return TRUE;
    hf_fail(error, HF_ERROR_DESKTOP_MODAL_BLOCKING,
            "the window '%s' waits until its dialog '%s' is answered", wanted->title,
            dialog->title);
    hf_error_take_details(error, json_pack("{s:o, s:o}", "wanted", hf_window_to_brief_json(wanted),
                                           "window", hf_window_to_brief_json(dialog)));
    return FALSE;
}

/* ---- the dialog's texts and buttons ---- */

/* The dialog that the error details name; 0: none. */
static guint32 find_dialog(const GError *error, const json_t *details)
{
    const json_t *focus = json_object_get(details, "focus");
    if (hf_error_code(error) == HF_ERROR_DESKTOP_MODAL_BLOCKING)
        return (guint32)hf_json_int(json_object_get(details, "window"), "window_id", 0);
    if (hf_error_code(error) == HF_ERROR_DESKTOP_FOCUS_LOST && hf_json_bool(focus, "modal", FALSE))
        return (guint32)hf_json_int(focus, "window_id", 0);
    return 0;
}

static void add_dialog_parts(HfDesktop *desktop, HfTree *tree, json_t *details)
{
    HfReferences *references = hf_atspi_references(desktop);
    guint snapshot = hf_references_add_snapshot(references, tree);
    json_t *buttons = json_array(), *lines = json_array();
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!node->name || !hf_tree_is_visible(tree, i))
            continue;
        if (node->role == HF_ROLE_BUTTON && hf_states_are_enabled(node->states) &&
            json_array_size(buttons) < MOST_BUTTONS)
            json_array_append_new(
                buttons, json_pack("{s:o, s:o}", "ref",
                                   json_sprintf("e%u", hf_references_name(references, snapshot, i)),
                                   "name", hf_json_text(node->name)));
        if (node->role == HF_ROLE_LABEL && json_array_size(lines) < MOST_LINES)
            json_array_append_new(lines, hf_json_text(node->name));
    }
    json_object_set_new(details, "snapshot_id", json_sprintf("s%u", snapshot));
    json_object_set_new(details, "buttons", buttons);
    json_object_set_new(details, "says", lines);
}

void hf_modal_explain(const HfCallContext *context, const HfDeadline *deadline, GError **error)
{
    if (!error || !*error)
        return;
    g_autoptr(json_t) json = hf_error_to_json(*error);
    json_t *details = json_object_get(json, "details");
    guint32 dialog = find_dialog(*error, details);
    if (!dialog)
        return;
    HfTreeScope scope = {.window = dialog, .max_ms = LOOK_MS, .skip_actions = TRUE};
    g_autoptr(HfTree) tree = hf_tree_read(context, &scope, deadline, NULL);
    if (!tree || hf_tree_size(tree) == 0)
        return;
    add_dialog_parts(hf_call_context_desktop(context), tree, details);
    hf_error_suggest(error, "answer the dialog first: press one of details.buttons by its ref");
    hf_error_take_details(error, json_incref(details));
}
