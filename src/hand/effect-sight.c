/* What is not known makes a verdict weaker, never stronger. */
#include "hand/effect-sight.h"

#include "base/limits.h"
#include "hand/effect-wait.h"
#include "platform/settle.h"

/* How long a program may take to read what was done to it before it counts as busy. */
#define READ_MS 500

void hf_sight_clear(HfSight *sight)
{
    hf_screen_news_clear(&sight->news);
    hf_windows_change_clear(&sight->windows);
    hf_elements_change_clear(&sight->elements);
    g_clear_pointer(&sight->tree, hf_tree_unref);
    g_clear_pointer(&sight->after, g_ptr_array_unref);
}

/* ---- before ---- */

const HfWindow *hf_effect_find_at(const GPtrArray *windows, HfPoint point)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && hf_rect_contains(window->frame, point))
            return window;
    }
    return NULL;
}

void hf_effect_look(HfEffect *effect, const HfWindow *window, gboolean read)
{
    HfEffectEye *eye = effect->eye;
    if (!window || effect->tree)
        return;
    effect->window = window->id;
    if (!read) {
        effect->tree = hf_eye_recall(eye, window, &effect->since);
        return;
    }
    effect->tree = hf_eye_read(eye, window->id, HF_EFFECT_TREE_MS, hf_call_deadline(effect->call));
    if (effect->tree && eye->tree && eye->window == window->id)
        hf_elements_note_restless(eye->elements, eye->tree, effect->tree);
}

/* ---- what it went to ---- */

/* The place that a result names: where the pointer was, else the middle of the element. */
static gboolean find_place(const HfResult *result, HfPoint *ret_point)
{
    const json_t *position = json_object_get(result->json, "position");
    const json_t *bounds = json_object_get(json_object_get(result->json, "element"), "bounds");
    const json_t *place = position ? position : bounds;
    ret_point->x = (int)(hf_json_int(place, "x", -1) + hf_json_int(place, "width", 0) / 2);
    ret_point->y = (int)(hf_json_int(place, "y", -1) + hf_json_int(place, "height", 0) / 2);
    return place != NULL;
}

static void find_target(HfSight *sight, const HfResult *result)
{
    HfEffect *effect = sight->effect;
    const json_t *element = json_object_get(result->json, "element");
    guint32 window = (guint32)hf_json_int(element, "window", 0);
    sight->has_point = find_place(result, &sight->point);
    if (window)
        sight->target = hf_windows_find(effect->before, window);
    else
        sight->target = sight->has_point ? hf_effect_find_at(effect->before, sight->point)
                                         : hf_windows_find_focused(effect->before);
    /* Elements of another window than the one that it turned out to be say nothing. */
    if (!sight->target || effect->window != sight->target->id)
        g_clear_pointer(&effect->tree, hf_tree_unref);
}

/* ---- looking ---- */

/* What is drawn from here on is drawn after it was read. */
static HfTree *read_tree(HfSight *sight, guint32 window, guint max_ms)
{
    HfEffectEye *eye = sight->effect->eye;
    g_array_set_size(eye->since, 0);
    return hf_eye_read(eye, window, max_ms, hf_call_deadline(sight->effect->call));
}

static gboolean look_at_windows(HfSight *sight)
{
    HfEffect *effect = sight->effect;
    g_autoptr(GPtrArray) windows = hf_windows_list(effect->eye->desktop, NULL);
    if (!windows)
        return FALSE;
    hf_eye_note_twice(effect->eye, effect->before, sight->after, windows);
    hf_windows_change_clear(&sight->windows);
    g_clear_pointer(&sight->after, g_ptr_array_unref);
    sight->after = g_steal_pointer(&windows);
    hf_windows_compare(effect->before, sight->after, sight->target, sight->news.popups,
                       effect->eye->titles, &sight->windows);
    return sight->windows.proof && !sight->windows.weak;
}

static void compare_with(HfSight *sight, HfTree *now)
{
    HfEffect *effect = sight->effect;
    if (sight->tree)
        hf_elements_note_again(effect->eye->elements, effect->tree, sight->tree, now);
    HfElementsAim aim = {.point = sight->has_point ? &sight->point : NULL,
                         .moves = hf_call_has(effect->call, "direction"),
                         .since = effect->since};
    hf_elements_change_clear(&sight->elements);
    hf_elements_compare(effect->tree, now, &aim, effect->eye->elements, &sight->elements);
    if (effect->tool->verifies == HF_VERIFY_TEXT)
        sight->text =
            hf_elements_find_text(effect->tree, now, hf_call_string(effect->call, "text"));
}

/* A window that is gone has no elements: that it is gone is told already. */
static gboolean look_at_elements(HfSight *sight)
{
    HfEffect *effect = sight->effect;
    gboolean there = effect->tree && hf_windows_find(sight->after, effect->window);
    HfTree *now = there ? read_tree(sight, effect->window, HF_EFFECT_TREE_MS) : NULL;
    if (!now)
        return FALSE;
    compare_with(sight, now);
    g_clear_pointer(&sight->tree, hf_tree_unref);
    sight->tree = now;
    return sight->text == HF_TEXT_ARRIVED || (sight->elements.proof && !sight->elements.weak);
}

/* TRUE when there is a proof that needs no second look. */
static gboolean look_after(HfSight *sight)
{
    gboolean strong = look_at_windows(sight);
    strong = look_at_elements(sight) || strong;
    if (strong || !(sight->windows.proof || sight->elements.proof))
        sight->weak_since_us = 0;
    else if (!sight->weak_since_us)
        sight->weak_since_us = g_get_monotonic_time();
    return strong;
}

static gboolean on_rest(gpointer data)
{
    return look_after(data);
}

/* What changes by itself would change again: what is to count has to stay for a while. */
static void look_twice(HfSight *sight)
{
    const HfDeadline *deadline = hf_call_deadline(sight->effect->call);
    if (!sight->weak_since_us)
        return;
    gint64 left = sight->weak_since_us + HF_EFFECT_QUIET_MS * 1000 - g_get_monotonic_time();
    if (left > 0 && hf_deadline_pause(deadline, left, NULL))
        look_after(sight);
}

/* What a program has not read it cannot have acted on: the quiet is counted from then on. */
static void wait_for_reader(HfSight *sight)
{
    if (!sight->target)
        return;
    const HfDeadline *deadline = hf_call_deadline(sight->effect->call);
    HfDeadline patience = hf_deadline_within_ms(deadline, READ_MS);
    sight->unread =
        !hf_window_settle(sight->effect->eye->desktop, sight->target->id, &patience, NULL) &&
        hf_deadline_passed(&patience);
}

/* A title may change without anything being drawn. */
static gboolean look_for_titles(HfSight *sight)
{
    look_at_windows(sight);
    if (sight->windows.weak && !sight->weak_since_us)
        sight->weak_since_us = g_get_monotonic_time();
    return sight->windows.weak || sight->elements.weak;
}

gboolean hf_sight_take(HfSight *sight, HfEffect *effect, const HfResult *result, GError **error)
{
    HfEffectEye *eye = effect->eye;
    HfSettling settling = {.watch = eye->watch,
                           .deadline = hf_call_deadline(effect->call),
                           .seen = on_rest,
                           .data = sight,
                           .news = &sight->news,
                           .aside = eye->since};
    gint64 began = g_get_monotonic_time();
    sight->effect = effect;
    hf_screen_news_init(&sight->news);
    find_target(sight, result);
    settling.restless = sight->has_point ? eye->restless : NULL;
    settling.target = sight->point;
    wait_for_reader(sight);
    gboolean settled = hf_effect_settle(&settling, error);
    if (settled && look_for_titles(sight))
        look_twice(sight);
    sight->waited_us = g_get_monotonic_time() - began;
    return settled;
}

/* ---- for the next action ---- */

/* What was read last of that window still holds, but for what was drawn since. */
static HfTree *take_known(HfSight *sight, guint32 window)
{
    HfEffect *effect = sight->effect;
    if (window != effect->window)
        return NULL;
    return sight->tree ? g_steal_pointer(&sight->tree) : g_steal_pointer(&effect->tree);
}

void hf_sight_leave(HfSight *sight)
{
    const HfWindow *next = sight->after ? hf_windows_find_focused(sight->after) : NULL;
    guint32 window = next ? next->id : 0;
    HfTree *tree = next ? take_known(sight, window) : NULL;
    if (next && !tree && !sight->unread)
        tree = read_tree(sight, window, HF_EFFECT_AHEAD_MS);
    hf_eye_keep(sight->effect->eye, g_steal_pointer(&sight->after), tree, window);
}
