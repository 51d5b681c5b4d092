/* SPDX-License-Identifier: Apache-2.0 */
/* Before, after, and the verdict: each is a file of its own, this is their order. */
#include "hand/verify/effect.h"

#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/privacy-mask.h"
#include "hand/verify/observation.h"
#include "hand/verify/verdict.h"

/* ---- before ---- */

/* Right before the button goes down: only then is it known where. A point is clicked without much
 * delay; who names an element has it read anyway. */
static void on_press(HfPoint point, gpointer data)
{
    HfEffect *effect = data;
    if (effect->watching)
        hf_effect_observe_before(effect, hf_effect_find_window_at(effect->before, point),
                                 hf_call_has(effect->call, "target") ? HF_LOOK_BUDGET_READ
                                                                     : HF_LOOK_BUDGET_SOON);
}

/* The window that the call names, else the one that has the keyboard. */
static const HfWindow *find_likely(const HfEffect *effect)
{
    gint64 id = hf_call_int(effect->call, "window_id");
    const HfWindow *named = id > 0 ? hf_windows_find(effect->before, (guint32)id) : NULL;
    return named ? named : hf_windows_find_focused(effect->before);
}

/* Keys are as quick as clicks. Texts, and what is done by structure, are slower anyway. */
static gboolean look_before(HfEffect *effect, GError **error)
{
    HfTarget target = effect->tool->target;
    effect->before = hf_observer_open(effect->eye, error);
    if (!effect->before)
        return FALSE;
    effect->windows_watched = effect->eye->last && hf_observer_was_still_long(effect->eye->last_us);
    if (target == HF_TARGET_POINT || target == HF_TARGET_DRAG) {
        hf_call_context_set_observer(hf_call_context(effect->call), on_press, effect);
        return TRUE;
    }
    gboolean slow = effect->tool->verifies == HF_VERIFY_TEXT || target == HF_TARGET_ELEMENT;
    hf_effect_observe_before(effect, find_likely(effect),
                             slow ? HF_LOOK_BUDGET_READ : HF_LOOK_BUDGET_SOON);
    return TRUE;
}

static void stop_watching(HfEffect *effect, gboolean failed)
{
    if (!effect->watching)
        return;
    hf_observer_close(effect->eye, failed);
    effect->watching = FALSE;
    g_mutex_unlock(&effect->eye->lock);
}

HfEffect *hf_effect_begin(HfObserver *eye, HfCall *call)
{
    HfEffect *effect = g_new0(HfEffect, 1);
    effect->eye = eye;
    effect->call = call;
    effect->tool = hf_call_tool(call);
    if (effect->tool->verifies < HF_VERIFY_EFFECT)
        return effect;
    g_autoptr(GError) error = NULL;
    if (!g_mutex_trylock(&eye->lock)) {
        hf_observer_invalidate(eye);
        effect->blind = g_strdup("another action was under way");
        return effect;
    }
    effect->watching = TRUE;
    if (!look_before(effect, &error)) {
        effect->blind = g_strdup(error->message);
        stop_watching(effect, TRUE);
    }
    return effect;
}

/* ---- after ---- */

/* What happens where no picture shows anything is not told either. */
static void hide_rects(const HfObservation *sight, json_t *told)
{
    g_autoptr(GArray) drawn = g_array_copy(sight->news.drawn);
    guint before = drawn->len;
    hf_privacy_mask_hide(hf_call_context(sight->effect->call), drawn);
    if (before > 0 && drawn->len == 0)
        json_object_del(told, "rects");
    else if (before > 0)
        json_object_set_new(told, "rects", hf_verdict_rects_to_json(drawn));
}

static json_t *find_effect(HfEffect *effect, const HfResult *result)
{
    g_auto(HfObservation) sight = {0};
    g_autoptr(GError) error = NULL;
    gboolean seen = hf_observation_take(&sight, effect, result, &error);
    json_t *told = seen || hf_observation_get_proof(&sight)
                       ? hf_verdict_of_observation(&sight)
                       : hf_effect_new(HF_VERDICT_UNVERIFIED, error->message);
    if (hf_fence_get_privacy_list(hf_call_context(effect->call)))
        hide_rects(&sight, told);
    if (seen)
        hf_observation_keep_for_next(&sight);
    stop_watching(effect, !seen);
    return told;
}

/* A text that was put into a field and read from it again. Not one that ends with the enter key,
 * which is pressed after that and may do anything. */
static gboolean was_read_back(const HfEffect *effect, const HfResult *result)
{
    const char *text = hf_json_bool(result->json, "read_back", FALSE)
                           ? hf_call_string(effect->call, "text")
                           : NULL;
    return text && !g_str_has_suffix(text, "\n");
}

static json_t *decide_effect(HfEffect *effect, const HfResult *result, const GError *error)
{
    if (!result) {
        hf_observer_invalidate(effect->eye);
        return hf_effect_refused(error);
    }
    if (effect->tool->verifies == HF_VERIFY_OWN)
        return hf_effect_new(HF_VERDICT_CONFIRMED, "it was seen to be so");
    if (effect->tool->verifies == HF_VERIFY_ACCEPTED)
        return hf_effect_new(HF_VERDICT_UNVERIFIED,
                             "a program has taken it; what it did was not looked at");
    if (was_read_back(effect, result)) {
        hf_observer_invalidate(effect->eye);
        return hf_effect_new(HF_VERDICT_CONFIRMED, "the field holds the text");
    }
    if (hf_json_bool(result->json, "confirmed", FALSE)) {
        hf_observer_invalidate(effect->eye);
        return hf_effect_new(HF_VERDICT_CONFIRMED,
                             hf_json_string(result->json, "seen", "it was seen to be so"));
    }
    if (effect->blind)
        return hf_effect_new(HF_VERDICT_UNVERIFIED, effect->blind);
    return find_effect(effect, result);
}

json_t *hf_effect_end(HfEffect *effect, const HfResult *result, const GError *error)
{
    hf_call_context_set_observer(hf_call_context(effect->call), NULL, NULL);
    json_t *told = decide_effect(effect, result, error);
    stop_watching(effect, FALSE);
    g_clear_pointer(&effect->before, g_ptr_array_unref);
    g_clear_pointer(&effect->tree, hf_tree_unref);
    g_clear_pointer(&effect->since, g_array_unref);
    g_free(effect->blind);
    g_free(effect);
    return told;
}
