/* What cannot be known is taken for the worse: a field that was there is still there. */
#include "access/secure-fields.h"

#include "access/access.h"
#include "access/states.h"
#include "base/limits.h"
#include "platform/secure.h"

/* For how long it holds that a window has none, for keys. */
#define NONE_MS 2000
#define LOOK_MS 1000

static void note_window(HfDesktop *desktop, const HfWindow *window, const HfTree *tree)
{
    g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(HfRect));
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (node->secure && node->window == window->id && hf_tree_is_visible(tree, i))
            g_array_append_val(fields, node->bounds);
    }
    hf_secure_note(desktop, window->id, window->bounds, (const HfRect *)(gpointer)fields->data,
                   fields->len, !hf_tree_get_truncated(tree));
}

void hf_secure_fields_note(HfDesktop *desktop, const GPtrArray *windows, guint32 window, int pid,
                           const HfTree *tree)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *one = windows->pdata[i];
        if ((!window || one->id == window) && (!pid || one->pid == pid))
            note_window(desktop, one, tree);
    }
}

static HfTree *read_window(HfDesktop *desktop, guint32 window, guint max_ms,
                           const HfDeadline *deadline)
{
    HfAccessScope scope = {
        .window = window, .max_ms = max_ms, .skip_actions = TRUE, .untold = TRUE};
    return hf_access_read(desktop, &scope, deadline, NULL);
}

/* The reading notes what it finds. */
static gboolean look(HfDesktop *desktop, guint32 window, guint max_ms)
{
    HfDeadline deadline = hf_deadline_in_ms(max_ms, NULL);
    g_autoptr(HfTree) tree = read_window(desktop, window, max_ms, &deadline);
    return tree && hf_tree_size(tree) > 0;
}

void hf_secure_fields_begin(HfDesktop *desktop)
{
    hf_secure_set_finder(desktop, look);
}

static gboolean has_focus(const HfTree *tree)
{
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (node->secure && hf_states_have(node->states, HF_STATE_FOCUSED))
            return TRUE;
    }
    return FALSE;
}

/* Of a window that was read in part: another field is seen to have the keyboard. */
static gboolean another_has_focus(const HfTree *tree)
{
    for (int i = 0; i < hf_tree_size(tree); i++) {
        const HfNode *node = hf_tree_get(tree, i);
        if (!node->secure && hf_states_have(node->states, HF_STATE_FOCUSED) &&
            hf_states_have(node->states, HF_STATE_EDITABLE))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_secure_fields_have_focus(HfDesktop *desktop, const HfDeadline *deadline)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(desktop, NULL);
    const HfWindow *focused = windows ? hf_windows_find_focused(windows) : NULL;
    if (!focused || hf_secure_has_none(desktop, focused->id, NONE_MS))
        return FALSE;
    HfDeadline limit = hf_deadline_within_ms(deadline, LOOK_MS);
    g_autoptr(HfTree) tree = read_window(desktop, focused->id, LOOK_MS, &limit);
    if (tree && (!hf_tree_get_truncated(tree) || has_focus(tree) || another_has_focus(tree)))
        return has_focus(tree);
    return !hf_secure_has_none(desktop, focused->id, NONE_MS) && tree != NULL;
}
