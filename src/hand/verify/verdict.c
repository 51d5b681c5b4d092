/* SPDX-License-Identifier: Apache-2.0 */
/* The rule is that pixels alone never confirm anything, and that what is not certain is not said.
 */
#include "hand/verify/verdict.h"

#include "hand/verify/verify-limits.h"
#include "shared/base/error.h"
#include "shared/image/rects.h"

json_t *hf_verdict_rects_to_json(GArray *drawn)
{
    json_t *rects = json_array();
    hf_rects_join(drawn, HF_LIMIT_EFFECT_RECTS);
    for (guint i = 0; i < drawn->len; i++)
        json_array_append_new(rects, hf_json_rect(g_array_index(drawn, HfRect, i)));
    return rects;
}

static void set_suggested_next(json_t *effect, const char *next)
{
    json_object_set_new(effect, "suggested_next", hf_json_text(next));
}

static json_t *tell_modal(const HfWindow *modal, HfVerdict verdict)
{
    g_autofree char *why = g_strdup_printf("the dialog '%s' is in front of this window and keeps "
                                           "it from being used",
                                           modal->title);
    g_autofree char *next = g_strdup_printf("answer the dialog first: window %u", modal->id);
    json_t *effect = hf_effect_new(verdict, why);
    set_suggested_next(effect, next);
    return effect;
}

/* What was typed is looked for in the field; that something else there has changed is no proof. */
static json_t *judge_text(const HfObservation *sight)
{
    json_t *effect = NULL;
    if (sight->text == HF_TEXT_ARRIVED)
        return hf_effect_new(HF_VERDICT_CONFIRMED, "the field holds the text");
    if (sight->text == HF_TEXT_MISSING) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED,
                               "the field that has the keyboard does not hold the text as typed");
        set_suggested_next(
            effect, "read the field before going on: it may have changed the text or lost some");
    } else if (sight->text == HF_TEXT_SECURE) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED, "a password field is not read");
    } else if (sight->text == HF_TEXT_UNSEEN && hf_observation_get_proof(sight)) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED, "what has the keyboard cannot be read; other "
                                                      "changes do not show that the text arrived");
        set_suggested_next(effect, "look at the field: zoom or screenshot");
    }
    return effect;
}

static json_t *judge_observation(const HfObservation *sight)
{
    json_t *typed = judge_text(sight);
    if (typed)
        return typed;
    gboolean anything =
        sight->news.drawn->len > 0 || sight->windows.windows || sight->windows.focus;
    const HfWindow *modal =
        sight->target ? hf_windows_find_modal(sight->effect->before, sight->target) : NULL;
    const char *proof = hf_observation_get_proof(sight);
    if (proof)
        return hf_effect_new(HF_VERDICT_CONFIRMED, proof);
    if (modal)
        return tell_modal(modal, anything ? HF_VERDICT_UNVERIFIED : HF_VERDICT_NO_EFFECT);
    json_t *effect;
    if (anything) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED,
                               "something was drawn, but that alone proves nothing: what has no "
                               "effect can look pressed too");
        set_suggested_next(effect, "look at the rects: zoom or screenshot");
    } else if (sight->unread) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED,
                               "the program has not read it yet: it is busy, or hangs");
        set_suggested_next(effect, "wait, then look again");
    } else {
        effect = hf_effect_new(HF_VERDICT_NO_EFFECT,
                               "nothing was drawn, and no window came, went or changed");
        set_suggested_next(effect,
                           "look at the screen: aim elsewhere, or wait if the program is slow");
    }
    return effect;
}

json_t *hf_verdict_of_observation(const HfObservation *sight)
{
    json_t *effect = judge_observation(sight);
    json_object_set_new(effect, "waited_ms", json_integer(sight->waited_us / 1000));
    if (sight->windows.windows)
        json_object_set(effect, "windows", sight->windows.windows);
    if (sight->windows.focus)
        json_object_set(effect, "focus", sight->windows.focus);
    if (sight->elements.elements)
        json_object_set(effect, "elements", sight->elements.elements);
    if (sight->news.drawn->len > 0)
        json_object_set_new(effect, "rects", hf_verdict_rects_to_json(sight->news.drawn));
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
