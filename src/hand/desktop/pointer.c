/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer actions, each made of batches of events and a look at the resulting state. Decides when a
 * button may go down. Must never leave anything pressed that the caller did not want to stay
 * pressed: a Held releases it on every way out. */
#include "hand/desktop/pointer.h"

#include <math.h>

#include "hand/desktop/keyboard.h"
#include "hand/desktop/screen.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "hand/safety/target-window.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

/* A person moves the mouse in bursts, and a press freezes the pointer until the window manager has
 * handled it, which takes a while on a busy machine. So the tries are spread over half a second. */
#define SETTLE_TRIES 10
#define SETTLE_US    1000 /* before the second try; doubled for each one after it */
/* The window manager needs a moment to wake up. Pauses add up to half a second. */
#define DELIVERY_TRIES 12
#define DELIVERY_US    128 /* doubled for each try */

/* For human-like clicks. With longer pauses a double click would become two single ones. */
#define HOLD_MAX_MS 60u
/* Chromium takes two presses with the same server time, in milliseconds, for one press: it would
 * see no double click. */
#define CLICK_GAP_US 5000
/* The part of a drag that is spent resting on the target. */
#define DRAG_REST    0.2
#define SCROLL_BATCH 50
/* An arc leaves the straight line by up to this part of its length, and never by more pixels. */
#define ARC_BEND      0.15
#define ARC_BEND_MAX  90.0
#define HUMAN_MIN_MS  90.0
#define HUMAN_MAX_MS  900.0
#define HUMAN_STEP_MS 85.0 /* for each doubling of the distance, after Fitts */

typedef struct Vector {
    double x, y;
} Vector;

/* Slow, fast, slow: 0 → 0, 1 → 1, level at both ends. */
static double ease_in_out(double t)
{
    return t * t * (3 - 2 * t);
}

/* The control point of a quadratic curve: beside the middle, on a random side. */
static Vector pick_control_point(HfPoint from, HfPoint to, GRand *random)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    if (length == 0)
        return (Vector){from.x, from.y};
    double limit = 2 * fmin(length * ARC_BEND, ARC_BEND_MAX);
    double offset = g_rand_double_range(random, 0.3, 1) * limit;
    if (g_rand_boolean(random))
        offset = -offset;
    return (Vector){(from.x + to.x) / 2.0 - dy / length * offset,
                    (from.y + to.y) / 2.0 + dx / length * offset};
}

static Vector point_on_curve(HfPoint from, Vector control, HfPoint to, double t)
{
    double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    return (Vector){a * from.x + b * control.x + c * to.x, a * from.y + b * control.y + c * to.y};
}

static int round_with_jitter(double value, int jitter, GRand *random)
{
    if (jitter > 0)
        value += g_rand_double_range(random, -jitter, jitter);
    return (int)lround(value);
}

GArray *hf_pointer_path_new(HfPoint from, HfPoint to, gint64 duration_us,
                            const HfPointerPathShape *shape, GRand *random)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(HfPointerPathStep));
    Vector control = {(from.x + to.x) / 2.0, (from.y + to.y) / 2.0};
    if (shape->curve == HF_CURVE_ARC)
        control = pick_control_point(from, to, random);
    gint64 count = MAX(1, duration_us / HF_POINTER_PATH_STEP_US);
    HfPoint last = from;
    for (gint64 i = 1; i < count; i++) {
        double t = (double)i / (double)count;
        Vector at = point_on_curve(from, control, to, ease_in_out(t));
        HfPoint point = {round_with_jitter(at.x, shape->jitter_px, random),
                         round_with_jitter(at.y, shape->jitter_px, random)};
        if (point.x == last.x && point.y == last.y)
            continue;
        HfPointerPathStep step = {point, (gint64)(t * (double)duration_us)};
        g_array_append_val(path, step);
        last = point;
    }
    HfPointerPathStep end = {to, MAX(0, duration_us)};
    g_array_append_val(path, end);
    return path;
}

gint64 hf_pointer_path_human_duration_us(HfPoint from, HfPoint to)
{
    double distance = hypot((double)to.x - from.x, (double)to.y - from.y);
    if (distance < 1)
        return 0;
    double ms = HUMAN_MIN_MS + HUMAN_STEP_MS * log2(1 + distance / 20);
    return (gint64)(fmin(ms, HUMAN_MAX_MS) * 1000);
}

static gboolean play_pointer_events(const HfCallContext *context, const HfPointerEvent *events,
                                    gsize count, HfPointerState *ret_state, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfPointerOps *ops = desktop->backend->pointer;
    if (ops && ops->play)
        return ops->play(context, events, count, ret_state, error);
    return hf_desktop_fail_unsupported(desktop, "use a pointer", error);
}

static HfPointerEvent move_to(HfPoint point)
{
    return (HfPointerEvent){.kind = HF_POINTER_MOVE, .point = point};
}

static HfPointerEvent press_event(HfButton button)
{
    return (HfPointerEvent){.kind = HF_POINTER_PRESS, .button = button};
}

static HfPointerEvent release_event(HfButton button)
{
    return (HfPointerEvent){.kind = HF_POINTER_RELEASE, .button = button};
}

/* Keys and a button that we hold until the end of the scope. */
typedef struct Held {
    const HfCallContext *context;
    const GArray *keys;
    guint key_count; /* the first so many of them are down */
    HfButton button; /* 0: none */
} Held;

/* Releases everything, also when one release fails. Reports the first error. */
static gboolean held_release(Held *held, GError **error)
{
    gboolean done = TRUE;
    HfPointerState state;
    if (held->button) {
        HfPointerEvent event = release_event(held->button);
        done = play_pointer_events(held->context, &event, 1, &state, error);
        held->button = 0;
    }
    gboolean keys = held->key_count > 0;
    while (held->key_count > 0) {
        guint32 keysym = g_array_index(held->keys, guint32, --held->key_count);
        done &= hf_keyboard_key(held->context, keysym, FALSE, done ? error : NULL);
    }
    return (!keys || hf_keyboard_take_back(hf_call_context_desktop(held->context), NULL,
                                           done ? error : NULL)) &&
           done;
}

static void held_clear(Held *held)
{
    held_release(held, NULL);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Held, held_clear)

static gboolean hold_keys(Held *held, const GArray *keys, GError **error)
{
    held->keys = keys;
    for (guint i = 0; keys && i < keys->len; i++) {
        /* Counted first, so that a press that failed half-way is released, too. */
        held->key_count = i + 1;
        if (!hf_keyboard_key(held->context, g_array_index(keys, guint32, i), TRUE, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean pause_at_random(const HfMovement *movement, guint max_ms,
                                const HfDeadline *deadline, GError **error)
{
    guint low = MIN(movement->pause_min_ms, max_ms), high = MIN(movement->pause_max_ms, max_ms);
    if (high == 0)
        return hf_deadline_check(deadline, error);
    gint64 pause_us = g_random_int_range((gint32)low * 1000, (gint32)high * 1000 + 1);
    return hf_deadline_pause(deadline, pause_us, error);
}

/* Moves the pointer to `point` and confirms that it is there. */
static gboolean settle_pointer_at(const HfCallContext *context, HfPoint point,
                                  HfPointerState *ret_state, const HfDeadline *deadline,
                                  GError **error)
{
    HfPointerEvent move = move_to(point);
    HfPointerState state;
    for (int try = 0; try < SETTLE_TRIES; try++) {
        if (try > 0 && !hf_deadline_pause(deadline, SETTLE_US << (try - 1), error))
            return FALSE;
        if (!play_pointer_events(context, &move, 1, &state, error))
            return FALSE;
        if (state.point.x == point.x && state.point.y == point.y) {
            *ret_state = state;
            return TRUE;
        }
    }
    hf_fail(error, HF_ERROR_VERIFY_FAILED,
            "the pointer should be at %d,%d but is at %d,%d: a person moves it, no monitor shows "
            "that point, or a program confines the pointer",
            point.x, point.y, state.point.x, state.point.y);
    hf_error_take_details(error, json_pack("{s:o, s:o}", "expected", hf_json_point(point), "actual",
                                           hf_json_point(state.point)));
    return FALSE;
}

/* Walks a path up to its last step, on which the caller settles. */
static gboolean walk_to(const HfCallContext *context, HfPoint from, HfPoint to, gint64 duration_us,
                        const HfPointerPathShape *shape, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(g_random_int());
    g_autoptr(GArray) path = hf_pointer_path_new(from, to, duration_us, shape, random);
    gint64 start = g_get_monotonic_time();
    HfPointerState state;
    for (guint i = 0; i < path->len; i++) {
        const HfPointerPathStep *step = &g_array_index(path, HfPointerPathStep, i);
        gint64 left = start + step->at_us - g_get_monotonic_time();
        if (left > 0 && !hf_deadline_pause(deadline, left, error))
            return FALSE;
        HfPointerEvent move = move_to(step->point);
        if (i + 1 < path->len && !play_pointer_events(context, &move, 1, &state, error))
            return FALSE;
    }
    return TRUE;
}

/* Moves `point` at random by up to `jitter`, within the screen. */
static gboolean add_jitter(const HfCallContext *context, HfPoint *point, int jitter, GError **error)
{
    HfSize screen;
    if (jitter <= 0)
        return TRUE;
    if (!hf_screen_get_size(hf_call_context_desktop(context), &screen, error))
        return FALSE;
    point->x += g_random_int_range(-jitter, jitter + 1);
    point->y += g_random_int_range(-jitter, jitter + 1);
    point->x = CLAMP(point->x, 0, screen.width - 1);
    point->y = CLAMP(point->y, 0, screen.height - 1);
    return TRUE;
}

/* Goes all the way to a point. Its position is confirmed last, after every pause. */
static gboolean move_and_confirm(const HfCallContext *context, HfPoint point,
                                 const HfMovement *movement, HfPointerState *ret_state,
                                 const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error) || !hf_deadline_check(deadline, error))
        return FALSE;
    if (movement->human && !add_jitter(context, &point, movement->shape.jitter_px, error))
        return FALSE;
    gint64 duration = movement->duration_us;
    if (duration > 0 || movement->human) {
        HfPointerState before;
        if (!hf_pointer_get(context, &before, error))
            return FALSE;
        if (duration == 0)
            duration = hf_pointer_path_human_duration_us(before.point, point);
        if (!walk_to(context, before.point, point, duration, &movement->shape, deadline, error))
            return FALSE;
    }
    return pause_at_random(movement, movement->pause_max_ms, deadline, error) &&
           settle_pointer_at(context, point, ret_state, deadline, error);
}

static gboolean is_down(const HfPointerState *state, HfButton button)
{
    return (state->buttons & (1u << button)) != 0;
}

/* A button may go down when it is up and the point shows the target window and nothing that is off
 * limits. The server sends no second press of a button that is down: the click would be lost. */
static gboolean check_press(const HfCallContext *context, const HfPointerState *state,
                            HfButton button, GError **error)
{
    if (is_down(state, button)) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
                "button %d is down already, so programs would not see another press", (int)button);
        hf_error_suggest(error, "release it with mouse_up, or wait until the person releases it");
        return FALSE;
    }
    hf_call_context_notify_observer(context, state->point);
    return hf_target_window_check_point(context, state->point, error) &&
           hf_fence_check_point(context, state->point, error);
}

gboolean hf_pointer_get(const HfCallContext *context, HfPointerState *ret_state, GError **error)
{
    return play_pointer_events(context, NULL, 0, ret_state, error);
}

gboolean hf_pointer_move(const HfCallContext *context, HfPoint point, const HfMovement *movement,
                         HfPoint *ret_point, const HfDeadline *deadline, GError **error)
{
    HfPointerState state;
    if (!move_and_confirm(context, point, movement, &state, deadline, error))
        return FALSE;
    *ret_point = state.point;
    return TRUE;
}

/* All clicks in one batch. It begins with a move, so that the button goes down at this point
 * whatever has happened since it was confirmed. */
static gboolean click_at_once(const HfCallContext *context, HfPoint point, HfButton button,
                              int count, GError **error)
{
    g_autofree HfPointerEvent *events = g_new(HfPointerEvent, 1 + 2 * (gsize)count);
    gsize length = 0;
    events[length++] = move_to(point);
    for (int i = 0; i < count; i++) {
        events[length++] = press_event(button);
        events[length++] = release_event(button);
    }
    HfPointerState state;
    return play_pointer_events(context, events, length, &state, error);
}

/* Waits until the program has the click. A window manager that looks at clicks first freezes the
 * pointer at the press, and nobody sees the release before it lets go. Keys are not frozen: those
 * that follow at once would overtake the click, and go to the field that had the focus before. */
static gboolean await_delivery(const HfCallContext *context, HfButton button,
                               const HfDeadline *deadline, GError **error)
{
    HfPointerState state;
    for (int try = 0; try < DELIVERY_TRIES; try++) {
        if (!hf_pointer_get(context, &state, error))
            return FALSE;
        if (!is_down(&state, button))
            break;
        if (!hf_deadline_pause(deadline, DELIVERY_US << try, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean click_slowly(const HfCallContext *context, HfPoint point, const HfClick *click,
                             const HfDeadline *deadline, GError **error)
{
    HfPointerEvent events[] = {move_to(point), press_event(click->button)};
    g_auto(Held) held = {.context = context, .button = click->button};
    HfPointerState state;
    return play_pointer_events(context, events, G_N_ELEMENTS(events), &state, error) &&
           pause_at_random(&click->movement, HOLD_MAX_MS, deadline, error) &&
           held_release(&held, error);
}

static gboolean click_times(const HfCallContext *context, HfPoint point, const HfClick *click,
                            const HfDeadline *deadline, GError **error)
{
    gboolean human = click->movement.human;
    for (int i = 0; i < click->count; i++) {
        if (i > 0 && (!hf_deadline_pause(deadline, CLICK_GAP_US, error) ||
                      !pause_at_random(&click->movement, HOLD_MAX_MS, deadline, error)))
            return FALSE;
        if (!(human ? click_slowly(context, point, click, deadline, error)
                    : click_at_once(context, point, click->button, 1, error)))
            return FALSE;
    }
    return await_delivery(context, click->button, deadline, error);
}

gboolean hf_pointer_click(const HfCallContext *context, const HfClick *click, HfPoint *ret_point,
                          const HfDeadline *deadline, GError **error)
{
    HfPointerState state;
    if (!move_and_confirm(context, click->point, &click->movement, &state, deadline, error) ||
        !check_press(context, &state, click->button, error))
        return FALSE;
    g_auto(Held) held = {.context = context};
    if (!hold_keys(&held, click->modifiers, error) ||
        !click_times(context, state.point, click, deadline, error) || !held_release(&held, error))
        return FALSE;
    *ret_point = state.point;
    return TRUE;
}

/* From the press up to the release. */
static gboolean drag_pressed(const HfCallContext *context, const HfDrag *drag, HfPoint from,
                             HfPoint to, const HfDeadline *deadline, GError **error)
{
    gint64 duration = MAX(drag->movement.duration_us, HF_DRAG_MIN_US);
    gint64 rest = (gint64)((double)duration * DRAG_REST);
    HfPointerState state;
    HfPointerEvent start[] = {move_to(from), press_event(drag->button)};
    return play_pointer_events(context, start, G_N_ELEMENTS(start), &state, error) &&
           walk_to(context, from, to, duration - rest, &drag->movement.shape, deadline, error) &&
           settle_pointer_at(context, to, &state, deadline, error) &&
           hf_deadline_pause(deadline, rest, error) &&
           settle_pointer_at(context, to, &state, deadline, error);
}

gboolean hf_pointer_drag(const HfCallContext *context, const HfDrag *drag, HfPoint *ret_point,
                         const HfDeadline *deadline, GError **error)
{
    HfMovement approach = drag->movement;
    approach.duration_us = 0;
    HfPoint to = drag->to;
    HfPointerState state;
    if (!hf_call_context_check(context, error))
        return FALSE;
    if (approach.human && !add_jitter(context, &to, approach.shape.jitter_px, error))
        return FALSE;
    if (!move_and_confirm(context, drag->from, &approach, &state, deadline, error) ||
        !check_press(context, &state, drag->button, error) ||
        !hf_fence_check_point(context, to, error))
        return FALSE;
    g_auto(Held) held = {.context = context};
    if (!hold_keys(&held, drag->modifiers, error))
        return FALSE;
    held.button = drag->button;
    if (!drag_pressed(context, drag, state.point, to, deadline, error) ||
        !held_release(&held, error))
        return FALSE;
    *ret_point = to;
    return TRUE;
}

static gboolean turn_wheel_clicks(const HfCallContext *context, HfPoint point,
                                  const HfScroll *scroll, const HfDeadline *deadline,
                                  GError **error)
{
    int batch = scroll->movement.human ? 1 : SCROLL_BATCH;
    for (int done = 0; done < scroll->clicks; done += batch) {
        if (done > 0 &&
            !pause_at_random(&scroll->movement, scroll->movement.pause_max_ms, deadline, error))
            return FALSE;
        int count = MIN(batch, scroll->clicks - done);
        if (!click_at_once(context, point, scroll->wheel, count, error))
            return FALSE;
    }
    return TRUE;
}

gboolean hf_pointer_scroll(const HfCallContext *context, const HfScroll *scroll, HfPoint *ret_point,
                           const HfDeadline *deadline, GError **error)
{
    HfPointerState state;
    if (!move_and_confirm(context, scroll->point, &scroll->movement, &state, deadline, error) ||
        !check_press(context, &state, scroll->wheel, error))
        return FALSE;
    g_auto(Held) held = {.context = context};
    if (!hold_keys(&held, scroll->modifiers, error) ||
        !turn_wheel_clicks(context, state.point, scroll, deadline, error) ||
        !held_release(&held, error))
        return FALSE;
    *ret_point = state.point;
    return TRUE;
}

gboolean hf_pointer_press(const HfCallContext *context, HfPoint point, HfButton button,
                          HfPoint *ret_point, const HfDeadline *deadline, GError **error)
{
    HfMovement straight = {0};
    HfPointerState state;
    if (!move_and_confirm(context, point, &straight, &state, deadline, error) ||
        !check_press(context, &state, button, error))
        return FALSE;
    HfPointerEvent events[] = {move_to(point), press_event(button)};
    g_auto(Held) held = {.context = context, .button = button};
    if (!play_pointer_events(context, events, G_N_ELEMENTS(events), &state, error))
        return FALSE;
    if (!is_down(&state, button))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED, "button %d did not go down", (int)button);
    held.button = 0; /* leave it down */
    *ret_point = point;
    return TRUE;
}

gboolean hf_pointer_release(const HfCallContext *context, HfPoint point, HfButton button,
                            HfPoint *ret_point, const HfDeadline *deadline, GError **error)
{
    HfPointerState state;
    if (!hf_deadline_check(deadline, error) || !hf_pointer_get(context, &state, error))
        return FALSE;
    if (!is_down(&state, button)) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "button %d is not down", (int)button);
        hf_error_suggest(error, "press it with mouse_down first");
        return FALSE;
    }
    HfPointerEvent let_go = release_event(button);
    if (!settle_pointer_at(context, point, &state, deadline, error) ||
        !play_pointer_events(context, &let_go, 1, &state, error))
        return FALSE;
    if (is_down(&state, button))
        return hf_fail(error, HF_ERROR_VERIFY_FAILED,
                       "button %d is still down because another device holds it", (int)button);
    *ret_point = point;
    return TRUE;
}
