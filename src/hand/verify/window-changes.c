/* SPDX-License-Identifier: Apache-2.0 */
/* Windows are told apart by their ids, which the display does not give twice in so short a time. */
#include "hand/verify/window-changes.h"

#include "hand/verify/verify-limits.h"
#include "shared/base/json.h"

typedef struct Compare {
    const GPtrArray *before, *after;
    const HfWindowsTarget *aim;
    const HfWindow *target;
    HfWindowsChange *change;
} Compare;

void hf_windows_change_clear(HfWindowsChange *change)
{
    json_decref(change->windows);
    json_decref(change->focus);
    g_free(change->proof.text);
    *change = (HfWindowsChange){0};
}

static void add_window_change(Compare *compare, const char *list, json_t *take_told)
{
    HfWindowsChange *change = compare->change;
    if (!change->windows)
        change->windows = json_object();
    json_t *all = json_object_get(change->windows, list);
    if (!all) {
        all = json_array();
        json_object_set_new(change->windows, list, all);
    }
    if (json_array_size(all) < HF_LIMIT_EFFECT_WINDOWS)
        json_array_append_new(all, take_told);
    else
        json_decref(take_told);
}

static gboolean is_of_target(const Compare *compare, const HfWindow *window)
{
    const HfWindow *target = compare->target;
    return target && (window->id == target->id || (target->pid && window->pid == target->pid) ||
                      hf_windows_is_dialog_of(compare->after, window, target));
}

static void look_for_new(Compare *compare)
{
    for (guint i = 0; i < compare->after->len; i++) {
        const HfWindow *window = compare->after->pdata[i];
        if (hf_windows_find(compare->before, window->id))
            continue;
        add_window_change(compare, "opened", hf_window_to_brief_json(window));
        /* What has no name is for nobody to see: programs make such windows as they start. */
        if (!*window->title)
            continue;
        if (is_of_target(compare, window) || window->focused)
            hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NOT,
                                       "the window '%s' opened", window->title);
    }
}

static void look_for_gone(Compare *compare)
{
    for (guint i = 0; i < compare->before->len; i++) {
        const HfWindow *window = compare->before->pdata[i];
        if (hf_windows_find(compare->after, window->id))
            continue;
        add_window_change(compare, "closed", hf_window_to_brief_json(window));
        if (is_of_target(compare, window))
            hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NOT,
                                       "the window '%s' closed", window->title);
    }
}

/* What is different, by the names of the effect's table. */
static json_t *name_changes(const HfWindow *was, const HfWindow *is)
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

static void compare_window_states(Compare *compare, const HfWindow *was, const HfWindow *is)
{
    g_autoptr(json_t) names = name_changes(was, is);
    gsize count = json_array_size(names);
    if (count == 0)
        return;
    gboolean title = !g_str_equal(was->title, is->title);
    gboolean place = !hf_rect_equal(was->bounds, is->bounds);
    gboolean restless = g_hash_table_contains(compare->aim->restless, GUINT_TO_POINTER(is->id));
    gboolean state = count > (gsize)title + (place && !is->minimized && !was->minimized);
    json_t *told = hf_window_to_brief_json(is);
    json_object_set(told, "what", names);
    if (title)
        json_object_set_new(told, "title_before", hf_json_text(was->title));
    add_window_change(compare, "changed", told);
    HfStay stay = compare->aim->watched ? HF_STAY_SHORT : HF_STAY_LONG;
    if (!is_of_target(compare, is) || (restless && !state))
        return;
    if (title && !state)
        hf_evidence_strength_raise(&compare->change->proof, stay, "a window's title became '%s'",
                                   is->title);
    else
        hf_evidence_strength_raise(&compare->change->proof, state ? HF_STAY_NOT : stay,
                                   "the window '%s' has another place or state", is->title);
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
    const GArray *popups = compare->aim->popups;
    for (guint i = 0; i < popups->len; i++) {
        const HfPopup *popup = &g_array_index(popups, HfPopup, i);
        gboolean ours = compare->target && popup->pid && popup->pid == compare->target->pid;
        if (popup->kind == HF_POPUP_TIP || (popup->kind == HF_POPUP_OTHER && !ours))
            continue;
        add_window_change(compare, popup->shown ? "opened" : "closed",
                          json_pack("{s:I, s:b}", "window_id", (json_int_t)popup->id, "popup", 1));
        if (popup->shown && (ours || !compare->target))
            hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NOT, "a %s opened",
                                       popup->kind == HF_POPUP_MENU ? "menu" : "popup");
    }
}

static void look_at_focus(Compare *compare)
{
    const HfWindow *was = hf_windows_find_focused(compare->before);
    const HfWindow *is = hf_windows_find_focused(compare->after);
    if (!is || (was && was->id == is->id))
        return;
    compare->change->focus = hf_window_to_brief_json(is);
    if (compare->target && is->id != compare->target->id && *is->title && is_of_target(compare, is))
        hf_evidence_strength_raise(&compare->change->proof, HF_STAY_NOT,
                                   "the window '%s' got the keyboard", is->title);
}

void hf_windows_compare(const GPtrArray *before, const GPtrArray *after, const HfWindowsTarget *aim,
                        HfWindowsChange *ret_change)
{
    Compare compare = {before, after, aim, aim->target, ret_change};
    *ret_change = (HfWindowsChange){0};
    look_for_new(&compare);
    look_for_gone(&compare);
    look_at_popups(&compare);
    look_at_focus(&compare);
    look_for_changed(&compare);
}
