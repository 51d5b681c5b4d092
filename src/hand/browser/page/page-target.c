/* SPDX-License-Identifier: Apache-2.0 */
/* A page without frames is asked once and acts at once; with frames, matches are counted in all of
 * them first. page.js waits for short slices of time, so that a cancelled
 * call notices. */
#include "hand/browser/page/page-target.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/text/text.h"

#define SLICE_MS 400
/* The pause between two rounds over all frames, and between two searches for closed shadow roots.
 */
#define PAUSE_US      (50 * 1000)
#define OPEN_ROOTS_MS 500
/* Reserved from the call's time for explaining a failure. */
#define REPORT_MS 250
/* How often a read is repeated if pages replace each other. */
#define MAX_READS 10

/* The word "at" of a reply; see data/page.js. */
typedef enum PageStatus {
    PAGE_NONE,
    PAGE_MANY,
    PAGE_OTHERS,
    PAGE_WAIT,
    PAGE_BAD,
    PAGE_SECURE,
    PAGE_READY,
    PAGE_DONE,
    PAGE_UNKNOWN,
} PageStatus;

static PageStatus parse_page_status(const json_t *reply)
{
    static const char *const words[PAGE_UNKNOWN] = {"none", "many",   "others", "wait",
                                                    "bad",  "secure", "ready",  "done"};
    const char *word = hf_json_string(reply, "at", "");
    for (int i = 0; i < PAGE_UNKNOWN; i++)
        if (g_str_equal(words[i], word))
            return i;
    return PAGE_UNKNOWN;
}

typedef struct Search {
    HfTabSession *session;
    const HfPageRequest *request;
    HfDeadline limit;
    HfTabConnection page;
    json_t *last;           /* the last reply that was not final; NULL: none */
    PageStatus last_status; /* its status */
    gboolean retried;       /* the first round is over */
    gint64 opened_us;       /* when closed shadow roots were last searched; 0: never */
    gint64 began_us;
} Search;

void hf_page_target_clear(HfPageTarget *target)
{
    g_clear_pointer(&target->frame, hf_page_frame_free);
    g_clear_pointer(&target->reply, json_decref);
}

/* ---- the frame of an element ---- */

/* Chooses the frame that contains the requested element. Matches are counted in all frames, in page
 * order with the main frame first: a selector names an element of the page, not of whichever frame
 * is asked first. */
typedef struct FrameChoice {
    HfPageFrame *frame; /* the frame to ask; NULL: no match, or too many */
    gboolean has_nth;   /* `nth` counts inside this frame */
    gint64 nth;
    guint count;        /* matches in all frames */
    json_t *candidates; /* the first few of all frames */
} FrameChoice;

static void frame_choice_clear(FrameChoice *choice)
{
    g_clear_pointer(&choice->frame, hf_page_frame_free);
    g_clear_pointer(&choice->candidates, json_decref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FrameChoice, frame_choice_clear)

/* Time limit for a frame other than the page itself: one that hangs, such as an advertisement, must
 * not block the page. */
#define FRAME_MS 300
/* Time limit for all of them together. */
#define FRAMES_MS      1000
#define MAX_CANDIDATES 10

/* The matches in one frame. */
typedef struct FrameMatches {
    HfPageFrame *frame;
    json_t *reply; /* {found, shown, path, candidates}; see data/page.js */
} FrameMatches;

static void frame_matches_free(gpointer data)
{
    FrameMatches *part = data;
    hf_page_frame_free(part->frame);
    json_decref(part->reply);
    g_free(part);
}

/* Frames of other processes are listed separately; their paths bring all into page order, each
 * frame before those inside it. */
static gint compare_frame_order(gconstpointer one, gconstpointer other)
{
    const json_t *a = json_object_get((*(FrameMatches *const *)one)->reply, "path");
    const json_t *b = json_object_get((*(FrameMatches *const *)other)->reply, "path");
    size_t common = MIN(json_array_size(a), json_array_size(b));
    for (size_t i = 0; i < common; i++) {
        json_int_t left = json_integer_value(json_array_get(a, i));
        json_int_t right = json_integer_value(json_array_get(b, i));
        if (left != right)
            return left < right ? -1 : 1;
    }
    return (gint)json_array_size(a) - (gint)json_array_size(b);
}

static GPtrArray *count_in_frames(const HfTabConnection *page, const HfPageRequest *request,
                                  GError **error)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(page, error);
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(frame_matches_free);
    HfDeadline all = hf_deadline_within_ms(page->deadline, FRAMES_MS);
    for (guint i = 0; frames && i < frames->len; i++) {
        HfDeadline soon = hf_deadline_within_ms(&all, FRAME_MS);
        HfTabConnection connection = {page->cdp, page->tab, i == 0 ? page->deadline : &soon};
        g_autoptr(json_t) reply =
            hf_page_frame_ask(&connection, frames->pdata[i], "count",
                              json_pack("{s:O}", "query", request->query), i == 0 ? error : NULL);
        if (!reply && i == 0)
            return NULL;
        if (hf_json_int(reply, "found", 0) == 0)
            continue;
        FrameMatches *part = g_new0(FrameMatches, 1);
        *part = (FrameMatches){g_steal_pointer(&frames->pdata[i]), g_steal_pointer(&reply)};
        g_ptr_array_add(parts, part);
    }
    if (!frames)
        return NULL;
    g_ptr_array_sort(parts, compare_frame_order);
    return g_steal_pointer(&parts);
}

static guint sum_counts(const GPtrArray *parts, const char *member)
{
    guint sum = 0;
    for (guint i = 0; i < parts->len; i++)
        sum += (guint)hf_json_int(((const FrameMatches *)parts->pdata[i])->reply, member, 0);
    return sum;
}

static json_t *join_candidates(const GPtrArray *parts, const char *member)
{
    json_t *joined = json_array();
    for (guint i = 0; i < parts->len; i++) {
        const json_t *reply = ((const FrameMatches *)parts->pdata[i])->reply;
        if (hf_json_int(reply, member, 0) == 0)
            continue;
        hf_json_each (candidate, json_object_get(reply, "candidates"))
            if (json_array_size(joined) < MAX_CANDIDATES)
                json_array_append(joined, candidate);
    }
    return joined;
}

/* Finds match number `index` of all, as an index inside its frame. */
static void choose_nth(const GPtrArray *parts, const char *member, gint64 index,
                       FrameChoice *choice)
{
    for (guint i = 0; i < parts->len; i++) {
        FrameMatches *part = parts->pdata[i];
        gint64 count = hf_json_int(part->reply, member, 0);
        if (index < count) {
            choice->frame = g_steal_pointer(&part->frame);
            choice->nth = index;
            return;
        }
        index -= count;
    }
}

/* FALSE only if the page itself could not be asked; see hf_page_frame_ask. A frame that disappears
 * or does not answer soon has no matches. */
static gboolean choose_frame(const HfTabConnection *page, const HfPageRequest *request,
                             FrameChoice *ret_choice, GError **error)
{
    g_autoptr(GPtrArray) parts = count_in_frames(page, request, error);
    if (!parts)
        return FALSE;
    /* Hidden matches count only if none is visible. */
    const char *member = sum_counts(parts, "shown") > 0 ? "shown" : "found";
    guint count = sum_counts(parts, member);
    gint64 index = !request->has_nth  ? 0
                   : request->nth < 0 ? (gint64)count + request->nth
                                      : request->nth;
    *ret_choice = (FrameChoice){.has_nth = request->has_nth, .count = count};
    ret_choice->candidates = join_candidates(parts, member);
    if ((request->has_nth || count == 1) && index >= 0)
        choose_nth(parts, member, index, ret_choice);
    return TRUE;
}

/* ---- the request ---- */

/* What one frame is asked to do. */
typedef struct FrameRequest {
    gint64 budget_ms;          /* how long page.js may wait by itself */
    gboolean brief;            /* do not wait for an element that does not exist */
    const FrameChoice *choice; /* chosen among all frames; NULL: no other was asked yet */
} FrameRequest;

static json_t *request_to_json(const Search *search, const FrameRequest *frame_request)
{
    const HfPageRequest *request = search->request;
    const FrameChoice *choice = frame_request->choice;
    const HfPageNeeds *needs = &request->needs;
    json_t *made =
        json_pack("{s:O, s:I, s:b, s:{s:b, s:b, s:b, s:b, s:b}, s:b, s:b, s:b, s:b, s:b}", "query",
                  request->query, "budget", (json_int_t)frame_request->budget_ms, "brief",
                  frame_request->brief, "needs", "visible", needs->visible, "stable", needs->stable,
                  "enabled", needs->enabled, "editable", needs->editable, "hit", needs->hit,
                  "writes", request->writes, "agreed", request->agreed, "watch",
                  request->watch_click, "retarget", request->retarget, "alone", choice != NULL);
    if (request->has_nth)
        json_object_set_new(made, "nth", json_integer(choice ? choice->nth : request->nth));
    if (request->operation)
        json_object_set_new(made, "do", json_string(request->operation));
    if (request->value)
        json_object_set_new(made, "value", hf_json_text(request->value));
    if (request->at)
        json_object_set_new(made, "at", json_deep_copy(request->at));
    return made;
}

/* ---- errors ---- */

static gboolean fail_ambiguous_page_element(const HfPageRequest *request, guint count,
                                            json_t *candidates, GError **error)
{
    g_autofree char *shown = hf_text_shorten(request->selector, 200);
    hf_fail(error, HF_ERROR_ELEMENT_AMBIGUOUS, "%u elements match '%s'", count, shown);
    hf_error_suggest(error,
                     "choose one with nth (0 is the first) or the ref of a candidate, or use "
                     "a more specific selector");
    hf_error_take_details(error, json_pack("{s:O?}", "candidates", candidates));
    return FALSE;
}

static gboolean fail_many_here(const HfPageRequest *request, const json_t *reply, GError **error)
{
    return fail_ambiguous_page_element(request, (guint)hf_json_int(reply, "count", 2),
                                       json_object_get(reply, "candidates"), error);
}

static gboolean fail_secure(const json_t *reply, GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
            "this is a password field; only the owner may type into it or allow it; nothing was "
            "written");
    hf_error_suggest(error, "ask the owner to type it");
    hf_error_take_details(error, json_pack("{s:b, s:b, s:O?}", "secure", TRUE, "ask_owner", TRUE,
                                           "element", json_object_get(reply, "element")));
    return FALSE;
}

static char *dup_page_element_name(const json_t *reply)
{
    const json_t *element = json_object_get(reply, "element");
    return g_strdup_printf("%s \"%s\"", hf_json_string(element, "role", "the element"),
                           hf_json_string(element, "name", ""));
}

static gboolean fail_waited(const Search *search, GError **error)
{
    double seconds = (double)(g_get_monotonic_time() - search->began_us) / G_USEC_PER_SEC;
    const char *by = hf_json_string(search->last, "by", NULL);
    if (search->last_status == PAGE_WAIT) {
        g_autofree char *name = dup_page_element_name(search->last);
        hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "%s %s%s%s; waited %.1f s", name,
                hf_json_string(search->last, "why", "is not ready"), by ? " by " : "", by ? by : "",
                seconds);
        hf_error_suggest(error, "%s",
                         by ? "deal with what covers it first, or use a larger timeout_ms"
                            : "use a larger timeout_ms, or look at the page again");
        hf_error_take_details(error, json_deep_copy(search->last));
        return FALSE;
    }
    if (json_object_get(search->request->query, "ref")) {
        hf_fail(error, HF_ERROR_DESKTOP_STALE_SNAPSHOT, "%s is no longer on this page",
                search->request->selector);
        hf_error_suggest(error, "look at the page again: browser_extract with type snapshot");
        return FALSE;
    }
    g_autofree char *shown = hf_text_shorten(search->request->selector, 200);
    json_int_t count = hf_json_int(search->last, "count", 0);
    if (search->request->has_nth && count > 0)
        return hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
                       "only %d element%s '%s'; nth counts from 0", (int)count,
                       count == 1 ? " matches" : "s match", shown);
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "no element matches '%s'; waited %.1f s",
            shown, seconds);
    hf_error_suggest(error, "look at the page: browser_extract with type snapshot");
    return FALSE;
}

/* ---- searching ---- */

typedef enum Found { FOUND, NOT_YET, FAILED } Found;

static void remember_last_reply(Search *search, json_t *take_reply)
{
    json_decref(search->last);
    search->last = take_reply;
    search->last_status = parse_page_status(take_reply);
}

/* A covered frame is awaited like a covered element. */
static Found place_page_target(Search *search, HfPageTarget *target, GError **error)
{
    g_autoptr(GError) problem = NULL;
    HfPagePoint at = {hf_json_number(target->reply, "x", 0), hf_json_number(target->reply, "y", 0)};
    target->x = at.x;
    target->y = at.y;
    if (g_str_equal(target->frame->id, search->session->tab->main_frame) ||
        !search->request->needs.hit)
        return FOUND;
    if (hf_page_frame_get_offset(&search->page, target->frame, &at, &target->offset, &problem)) {
        target->x += target->offset.x;
        target->y += target->offset.y;
        return FOUND;
    }
    if (hf_error_code(problem) == HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND) {
        remember_last_reply(search,
                            json_pack("{s:s, s:s, s:o, s:O?}", "at", "wait", "why", "is covered",
                                      "by", hf_json_text(problem->message), "element",
                                      json_object_get(target->reply, "element")));
    }
    return NOT_YET;
}

static Found judge_page_reply(Search *search, HfPageFrame *frame, json_t *reply,
                              HfPageTarget *target, GError **error)
{
    g_autofree char *name = NULL;
    Found found;
    switch (parse_page_status(reply)) {
    case PAGE_MANY:
        return fail_many_here(search->request, reply, error), FAILED;
    case PAGE_SECURE:
        return fail_secure(reply, error), FAILED;
    case PAGE_BAD:
        name = dup_page_element_name(reply);
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "%s %s", name,
                hf_json_string(reply, "why", ""));
        hf_error_take_details(error,
                              json_pack("{s:O?}", "element", json_object_get(reply, "element")));
        return FAILED;
    case PAGE_READY:
    case PAGE_DONE:
        hf_page_target_clear(target);
        target->reply = json_incref(reply);
        target->frame = frame;
        found = place_page_target(search, target, error);
        if (found != FOUND) {
            target->frame = NULL;
            hf_page_target_clear(target);
        }
        return found;
    default:
        remember_last_reply(search, json_incref(reply));
        return NOT_YET;
    }
}

/* Another document has replaced the page: worth another try. */
static gboolean may_retry(const GError *problem)
{
    return hf_error_code(problem) == HF_ERROR_DESKTOP_STALE_SNAPSHOT;
}

static Found try_act_in_frame(Search *search, HfPageFrame *take_frame, const FrameRequest *request,
                              HfPageTarget *target, GError **error)
{
    g_autoptr(HfPageFrame) frame = take_frame;
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) reply =
        hf_page_frame_ask(&search->page, frame, "act", request_to_json(search, request), &problem);
    if (!reply) {
        if (may_retry(problem))
            return NOT_YET;
        g_propagate_error(error, g_steal_pointer(&problem));
        return FAILED;
    }
    Found found = judge_page_reply(search, frame, reply, target, error);
    if (found == FOUND)
        frame = NULL;
    return found;
}

/* The main frame may wait for its element for a while; another frame may disappear at any time, so
 * it is searched again instead. A frame that is gone is not an error. */
static Found try_act_in_chosen_frame(Search *search, gint64 budget_ms, HfPageTarget *target,
                                     GError **error)
{
    g_auto(FrameChoice) choice = {0};
    g_autoptr(GError) problem = NULL;
    if (!choose_frame(&search->page, search->request, &choice, &problem)) {
        if (may_retry(problem))
            return NOT_YET;
        g_propagate_error(error, g_steal_pointer(&problem));
        return FAILED;
    }
    if (!choice.frame && choice.count > 1 && !search->request->has_nth)
        return fail_ambiguous_page_element(search->request, choice.count, choice.candidates, error),
               FAILED;
    if (!choice.frame) {
        remember_last_reply(search,
                            json_pack("{s:s, s:i}", "at", "none", "count", (int)choice.count));
        return NOT_YET;
    }
    gboolean main = g_str_equal(choice.frame->id, search->session->tab->main_frame);
    FrameRequest request = {main ? budget_ms : 0, !main, &choice};
    Found found =
        try_act_in_frame(search, g_steal_pointer(&choice.frame), &request, target, &problem);
    if (found == FAILED && !main && hf_error_code(problem) == HF_ERROR_DESKTOP_UNAVAILABLE)
        return NOT_YET;
    if (found == FAILED)
        g_propagate_error(error, g_steal_pointer(&problem));
    return found;
}

/* The last resort, because it reads the whole tree. */
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
    if (search->opened_us && now - search->opened_us < OPEN_ROOTS_MS * 1000)
        return FALSE;
    search->opened_us = now;
    return open_closed_roots(&search->page);
}

static Found try_act_in_frames(Search *search, gint64 budget_ms, HfPageTarget *target,
                               GError **error)
{
    FrameRequest request = {.budget_ms = budget_ms};
    Found found =
        try_act_in_frame(search, hf_page_frame_new_main(&search->page), &request, target, error);
    if (found == NOT_YET && search->last_status == PAGE_OTHERS)
        found = try_act_in_chosen_frame(search, budget_ms, target, error);
    return found;
}

static Found try_act(Search *search, HfPageTarget *target, GError **error)
{
    gint64 budget = MIN(SLICE_MS, hf_deadline_left_ms(&search->limit));
    Found found = try_act_in_frames(search, search->retried ? budget : 0, target, error);
    if (found == NOT_YET && search->last_status == PAGE_NONE && open_closed_roots_sometimes(search))
        found = try_act_in_frames(search, 0, target, error);
    return found;
}

gboolean hf_page_target_act(HfTabSession *session, const HfPageRequest *request,
                            HfPageTarget *ret_target, GError **error)
{
    gint64 left = hf_deadline_left_ms(&session->deadline);
    Search search = {.session = session, .request = request, .page = session->page};
    search.limit = hf_deadline_within_ms(&session->deadline, MAX(left - REPORT_MS, left / 2));
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
        gboolean pause = search.retried || search.opened_us;
        if (!hf_deadline_pause(&session->deadline, pause ? PAUSE_US : 0, error))
            break;
        search.retried = TRUE;
    }
    json_decref(search.last);
    return found == FOUND;
}

/* ---- reading ---- */

/* The frame chosen among all answers for itself. */
static json_t *read_chosen(HfTabSession *session, const char *name, const HfPageRequest *request,
                           const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_auto(FrameChoice) choice = {0};
    if (!choose_frame(&session->page, request, &choice, error))
        return NULL;
    if (!choice.frame && choice.count > 1 && !request->has_nth)
        return fail_ambiguous_page_element(request, choice.count, choice.candidates, error), NULL;
    if (!choice.frame)
        return json_pack("{s:s, s:i}", "at", "none", "count", (int)choice.count);
    json_t *own = json_deep_copy(argument);
    json_object_set_new(own, "alone", json_true());
    if (choice.has_nth)
        json_object_set_new(own, "nth", json_integer(choice.nth));
    g_clear_pointer(ret_frame, hf_page_frame_free);
    *ret_frame = g_steal_pointer(&choice.frame);
    return hf_page_frame_ask(&session->page, *ret_frame, name, own, error);
}

static json_t *read_once(HfTabSession *session, const char *name, const HfPageRequest *request,
                         const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(json_t) reply =
        hf_page_frame_ask(&session->page, *ret_frame, name, json_deep_copy(argument), error);
    return parse_page_status(reply) == PAGE_OTHERS
               ? read_chosen(session, name, request, argument, ret_frame, error)
               : g_steal_pointer(&reply);
}

static json_t *extract_once(HfTabSession *session, const char *name, const HfPageRequest *request,
                            const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(HfPageFrame) frame = hf_page_frame_new_main(&session->page);
    g_autoptr(json_t) reply = read_once(session, name, request, argument, &frame, error);
    if (parse_page_status(reply) == PAGE_NONE && open_closed_roots(&session->page)) {
        json_decref(reply);
        reply = read_once(session, name, request, argument, &frame, error);
    }
    if (!reply)
        return NULL;
    PageStatus status = parse_page_status(reply);
    if (status == PAGE_MANY)
        return fail_many_here(request, reply, error), NULL;
    if (status == PAGE_NONE) {
        Search search = {.request = request, .began_us = g_get_monotonic_time(), .last = reply};
        return fail_waited(&search, error), NULL;
    }
    if (ret_frame)
        *ret_frame = g_steal_pointer(&frame);
    return g_steal_pointer(&reply);
}

/* If another page replaces this one, that page is read. A reference is lost with its page. */
json_t *hf_page_target_extract(HfTabSession *session, const char *name,
                               const HfPageRequest *request, json_t *take_argument,
                               HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(json_t) argument = take_argument;
    for (int tries = 1;; tries++) {
        g_autoptr(GError) problem = NULL;
        json_t *reply = extract_once(session, name, request, argument, ret_frame, &problem);
        if (reply)
            return reply;
        if (!may_retry(problem) || json_object_get(request->query, "ref") || tries >= MAX_READS ||
            !hf_deadline_pause(&session->deadline, PAUSE_US, NULL)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
    }
}
