/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer: its position, movement, buttons and wheel. A button goes down only after the pointer
 * was seen at its target and the button was seen up. Every call releases what it has pressed,
 * however it ends. Only hf_pointer_press leaves a button down. */
#pragma once

#include "hand/desktop/desktop.h"
#include "shared/base/deadline.h"

/* As programs see them, after any swap for left-handed people. */
typedef enum HfButton {
    HF_BUTTON_LEFT = 1,
    HF_BUTTON_MIDDLE = 2,
    HF_BUTTON_RIGHT = 3,
    HF_BUTTON_WHEEL_UP = 4,
    HF_BUTTON_WHEEL_DOWN = 5,
    HF_BUTTON_WHEEL_LEFT = 6,
    HF_BUTTON_WHEEL_RIGHT = 7,
} HfButton;

typedef struct HfPointerEvent {
    enum { HF_POINTER_MOVE, HF_POINTER_PRESS, HF_POINTER_RELEASE } kind;
    HfPoint point;   /* MOVE */
    HfButton button; /* PRESS, RELEASE */
} HfPointerEvent;

typedef struct HfPointerState {
    HfPoint point;
    guint buttons; /* bit n is set while anyone holds button n; 1 to 5 only */
} HfPointerState;

struct HfPointerOps {
    /* Sends the events in order, with none of ours in between, and returns the state after them.
     * The journal records a press before it, and a release after it. */
    gboolean (*play)(const HfCallContext *context, const HfPointerEvent *events, gsize count,
                     HfPointerState *ret_state, GError **error);
};

typedef enum HfCurve {
    HF_CURVE_LINE, /* straight, slow at both ends */
    HF_CURVE_ARC,  /* bent to one side, like the swing of a wrist */
} HfCurve;

typedef struct HfPointerPathShape {
    HfCurve curve;
    int jitter_px; /* how far a step may lie off the curve, in each direction */
} HfPointerPathShape;

typedef struct HfPointerPathStep {
    HfPoint point;
    gint64 at_us; /* after the start */
} HfPointerPathStep;

/* The path of the pointer, computed before the first step: the steps after `from`, at most one
 * every HF_POINTER_PATH_STEP_US. The last one is `to` exactly, at `duration_us`; a duration of 0
 * gives that step alone. Free with g_array_unref. */
#define HF_POINTER_PATH_STEP_US 8000
GArray *hf_pointer_path_new(HfPoint from, HfPoint to, gint64 duration_us,
                            const HfPointerPathShape *shape, GRand *random);

/* How long a person takes for this distance. */
gint64 hf_pointer_path_human_duration_us(HfPoint from, HfPoint to);

/* How to get to a point. All zero: straight and at once. */
typedef struct HfMovement {
    gint64 duration_us;
    HfPointerPathShape shape;
    /* A random pause between these before each action at the point. */
    guint pause_min_ms, pause_max_ms;
    /* The point itself may be off by up to shape.jitter_px. */
    gboolean human;
} HfMovement;

typedef struct HfClick {
    HfPoint point;
    HfButton button;
    int count;
    const GArray *modifiers; /* keysyms to hold; may be NULL */
    HfMovement movement;
} HfClick;

typedef struct HfDrag {
    HfPoint from, to;
    HfButton button;
    const GArray *modifiers;
    HfMovement movement; /* its duration is the drag's; at least HF_DRAG_MIN_US */
} HfDrag;

/* Programs start a drag when the pointer has moved some way with the button down, and accept a drop
 * when it rests. GTK and Qt need 80 ms for that, Chromium 120. */
#define HF_DRAG_MIN_US 200000

typedef struct HfScroll {
    HfPoint point;
    HfButton wheel;
    int clicks;
    const GArray *modifiers;
    HfMovement movement;
} HfScroll;

gboolean hf_pointer_get(const HfCallContext *context, HfPointerState *ret_state, GError **error);

/* All of these return the point where they acted in `ret_point`. VERIFY_FAILED when the pointer
 * does not get there (a person moves the mouse, or a program confines it), PRECONDITION_FAILED when
 * the button is down already. */
gboolean hf_pointer_move(const HfCallContext *context, HfPoint point, const HfMovement *movement,
                         HfPoint *ret_point, const HfDeadline *deadline, GError **error);
gboolean hf_pointer_click(const HfCallContext *context, const HfClick *click, HfPoint *ret_point,
                          const HfDeadline *deadline, GError **error);
gboolean hf_pointer_drag(const HfCallContext *context, const HfDrag *drag, HfPoint *ret_point,
                         const HfDeadline *deadline, GError **error);
gboolean hf_pointer_scroll(const HfCallContext *context, const HfScroll *scroll, HfPoint *ret_point,
                           const HfDeadline *deadline, GError **error);
/* Leaves the button down, and in the journal, until hf_pointer_release or the end of the hand. */
gboolean hf_pointer_press(const HfCallContext *context, HfPoint point, HfButton button,
                          HfPoint *ret_point, const HfDeadline *deadline, GError **error);
/* PRECONDITION_FAILED when the button is not down. */
gboolean hf_pointer_release(const HfCallContext *context, HfPoint point, HfButton button,
                            HfPoint *ret_point, const HfDeadline *deadline, GError **error);
