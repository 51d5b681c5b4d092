/* SPDX-License-Identifier: Apache-2.0 */
/* When in doubt, assumes the worse: a password field that was there is still there. */
#include "hand/atspi/read/password-fields.h"

#include "hand/atspi/read/tree-snapshot.h"
#include "hand/atspi/tree/states.h"
#include "hand/safety/call-context.h"
#include "hand/safety/password-mask.h"
#include "shared/base/error.h"

/* How long, for typing, a window counts as having none. */
#define NONE_MS 2000
#define LOOK_MS 1000

static void note_password_fields(HfDesktop *desktop, const HfWindow *window, const HfTree *tree)
{
    g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (node->secure && node->window == window->id && hf_tree_is_visible(tree, i))
            g_array_append_val(fields, node->bounds);
    }
    hf_password_mask_note(desktop, window->id, window->bounds,
                          (const HfRect *)(gpointer)fields->data, fields->len,
                          !hf_tree_get_truncated(tree));
}

void hf_password_fields_note(HfDesktop *desktop, const GPtrArray *windows, guint32 window, int pid,
                             const HfTree *tree)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *one = windows->pdata[i];
        if ((!window || one->id == window) && (!pid || one->pid == pid))
            note_password_fields(desktop, one, tree);
    }
}

static HfTree *read_window_tree(HfDesktop *desktop, guint32 window, guint max_ms,
                                const HfDeadline *deadline, GError **error)
{
    HfTreeScope scope = {
        .window = window, .max_ms = max_ms, .skip_actions = TRUE, .unrestricted = TRUE};
    g_autoptr(HfCallContext) context = hf_call_context_new_unfenced(
        desktop, "password fields are looked for in all windows; no caller gets what was read");
    return hf_tree_read(context, &scope, deadline, error);
}

/* A tree that is too large stays too large: only what was not answered in time may be later. */
static gboolean ran_out_of_time(const HfTree *tree, const GError *error)
{
    if (!tree)
        return hf_error_code(error) == HF_ERROR_DESKTOP_TIMEOUT;
    return (hf_tree_get_truncated(tree) & (HF_TRUNCATED_TIME | HF_TRUNCATED_PROGRAM)) != 0;
}

/* hf_tree_read records what it finds. */
static HfPasswordScan find_password_fields(HfDesktop *desktop, guint32 window, guint max_ms)
{
    HfDeadline deadline = hf_deadline_in_ms(max_ms, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(HfTree) tree = read_window_tree(desktop, window, max_ms, &deadline, &error);
    if (ran_out_of_time(tree, error))
        return HF_PASSWORD_SCAN_UNFINISHED;
    return tree && hf_tree_size(tree) > 0 ? HF_PASSWORD_SCAN_DONE : HF_PASSWORD_SCAN_INACCESSIBLE;
}

void hf_password_fields_start_finder(HfDesktop *desktop)
{
    hf_password_mask_set_finder(desktop, find_password_fields);
}

/* Whether a password field has the focus, or else another field. */
static gboolean has_focused_field(const HfTree *tree, gboolean password)
{
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!node->secure == !password && hf_states_have(node->states, HF_STATE_FOCUSED) &&
            (password || hf_states_have(node->states, HF_STATE_EDITABLE)))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_password_fields_have_focus(HfDesktop *desktop, const HfDeadline *deadline)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    if (!focused || hf_password_mask_has_none(desktop, focused->id, NONE_MS))
        return FALSE;
    HfDeadline limit = hf_deadline_within_ms(deadline, LOOK_MS);
    g_autoptr(HfTree) tree = read_window_tree(desktop, focused->id, LOOK_MS, &limit, NULL);
    if (tree && (!hf_tree_get_truncated(tree) || has_focused_field(tree, TRUE) ||
                 has_focused_field(tree, FALSE)))
        return has_focused_field(tree, TRUE);
    return !hf_password_mask_has_none(desktop, focused->id, NONE_MS) && tree != NULL;
}
