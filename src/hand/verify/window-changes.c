/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which changes of windows prove an action. Windows are told apart by id: the display does
 * not reuse one in so short a time. */
#include "hand/verify/window-changes.h"

#include "hand/verify/verify-limits.h"
#include "shared/base/json.h"

typedef struct Compare {
    const GPtrArray *before, *after;
    const HfWindowsContext *context;
    HfWindowsChange *change;
} Compare;

void hf_windows_change_clear(HfWindowsChange *change)
{
    json_decref(change->windows);
    json_decref(change->focus);
    g_free(change->proof.text);
    *change = (HfWindowsChange){0};
}

static void add_window_change(Compare *compare, const char *list, json_t *take_window)
{
    HfWindowsChange *change = compare->change;
    g_autoptr(json_t) window = take_window;
    if (!change->windows)
        change->windows = json_object();
    json_t *all = json_object_get(change->windows, list);
    if (!all) {
        all = json_array();
        json_object_set_new(change->windows, list, all);
    }
    if (json_array_size(all) < HF_LIMIT_EFFECT_WINDOWS)
        json_array_append(all, window);
}

static gboolean is_of_target(const Compare *compare, const HfWindow *window)
{
    const HfWindow *target = compare->context->target;
    return target && (window->id == target->id || (target->pid && window->pid == target->pid) ||
                      hf_windows_is_dialog_of(compare->after, window, target));
}

static void look_for_opened(Compare *compare)
{
    for (guint i = 0; i < compare->after->len; i++) {
        const HfWindow *window = compare->after->pdata[i];
        if (hf_windows_find(compare->before, window->id))
            continue;
        add_window_change(compare, "opened", hf_window_to_brief_json(window));
        /* A window without a title proves nothing: programs make such windows as they start. */
        if (*window->title && (is_of_target(compare, window) || window->focused))
            hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NONE,
                                       "the window '%s' opened", window->title);
    }
}

static void look_for_closed(Compare *compare)
{
    for (guint i = 0; i < compare->before->len; i++) {
        const HfWindow *window = compare->before->pdata[i];
        if (hf_windows_find(compare->after, window->id))
            continue;
        add_window_change(compare, "closed", hf_window_to_brief_json(window));
        if (is_of_target(compare, window))
            hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NONE,
                                       "the window '%s' closed", window->title);
    }
}

/* What is different, in the words of the effect's schema. */
static json_t *list_changes(const HfWindow *was, const HfWindow *is)
{
    json_t *names = json_array();
    if (!g_str_equal(was->title, is->title))
        json_array_append_new(names, json_string("title"));
    if (was->minimized != is->minimized)
        json_array_append_new(names, json_string(is->minimized ? "minimized" : "restored"));
    if (was->maximized != is->maximized)
        json_array_append_new(names, json_string(is->maximized ? "maximized" : "restored"));
    if (was->fullscreen != is->fullscreen)
        json_array_append_new(names, json_string("fullscreen"));
    if (!hf_rect_equal(was->bounds, is->bounds) && !is->minimized && !was->minimized)
        json_array_append_new(names, json_string("place"));
    return names;
}

/* NULL: its state is the same. */
static const char *describe_state_change(const HfWindow *was, const HfWindow *is)
{
    if (was->minimized != is->minimized)
        return is->minimized ? "was minimized" : "was restored";
    if (was->maximized != is->maximized)
        return is->maximized ? "was maximized" : "is no longer maximized";
    if (was->fullscreen != is->fullscreen)
        return is->fullscreen ? "fills the screen now" : "no longer fills the screen";
    return NULL;
}

static void compare_window_states(Compare *compare, const HfWindow *was, const HfWindow *is)
{
    const HfWindowsContext *context = compare->context;
    HfEvidenceStrength *proof = &compare->change->proof;
    json_t *names = list_changes(was, is);
    if (json_array_size(names) == 0) {
        json_decref(names);
        return;
    }
    gboolean title = !g_str_equal(was->title, is->title);
    json_t *window = hf_window_to_brief_json(is);
    json_object_set_new(window, "what", names);
    if (title)
        json_object_set_new(window, "title_before", hf_json_text(was->title));
    add_window_change(compare, "changed", window);
    const char *state = describe_state_change(was, is);
    HfStay stay = context->watched ? HF_STAY_SHORT : HF_STAY_LONG;
    if (!is_of_target(compare, is))
        return;
    if (state)
        hf_evidence_strength_raise(proof, HF_STAY_NONE, "the window '%s' %s", is->title, state);
    else if (g_hash_table_contains(context->self_changing, GUINT_TO_POINTER(is->id)))
        return;
    else if (title)
        hf_evidence_strength_raise(proof, stay, "the title of a window changed from '%s' to '%s'",
                                   was->title, is->title);
    else
        hf_evidence_strength_raise(proof, stay, "the window '%s' moved or changed its size",
                                   is->title);
}

static void look_for_changed(Compare *compare)
{
    for (guint i = 0; i < compare->after->len; i++) {
        const HfWindow *is = compare->after->pdata[i];
        const HfWindow *was = hf_windows_find(compare->before, is->id);
        if (was)
            compare_window_states(compare, was, is);
    }
}

static void look_at_popups(Compare *compare)
{
    const HfWindow *target = compare->context->target;
    const GArray *popups = compare->context->popups;
    for (guint i = 0; i < popups->len; i++) {
        const HfPopup *popup = &g_array_index(popups, HfPopup, i);
        gboolean ours = target && popup->pid && popup->pid == target->pid;
        if (popup->kind == HF_POPUP_TIP || (popup->kind == HF_POPUP_OTHER && !ours))
            continue;
        add_window_change(compare, popup->shown ? "opened" : "closed",
                          json_pack("{s:I, s:b}", "window_id", (json_int_t)popup->id, "popup", 1));
        if (popup->shown && (ours || !target))
            hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NONE, "a %s opened",
                                       popup->kind == HF_POPUP_MENU ? "menu" : "popup");
    }
}

static void look_at_focus(Compare *compare)
{
    const HfWindow *target = compare->context->target;
    const HfWindow *was = hf_windows_find_focused(compare->before);
    const HfWindow *is = hf_windows_find_focused(compare->after);
    if (!is || (was && was->id == is->id))
        return;
    compare->change->focus = hf_window_to_brief_json(is);
    if (target && is->id != target->id && *is->title && is_of_target(compare, is))
        hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NONE,
                                   "the window '%s' got the focus", is->title);
}

void hf_windows_compare(const GPtrArray *before, const GPtrArray *after,
                        const HfWindowsContext *context, HfWindowsChange *ret_change)
{
    Compare compare = {before, after, context, ret_change};
    *ret_change = (HfWindowsChange){0};
    look_for_opened(&compare);
    look_for_closed(&compare);
    look_at_popups(&compare);
    look_at_focus(&compare);
    look_for_changed(&compare);
}
