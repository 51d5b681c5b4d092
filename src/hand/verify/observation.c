/* SPDX-License-Identifier: Apache-2.0 */
/* What is not known makes a verdict weaker, never stronger. */
#include "hand/verify/observation.h"

#include "hand/desktop/input-settle.h"
#include "hand/verify/effect-settle.h"
#include "hand/verify/verify-limits.h"
#include "shared/image/rects.h"

/* How long a program may take to read what was done to it before it counts as busy. */
#define READ_MS 500
/* How often titles are looked at that have to stay. */
#define TITLES_US  (110 * 1000)
#define MOST_RECTS 64

void hf_observation_clear(HfObservation *sight)
{
    hf_screen_changes_clear(&sight->news);
    g_free(sight->held);
    g_clear_pointer(&sight->later, g_array_unref);
    hf_windows_change_clear(&sight->windows);
    hf_elements_change_clear(&sight->elements);
    g_clear_pointer(&sight->tree, hf_tree_unref);
    g_clear_pointer(&sight->after, g_ptr_array_unref);
}

/* ---- before ---- */

const HfWindow *hf_effect_find_window_at(const GPtrArray *windows, HfPoint point)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && hf_rect_contains(window->frame, point))
            return window;
    }
    return NULL;
}

static HfTree *read_elements_before(HfEffect *effect, guint32 window, HfLookBudget look)
{
    const HfDeadline *deadline = hf_call_deadline(effect->call);
    if (look == HF_LOOK_BUDGET_KNOWN)
        return NULL;
    return look == HF_LOOK_BUDGET_SOON
               ? hf_observer_read_soon(effect->eye, hf_call_context(effect->call), window, deadline)
               : hf_observer_read(effect->eye, hf_call_context(effect->call), window,
                                  HF_EFFECT_TREE_MS, deadline);
}

/* What was read after the last action tells what happens by itself, and stands in when nothing can
 * be read now. */
void hf_effect_observe_before(HfEffect *effect, const HfWindow *window, HfLookBudget look)
{
    HfObserver *eye = effect->eye;
    if (!window || effect->tree)
        return;
    effect->window = window->id;
    g_autoptr(HfTree) known = hf_observer_get_cached(eye, window, &effect->since);
    effect->watched = known && hf_observer_was_still_long(eye->read_us);
    gint64 began_us = g_get_monotonic_time();
    effect->tree = read_elements_before(effect, window->id, look);
    effect->fresh = effect->tree != NULL;
    if (effect->fresh) {
        if (known)
            hf_elements_note_self_changing(eye->elements, known, effect->tree);
        g_array_set_size(eye->since, 0);
        eye->read_us = began_us;
    } else {
        effect->tree = g_steal_pointer(&known);
    }
}

/* ---- what it went to ---- */

/* The place that a result names: where the pointer was, else the middle of the element. */
static gboolean find_result_point(const HfResult *result, HfPoint *ret_point)
{
    const json_t *position = json_object_get(result->json, "position");
    const json_t *bounds = json_object_get(json_object_get(result->json, "element"), "bounds");
    const json_t *place = position ? position : bounds;
    ret_point->x = (int)(hf_json_int(place, "x", -1) + hf_json_int(place, "width", 0) / 2);
    ret_point->y = (int)(hf_json_int(place, "y", -1) + hf_json_int(place, "height", 0) / 2);
    return place != NULL;
}

static void find_acted_window(HfObservation *sight, const HfResult *result)
{
    HfEffect *effect = sight->effect;
    const json_t *element = json_object_get(result->json, "element");
    guint32 window = (guint32)hf_json_int(element, "window", 0);
    sight->has_point = find_result_point(result, &sight->point);
    if (window)
        sight->target = hf_windows_find(effect->before, window);
    else
        sight->target = sight->has_point ? hf_effect_find_window_at(effect->before, sight->point)
                                         : hf_windows_find_focused(effect->before);
    /* Elements of another window than the one that it turned out to be say nothing. */
    if (!sight->target || effect->window != sight->target->id)
        g_clear_pointer(&effect->tree, hf_tree_unref);
}

/* ---- looking ---- */

static HfTree *read_elements_after(HfObservation *sight)
{
    HfEffect *effect = sight->effect;
    hf_observer_begin_reading(effect->eye);
    return hf_observer_read(effect->eye, hf_call_context(effect->call), effect->window,
                            HF_EFFECT_TREE_MS, hf_call_deadline(effect->call));
}

/* What could not be seen this time does not count from the last time. */
static gboolean look_at_windows(HfObservation *sight)
{
    HfEffect *effect = sight->effect;
    g_autoptr(GPtrArray) windows = hf_windows_list(effect->eye->desktop, NULL);
    HfWindowsTarget aim = {.target = sight->target,
                           .popups = sight->news.popups,
                           .restless = effect->eye->titles,
                           .watched = effect->windows_watched};
    hf_windows_change_clear(&sight->windows);
    if (!windows)
        return FALSE;
    hf_observer_note_title_changes(effect->eye, effect->before, sight->after, windows);
    g_clear_pointer(&sight->after, g_ptr_array_unref);
    sight->after = g_steal_pointer(&windows);
    hf_windows_compare(effect->before, sight->after, &aim, &sight->windows);
    return sight->windows.proof.text && sight->windows.proof.stay == HF_STAY_NOT;
}

/* Where what is different proves nothing: what was drawn while it had to stay as it is, and before
 * the action, if it was not read since. */
static GArray *join_drawn(const HfObservation *sight)
{
    GArray *joined = g_array_new(FALSE, FALSE, sizeof(HfRect));
    const GArray *since = sight->effect->fresh ? NULL : sight->effect->since;
    if (since && since->len > 0)
        g_array_append_vals(joined, since->data, since->len);
    if (sight->later->len > 0)
        g_array_append_vals(joined, sight->later->data, sight->later->len);
    return joined;
}

static void compare_with(HfObservation *sight, HfTree *now)
{
    HfEffect *effect = sight->effect;
    if (sight->tree)
        hf_elements_note_again(effect->eye->elements, effect->tree, sight->tree, now);
    g_autoptr(GArray) drawn = join_drawn(sight);
    HfElementsTarget aim = {.point = sight->has_point ? &sight->point : NULL,
                            .moves = hf_call_has(effect->call, "direction"),
                            .window = effect->window,
                            .since = drawn,
                            .watched = effect->watched,
                            .lately = effect->fresh ? effect->since : NULL,
                            .places = effect->eye->restless};
    hf_elements_compare(effect->tree, now, &aim, effect->eye->elements, &sight->elements);
    if (effect->tool->verifies == HF_VERIFY_TEXT)
        sight->text =
            hf_elements_find_text(effect->tree, now, hf_call_string(effect->call, "text"));
}

static HfTextSeen text_unread(const HfEffect *effect)
{
    return effect->tool->verifies == HF_VERIFY_TEXT
               ? hf_elements_text_unread(hf_call_string(effect->call, "text"))
               : HF_TEXT_UNKNOWN;
}

/* A window that is gone has no elements: that it is gone is told already. */
static gboolean look_at_elements(HfObservation *sight)
{
    HfEffect *effect = sight->effect;
    gboolean there = effect->tree && sight->after && hf_windows_find(sight->after, effect->window);
    HfTree *now = there ? read_elements_after(sight) : NULL;
    hf_elements_change_clear(&sight->elements);
    sight->text = text_unread(effect);
    if (now)
        compare_with(sight, now);
    g_clear_pointer(&sight->tree, hf_tree_unref);
    sight->tree = now;
    return sight->text == HF_TEXT_ARRIVED ||
           (sight->elements.proof.text && sight->elements.proof.stay == HF_STAY_NOT);
}

/* The stronger one. */
static const char *find_proof(const HfObservation *sight, HfStay *ret_stay)
{
    gboolean windows =
        sight->windows.proof.text &&
        !(sight->elements.proof.text && sight->elements.proof.stay < sight->windows.proof.stay);
    *ret_stay = windows ? sight->windows.proof.stay : sight->elements.proof.stay;
    return windows ? sight->windows.proof.text : sight->elements.proof.text;
}

const char *hf_observation_get_proof(const HfObservation *sight)
{
    HfStay stay;
    const char *proof = find_proof(sight, &stay);
    return proof && stay <= sight->stayed ? proof : NULL;
}

/* Another proof has not been there for as long as the last one. */
static void note_proof(HfObservation *sight, gint64 looked_us)
{
    HfStay stay;
    const char *proof = find_proof(sight, &stay);
    sight->looked_us = looked_us;
    if (g_strcmp0(proof, sight->held) == 0)
        return;
    g_free(sight->held);
    sight->held = g_strdup(proof);
    sight->held_us = g_get_monotonic_time();
}

/* TRUE when there is a proof that needs no second look. */
static gboolean look_after(HfObservation *sight)
{
    gint64 now = g_get_monotonic_time();
    gboolean strong = look_at_windows(sight);
    strong = look_at_elements(sight) || strong;
    note_proof(sight, now);
    return strong;
}

static gboolean on_screen_rest(gpointer data)
{
    return look_after(data);
}

/* ---- what has to stay ---- */

/* Titles are not drawn by the program, so they are looked at now and then. */
static gboolean pause_and_listen(HfObservation *sight, gint64 until_us)
{
    HfEffect *effect = sight->effect;
    g_auto(HfScreenChanges) fresh = {0};
    hf_screen_changes_init(&fresh);
    for (gint64 left; (left = until_us - g_get_monotonic_time()) > 0;) {
        if (!hf_deadline_pause(hf_call_deadline(effect->call), MIN(left, TITLES_US), NULL))
            return FALSE;
        if (sight->windows.proof.text)
            look_at_windows(sight);
    }
    if (!hf_screen_watch_read(effect->eye->watch, &fresh, NULL))
        return FALSE;
    for (guint i = 0; i < fresh.drawn->len; i++)
        hf_rects_add(sight->later, g_array_index(fresh.drawn, HfRect, i), MOST_RECTS);
    return TRUE;
}

/* What changes by itself would change again: what is to count has to stay for a while, as it was
 * still for a while before. */
static void wait_for_change_to_stay(HfObservation *sight)
{
    static const gint64 spans_us[] = {0, HF_EFFECT_QUIET_MS * 1000, HF_EFFECT_CALM_MS * 1000};
    gint64 end = g_get_monotonic_time() + HF_EFFECT_STAY_MS * 1000;
    HfStay stay;
    while (find_proof(sight, &stay)) {
        gint64 until = sight->held_us + spans_us[stay];
        if (stay == HF_STAY_NOT || sight->looked_us >= until) {
            sight->stayed = stay;
            return;
        }
        if (until > end || !pause_and_listen(sight, until))
            return;
        look_after(sight);
    }
}

/* What a program has not read it cannot have acted on: the quiet is counted from then on. */
static void wait_for_window_to_read(HfObservation *sight)
{
    if (!sight->target)
        return;
    const HfDeadline *deadline = hf_call_deadline(sight->effect->call);
    HfDeadline patience = hf_deadline_within_ms(deadline, READ_MS);
    sight->unread =
        !hf_input_settle_window(sight->effect->eye->desktop, sight->target->id, &patience, NULL) &&
        hf_deadline_passed(&patience);
}

/* A title may change without anything being drawn. */
static void look_for_titles(HfObservation *sight)
{
    gint64 looked_us = sight->looked_us;
    look_at_windows(sight);
    note_proof(sight, looked_us);
}

gboolean hf_observation_take(HfObservation *sight, HfEffect *effect, const HfResult *result,
                             GError **error)
{
    HfObserver *eye = effect->eye;
    HfSettling settling = {.watch = eye->watch,
                           .deadline = hf_call_deadline(effect->call),
                           .seen = on_screen_rest,
                           .data = sight,
                           .news = &sight->news,
                           .aside = eye->since};
    gint64 began = g_get_monotonic_time();
    sight->effect = effect;
    sight->text = text_unread(effect);
    sight->later = g_array_new(FALSE, FALSE, sizeof(HfRect));
    hf_screen_changes_init(&sight->news);
    find_acted_window(sight, result);
    settling.restless = sight->has_point ? eye->restless : NULL;
    settling.target = sight->point;
    wait_for_window_to_read(sight);
    gboolean settled = hf_effect_settle(&settling, error);
    if (settled) {
        look_for_titles(sight);
        wait_for_change_to_stay(sight);
    }
    sight->waited_us = g_get_monotonic_time() - began;
    return settled;
}

/* ---- for the next action ---- */

/* What was read last of that window still holds, but for what was drawn since. What was read before
 * the action does not, if anything was drawn after it. */
static HfTree *take_known(HfObservation *sight, guint32 window)
{
    HfEffect *effect = sight->effect;
    if (window != effect->window)
        return NULL;
    if (sight->tree)
        return g_steal_pointer(&sight->tree);
    return sight->news.drawn->len == 0 ? g_steal_pointer(&effect->tree) : NULL;
}

void hf_observation_keep_for_next(HfObservation *sight)
{
    HfObserver *eye = sight->effect->eye;
    const HfWindow *next = sight->after ? hf_windows_find_focused(sight->after) : NULL;
    guint32 window = next ? next->id : 0;
    HfTree *tree = next ? take_known(sight, window) : NULL;
    if (next && !tree && !sight->unread) {
        hf_observer_begin_reading(eye);
        tree = hf_observer_read_soon(eye, hf_call_context(sight->effect->call), window,
                                     hf_call_deadline(sight->effect->call));
    }
    hf_observer_cache(eye, g_steal_pointer(&sight->after), tree, window);
}
