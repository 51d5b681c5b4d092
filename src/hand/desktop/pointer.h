/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer: where it is, moving it, its buttons and wheel. A button goes down only after the
 * pointer was seen to be where it should be and the button to be free; what a call has pressed is
 * released when the call ends, however it ends. Only hf_pointer_press leaves a button down. */
#pragma once

#include "hand/desktop/desktop.h"
#include "hand/desktop/pointer-path.h"
#include "shared/base/deadline.h"

/* As programs count them: a left-handed person's left click is still HF_BUTTON_LEFT. */
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
    guint buttons; /* bit n is set while button n is down, whoever holds it; 1 to 5 only */
} HfPointerState;

struct HfPointerOps {
    /* Does the events in order, with nothing of ours in between, and tells how the pointer is
     * after them. Presses are written down in the journal before, releases after. */
    gboolean (*play)(const HfCallContext *context, const HfPointerEvent *events, gsize count,
                     HfPointerState *ret_state, GError **error);
};

/* How to get to a place. All zero: straight there, at once. */
typedef struct HfMovement {
    gint64 duration_us;
    HfPointerPathShape shape;
    /* A pause of a length by chance between these before each act at the place. */
    guint pause_min_ms, pause_max_ms;
    /* The place itself may be off by up to shape.jitter_px, as a person's is. */
    gboolean human;
} HfMovement;

typedef struct HfClick {
    HfPoint point;
    HfButton button;
    int count;
    const GArray *modifiers; /* keysyms held around it; may be NULL */
    HfMovement movement;
} HfClick;

typedef struct HfDrag {
    HfPoint from, to;
    HfButton button;
    const GArray *modifiers;
    HfMovement movement; /* its duration is that of the drag; at least HF_DRAG_MIN_US */
} HfDrag;

/* Programs start a drag when they have seen the pointer go some way with the button down, and
 * accept a drop when they have seen it rest. GTK and Qt do in 80 ms, Chromium in 120. */
#define HF_DRAG_MIN_US 200000

typedef struct HfScroll {
    HfPoint point;
    HfButton wheel;
    int clicks;
    const GArray *modifiers;
    HfMovement movement;
} HfScroll;

gboolean hf_pointer_get(const HfCallContext *context, HfPointerState *ret_state, GError **error);

/* All of these return the place where it was done in `ret_point`, and fail with VERIFY_FAILED when
 * the pointer could not be brought there (a person's hand is on the mouse, or a program keeps it
 * in), with PRECONDITION_FAILED when the button is down already. */
gboolean hf_pointer_move(const HfCallContext *context, HfPoint point, const HfMovement *movement,
                         HfPoint *ret_point, const HfDeadline *deadline, GError **error);
gboolean hf_pointer_click(const HfCallContext *context, const HfClick *click, HfPoint *ret_point,
                          const HfDeadline *deadline, GError **error);
gboolean hf_pointer_drag(const HfCallContext *context, const HfDrag *drag, HfPoint *ret_point,
                         const HfDeadline *deadline, GError **error);
gboolean hf_pointer_scroll(const HfCallContext *context, const HfScroll *scroll, HfPoint *ret_point,
                           const HfDeadline *deadline, GError **error);
/* Leaves the button down, in the journal, until hf_pointer_release or the end of the hand. */
gboolean hf_pointer_press(const HfCallContext *context, HfPoint point, HfButton button,
                          HfPoint *ret_point, const HfDeadline *deadline, GError **error);
/* PRECONDITION_FAILED when the button is not down. */
gboolean hf_pointer_release(const HfCallContext *context, HfPoint point, HfButton button,
                            HfPoint *ret_point, const HfDeadline *deadline, GError **error);
