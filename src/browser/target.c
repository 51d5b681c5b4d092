/* The main frame first, since it is mostly there; the others only when it has nothing that fits.
 * page.js waits by itself for a slice of time, so that a call that is called off is heard. */
#include "browser/target.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define SLICE_MS 400
/* Between two looks at all frames, and between two searches for closed shadow roots. */
#define PAUSE_US (50 * 1000)
#define OPEN_MS  500
/* Of the call's time, what is kept for saying why it could not be done. */
#define TELL_MS 250
/* Of pages that come one after the other. */
#define MOST_READS 10

typedef struct Search {
    HfVisit *visit;
    const HfPageAsk *ask;
    HfDeadline limit;
    HfTabLine page;
    json_t *last;     /* what was last seen of what was looked for; NULL: nothing */
    gint64 opened_us; /* when closed shadow roots were last looked for */
    gint64 began_us;
} Search;

void hf_page_target_clear(HfPageTarget *target)
{
    g_clear_pointer(&target->frame, hf_page_frame_free);
    g_clear_pointer(&target->told, json_decref);
}

static json_t *request(const Search *search, gint64 budget_ms, gboolean brief)
{
    const HfPageAsk *ask = search->ask;
    const HfPageNeeds *needs = &ask->needs;
    json_t *made =
        json_pack("{s:O, s:I, s:b, s:{s:b, s:b, s:b, s:b, s:b}, s:b, s:b, s:b, s:b}", "query",
                  ask->query, "budget", (json_int_t)budget_ms, "brief", brief, "needs", "visible",
                  needs->visible, "stable", needs->stable, "enabled", needs->enabled, "editable",
                  needs->editable, "hit", needs->hit, "writes", ask->writes, "agreed", ask->agreed,
                  "aim", ask->aim, "retarget", ask->retarget);
    if (ask->has_nth)
        json_object_set_new(made, "nth", json_integer(ask->nth));
    if (ask->deed)
        json_object_set_new(made, "do", json_string(ask->deed));
    if (ask->value)
        json_object_set_new(made, "value", hf_json_text(ask->value));
    if (ask->at)
        json_object_set_new(made, "at", json_deep_copy(ask->at));
    return made;
}

/* ---- why not ---- */

static gboolean fail_many(const HfPageAsk *ask, const json_t *told, GError **error)
{
    g_autofree char *shown = hf_text_shorten(ask->selector, 200);
    hf_fail(error, HF_ERROR_ELEMENT_AMBIGUOUS, "%d elements fit '%s'",
            (int)hf_json_int(told, "count", 2), shown);
    hf_error_suggest(error,
                     "say which: by nth (0 is the first), by the ref of a candidate, or with "
                     "a narrower selector");
    hf_error_take_details(error,
                          json_pack("{s:O?}", "candidates", json_object_get(told, "candidates")));
    return FALSE;
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

static char *name_of(const json_t *told)
{
    const json_t *element = json_object_get(told, "element");
    return g_strdup_printf("%s \"%s\"", hf_json_string(element, "role", "the element"),
                           hf_json_string(element, "name", ""));
}

static gboolean fail_bad(const json_t *told, GError **error)
{
    g_autofree char *name = name_of(told);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "%s %s", name, hf_json_string(told, "why", ""));
    hf_error_take_details(error, json_pack("{s:O?}", "element", json_object_get(told, "element")));
    return FALSE;
}

static gboolean fail_waited(const Search *search, GError **error)
{
    double seconds = (double)(g_get_monotonic_time() - search->began_us) / G_USEC_PER_SEC;
    const char *by = hf_json_string(search->last, "by", NULL);
    if (search->last && g_str_equal(hf_json_string(search->last, "at", ""), "wait")) {
        g_autofree char *name = name_of(search->last);
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
                       "only %d elements fit '%s'; nth counts from 0", (int)count, shown);
    hf_fail(error, HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND, "no element fits '%s'; waited %.1f s", shown,
            seconds);
    hf_error_suggest(error, "look at the page: browser_extract with type snapshot");
    return FALSE;
}

/* ---- looking ---- */

typedef enum Found { FOUND, NOT_YET, FAILED } Found;

/* A frame that is covered is waited for as an element is. */
static Found place(Search *search, HfPageTarget *target, GError **error)
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
        json_decref(search->last);
        search->last = json_pack("{s:s, s:s, s:o, s:O?}", "at", "wait", "why", "is covered", "by",
                                 hf_json_text(problem->message), "element",
                                 json_object_get(target->told, "element"));
    }
    return NOT_YET;
}

static Found judge(Search *search, HfPageFrame *frame, json_t *told, HfPageTarget *target,
                   GError **error)
{
    const char *at = hf_json_string(told, "at", "none");
    if (g_str_equal(at, "many"))
        return fail_many(search->ask, told, error), FAILED;
    if (g_str_equal(at, "secure"))
        return fail_secure(told, error), FAILED;
    if (g_str_equal(at, "bad"))
        return fail_bad(told, error), FAILED;
    if (g_str_equal(at, "ready") || g_str_equal(at, "done")) {
        hf_page_target_clear(target);
        target->told = json_incref(told);
        target->frame = frame;
        Found found = place(search, target, error);
        if (found != FOUND) {
            target->frame = NULL;
            hf_page_target_clear(target);
        }
        return found;
    }
    json_decref(search->last);
    search->last = json_incref(told);
    return NOT_YET;
}

/* TRUE: worth another try. What the page was busy with does not count. */
static gboolean may_retry(const GError *problem)
{
    return hf_error_code(problem) == HF_ERROR_DESKTOP_STALE_SNAPSHOT;
}

static Found look_at(Search *search, HfPageFrame *take_frame, gint64 budget_ms, gboolean brief,
                     HfPageTarget *target, GError **error)
{
    g_autoptr(HfPageFrame) frame = take_frame;
    g_autoptr(GError) problem = NULL;
    g_autoptr(json_t) told =
        hf_page_frame_ask(&search->page, frame, "act", request(search, budget_ms, brief), &problem);
    if (!told) {
        if (may_retry(problem))
            return NOT_YET;
        g_propagate_error(error, g_steal_pointer(&problem));
        return FAILED;
    }
    Found found = judge(search, frame, told, target, error);
    if (found == FOUND)
        frame = NULL;
    return found;
}

static Found look_in_others(Search *search, HfPageTarget *target, GError **error)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(&search->page, error);
    if (!frames)
        return FAILED;
    for (guint i = 1; i < frames->len; i++) {
        g_autoptr(GError) problem = NULL;
        HfPageFrame *frame = g_steal_pointer(&frames->pdata[i]);
        Found found = look_at(search, frame, 0, TRUE, target, &problem);
        if (found == FOUND)
            return FOUND;
        if (found == FAILED && hf_error_code(problem) != HF_ERROR_DESKTOP_UNAVAILABLE) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FAILED;
        }
        if (search->last && g_str_equal(hf_json_string(search->last, "at", ""), "wait"))
            return NOT_YET;
    }
    return NOT_YET;
}

/* Only when nothing else was found: the whole tree must be read for it. */
static gboolean open_closed(Search *search)
{
    gint64 now = g_get_monotonic_time();
    if (search->opened_us && now - search->opened_us < OPEN_MS * 1000)
        return FALSE;
    search->opened_us = now;
    g_autoptr(GPtrArray) frames = hf_page_frames_list(&search->page, NULL);
    gboolean any = FALSE;
    for (guint i = 0; frames && i < frames->len; i++)
        any |= hf_page_frame_open_closed(&search->page, frames->pdata[i]);
    return any;
}

static Found look(Search *search, HfPageTarget *target, GError **error)
{
    gint64 budget = MIN(SLICE_MS, hf_deadline_left_ms(&search->limit));
    gboolean first = !search->opened_us;
    Found found = look_at(search, hf_page_frame_new_main(&search->page), first ? 0 : budget, FALSE,
                          target, error);
    if (found != NOT_YET)
        return found;
    const char *at = hf_json_string(search->last, "at", "none");
    if (!g_str_equal(at, "none"))
        return NOT_YET;
    if (hf_json_int(search->last, "frames", 0) > 0)
        found = look_in_others(search, target, error);
    if (found == NOT_YET && g_str_equal(hf_json_string(search->last, "at", "none"), "none") &&
        open_closed(search))
        found = look_at(search, hf_page_frame_new_main(&search->page), 0, FALSE, target, error);
    return found;
}

gboolean hf_page_find(HfVisit *visit, const HfPageAsk *ask, HfPageTarget *ret_target,
                      GError **error)
{
    gint64 left = hf_deadline_left_ms(&visit->deadline);
    Search search = {.visit = visit, .ask = ask, .page = visit->page};
    search.limit = hf_deadline_within_ms(&visit->deadline, MAX(left - TELL_MS, left / 2));
    search.began_us = g_get_monotonic_time();
    Found found = NOT_YET;
    while (found == NOT_YET) {
        found = look(&search, ret_target, error);
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

json_t *hf_page_target_ask(HfVisit *visit, const HfPageTarget *target, const char *name,
                           json_t *take_argument, GError **error)
{
    return hf_page_frame_ask(&visit->page, target->frame, name, take_argument, error);
}

/* ---- reading ---- */

static json_t *read_in(HfVisit *visit, const HfPageFrame *frame, const char *name,
                       const json_t *argument, GError **error)
{
    return hf_page_frame_ask(&visit->page, frame, name, json_deep_copy(argument), error);
}

static gboolean is_none(const json_t *told)
{
    return json_is_object(told) && g_str_equal(hf_json_string(told, "at", ""), "none");
}

/* In all frames, until one has it; those that go meanwhile have nothing. NULL: the page itself
 * could not be asked. */
static json_t *read_in_frames(HfVisit *visit, const char *name, const json_t *argument,
                              HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(GPtrArray) frames = hf_page_frames_list(&visit->page, error);
    g_autoptr(json_t) told = NULL;
    for (guint i = 0; frames && i < frames->len && (!told || is_none(told)); i++) {
        hf_page_frame_open_closed(&visit->page, frames->pdata[i]);
        json_t *more = read_in(visit, frames->pdata[i], name, argument, i == 0 ? error : NULL);
        if (!more && i == 0)
            return NULL;
        if (!more)
            continue;
        json_decref(told);
        told = more;
        g_clear_pointer(ret_frame, hf_page_frame_free);
        *ret_frame = g_steal_pointer(&frames->pdata[i]);
    }
    return g_steal_pointer(&told);
}

static json_t *extract_once(HfVisit *visit, const char *name, const HfPageAsk *ask,
                            const json_t *argument, HfPageFrame **ret_frame, GError **error)
{
    g_autoptr(HfPageFrame) frame = hf_page_frame_new_main(&visit->page);
    g_autoptr(json_t) told = read_in(visit, frame, name, argument, error);
    if (is_none(told)) {
        json_decref(told);
        told = read_in_frames(visit, name, argument, &frame, error);
    }
    if (!told)
        return NULL;
    if (g_str_equal(hf_json_string(told, "at", ""), "many"))
        return fail_many(ask, told, error), NULL;
    if (is_none(told)) {
        Search search = {.ask = ask, .began_us = g_get_monotonic_time()};
        return fail_waited(&search, error), NULL;
    }
    if (ret_frame)
        *ret_frame = g_steal_pointer(&frame);
    return g_steal_pointer(&told);
}

/* A page that is replaced while it is read is read as the one that it has become. A reference went
 * with it. */
json_t *hf_page_extract(HfVisit *visit, const char *name, const HfPageAsk *ask,
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
