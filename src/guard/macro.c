/* Doing a macro, step after step, on the caller's thread. What is told of a step is what its own
 * call has answered; a macro that ends early tells which steps were begun, in the error's details
 * as {"done": {"steps": [...]}}, and claims nothing of the others. */
#include "guard/macro.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "tool/registry.h"

typedef struct Play {
    HfPassage *passage;
    HfResult *result; /* what becomes the answer */
    json_t *steps;    /* borrowed from it */
    gsize bytes;      /* of its binary parts */
    guint failed;
} Play;

/* ---- one call within the macro ---- */

/* Its own limit of time, but none beyond the macro's. */
static void limit_time(const HfPassage *passage, const HfMacroStep *step, json_t *params)
{
    gint64 own = hf_json_int(params, "timeout_ms", step->tool->timeout_ms);
    gint64 left = hf_deadline_left_ms(&passage->deadline);
    json_object_set_new(params, "timeout_ms", json_integer(MAX(1, MIN(own, left))));
}

static HfAnswer *call(HfPassage *passage, const HfMacroStep *step, gboolean aimed)
{
    g_autoptr(json_t) params = hf_macro_dup_params(passage, step);
    limit_time(passage, step, params);
    if (passage->dry_run)
        json_object_set_new(params, "dry_run", json_true());
    HfRequest request = hf_macro_request(passage, step, params);
    request.expect = aimed ? passage->expect : NULL;
    HfAnswer *answer = hf_guard_call(passage->guard, &request);
    passage->carried |= answer->untrusted;
    return answer;
}

/* Binary parts move to the macro's result, to the same place within it; when there are too many,
 * the size is told instead. */
static void take_parts(Play *play, const char *place, const HfResult *from, json_t *told)
{
    for (guint i = 0; i < from->attachments->len; i++) {
        const HfAttachment *part = from->attachments->pdata[i];
        gsize size = g_bytes_get_size(part->bytes);
        if (play->bytes + size > HF_LIMIT_MACRO_BYTES) {
            json_object_set_new(told, part->field,
                                json_pack("{s:b, s:I}", "kept", 0, "bytes", (json_int_t)size));
            continue;
        }
        g_autofree char *field = g_strconcat(place, "/", part->field, NULL);
        hf_result_add_attachment(play->result, field, part->media_type, g_bytes_ref(part->bytes));
        play->bytes += size;
    }
}

static void tell_result(Play *play, const char *place, const HfAnswer *answer, json_t *told,
                        const char *name)
{
    g_autofree char *whole = g_strconcat(place, "/", name, NULL);
    json_t *own = json_copy(answer->result->json);
    take_parts(play, whole, answer->result, own);
    json_object_set_new(told, name, own);
}

/* ---- a step ---- */

static void take_picture(Play *play, const char *place, json_t *told, const char *moment)
{
    g_autoptr(HfAnswer) answer = call(play->passage, play->passage->macro->picture, FALSE);
    g_autofree char *within = g_strconcat(place, "/screenshots", NULL);
    json_t *pictures = json_object_get(told, "screenshots");
    if (!pictures) {
        pictures = json_object();
        json_object_set_new(told, "screenshots", pictures);
    }
    if (answer->error)
        json_object_set_new(pictures, moment,
                            json_pack("{s:o}", "error", hf_error_to_json(answer->error)));
    else
        tell_result(play, within, answer, pictures, moment);
}

/* Until it is done, or must not be tried again. */
static HfAnswer *attempt(Play *play, const HfMacroStep *step, guint index, guint *attempts)
{
    HfPassage *passage = play->passage;
    gboolean aimed = index == passage->macro->aimed;
    for (*attempts = 1;; ++*attempts) {
        HfAnswer *answer = call(passage, step, aimed);
        if (!answer->error || *attempts > step->retries || !hf_macro_may_retry(step, answer->error))
            return answer;
        if (!hf_deadline_pause(&passage->deadline, step->retry_delay_ms * (gint64)1000, NULL))
            return answer;
        hf_answer_free(answer);
    }
}

static void tell_step(Play *play, const char *place, const HfAnswer *answer, json_t *told)
{
    json_object_set_new(told, "ok", json_boolean(!answer->error));
    json_object_set_new(told, "step_id", json_string(answer->step_id));
    if (answer->effect)
        json_object_set(told, "effect", answer->effect);
    if (answer->error)
        json_object_set_new(told, "error", hf_error_to_json(answer->error));
    else
        tell_result(play, place, answer, told, "result");
}

/* Whether the macro goes on after this answer; else the macro's error. */
static gboolean goes_on(const Play *play, const HfMacroStep *step, guint index,
                        const HfAnswer *answer, GError **error)
{
    if (!answer->error)
        return TRUE;
    if (step->on_failure == HF_ON_FAILURE_CONTINUE && !hf_macro_is_over(answer->error))
        return hf_deadline_check(&play->passage->deadline, error);
    g_propagate_error(error, g_error_copy(answer->error));
    hf_macro_blame(index, step->tool->name, error);
    return FALSE;
}

static gboolean play_step(Play *play, guint index, GError **error)
{
    HfPassage *passage = play->passage;
    const HfMacroStep *step = passage->macro->steps->pdata[index];
    if (!hf_deadline_pause(&passage->deadline, hf_macro_delay_us(step, g_random_double()), error))
        return FALSE;
    g_autofree char *place = g_strdup_printf("steps/%u", index);
    json_t *told = json_pack("{s:i, s:s}", "index", (int)index, "tool", step->tool->name);
    gint64 began = g_get_monotonic_time();
    guint attempts = 0;
    if (step->pictures[0])
        take_picture(play, place, told, "before");
    g_autoptr(HfAnswer) answer = attempt(play, step, index, &attempts);
    tell_step(play, place, answer, told);
    json_object_set_new(told, "attempts", json_integer(attempts));
    if (step->pictures[1] && !(answer->error && hf_macro_is_over(answer->error)))
        take_picture(play, place, told, "after");
    json_object_set_new(told, "duration_ms",
                        json_real((double)(g_get_monotonic_time() - began) / 1000));
    json_array_append_new(play->steps, told);
    play->failed += answer->error ? 1 : 0;
    return goes_on(play, step, index, answer, error);
}

/* What was done is told also, and above all, when the rest was not. */
static void tell_done(const Play *play, GError **error)
{
    g_autoptr(json_t) json = hf_error_to_json(*error);
    const json_t *former = json_object_get(json, "details");
    json_t *details = former ? json_copy((json_t *)former) : json_object();
    json_object_set_new(details, "done", json_pack("{s:O}", "steps", play->steps));
    hf_error_take_details(error, details);
}

HfResult *hf_macro_run(HfPassage *passage, GError **error)
{
    json_t *steps = json_array();
    g_autoptr(HfResult) result = hf_result_new(json_pack("{s:o}", "steps", steps));
    Play play = {.passage = passage, .result = result, .steps = steps};
    for (guint i = 0; i < passage->macro->steps->len; i++)
        if (!play_step(&play, i, error)) {
            tell_done(&play, error);
            return NULL;
        }
    json_object_set_new(result->json, "failed", json_integer(play.failed));
    return g_steal_pointer(&result);
}

/* Each step as the desktop is now: what earlier ones would change is not known. */
HfResult *hf_macro_preview(HfPassage *passage, GError **error)
{
    json_t *steps = json_array();
    HfResult *result =
        hf_result_new(json_pack("{s:{s:s, s:o}}", "target", "kind", "macro", "steps", steps));
    Play play = {.passage = passage, .result = result, .steps = steps};
    for (guint i = 0; i < passage->macro->steps->len; i++) {
        const HfMacroStep *step = passage->macro->steps->pdata[i];
        g_autofree char *place = g_strdup_printf("target/steps/%u", i);
        json_t *told = json_pack("{s:i, s:s}", "index", (int)i, "tool", step->tool->name);
        g_autoptr(HfAnswer) answer = call(passage, step, FALSE);
        tell_step(&play, place, answer, told);
        json_array_append_new(steps, told);
    }
    if (hf_deadline_check(&passage->deadline, error))
        return result;
    hf_result_free(result);
    return NULL;
}

/* ---- what is kept ---- */

static void forget_in(json_t *steps)
{
    size_t index;
    json_t *step;
    json_array_foreach (steps, index, step) {
        const HfTool *tool = hf_registry_find(hf_json_string(step, "tool", ""));
        if ((!tool || (tool->flags & HF_TOOL_READ_ONLY)) && json_object_get(step, "result"))
            json_object_set_new(step, "result", json_pack("{s:b}", "kept", 0));
        json_object_del(step, "screenshots");
    }
}

void hf_macro_forget_looks(json_t *recorded)
{
    json_t *error = json_object_get(recorded, "error");
    json_t *done = json_object_get(json_object_get(error, "details"), "done");
    forget_in(json_object_get(json_object_get(recorded, "result"), "steps"));
    forget_in(json_object_get(done, "steps"));
}
