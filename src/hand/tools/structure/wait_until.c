/* SPDX-License-Identifier: Apache-2.0 */
/* wait_until: waits for an element, a window or the focus, or until the screen has settled. It
 * checks only after something was drawn or a window changed: whatever a program changes for a
 * person to see is drawn. It also checks now and then, since a title may change without any
 * drawing. */
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
/* The pause after a check is this many times as long as the check, up to a limit: a screen that
 * never stops drawing must not keep a program busy with our questions. */
#define PAUSE_FACTOR 4
#define PAUSE_MAX_US (500 * MS)
/* Without any change. Windows cost less than elements. */
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
    gint64 checked_us, cost_us; /* when the last check ended, and how long it took */
    gboolean changed;           /* since then */
    json_t *element, *window;   /* what was found */
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

/* ---- the condition ---- */

static gboolean is_about_windows(Until until)
{
    return until == WINDOW || until == WINDOW_GONE;
}

/* A missing element is not an error here, and an ambiguous one is there. If only a part of the tree
 * was read, an element that was not found is neither there nor gone. */
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
    g_autofree char *shown = g_utf8_casefold(window->title, -1);
    g_autofree char *wanted = g_utf8_casefold(title, -1);
    return strstr(shown, wanted) != NULL;
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
    gboolean there = FALSE;
    waiting->changed = FALSE;
    gboolean known = is_about_windows(waiting->until) ? look_for_window(waiting, &there, error)
                                                      : look_for_element(waiting, &there, error);
    gboolean gone = waiting->until == VANISHES || waiting->until == WINDOW_GONE;
    *ret_holds = there != gone;
    waiting->checked_us = g_get_monotonic_time();
    waiting->cost_us = waiting->checked_us - now;
    return known;
}

/* ---- waiting ---- */

/* Does not wait. */
static gboolean read_wait_events(Waiting *waiting, GError **error)
{
    g_auto(HfScreenChanges) changes = {0};
    hf_screen_changes_init(&changes);
    if (!hf_screen_watch_read(waiting->watch, &changes, error))
        return FALSE;
    waiting->changed = waiting->changed || changes.drawn->len > 0 || changes.windows;
    return TRUE;
}

/* The time of the next check if nothing more happens. */
static gint64 next_wait_check(const Waiting *waiting)
{
    gint64 pause = CLAMP(waiting->cost_us * PAUSE_FACTOR, BURST_US, PAUSE_MAX_US);
    if (waiting->changed)
        return waiting->checked_us + pause;
    return waiting->checked_us +
           (is_about_windows(waiting->until) ? WINDOWS_AGAIN_US : ELEMENTS_AGAIN_US);
}

/* Until the next check is due. FALSE when the call must end; the end of max_ms is not an error. */
static gboolean wait_for_next_check(Waiting *waiting, GError **error)
{
    const HfDeadline *limit = hf_call_deadline(waiting->call);
    gint64 end = MIN(waiting->deadline.at_us, limit->at_us), due;
    while ((due = MIN(next_wait_check(waiting), end)) > g_get_monotonic_time()) {
        HfDeadline nap = {due, limit->cancellable};
        if (waiting->changed)
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
        return hf_settle_wait_run(waiting->call, waiting->watch, &waiting->deadline,
                                  &waiting->settled, error);
    if (!check_wait_condition(waiting, &holds, error))
        return FALSE;
    while (!holds && !hf_deadline_passed(&waiting->deadline))
        if (!wait_for_next_check(waiting, error) || !check_wait_condition(waiting, &holds, error))
            return FALSE;
    return holds || hf_fail(error, HF_ERROR_DESKTOP_TIMEOUT, "timed out waiting for: %s",
                            untils[waiting->until]);
}

/* ---- the call ---- */

static gboolean check_wait_params(const HfCall *call, Until until, GError **error)
{
    static const char *const only_settled[] = {"region", "ignore"};
    gboolean element = until == APPEARS || until == VANISHES || until == FOCUSED;
    if (element && !hf_call_has(call, "target"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "target: is required with until '%s'",
                       untils[until]);
    if (is_about_windows(until) && !hf_call_has(call, "title"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "title: is required with until '%s'",
                       untils[until]);
    if (until == SETTLED)
        return hf_settle_wait_check_params(call, error);
    for (gsize i = 0; i < G_N_ELEMENTS(only_settled); i++)
        if (hf_call_has(call, only_settled[i]))
            return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: only goes with until 'settled'",
                           only_settled[i]);
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
    HF_OPTIONAL("until", HF_TYPE_STRING,
                "appears, vanishes, focused: the element target. window, window_gone: a window "
                "whose title contains title. settled: nothing that counts changes on the screen, "
                "or in target, region or the window, for rest_ms",
                .choices = untils, .fallback = "\"appears\""),
    HF_PARAM_TARGET("target", "A selector of the element. It can wait for a value, text or states "
                              "too: 'text~/Total: \\\\d+/'"),
    HF_OPTIONAL("title", HF_TYPE_STRING, "A part of a window's title; case is ignored",
                .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_OPTIONAL("max_ms", HF_TYPE_INTEGER, "How long to wait; DESKTOP_TIMEOUT after that", .min = 0,
                .max = HF_LIMIT_WAIT_SECONDS * 1000, .fallback = "10000"),
    HF_OPTIONAL("rest_ms", HF_TYPE_INTEGER,
                "With settled: how long nothing may change. A caret, a clock and whatever blinks "
                "do not count",
                .min = 20, .max = 60000, .fallback = "250"),
    HF_PARAM_AREA("region",
                  "With settled: only this part, [left, top, right, bottom], or {x, y, width, "
                  "height}"),
    HF_PARAM_IGNORE,
    HF_PARAM_SPACE,
    HF_PARAM_WHERE,
    {0},
};

static const HfParam noise = {.type = HF_TYPE_OBJECT, .fields = hf_noise_fields};

static const HfParam result[] = {
    HF_RESULT_SUCCESS,
    HF_REQUIRED("until", HF_TYPE_STRING, "The condition that was met"),
    HF_REQUIRED("waited_ms", HF_TYPE_INTEGER, "Milliseconds"),
    HF_OPTIONAL("element", HF_TYPE_OBJECT, "The element that is there now",
                .fields = hf_element_fields),
    HF_OPTIONAL("window", HF_TYPE_OBJECT, "The window that is there now",
                .fields = hf_window_fields),
    HF_OPTIONAL("looks", HF_TYPE_INTEGER,
                "With settled: how many pictures were compared; 0: nothing was drawn"),
    HF_OPTIONAL("noise", HF_TYPE_ARRAY,
                "With settled: places whose changes did not count, in pixels of the screen",
                .items = &noise),
    {0},
};

const HfTool hf_tool_wait_until = {
    .name = "wait_until",
    .title = "Wait for a condition",
    .summary = "Wait until an element appears, vanishes or has the focus, a window opens or "
               "closes, or the screen has settled, instead of waiting for a fixed time. Returns at "
               "once when that happens, DESKTOP_TIMEOUT if it does not",
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
