/* SPDX-License-Identifier: Apache-2.0 */
/* A page without frames is asked once, and acts at once; with frames, what fits is counted in all
 * of them before (page-frame-choice.h). page.js waits by itself for a slice of time, so that a call
 * that is called off is heard. */
#include "hand/browser/page/page-target.h"

#include <string.h>

#include "hand/browser/page/page-frame-choice.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#define SLICE_MS 400
/* Between two looks at all frames, and between two searches for closed shadow roots. */
#define PAUSE_US (50 * 1000)
#define OPEN_MS  500
/* Of the call's time, what is kept for saying why it could not be done. */
#define TELL_MS 250
/* Of pages that come one after the other. */
#define MOST_READS 10

typedef struct Search {
    HfTabSession *visit;
    const HfPageRequest *ask;
    HfDeadline limit;
    HfTabConnection page;
    json_t *last;     /* what was last seen of what was looked for; NULL: nothing */
    gint64 opened_us; /* when closed shadow roots were last looked for */
    gint64 began_us;
} Search;

void hf_page_target_clear(HfPageTarget *target)
{
    g_clear_pointer(&target->frame, hf_page_frame_free);
    g_clear_pointer(&target->told, json_decref);
}

/* What one frame is asked to do. */
typedef struct Request {
    gint64 budget_ms; /* how long it may wait by itself */
    gboolean brief;   /* not for what is not there at all */
    const HfPageFrameChoice
        *choice; /* it was chosen among all frames; NULL: no other was asked yet */
} Request;

static json_t *request_to_json(const Search *search, const Request *request)
{
    const HfPageRequest *ask = search->ask;
    const HfPageFrameChoice *choice = request->choice;
    const HfPageNeeds *needs = &ask->needs;
    json_t *made = json_pack(
        "{s:O, s:I, s:b, s:{s:b, s:b, s:b, s:b, s:b}, s:b, s:b, s:b, s:b, s:b}", "query",
        ask->query, "budget", (json_int_t)request->budget_ms, "brief", request->brief, "needs",
        "visible", needs->visible, "stable", needs->stable, "enabled", needs->enabled, "editable",
        needs->editable, "hit", needs->hit, "writes", ask->writes, "agreed", ask->agreed, "aim",
        ask->aim, "retarget", ask->retarget, "alone", choice != NULL);
    if (ask->has_nth)
        json_object_set_new(made, "nth", json_integer(choice ? choice->nth : ask->nth));
    if (ask->deed)
        json_object_set_new(made, "do", json_string(ask->deed));
    if (ask->value)
        json_object_set_new(made, "value", hf_json_text(ask->value));
    if (ask->at)
        json_object_set_new(made, "at", json_deep_copy(ask->at));
    return made;
}

/* ---- why not ---- */

static gboolean fail_ambiguous_page_element(const HfPageRequest *ask, guint count,
                                            json_t *candidates, GError **error)
{
    g_autofree char *shown = hf_text_shorten(ask->selector, 200);
    hf_fail(error, HF_ERROR_ELEMENT_AMBIGUOUS, "%u elements fit '%s'", count, shown);
    hf_error_suggest(error,
                     "say which: by nth (0 is the first), by the ref of a candidate, or with "
                     "a narrower selector");
    hf_error_take_details(error, json_pack("{s:O?}", "candidates", candidates));
    return FALSE;
}

static gboolean fail_many_here(const HfPageRequest *ask, const json_t *told, GError **error)
{
    return fail_ambiguous_page_element(ask, (guint)hf_json_int(told, "count", 2),
                                       json_object_get(told, "candidates"), error);
}

static gboolean fail_secure(const json_t *told, GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
            "this is a password field: what goes in there is for the owner to type or to confirm; "
            "nothing was written");
    hf_error_suggest(error, "ask the person to type it");
    hf_error_take_details(error, json_pack("{s:b, s:b, s:O?}", "secure", TRUE, "ask_owner", TRUE,
                                           "element", json_object_get(told, "element")));
    return FALSE;
}

static char *dup_page_element_name(const json_t *told)
{
    const json_t *element = json_object_get(told, "element");
    return g_strdup_printf("%s \"%s\"", hf_json_string(element, "role", "the element"),
                           hf_json_string(element, "name", ""));
}

static gboolean fail_bad(const json_t *told, GError **error)
{
    g_autofree char *name = dup_page_element_name(told);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "%s %s", name, hf_json_string(told, "why", ""));
    hf_error_take_details(error, json_pack("{s:O?}", "element", json_object_get(told, "element")));
    return FALSE;
}

static gboolean fail_waited(const Search *search, GError **error)
{
    double seconds = (double)(g_get_monotonic_time() - search->began_us) / G_USEC_PER_SEC;
    const char *by = hf_json_string(search->last, "by", NULL);
    if (search->last && g_str_equal(hf_json_string(search->last, "at", ""), "wait")) {
        g_autofree char *name = dup_page_element_name(search->last);
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "%s %s%s%s; waited %.1f s", name,
                hf_json_string(search->last, "why", "is not ready"), by ? " by " : "", by ? by : "",
                seconds);
        hf_error_suggest(error, "%s",
                         by ? "deal with what covers it first, or give a larger "
                              "timeout_ms"
                            : "give a larger timeout_ms, or look at the page again");
        hf_error_take_details(error, json_deep_copy(search->last));
        return FALSE;
    }
    if (json_object_get(search->ask->query, "ref")) {
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "%s is not on this page any more",
                search->ask->selector);
        hf_error_suggest(error, "look at the page again: browser_extract with type snapshot");
        return FALSE;
    }
    g_autofree char *shown = hf_text_shorten(search->ask->selector, 200);
    json_int_t count = hf_json_int(search->last, "count", 0);
    if (search->ask->has_nth && count > 0)
        return hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
                       "only %d element%s '%s'; nth counts from 0", (int)count,
                       count == 1 ? " fits" : "s fit", shown);
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "no element fits '%s'; waited %.1f s", shown,
            seconds);
    hf_error_suggest(error, "look at the page: browser_extract with type snapshot");
    return FALSE;
}

/* ---- looking ---- */

typedef enum Found { FOUND, NOT_YET, FAILED } Found;

static void remember_last_reply(Search *search, json_t *take_told)
{
    json_decref(search->last);
    search->last = take_told;
}

/* A frame that is covered is waited for as an element is. */
static Found place_page_target(Search *search, HfPageTarget *target, GError **error)
{
    g_autoptr(GError) problem = NULL;
    HfPagePoint at = {hf_json_number(target->told, "x", 0), hf_json_number(target->told, "y", 0)};
    target->x = at.x;
    target->y = at.y;
    if (g_str_equal(target->frame->id, search->visit->tab->main_frame) || !search->ask->needs.hit)
        return FOUND;
    if (hf_page_frame_get_offset(&search->page, target->frame, &at, &target->offset, &problem)) {
        target->x += target->offset.x;
        target->y += target->offset.y;
        return FOUND;
    }
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND) {
        remember_last_reply(search, json_pack("{s:s, s:s, s:o, s:O?}", "at", "wait", "why",
                                              "is covered", "by", hf_json_text(problem->message),
                                              "element", json_object_get(target->told, "element")));
    }
    return NOT_YET;
}

static Found judge_page_reply(Search *search, HfPageFrame *frame, json_t *told,
                              HfPageTarget *target, GError **error)
{
    const char *at = hf_json_string(told, "at", "none");
    if (g_str_equal(at, "many"))
        return fail_many_here(search->ask, told, error), FAILED;
    if (g_str_equal(at, "secure"))
        return fail_secure(told, error), FAILED;
    if (g_str_equal(at, "bad"))
        return fail_bad(told, error), FAILED;
    if (g_str_equal(at, "ready") || g_str_equal(at, "done")) {
        hf_page_target_clear(target);
        target->told = json_incref(told);
        target->frame = frame;
        Found found = place_page_target(search, target, error);
        if (found != FOUND) {
            target->frame = NULL;
            hf_page_target_clear(target);
        }
        return found;
    }
    remember_last_reply(search, json_incref(told));
    return NOT_YET;
}

/* TRUE: worth another try. What the page was busy with does not count. */
static gboolean may_retry(const GError *problem)
{
    return hf_error_code(problem) == HF_ERROR_DESKTOP_STALE_SNAPSHOT;
}

static Found try_act_in_frame(Search *search, HfPageFrame *take_frame, const Request *request,
                              HfPageTarget *target, GError **error)
{
    g_autoptr(HfPageFrame) frame = take_frame;
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) told =
        hf_page_frame_ask(&search->page, frame, "act", request_to_json(search, request), &problem);
    if (!told) {
        if (may_retry(problem))
            return NOT_YET;
        g_propagate_error(error, g_steal_pointer(&problem));
        return FAILED;
    }
    Found found = judge_page_reply(search, frame, told, target, error);
    if (found == FOUND)
        frame = NULL;
    return found;
}

/* The page itself may wait for its element a while; in a frame, which may go at any time, it is
 * looked for again. A frame that has gone is no error. */
static Found look_in_all(Search *search, gint64 budget_ms, HfPageTarget *target, GError **error)
{
    g_auto(HfPageFrameChoice) choice = {0};
    g_autoptr(GError) problem = NULL;
    if (!hf_page_frame_choose(&search->page, search->ask, &choice, &problem)) {
        if (may_retry(problem))
            return NOT_YET;
        g_propagate_error(error, g_steal_pointer(&problem));
        return FAILED;
    }
    if (!choice.frame && choice.count > 1 && !search->ask->has_nth)
        return fail_ambiguous_page_element(search->ask, choice.count, choice.candidates, error),
               FAILED;
    if (!choice.frame) {
        remember_last_reply(search,
                            json_pack("{s:s, s:i}", "at", "none", "count", (int)choice.count));
        return NOT_YET;
    }
    gboolean main = g_str_equal(choice.frame->id, search->visit->tab->main_frame);
    Request request = {main ? budget_ms : 0, !main, &choice};
    Found found =
        try_act_in_frame(search, g_steal_pointer(&choice.frame), &request, target, &problem);
    if (found == FAILED && !main && hf_error_code(problem) == HF_ERROR_DESKTOP_UNAVAILABLE)
        return NOT_YET;
    if (found == FAILED)
        g_propagate_error(error, g_steal_pointer(&problem));
    return found;
}

/* Only when nothing else was found: the whole tree must be read for it. */
static gboolean open_closed_roots(const HfTabConnection *page)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(page, NULL);
    gboolean any = FALSE;
    for (guint i = 0; frames && i < frames->len; i++)
        any |= hf_page_frame_open_shadow_roots(page, frames->pdata[i]);
    return any;
}

static gboolean open_closed_roots_sometimes(Search *search)
{
    gint64 now = g_get_monotonic_time();
    if (search->opened_us && now - search->opened_us < OPEN_MS * 1000)
        return FALSE;
    search->opened_us = now;
    return open_closed_roots(&search->page);
}

static Found try_act_in_frames(Search *search, gint64 budget_ms, HfPageTarget *target,
                               GError **error)
{
    Request request = {.budget_ms = budget_ms};
    Found found =
        try_act_in_frame(search, hf_page_frame_new_main(&search->page), &request, target, error);
    if (found == NOT_YET && g_str_equal(hf_json_string(search->last, "at", ""), "others"))
        found = look_in_all(search, budget_ms, target, error);
    return found;
}

static Found try_act(Search *search, HfPageTarget *target, GError **error)
{
    gint64 budget = MIN(SLICE_MS, hf_deadline_left_ms(&search->limit));
    gboolean first = !search->opened_us;
    Found found = try_act_in_frames(search, first ? 0 : budget, target, error);
    if (found == NOT_YET && g_str_equal(hf_json_string(search->last, "at", "none"), "none") &&
        open_closed_roots_sometimes(search))
        found = try_act_in_frames(search, 0, target, error);
    return found;
}

gboolean hf_page_target_act(HfTabSession *visit, const HfPageRequest *ask, HfPageTarget *ret_target,
                            GError **error)
{
    gint64 left = hf_deadline_left_ms(&visit->deadline);
    Search search = {.visit = visit, .ask = ask, .page = visit->page};
    search.limit = hf_deadline_within_ms(&visit->deadline, MAX(left - TELL_MS, left / 2));
    search.began_us = g_get_monotonic_time();
    Found found = NOT_YET;
    while (found == NOT_YET) {
        found = try_act(&search, ret_target, error);
        if (found != NOT_YET)
            break;
        if (hf_deadline_passed(&search.limit)) {
            fail_waited(&search, error);
            break;
        }
        if (!hf_deadline_pause(&visit->deadline, search.opened_us ? PAUSE_US : 0, error))
            break;
        search.opened_us = MAX(search.opened_us, 1);
    }
    json_decref(search.last);
    return found == FOUND;
}

json_t *hf_page_target_ask(HfTabSession *visit, const HfPageTarget *target, const char *name,
                           json_t *take_argument, GError **error)
{
    return hf_page_frame_ask(&visit->page, target->frame, name, take_argument, error);
}

/* ---- reading ---- */

static json_t *read_from_frame(HfTabSession *visit, const HfPageFrame *frame, const char *name,
                               const json_t *argument, GError **error)
{
    return hf_page_frame_ask(&visit->page, frame, name, json_deep_copy(argument), error);
}

static gboolean reply_is(const json_t *told, const char *at)
{
    return json_is_object(told) && g_str_equal(hf_json_string(told, "at", ""), at);
}

/* The frame that was chosen among all answers for itself. */
static json_t *read_chosen(HfTabSession *visit, const char *name, const HfPageRequest *ask,
                           const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_auto(HfPageFrameChoice) choice = {0};
    if (!hf_page_frame_choose(&visit->page, ask, &choice, error))
        return NULL;
    if (!choice.frame && choice.count > 1 && !ask->has_nth)
        return fail_ambiguous_page_element(ask, choice.count, choice.candidates, error), NULL;
    if (!choice.frame)
        return json_pack("{s:s, s:i}", "at", "none", "count", (int)choice.count);
    g_autoptr(json_t) own = json_deep_copy(argument);
    json_object_set_new(own, "alone", json_true());
    if (choice.has_nth)
        json_object_set_new(own, "nth", json_integer(choice.nth));
    g_clear_pointer(ret_frame, hf_page_frame_free);
    *ret_frame = g_steal_pointer(&choice.frame);
    return read_from_frame(visit, *ret_frame, name, own, error);
}

static json_t *read_once(HfTabSession *visit, const char *name, const HfPageRequest *ask,
                         const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(json_t) told = read_from_frame(visit, *ret_frame, name, argument, error);
    if (!reply_is(told, "others"))
        return g_steal_pointer(&told);
    return read_chosen(visit, name, ask, argument, ret_frame, error);
}

static json_t *extract_once(HfTabSession *visit, const char *name, const HfPageRequest *ask,
                            const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(HfPageFrame) frame = hf_page_frame_new_main(&visit->page);
    g_autoptr(json_t) told = read_once(visit, name, ask, argument, &frame, error);
    if (reply_is(told, "none") && open_closed_roots(&visit->page)) {
        json_decref(told);
        told = read_once(visit, name, ask, argument, &frame, error);
    }
    if (!told)
        return NULL;
    if (reply_is(told, "many"))
        return fail_many_here(ask, told, error), NULL;
    if (reply_is(told, "none")) {
        Search search = {.ask = ask, .began_us = g_get_monotonic_time(), .last = told};
        return fail_waited(&search, error), NULL;
    }
    if (ret_frame)
        *ret_frame = g_steal_pointer(&frame);
    return g_steal_pointer(&told);
}

/* A page that is replaced while it is read is read as the one that it has become. A reference went
 * with it. */
json_t *hf_page_target_extract(HfTabSession *visit, const char *name, const HfPageRequest *ask,
                               json_t *take_argument, HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(json_t) argument = take_argument;
    for (int tries = 1;; tries++) {
        g_autoptr(GError) problem = NULL;
        json_t *told = extract_once(visit, name, ask, argument, ret_frame, &problem);
        if (told)
            return told;
        if (!may_retry(problem) || json_object_get(ask->query, "ref") || tries >= MOST_READS ||
            !hf_deadline_pause(&visit->deadline, PAUSE_US, NULL)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
    }
}
