/* Before, after, and the verdict. What is not known makes a verdict weaker, never stronger. */
#include "hand/effect.h"

#include "access/access.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/rects.h"
#include "hand/effect-elements.h"
#include "hand/effect-wait.h"
#include "hand/effect-windows.h"
#include "platform/aim.h"
#include "platform/settle.h"

/* How long a program may take to read what was done to it before it counts as busy. */
#define READ_MS 500
/* For how long a title that has changed by itself is expected to do it again. */
#define TITLE_US (30 * G_USEC_PER_SEC)

typedef struct Habit {
    int pid; /* ids are given again */
    gint64 at_us;
} Habit;

struct HfEffectEye {
    HfDesktop *desktop;
    GMutex lock; /* one action at a time; guards what follows */
    HfScreenWatch *watch;
    HfRestless *restless;
    GPtrArray *last;   /* the windows after the last action; may be NULL */
    HfTree *last_tree; /* the elements after it, of one window; may be NULL */
    guint32 last_window;
    int last_pid; /* of it: ids of windows are given again */
    int slow_pid; /* whose elements could not be had in time, and until when to leave it */
    gint64 slow_until_us;
    GHashTable *elements; /* those that change by themselves */
    GHashTable *titles;   /* id → Habit: windows whose title changes by itself */
};

struct HfEffect {
    HfEffectEye *eye;
    HfCall *call;
    const HfTool *tool;
    gboolean watching; /* and so the eye is ours */
    GPtrArray *before;
    HfTree *tree; /* of the window that is acted on; NULL: it has none that can be had soon */
    guint32 window;
    int pid;
    char *blind; /* why nothing can be seen; NULL: it can */
};

/* What was seen after an action. */
typedef struct Sight {
    HfEffect *effect;
    const HfWindow *target; /* of the list before */
    HfPoint point;
    gboolean has_point;
    gboolean unread; /* the program has not read what was done */
    HfScreenNews news;
    GPtrArray *after;
    HfWindowsChange windows;
    HfTree *tree; /* as it is now; may be NULL */
    HfElementsChange elements;
    HfTextSeen text;
    gint64
        weak_since_us; /* when the proof that there is was seen first, if it is a weak one; or 0 */
    gint64 waited_us;
} Sight;

static void sight_clear(Sight *sight)
{
    hf_screen_news_clear(&sight->news);
    hf_windows_change_clear(&sight->windows);
    hf_elements_change_clear(&sight->elements);
    g_clear_pointer(&sight->tree, hf_tree_unref);
    g_clear_pointer(&sight->after, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sight, sight_clear)

HfEffectEye *hf_effect_eye_new(HfDesktop *desktop)
{
    HfEffectEye *eye = g_new0(HfEffectEye, 1);
    eye->desktop = desktop;
    eye->restless = hf_restless_new();
    eye->elements = hf_elements_restless_new();
    eye->titles = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_init(&eye->lock);
    return eye;
}

void hf_effect_eye_free(HfEffectEye *eye)
{
    if (!eye)
        return;
    hf_screen_watch_free(eye->watch);
    hf_restless_free(eye->restless);
    g_clear_pointer(&eye->last, g_ptr_array_unref);
    g_clear_pointer(&eye->last_tree, hf_tree_unref);
    g_hash_table_unref(eye->elements);
    g_hash_table_unref(eye->titles);
    g_mutex_clear(&eye->lock);
    g_free(eye);
}

/* ---- before ---- */

static void note_title(HfEffectEye *eye, const HfWindow *window)
{
    Habit habit = {window->pid, g_get_monotonic_time()};
    g_hash_table_insert(eye->titles, GUINT_TO_POINTER(window->id), g_memdup2(&habit, sizeof habit));
}

/* Drops those that are over, and those of windows whose id has another owner now. */
static void forget_titles(HfEffectEye *eye, const GPtrArray *windows)
{
    gint64 now = g_get_monotonic_time();
    GHashTableIter iter;
    gpointer id, habit;
    g_hash_table_iter_init(&iter, eye->titles);
    while (g_hash_table_iter_next(&iter, &id, &habit)) {
        const HfWindow *window = hf_windows_find(windows, GPOINTER_TO_UINT(id));
        const Habit *known = habit;
        if (!window || window->pid != known->pid || known->at_us + TITLE_US < now)
            g_hash_table_iter_remove(&iter);
    }
}

static gboolean has_other_title(const HfWindow *was, const HfWindow *is)
{
    return was && was->pid == is->pid && !g_str_equal(was->title, is->title);
}

/* Titles that are not what they were after the last action were changed by nobody. */
static void note_titles(HfEffectEye *eye, const GPtrArray *windows)
{
    forget_titles(eye, windows);
    for (guint i = 0; eye->last && i < windows->len; i++) {
        const HfWindow *is = windows->pdata[i];
        if (has_other_title(hf_windows_find(eye->last, is->id), is))
            note_title(eye, is);
    }
}

/* And one that changes twice after one action does not stop there. */
static void note_twice(const Sight *sight, const GPtrArray *windows)
{
    for (guint i = 0; sight->after && i < windows->len; i++) {
        const HfWindow *is = windows->pdata[i];
        const HfWindow *was = hf_windows_find(sight->effect->before, is->id);
        const HfWindow *meanwhile = hf_windows_find(sight->after, is->id);
        if (was && meanwhile && has_other_title(was, meanwhile) && has_other_title(meanwhile, is))
            note_title(sight->effect->eye, is);
    }
}

static const HfWindow *find_at(const GPtrArray *windows, HfPoint point)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && hf_rect_contains(window->frame, point))
            return window;
    }
    return NULL;
}

/* NULL when there is none, or only a part of it in that time. */
static HfTree *read_tree(const HfEffect *effect, guint32 window)
{
    HfAccessScope scope = {.window = window,
                           .max_ms = HF_EFFECT_TREE_MS,
                           .max_nodes = HF_EFFECT_TREE_NODES,
                           .include_text = TRUE,
                           .skip_actions = TRUE};
    g_autoptr(HfTree) tree =
        hf_access_read(effect->eye->desktop, &scope, hf_call_deadline(effect->call), NULL);
    if (tree && hf_tree_get_truncated(tree)) {
        effect->eye->slow_pid = effect->pid;
        effect->eye->slow_until_us = g_get_monotonic_time() + HF_EFFECT_TREE_SKIP_MS * 1000;
        return NULL;
    }
    return tree && hf_tree_size(tree) > 0 ? g_steal_pointer(&tree) : NULL;
}

static void look_at_elements(HfEffect *effect, const HfWindow *window)
{
    HfEffectEye *eye = effect->eye;
    if (!window || effect->tree ||
        (window->pid == eye->slow_pid && g_get_monotonic_time() < eye->slow_until_us))
        return;
    effect->window = window->id;
    effect->pid = window->pid;
    effect->tree = read_tree(effect, window->id);
    if (effect->tree && eye->last_tree && eye->last_window == window->id &&
        eye->last_pid == window->pid)
        hf_elements_note_restless(eye->elements, eye->last_tree, effect->tree);
}

/* Right before the button goes down: only then is it known where. */
static void on_press(HfPoint point, gpointer data)
{
    HfEffect *effect = data;
    if (effect->watching)
        look_at_elements(effect, find_at(effect->before, point));
}

/* The window that the call names, else the one that has the keyboard. */
static const HfWindow *find_likely(const HfEffect *effect)
{
    gint64 id = hf_call_int(effect->call, "window_id");
    const HfWindow *named = id > 0 ? hf_windows_find(effect->before, (guint32)id) : NULL;
    return named ? named : hf_windows_find_focused(effect->before);
}

static gboolean look_before(HfEffect *effect, GError **error)
{
    HfEffectEye *eye = effect->eye;
    g_auto(HfScreenNews) idle = {0};
    hf_screen_news_init(&idle);
    if (!eye->watch)
        eye->watch = hf_screen_watch_new(eye->desktop, error);
    if (!eye->watch || !hf_screen_watch_begin(eye->watch, &idle, error))
        return FALSE;
    effect->before = hf_windows_list(eye->desktop, error);
    if (!effect->before)
        return FALSE;
    hf_restless_note(eye->restless, idle.drawn, g_get_monotonic_time());
    note_titles(eye, effect->before);
    if (effect->tool->target == HF_TARGET_POINT || effect->tool->target == HF_TARGET_DRAG)
        hf_aim_set_watcher(on_press, effect);
    else
        look_at_elements(effect, find_likely(effect));
    return TRUE;
}

/* After a failure a fresh connection is tried the next time. */
static void stop_watching(HfEffect *effect, gboolean failed)
{
    if (!effect->watching)
        return;
    HfEffectEye *eye = effect->eye;
    if (failed)
        g_clear_pointer(&eye->watch, hf_screen_watch_free);
    else if (eye->watch)
        hf_screen_watch_end(eye->watch);
    effect->watching = FALSE;
    g_mutex_unlock(&eye->lock);
}

HfEffect *hf_effect_begin(HfEffectEye *eye, HfCall *call)
{
    HfEffect *effect = g_new0(HfEffect, 1);
    effect->eye = eye;
    effect->call = call;
    effect->tool = hf_call_tool(call);
    if (effect->tool->verifies < HF_VERIFY_EFFECT)
        return effect;
    g_autoptr(GError) error = NULL;
    if (!g_mutex_trylock(&eye->lock)) {
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

/* The place that a result names: where the pointer was, else the middle of the element. */
static gboolean find_place(const HfResult *result, HfPoint *ret_point)
{
    const json_t *position = json_object_get(result->json, "position");
    const json_t *bounds = json_object_get(json_object_get(result->json, "element"), "bounds");
    const json_t *place = position ? position : bounds;
    ret_point->x = (int)(hf_json_int(place, "x", -1) + hf_json_int(place, "width", 0) / 2);
    ret_point->y = (int)(hf_json_int(place, "y", -1) + hf_json_int(place, "height", 0) / 2);
    return place != NULL;
}

static void find_target(Sight *sight, const HfResult *result)
{
    HfEffect *effect = sight->effect;
    const json_t *element = json_object_get(result->json, "element");
    guint32 window = (guint32)hf_json_int(element, "window", 0);
    sight->has_point = find_place(result, &sight->point);
    if (window)
        sight->target = hf_windows_find(effect->before, window);
    else
        sight->target = sight->has_point ? find_at(effect->before, sight->point)
                                         : hf_windows_find_focused(effect->before);
    /* Elements of another window than the one that it turned out to be say nothing. */
    if (!sight->target || effect->window != sight->target->id)
        g_clear_pointer(&effect->tree, hf_tree_unref);
}

static gboolean look_at_windows(Sight *sight)
{
    HfEffect *effect = sight->effect;
    g_autoptr(GPtrArray) windows = hf_windows_list(effect->eye->desktop, NULL);
    if (!windows)
        return FALSE;
    note_twice(sight, windows);
    hf_windows_change_clear(&sight->windows);
    g_clear_pointer(&sight->after, g_ptr_array_unref);
    sight->after = g_steal_pointer(&windows);
    hf_windows_compare(effect->before, sight->after, sight->target, sight->news.popups,
                       effect->eye->titles, &sight->windows);
    return sight->windows.proof && !sight->windows.weak;
}

/* A window that is gone has no elements: that it is gone is told already. */
static gboolean compare_elements(Sight *sight)
{
    HfEffect *effect = sight->effect;
    g_autoptr(HfTree) now = effect->tree && hf_windows_find(sight->after, effect->window)
                                ? read_tree(effect, effect->window)
                                : NULL;
    if (!now)
        return FALSE;
    if (sight->tree)
        hf_elements_note_again(effect->eye->elements, effect->tree, sight->tree, now);
    HfElementsAim aim = {.point = sight->has_point ? &sight->point : NULL,
                         .moves = hf_call_has(effect->call, "direction")};
    hf_elements_change_clear(&sight->elements);
    hf_elements_compare(effect->tree, now, &aim, effect->eye->elements, &sight->elements);
    if (effect->tool->verifies == HF_VERIFY_TEXT)
        sight->text =
            hf_elements_find_text(effect->tree, now, hf_call_string(effect->call, "text"));
    g_clear_pointer(&sight->tree, hf_tree_unref);
    sight->tree = g_steal_pointer(&now);
    return sight->text == HF_TEXT_ARRIVED || (sight->elements.proof && !sight->elements.weak);
}

/* TRUE when there is a proof that needs no second look. */
static gboolean look_after(Sight *sight)
{
    gboolean strong = look_at_windows(sight);
    strong = compare_elements(sight) || strong;
    if (strong || !(sight->windows.proof || sight->elements.proof))
        sight->weak_since_us = 0;
    else if (!sight->weak_since_us)
        sight->weak_since_us = g_get_monotonic_time();
    return strong;
}

static gboolean on_rest(gpointer data)
{
    return look_after(data);
}

/* What changes by itself would change again: what is to count has to stay for a while. */
static void look_twice(Sight *sight)
{
    const HfDeadline *deadline = hf_call_deadline(sight->effect->call);
    if (!sight->weak_since_us)
        return;
    gint64 left = sight->weak_since_us + HF_EFFECT_QUIET_MS * 1000 - g_get_monotonic_time();
    if (left > 0 && hf_deadline_pause(deadline, left, NULL))
        look_after(sight);
}

/* What a program has not read it cannot have acted on: the quiet is counted from then on. */
static void wait_for_reader(Sight *sight)
{
    if (!sight->target)
        return;
    const HfDeadline *deadline = hf_call_deadline(sight->effect->call);
    HfDeadline patience = hf_deadline_within_ms(deadline, READ_MS);
    sight->unread =
        !hf_window_settle(sight->effect->eye->desktop, sight->target->id, &patience, NULL) &&
        hf_deadline_passed(&patience);
}

/* A title may change without anything being drawn. */
static gboolean look_for_titles(Sight *sight)
{
    look_at_windows(sight);
    if (sight->windows.weak && !sight->weak_since_us)
        sight->weak_since_us = g_get_monotonic_time();
    return sight->windows.weak || sight->elements.weak;
}

static gboolean watch_it(Sight *sight, GError **error)
{
    HfEffect *effect = sight->effect;
    HfSettling settling = {.watch = effect->eye->watch,
                           .restless = sight->has_point ? effect->eye->restless : NULL,
                           .target = sight->point,
                           .deadline = hf_call_deadline(effect->call),
                           .seen = on_rest,
                           .data = sight,
                           .news = &sight->news};
    gint64 began = g_get_monotonic_time();
    wait_for_reader(sight);
    gboolean settled = hf_effect_settle(&settling, error);
    if (settled && look_for_titles(sight))
        look_twice(sight);
    sight->waited_us = g_get_monotonic_time() - began;
    return settled;
}

/* ---- the verdict ---- */

static json_t *tell_rects(GArray *drawn)
{
    json_t *rects = json_array();
    hf_rects_join(drawn, HF_LIMIT_EFFECT_RECTS);
    for (guint i = 0; i < drawn->len; i++)
        json_array_append_new(rects, hf_json_rect(g_array_index(drawn, HfRect, i)));
    return rects;
}

static void suggest(json_t *effect, const char *next)
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
    suggest(effect, next);
    return effect;
}

/* What was typed is looked for in the field; that something else there has changed is no proof. */
static json_t *judge_text(const Sight *sight)
{
    json_t *effect = NULL;
    if (sight->text == HF_TEXT_ARRIVED)
        return hf_effect_new(HF_VERDICT_CONFIRMED, "the field holds the text");
    if (sight->text == HF_TEXT_MISSING) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED,
                               "the field that has the keyboard does not hold the text as typed");
        suggest(effect,
                "read the field before going on: it may have changed the text or lost some");
    } else if (sight->text == HF_TEXT_SECURE) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED, "a password field is not read");
    }
    return effect;
}

static json_t *judge(const Sight *sight)
{
    json_t *typed = judge_text(sight);
    if (typed)
        return typed;
    gboolean anything =
        sight->news.drawn->len > 0 || sight->windows.windows || sight->windows.focus;
    const HfWindow *modal =
        sight->target ? hf_windows_find_modal(sight->effect->before, sight->target) : NULL;
    if (sight->windows.proof && !(sight->windows.weak && sight->elements.proof))
        return hf_effect_new(HF_VERDICT_CONFIRMED, sight->windows.proof);
    if (sight->elements.proof)
        return hf_effect_new(HF_VERDICT_CONFIRMED, sight->elements.proof);
    if (modal)
        return tell_modal(modal, anything ? HF_VERDICT_UNVERIFIED : HF_VERDICT_NO_EFFECT);
    json_t *effect;
    if (anything) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED,
                               "something was drawn, but that alone proves nothing: what has no "
                               "effect can look pressed too");
        suggest(effect, "look at the rects: zoom or screenshot");
    } else if (sight->unread) {
        effect = hf_effect_new(HF_VERDICT_UNVERIFIED,
                               "the program has not read it yet: it is busy, or hangs");
        suggest(effect, "wait, then look again");
    } else {
        effect = hf_effect_new(HF_VERDICT_NO_EFFECT,
                               "nothing was drawn, and no window came, went or changed");
        suggest(effect, "look at the screen: aim elsewhere, or wait if the program is slow");
    }
    return effect;
}

static json_t *tell(const Sight *sight)
{
    json_t *effect = judge(sight);
    json_object_set_new(effect, "waited_ms", json_integer(sight->waited_us / 1000));
    if (sight->windows.windows)
        json_object_set(effect, "windows", sight->windows.windows);
    if (sight->windows.focus)
        json_object_set(effect, "focus", sight->windows.focus);
    if (sight->elements.elements)
        json_object_set(effect, "elements", sight->elements.elements);
    if (sight->news.drawn->len > 0)
        json_object_set_new(effect, "rects", tell_rects(sight->news.drawn));
    return effect;
}

static json_t *find_effect(HfEffect *effect, const HfResult *result)
{
    g_auto(Sight) sight = {.effect = effect};
    g_autoptr(GError) error = NULL;
    hf_screen_news_init(&sight.news);
    find_target(&sight, result);
    gboolean seen = watch_it(&sight, &error);
    stop_watching(effect, !seen);
    if (!seen && !sight.windows.proof)
        return hf_effect_new(HF_VERDICT_UNVERIFIED, error->message);
    g_clear_pointer(&effect->eye->last, g_ptr_array_unref);
    effect->eye->last = g_steal_pointer(&sight.after);
    g_clear_pointer(&effect->eye->last_tree, hf_tree_unref);
    effect->eye->last_tree =
        sight.tree ? g_steal_pointer(&sight.tree) : g_steal_pointer(&effect->tree);
    effect->eye->last_window = effect->window;
    effect->eye->last_pid = effect->pid;
    return tell(&sight);
}

/* Errors after which it is certain that nothing was done. */
static gboolean was_refused(const GError *error)
{
    static const HfErrorCode codes[] = {
        HF_ERROR_DESKTOP_MODAL_BLOCKING,
        HF_ERROR_DESKTOP_STALE_SNAPSHOT,
        HF_ERROR_DESKTOP_ELEMENT_NOT_FOUND,
        HF_ERROR_APP_NOT_ALLOWED,
        HF_ERROR_LOCKED,
        HF_ERROR_PRECONDITION_FAILED,
        HF_ERROR_INVALID_PARAMS,
        HF_ERROR_WINDOW_NOT_FOUND,
        HF_ERROR_WINDOW_AMBIGUOUS,
        HF_ERROR_APP_NOT_FOUND,
        HF_ERROR_ELEMENT_AMBIGUOUS,
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

static json_t *decide(HfEffect *effect, const HfResult *result, const GError *error)
{
    if (!result)
        return hf_effect_refused(error);
    if (effect->tool->verifies == HF_VERIFY_OWN)
        return hf_effect_new(HF_VERDICT_CONFIRMED, "it was seen to be so");
    if (effect->tool->verifies == HF_VERIFY_ACCEPTED)
        return hf_effect_new(HF_VERDICT_UNVERIFIED, "another program has taken it");
    if (hf_json_bool(result->json, "confirmed", FALSE))
        return hf_effect_new(HF_VERDICT_CONFIRMED,
                             hf_json_string(result->json, "seen", "it was seen to be so"));
    if (hf_json_bool(result->json, "read_back", FALSE))
        return hf_effect_new(HF_VERDICT_CONFIRMED, "the field holds the text");
    if (effect->blind)
        return hf_effect_new(HF_VERDICT_UNVERIFIED, effect->blind);
    return find_effect(effect, result);
}

json_t *hf_effect_end(HfEffect *effect, const HfResult *result, const GError *error)
{
    hf_aim_set_watcher(NULL, NULL);
    json_t *told = decide(effect, result, error);
    stop_watching(effect, FALSE);
    g_clear_pointer(&effect->before, g_ptr_array_unref);
    g_clear_pointer(&effect->tree, hf_tree_unref);
    g_free(effect->blind);
    g_free(effect);
    return told;
}
