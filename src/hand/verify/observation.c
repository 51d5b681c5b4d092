/* SPDX-License-Identifier: Apache-2.0 */
/* Looks before an action and after it, and decides how long to wait in between. What is not known
 * makes a verdict weaker, never stronger. */
#include "hand/verify/observation.h"

#include "hand/desktop/input-settle.h"
#include "hand/verify/verify-limits.h"
#include "shared/image/rects.h"

/* How long a program may take to read its input before it counts as busy. */
#define READ_MS 500
/* How often titles that have to stay are looked at. */
#define TITLES_US (110 * 1000)
#define REST_US   (HF_EFFECT_REST_MS * (gint64)1000)
#define QUIET_US  (HF_EFFECT_QUIET_MS * (gint64)1000)

void hf_observation_clear(HfObservation *observation)
{
    hf_screen_changes_clear(&observation->changes);
    g_free(observation->proof);
    g_clear_pointer(&observation->drawn_later, g_array_unref);
    hf_windows_change_clear(&observation->windows);
    hf_elements_change_clear(&observation->elements);
    g_clear_pointer(&observation->tree, hf_tree_unref);
    g_clear_pointer(&observation->after, g_ptr_array_unref);
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

static HfTree *read_elements(HfEffect *effect, guint32 window, gboolean soon)
{
    return hf_observer_read(effect->observer, hf_call_context(effect->call), window, soon,
                            hf_call_deadline(effect->call));
}

/* The elements read after the last action show what changes by itself, and stand in when none can
 * be read now. */
void hf_effect_observe_before(HfEffect *effect, const HfWindow *window, gboolean soon)
{
    HfObserver *observer = effect->observer;
    if (!window || effect->tree)
        return;
    effect->window = window->id;
    g_autoptr(HfTree) known = hf_observer_get_cached(observer, window, &effect->since);
    effect->watched = known && hf_observer_was_still_long(observer->read_us);
    gint64 began_us = g_get_monotonic_time();
    effect->tree = read_elements(effect, window->id, soon);
    effect->fresh = effect->tree != NULL;
    if (effect->fresh) {
        if (known)
            hf_elements_note_self_changing(observer->elements, known, effect->tree);
        g_array_set_size(observer->since, 0);
        observer->read_us = began_us;
    } else {
        effect->tree = g_steal_pointer(&known);
    }
}

/* ---- what was acted on ---- */

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

static void find_acted_window(HfObservation *observation, const HfResult *result)
{
    HfEffect *effect = observation->effect;
    const json_t *element = json_object_get(result->json, "element");
    guint32 window = (guint32)hf_json_int(element, "window", 0);
    observation->has_point = find_result_point(result, &observation->point);
    if (window)
        observation->target = hf_windows_find(effect->before, window);
    else
        observation->target = observation->has_point
                                  ? hf_effect_find_window_at(effect->before, observation->point)
                                  : hf_windows_find_focused(effect->before);
    /* The elements of another window than the one that was acted on say nothing. */
    if (!observation->target || effect->window != observation->target->id)
        g_clear_pointer(&effect->tree, hf_tree_unref);
}

/* ---- looking ---- */

/* What could not be seen this time does not count from the last time. */
static gboolean look_at_windows(HfObservation *observation)
{
    HfEffect *effect = observation->effect;
    g_autoptr(GPtrArray) windows = hf_windows_list(effect->observer->desktop, NULL);
    HfWindowsContext context = {.target = observation->target,
                                .popups = observation->changes.popups,
                                .self_changing = effect->observer->self_changing_windows,
                                .watched = effect->windows_watched};
    hf_windows_change_clear(&observation->windows);
    if (!windows)
        return FALSE;
    hf_observer_note_title_changes(effect->observer, effect->before, observation->after, windows);
    g_clear_pointer(&observation->after, g_ptr_array_unref);
    observation->after = g_steal_pointer(&windows);
    hf_windows_compare(effect->before, observation->after, &context, &observation->windows);
    return observation->windows.proof.text && observation->windows.proof.stay == HF_STAY_NONE;
}

/* Where a change proves nothing: what was drawn while the proof had to stay, and what was drawn
 * before the action if the elements were not read again since. */
static GArray *join_drawn(const HfObservation *observation)
{
    const GArray *since = observation->effect->fresh ? NULL : observation->effect->since;
    GArray *joined = g_array_copy(observation->drawn_later);
    if (since && since->len > 0)
        g_array_append_vals(joined, since->data, since->len);
    return joined;
}

static void compare_elements(HfObservation *observation, HfTree *now)
{
    HfEffect *effect = observation->effect;
    HfObserver *observer = effect->observer;
    if (observation->tree)
        hf_elements_note_again(observer->elements, effect->tree, observation->tree, now);
    g_autoptr(GArray) drawn = join_drawn(observation);
    HfElementsContext context = {.point = observation->has_point ? &observation->point : NULL,
                                 .moves = hf_call_has(effect->call, "direction"),
                                 .window = effect->window,
                                 .since = drawn,
                                 .watched = effect->watched,
                                 .lately = effect->fresh ? effect->since : NULL,
                                 .idle = observer->idle};
    hf_elements_compare(effect->tree, now, &context, observer->elements, &observation->elements);
    if (effect->tool->verifies == HF_VERIFY_TEXT)
        observation->text =
            hf_elements_find_text(effect->tree, now, hf_call_string(effect->call, "text"));
}

static HfTextSeen text_unread(const HfEffect *effect)
{
    return effect->tool->verifies == HF_VERIFY_TEXT
               ? hf_elements_text_unread(hf_call_string(effect->call, "text"))
               : HF_TEXT_UNKNOWN;
}

/* A closed window has no elements, and the windows say already that it closed. */
static gboolean look_at_elements(HfObservation *observation)
{
    HfEffect *effect = observation->effect;
    HfTree *now = NULL;
    if (effect->tree && observation->after && hf_windows_find(observation->after, effect->window)) {
        hf_observer_begin_reading(effect->observer);
        now = read_elements(effect, effect->window, FALSE);
    }
    hf_elements_change_clear(&observation->elements);
    observation->text = text_unread(effect);
    if (now)
        compare_elements(observation, now);
    g_clear_pointer(&observation->tree, hf_tree_unref);
    observation->tree = now;
    return observation->text == HF_TEXT_ARRIVED ||
           (observation->elements.proof.text && observation->elements.proof.stay == HF_STAY_NONE);
}

/* The stronger one of the two. */
static const char *find_proof(const HfObservation *observation, HfStay *ret_stay)
{
    const HfEvidenceStrength *windows = &observation->windows.proof;
    const HfEvidenceStrength *elements = &observation->elements.proof;
    const HfEvidenceStrength *best =
        windows->text && !(elements->text && elements->stay < windows->stay) ? windows : elements;
    *ret_stay = best->stay;
    return best->text;
}

const char *hf_observation_get_proof(const HfObservation *observation)
{
    HfStay stay;
    const char *proof = find_proof(observation, &stay);
    return proof && stay <= observation->stayed ? proof : NULL;
}

/* A new proof has not been there for as long as the last one. */
static void note_proof(HfObservation *observation, gint64 looked_us)
{
    HfStay stay;
    const char *proof = find_proof(observation, &stay);
    observation->looked_us = looked_us;
    if (g_strcmp0(proof, observation->proof) == 0)
        return;
    g_free(observation->proof);
    observation->proof = g_strdup(proof);
    observation->proof_us = g_get_monotonic_time();
}

/* TRUE when there is a proof that needs no second look. */
static gboolean look_after(HfObservation *observation)
{
    gint64 now = g_get_monotonic_time();
    gboolean strong = look_at_windows(observation);
    strong = look_at_elements(observation) || strong;
    note_proof(observation, now);
    return strong;
}

/* ---- settling: the screen rests after REST_US without drawing, and is looked at then. After
 * QUIET_US without drawing nothing more is expected. ---- */

typedef struct SettleWait {
    gint64 began_us, last_us; /* `last_us`: when something last happened */
    gint64 seen_us;           /* when a strong proof was seen; 0: not yet */
    gboolean unseen;          /* something happened that was not looked at yet */
} SettleWait;

/* Reads what has happened. `ret_happened`: something that counts. */
static gboolean read_screen_changes(HfObservation *observation, gboolean *ret_happened,
                                    GError **error)
{
    HfObserver *observer = observation->effect->observer;
    HfScreenChanges *changes = &observation->changes;
    g_auto(HfScreenChanges) fresh = {0};
    hf_screen_changes_init(&fresh);
    if (!hf_screen_watch_read(observer->watch, &fresh, error))
        return FALSE;
    if (observation->has_point)
        hf_idle_drawing_remove(observer->idle, fresh.drawn, observation->point,
                               g_get_monotonic_time(), observer->since);
    *ret_happened = fresh.drawn->len > 0 || fresh.windows;
    changes->windows |= fresh.windows;
    hf_observer_add_rects(changes->drawn, fresh.drawn);
    g_array_append_vals(changes->popups, fresh.popups->data, fresh.popups->len);
    return TRUE;
}

/* FALSE when the call must end. Running into `until_us` is no error. */
static gboolean wait_for_screen_event(HfObservation *observation, gint64 until_us, GError **error)
{
    const HfDeadline *deadline = hf_call_deadline(observation->effect->call);
    HfDeadline limit = {MIN(until_us, deadline->at_us), deadline->cancellable};
    return hf_deadline_wait_readable(&limit, observation->effect->observer->watch->fd, NULL) ||
           hf_deadline_check(deadline, error);
}

/* More may follow a strong proof and belong to it, but is not waited for as long. */
static gint64 settle_end(const SettleWait *wait)
{
    return wait->seen_us
               ? MIN(wait->last_us + REST_US, wait->seen_us + QUIET_US)
               : MIN(wait->last_us + QUIET_US, wait->began_us + HF_EFFECT_MOST_MS * (gint64)1000);
}

/* Windows are looked at as soon as they change: the screen may not rest for long. */
static void look_when_settled(HfObservation *observation, SettleWait *wait, gint64 now)
{
    gboolean rests = now >= wait->last_us + REST_US;
    if (!wait->unseen || wait->seen_us || !(rests || observation->changes.windows))
        return;
    wait->unseen = !rests;
    observation->changes.windows = FALSE;
    if (look_after(observation))
        wait->seen_us = now;
}

/* Returns when a strong proof was seen, when nothing more happens, or after HF_EFFECT_MOST_MS. */
static gboolean wait_until_settled(HfObservation *observation, GError **error)
{
    gint64 now = g_get_monotonic_time();
    SettleWait wait = {.began_us = now, .last_us = now};
    for (;;) {
        gboolean happened;
        if (!read_screen_changes(observation, &happened, error))
            return FALSE;
        now = g_get_monotonic_time();
        if (happened) {
            wait.last_us = now;
            wait.unseen = TRUE;
        }
        look_when_settled(observation, &wait, now);
        gint64 end = settle_end(&wait), rest = wait.last_us + REST_US;
        if (now >= end) {
            if (wait.unseen)
                look_after(observation);
            return TRUE;
        }
        if (!wait_for_screen_event(observation, wait.unseen && rest > now ? MIN(end, rest) : end,
                                   error))
            return FALSE;
    }
}

/* ---- what has to stay ---- */

/* Programs do not draw their titles, so no event says that one changed: look now and then. */
static gboolean pause_and_listen(HfObservation *observation, gint64 until_us)
{
    HfEffect *effect = observation->effect;
    g_auto(HfScreenChanges) fresh = {0};
    hf_screen_changes_init(&fresh);
    for (gint64 left; (left = until_us - g_get_monotonic_time()) > 0;) {
        if (!hf_deadline_pause(hf_call_deadline(effect->call), MIN(left, TITLES_US), NULL))
            return FALSE;
        if (observation->windows.proof.text)
            look_at_windows(observation);
    }
    if (!hf_screen_watch_read(effect->observer->watch, &fresh, NULL))
        return FALSE;
    hf_observer_add_rects(observation->drawn_later, fresh.drawn);
    return TRUE;
}

/* What changes by itself would change again. So a change has to stay for a while, as it was still
 * for a while before. */
static void wait_for_change_to_stay(HfObservation *observation)
{
    static const gint64 spans_us[] = {0, QUIET_US, HF_EFFECT_CALM_MS * 1000};
    gint64 end = g_get_monotonic_time() + HF_EFFECT_STAY_MS * 1000;
    HfStay stay;
    while (find_proof(observation, &stay)) {
        gint64 until = observation->proof_us + spans_us[stay];
        if (stay == HF_STAY_NONE || observation->looked_us >= until) {
            observation->stayed = stay;
            return;
        }
        if (until > end || !pause_and_listen(observation, until))
            return;
        look_after(observation);
    }
}

/* A program cannot have acted on input that it has not read: the quiet is counted from then on. */
static void wait_for_window_to_read(HfObservation *observation)
{
    if (!observation->target)
        return;
    const HfEffect *effect = observation->effect;
    HfDeadline patience = hf_deadline_within_ms(hf_call_deadline(effect->call), READ_MS);
    observation->input_unread = !hf_input_settle_window(effect->observer->desktop,
                                                        observation->target->id, &patience, NULL) &&
                                hf_deadline_passed(&patience);
}

gboolean hf_observation_take(HfObservation *observation, HfEffect *effect, const HfResult *result,
                             GError **error)
{
    gint64 began = g_get_monotonic_time();
    observation->effect = effect;
    observation->text = text_unread(effect);
    observation->drawn_later = g_array_new(FALSE, FALSE, sizeof(HfRect));
    hf_screen_changes_init(&observation->changes);
    find_acted_window(observation, result);
    wait_for_window_to_read(observation);
    gboolean settled = wait_until_settled(observation, error);
    if (settled) {
        /* A title may change without anything being drawn. The elements were not read again. */
        look_at_windows(observation);
        note_proof(observation, observation->looked_us);
        wait_for_change_to_stay(observation);
    }
    observation->waited_us = g_get_monotonic_time() - began;
    return settled;
}

/* ---- for the next action ---- */

/* The elements that were last read of the window, except where it was drawn since. Those from
 * before the action only if nothing was drawn after it. */
static HfTree *take_known_elements(HfObservation *observation, guint32 window)
{
    HfEffect *effect = observation->effect;
    if (window != effect->window)
        return NULL;
    if (observation->tree)
        return g_steal_pointer(&observation->tree);
    return observation->changes.drawn->len == 0 ? g_steal_pointer(&effect->tree) : NULL;
}

void hf_observation_keep_for_next(HfObservation *observation)
{
    HfObserver *observer = observation->effect->observer;
    const HfWindow *next = observation->after ? hf_windows_find_focused(observation->after) : NULL;
    guint32 window = next ? next->id : 0;
    HfTree *tree = next ? take_known_elements(observation, window) : NULL;
    if (next && !tree && !observation->input_unread) {
        hf_observer_begin_reading(observer);
        tree = read_elements(observation->effect, window, TRUE);
    }
    hf_observer_cache(observer, g_steal_pointer(&observation->after), tree, window);
}
