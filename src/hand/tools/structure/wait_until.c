/* SPDX-License-Identifier: Apache-2.0 */
/* wait_until: until an element, a window or the focus is as wanted, or the screen is at rest. Looks
 * only when something has happened: windows tell of themselves, and whatever a program changes for
 * a person to see is drawn. Sleeps until then, but for a look now and then, since a title may
 * change without anything being drawn. Never longer than asked. */
#include <string.h>

#include "hand/atspi/tree/element-json.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/screen-watch.h"
#include "hand/desktop/windows.h"
#include "hand/tools/screen/picture-change.h"
#include "hand/tools/structure/call-element.h"
#include "hand/tools/structure/wait-settled.h"
#include "hand/tools/windows/window-report.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"

#define MS       1000
#define BURST_US (20 * MS)
/* What is drawn all the time must not keep a program busy with answering us: looking takes no more
 * than this part of the time. */
#define PART          4
#define MOST_PAUSE_US (500 * MS)
/* Without news. Windows cost less than elements. */
#define WINDOWS_AGAIN_US  (500 * MS)
#define ELEMENTS_AGAIN_US (1000 * MS)

typedef enum Until { APPEARS, VANISHES, FOCUSED, WINDOW, WINDOW_GONE, SETTLED } Until;
static const char *const untils[] = {"appears",     "vanishes", "focused", "window",
                                     "window_gone", "settled",  NULL};

typedef struct Waiting {
    HfCall *call;
    Until until;
    const char *title;
    HfDeadline deadline;
    HfScreenWatch *watch;
    gint64 looked_us, cost_us; /* when it was looked for last, and how long that took */
    gboolean news;             /* since then */
    json_t *element, *window;  /* what was found */
    HfSettleWait settled;
} Waiting;

static void waiting_clear(Waiting *waiting)
{
    hf_screen_watch_free(waiting->watch);
    json_decref(waiting->element);
    json_decref(waiting->window);
    hf_settle_wait_clear(&waiting->settled);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Waiting, waiting_clear)

/* ---- what is wanted ---- */

/* Not being there is no error here; being there several times is being there. What was not found in
 * a part of the tree is neither there nor gone. */
static gboolean look_for_element(Waiting *waiting, gboolean *ret_there, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(HfElement) element = hf_call_get_element(waiting->call, FALSE, &failure);
    *ret_there = !element && waiting->until == VANISHES;
    if (!element && hf_error_code(failure) == HF_ERROR_DESKTOP_AX_TRAVERSAL_LIMIT)
        return TRUE;
    *ret_there = FALSE;
    if (!element && hf_error_code(failure) != HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND &&
        hf_error_code(failure) != HF_ERROR_ELEMENT_AMBIGUOUS &&
        hf_error_code(failure) != HF_ERROR_WINDOW_NOT_FOUND &&
        hf_error_code(failure) != HF_ERROR_APP_NOT_FOUND) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    if (!element)
        *ret_there = hf_error_code(failure) == HF_ERROR_ELEMENT_AMBIGUOUS;
    if (!element || !hf_tree_is_visible(element->tree, element->index))
        return TRUE;
    *ret_there = waiting->until != FOCUSED || hf_states_have(element->states, HF_STATE_FOCUSED);
    HfElementStyle style = {0};
    json_decref(waiting->element);
    waiting->element = hf_element_to_json(element->tree, element->index, &style);
    return TRUE;
}

static gboolean window_title_contains(const HfWindow *window, const char *title)
{
    g_autofree char *is = g_utf8_casefold(window->title, -1), *wanted = g_utf8_casefold(title, -1);
    return strstr(is, wanted) != NULL;
}

static gboolean look_for_window(Waiting *waiting, gboolean *ret_there, GError **error)
{
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(waiting->call), error);
    *ret_there = FALSE;
    for (guint i = 0; windows && i < windows->len && !*ret_there; i++) {
        const HfWindow *window = windows->pdata[i];
        if (!window_title_contains(window, waiting->title))
            continue;
        *ret_there = TRUE;
        json_decref(waiting->window);
        waiting->window = hf_window_to_json(window);
    }
    return windows != NULL;
}

static gboolean check_wait_condition(Waiting *waiting, gboolean *ret_holds, GError **error)
{
    gint64 now = g_get_monotonic_time();
    gboolean there = FALSE, known = TRUE;
    waiting->news = FALSE;
    switch (waiting->until) {
    case WINDOW:
    case WINDOW_GONE:
        known = look_for_window(waiting, &there, error);
        break;
    case APPEARS:
    case VANISHES:
    case FOCUSED:
        known = look_for_element(waiting, &there, error);
        break;
    case SETTLED: /* is no matter of looking once */
        break;
    }
    gboolean gone = waiting->until == VANISHES || waiting->until == WINDOW_GONE;
    *ret_holds = there != gone;
    waiting->looked_us = g_get_monotonic_time();
    waiting->cost_us = waiting->looked_us - now;
    return known;
}

/* ---- waiting ---- */

/* Without waiting. */
static gboolean read_wait_events(Waiting *waiting, GError **error)
{
    g_auto(HfScreenChanges) fresh = {0};
    hf_screen_changes_init(&fresh);
    if (!hf_screen_watch_read(waiting->watch, &fresh, error))
        return FALSE;
    waiting->news = waiting->news || fresh.drawn->len > 0 || fresh.windows;
    return TRUE;
}

static gboolean is_of_windows(Until until)
{
    return until == WINDOW || until == WINDOW_GONE;
}

/* When to look next if nothing more happens. */
static gint64 next_wait_check(const Waiting *waiting)
{
    gint64 pause = CLAMP(waiting->cost_us * PART, BURST_US, MOST_PAUSE_US);
    if (waiting->news)
        return waiting->looked_us + pause;
    return waiting->looked_us +
           (is_of_windows(waiting->until) ? WINDOWS_AGAIN_US : ELEMENTS_AGAIN_US);
}

/* Until there is something to look at. FALSE when the call must end; that the time which was asked
 * for is over is no error. */
static gboolean wait_for_next_check(Waiting *waiting, GError **error)
{
    const HfDeadline *limit = hf_call_deadline(waiting->call);
    gint64 end = MIN(waiting->deadline.at_us, limit->at_us), due;
    while ((due = MIN(next_wait_check(waiting), end)) > g_get_monotonic_time()) {
        HfDeadline nap = {due, limit->cancellable};
        if (waiting->news)
            hf_deadline_pause(&nap, due - g_get_monotonic_time(), NULL);
        else
            hf_deadline_wait_readable(&nap, waiting->watch->fd, NULL);
        if (!hf_deadline_check(limit, error) || !read_wait_events(waiting, error))
            return FALSE;
    }
    return hf_deadline_check(limit, error);
}

static gboolean start_screen_watch(Waiting *waiting, GError **error)
{
    g_auto(HfScreenChanges) before = {0};
    hf_screen_changes_init(&before);
    waiting->watch = hf_screen_watch_new(hf_call_desktop(waiting->call), error);
    return waiting->watch && hf_screen_watch_begin(waiting->watch, &before, error);
}

static gboolean wait_for_condition(Waiting *waiting, GError **error)
{
    gboolean holds = FALSE;
    if (!start_screen_watch(waiting, error))
        return FALSE;
    if (waiting->until == SETTLED)
        return hf_settle_wait_wait(waiting->call, waiting->watch, &waiting->deadline,
                                   &waiting->settled, error);
    if (!check_wait_condition(waiting, &holds, error))
        return FALSE;
    while (!holds && !hf_deadline_passed(&waiting->deadline))
        if (!wait_for_next_check(waiting, error) || !check_wait_condition(waiting, &holds, error))
            return FALSE;
    return holds || hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "it has not come about: %s",
                            untils[waiting->until]);
}

/* ---- the call ---- */

static gboolean check_wait_params(const HfCall *call, Until until, GError **error)
{
    static const char *const of_settled[] = {"region", "ignore"};
    gboolean element = until == APPEARS || until == VANISHES || until == FOCUSED;
    if (element && !hf_call_has(call, "target"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "target: is required with until '%s'",
                       untils[until]);
    if ((until == WINDOW || until == WINDOW_GONE) && !hf_call_has(call, "title"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "title: is required with until '%s'",
                       untils[until]);
    if (until == SETTLED)
        return hf_settle_wait_check(call, error);
    for (gsize i = 0; i < G_N_ELEMENTS(of_settled); i++)
        if (hf_call_has(call, of_settled[i]))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: goes with until 'settled'",
                           of_settled[i]);
    return TRUE;
}

static HfResult *run(HfCall *call, GError **error)
{
    Until until = APPEARS;
    while (strcmp(untils[until], hf_call_string(call, "until")) != 0)
        until++;
    if (!check_wait_params(call, until, error))
        return NULL;
    g_auto(Waiting) waiting = {
        .call = call,
        .until = until,
        .title = hf_call_string(call, "title"),
        .deadline = hf_deadline_within_ms(hf_call_deadline(call), hf_call_int(call, "max_ms")),
    };
    gint64 began = g_get_monotonic_time();
    if (!wait_for_condition(&waiting, error))
        return NULL;
    json_t *result = json_pack("{s:b, s:s, s:I}", "success", TRUE, "until", untils[until],
                               "waited_ms", (json_int_t)((g_get_monotonic_time() - began) / 1000));
    if (waiting.element && until != VANISHES)
        json_object_set(result, "element", waiting.element);
    if (waiting.window && until != WINDOW_GONE)
        json_object_set(result, "window", waiting.window);
    if (until == SETTLED)
        json_object_update_new(result, json_pack("{s:I, s:O}", "looks", waiting.settled.looks,
                                                 "noise", waiting.settled.noise));
    return hf_result_new(result);
}

static const HfParam params[] = {
    {.name = "until",
     .type = HF_TYPE_STRING,
     .choices = untils,
     .fallback = "\"appears\"",
     .about = "appears, vanishes, focused: the element target. window, window_gone: one whose "
              "title has the text title. settled: nothing that counts changes on the screen, or in "
              "target, region or the window, for rest_ms"},
    HF_PARAM_ELEMENT(FALSE, "The element: a selector. With a value, text or states it waits for "
                            "those: 'text~/Total: \\\\d+/'"),
    {.name = "title",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_TITLE_BYTES,
     .about = "A part of a window's title, in any case"},
    {.name = "max_ms",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_WAIT_SECONDS * 1000,
     .fallback = "10000",
     .about = "How long at most; DESKTOP_TIMEOUT then"},
    {.name = "rest_ms",
     .type = HF_TYPE_INTEGER,
     .min = 20,
     .max = 60000,
     .fallback = "250",
     .about = "With settled: for how long nothing may change. What blinks, a caret and a clock do "
              "not count"},
    HF_PARAM_AREA("region", FALSE,
                  "With settled: only this part, [left, top, right, bottom], or {x, y, width, "
                  "height}"),
    HF_PARAM_IGNORE,
    HF_PARAM_SPACE,
    HF_PARAM_WHERE,
    {0},
};

static const HfParam noise = {.type = HF_TYPE_OBJECT, .fields = hf_noise_fields};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "until", .type = HF_TYPE_STRING, .required = TRUE, .about = "What was waited for"},
    {.name = "waited_ms", .type = HF_TYPE_INTEGER, .required = TRUE, .about = "Milliseconds"},
    {.name = "element",
     .type = HF_TYPE_OBJECT,
     .fields = hf_element_fields,
     .about = "The element that is there now"},
    {.name = "window",
     .type = HF_TYPE_OBJECT,
     .fields = hf_window_fields,
     .about = "The window that is there now"},
    {.name = "looks",
     .type = HF_TYPE_INTEGER,
     .about = "With settled: how many pictures were compared; 0: nothing was drawn"},
    {.name = "noise",
     .type = HF_TYPE_ARRAY,
     .items = &noise,
     .about = "With settled: places that stir and did not count, in pixels of the screen"},
    {0},
};

const HfTool hf_tool_wait_until = {
    .name = "wait_until",
    .title = "Wait until something is so",
    .summary = "Wait until an element appears, vanishes or has the focus, a window comes or goes, "
               "or the screen is at rest: instead of waiting for a time. Returns as soon as it is "
               "so, DESKTOP_TIMEOUT when it is not by then",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = HF_LIMIT_WAIT_SECONDS * 1000 + 30000,
    .params = params,
    .result = result,
    .run = run,
};
