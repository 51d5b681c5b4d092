/* SPDX-License-Identifier: Apache-2.0 */
/* Decides the verdict on an action: observes before it and after it, then judges what was seen. It
 * must never confirm anything that is not certain. */
#include "hand/verify/effect.h"

#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/privacy-mask.h"
#include "hand/verify/observation.h"
#include "hand/verify/verify-limits.h"
#include "shared/base/error.h"
#include "shared/image/rects.h"

/* ---- before ---- */

/* Only when the button is about to go down is it known where. A click on a point must not be
 * delayed much. A caller that names an element waits for the elements to be read anyway. */
static void on_press(HfPoint point, gpointer data)
{
    HfEffect *effect = data;
    if (effect->watching)
        hf_effect_observe_before(effect, hf_effect_find_window_at(effect->before, point),
                                 !hf_call_has(effect->call, "target"));
}

/* The window that the call names, else the focused one. */
static const HfWindow *find_likely_window(const HfEffect *effect)
{
    gint64 id = hf_call_int(effect->call, "window_id");
    const HfWindow *named = id > 0 ? hf_windows_find(effect->before, (guint32)id) : NULL;
    return named ? named : hf_windows_find_focused(effect->before);
}

/* Keys must be as quick as clicks. Typing a text and acting on an element are slower anyway. */
static gboolean look_before(HfEffect *effect, GError **error)
{
    HfTarget target = effect->tool->target;
    HfObserver *observer = effect->observer;
    effect->before = hf_observer_open(observer, error);
    if (!effect->before)
        return FALSE;
    effect->windows_watched = observer->last && hf_observer_was_still_long(observer->last_us);
    if (target == HF_TARGET_POINT || target == HF_TARGET_DRAG) {
        hf_call_context_set_observer(hf_call_context(effect->call), on_press, effect);
        return TRUE;
    }
    gboolean slow = effect->tool->verifies == HF_VERIFY_TEXT || target == HF_TARGET_ELEMENT;
    hf_effect_observe_before(effect, find_likely_window(effect), !slow);
    return TRUE;
}

static void stop_watching(HfEffect *effect, gboolean failed)
{
    if (!effect->watching)
        return;
    hf_observer_close(effect->observer, failed);
    effect->watching = FALSE;
    g_mutex_unlock(&effect->observer->lock);
}

HfEffect *hf_effect_begin(HfObserver *observer, HfCall *call)
{
    HfEffect *effect = g_new0(HfEffect, 1);
    effect->observer = observer;
    effect->call = call;
    effect->tool = hf_call_tool(call);
    if (effect->tool->verifies < HF_VERIFY_EFFECT)
        return effect;
    g_autoptr(GError) error = NULL;
    if (!g_mutex_trylock(&observer->lock)) {
        hf_observer_invalidate(observer);
        effect->blind = g_strdup("another action was running at the same time");
        return effect;
    }
    effect->watching = TRUE;
    if (!look_before(effect, &error)) {
        effect->blind = g_strdup(error->message);
        stop_watching(effect, TRUE);
    }
    return effect;
}

/* ---- the verdict ---- */

static json_t *rects_to_json(GArray *drawn)
{
    json_t *rects = json_array();
    hf_rects_join(drawn, HF_LIMIT_EFFECT_RECTS);
    for (guint i = 0; i < drawn->len; i++)
        json_array_append_new(rects, hf_json_rect(g_array_index(drawn, HfRect, i)));
    return rects;
}

static json_t *effect_with_suggestion(HfVerdict verdict, const char *why, const char *next)
{
    json_t *effect = hf_effect_new(verdict, why);
    json_object_set_new(effect, "suggested_next", hf_json_text(next));
    return effect;
}

static json_t *judge_modal_dialog(const HfWindow *modal, gboolean changed)
{
    g_autofree char *why = g_strdup_printf("the dialog '%s' blocks this window", modal->title);
    g_autofree char *next = g_strdup_printf("answer the dialog first: window_id %u", modal->id);
    return effect_with_suggestion(changed ? HF_VERDICT_UNVERIFIED : HF_VERDICT_NO_EFFECT, why,
                                  next);
}

/* A typed text is looked for in its field: other changes there prove nothing. */
static json_t *judge_text(const HfObservation *observation)
{
    switch (observation->text) {
    case HF_TEXT_ARRIVED:
        return hf_effect_new(HF_VERDICT_CONFIRMED, "the field contains the text");
    case HF_TEXT_MISSING:
        return effect_with_suggestion(
            HF_VERDICT_UNVERIFIED, "the focused field does not contain the text as it was typed",
            "read the field before you go on: it may have changed the text or lost part of it");
    case HF_TEXT_PASSWORD:
        return hf_effect_new(HF_VERDICT_UNVERIFIED,
                             "the text went to a password field, which is never read");
    case HF_TEXT_UNSEEN:
        if (!hf_observation_get_proof(observation))
            return NULL;
        return effect_with_suggestion(HF_VERDICT_UNVERIFIED,
                                      "the focused element cannot be read, and the other changes "
                                      "do not show that the text arrived",
                                      "look at the field: zoom or screenshot");
    default:
        return NULL;
    }
}

static json_t *judge_changes(const HfObservation *observation)
{
    json_t *typed = judge_text(observation);
    if (typed)
        return typed;
    const char *proof = hf_observation_get_proof(observation);
    if (proof)
        return hf_effect_new(HF_VERDICT_CONFIRMED, proof);
    gboolean changed = observation->changes.drawn->len > 0 || observation->windows.windows ||
                       observation->windows.focus;
    const HfWindow *modal = observation->target ? hf_windows_find_modal(observation->effect->before,
                                                                        observation->target)
                                                : NULL;
    if (modal)
        return judge_modal_dialog(modal, changed);
    if (changed)
        return effect_with_suggestion(HF_VERDICT_UNVERIFIED,
                                      "the screen was redrawn, but that alone proves nothing: a "
                                      "button that does nothing looks pressed too",
                                      "look at the rects: zoom or screenshot");
    if (observation->input_unread)
        return effect_with_suggestion(HF_VERDICT_UNVERIFIED,
                                      "the program has not read the input yet: it is busy or hangs",
                                      "wait, then look again");
    return effect_with_suggestion(
        HF_VERDICT_NO_EFFECT, "nothing was redrawn, and no window opened, closed or changed",
        "take a screenshot: try another target, or wait if the program is slow");
}

json_t *hf_effect_judge(const HfObservation *observation)
{
    json_t *effect = judge_changes(observation);
    json_object_set_new(effect, "waited_ms", json_integer(observation->waited_us / 1000));
    if (observation->windows.windows)
        json_object_set(effect, "windows", observation->windows.windows);
    if (observation->windows.focus)
        json_object_set(effect, "focus", observation->windows.focus);
    if (observation->elements.elements)
        json_object_set(effect, "elements", observation->elements.elements);
    if (observation->changes.drawn->len > 0)
        json_object_set_new(effect, "rects", rects_to_json(observation->changes.drawn));
    return effect;
}

/* Errors after which it is certain that nothing was done. */
static gboolean was_refused(const GError *error)
{
    static const HfErrorCode codes[] = {
        HF_ERROR_DESKTOP_MODAL_BLOCKING, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
        HF_ERROR_DESKTOP_STALE_SNAPSHOT, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
        HF_ERROR_APP_NOT_ALLOWED,        HF_ERROR_LOCKED,
        HF_ERROR_PRECONDITION_FAILED,    HF_ERROR_INVALID_PARAMS,
        HF_ERROR_WINDOW_NOT_FOUND,       HF_ERROR_WINDOW_AMBIGUOUS,
        HF_ERROR_APP_NOT_FOUND,          HF_ERROR_ELEMENT_AMBIGUOUS,
    };
    for (gsize i = 0; i < G_N_ELEMENTS(codes); i++)
        if (hf_error_code(error) == codes[i])
            return TRUE;
    if (hf_error_code(error) != HF_ERROR_DESKTOP_FOCUS_LOST)
        return FALSE;
    g_autoptr(json_t) json = hf_error_to_json(error);
    return hf_json_int(json_object_get(json, "details"), "characters", 0) == 0;
}

json_t *hf_effect_refused(const GError *error)
{
    return error && was_refused(error) ? hf_effect_new(HF_VERDICT_REFUSED, error->message) : NULL;
}

/* ---- after ---- */

/* Where pictures show nothing for privacy, drawing is not reported either. */
static void hide_private_rects(const HfObservation *observation, json_t *effect)
{
    g_autoptr(GArray) drawn = g_array_copy(observation->changes.drawn);
    guint before = drawn->len;
    hf_privacy_mask_hide(hf_call_context(observation->effect->call), drawn);
    if (before > 0 && drawn->len == 0)
        json_object_del(effect, "rects");
    else if (before > 0)
        json_object_set_new(effect, "rects", rects_to_json(drawn));
}

static json_t *observe_and_judge(HfEffect *effect, const HfResult *result)
{
    g_auto(HfObservation) observation = {0};
    g_autoptr(GError) error = NULL;
    gboolean seen = hf_observation_take(&observation, effect, result, &error);
    json_t *report = seen || hf_observation_get_proof(&observation)
                         ? hf_effect_judge(&observation)
                         : hf_effect_new(HF_VERDICT_UNVERIFIED, error->message);
    if (hf_fence_get_privacy_list(hf_call_context(effect->call)))
        hide_private_rects(&observation, report);
    if (seen)
        hf_observation_keep_for_next(&observation);
    stop_watching(effect, !seen);
    return report;
}

/* Whether the text was put into a field and read from it again. Not for one that ends with the
 * enter key, which is pressed after that and may do anything. */
static gboolean was_read_back(const HfEffect *effect, const HfResult *result)
{
    const char *text = hf_json_bool(result->json, "read_back", FALSE)
                           ? hf_call_string(effect->call, "text")
                           : NULL;
    return text && !g_str_has_suffix(text, "\n");
}

static json_t *decide_effect(HfEffect *effect, const HfResult *result, const GError *error)
{
    static const char checked[] = "the tool checked the outcome itself";
    if (!result) {
        hf_observer_invalidate(effect->observer);
        return hf_effect_refused(error);
    }
    if (effect->tool->verifies == HF_VERIFY_OWN)
        return hf_effect_new(HF_VERDICT_CONFIRMED, checked);
    if (effect->tool->verifies == HF_VERIFY_ACCEPTED)
        return hf_effect_new(HF_VERDICT_UNVERIFIED,
                             "a program accepted it, but nobody checked what it did");
    if (was_read_back(effect, result)) {
        hf_observer_invalidate(effect->observer);
        return hf_effect_new(HF_VERDICT_CONFIRMED, "the field contains the text");
    }
    if (hf_json_bool(result->json, "confirmed", FALSE)) {
        hf_observer_invalidate(effect->observer);
        return hf_effect_new(HF_VERDICT_CONFIRMED, hf_json_string(result->json, "seen", checked));
    }
    if (effect->blind)
        return hf_effect_new(HF_VERDICT_UNVERIFIED, effect->blind);
    return observe_and_judge(effect, result);
}

json_t *hf_effect_end(HfEffect *take_effect, const HfResult *result, const GError *error)
{
    HfEffect *effect = take_effect;
    hf_call_context_set_observer(hf_call_context(effect->call), NULL, NULL);
    json_t *report = decide_effect(effect, result, error);
    stop_watching(effect, FALSE);
    g_clear_pointer(&effect->before, g_ptr_array_unref);
    g_clear_pointer(&effect->tree, hf_tree_unref);
    g_clear_pointer(&effect->since, g_array_unref);
    g_free(effect->blind);
    g_free(effect);
    return report;
}
