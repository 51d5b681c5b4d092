/* The pointer: where it is, moving it, its buttons and wheel. A button goes down only after the
 * pointer was seen to be where it should be. */
#pragma once

#include "base/deadline.h"
#include "platform/desktop.h"

typedef enum HfButton {
    HF_BUTTON_LEFT = 1,
    HF_BUTTON_MIDDLE = 2,
    HF_BUTTON_RIGHT = 3,
    HF_BUTTON_WHEEL_UP = 4,
    HF_BUTTON_WHEEL_DOWN = 5,
    HF_BUTTON_WHEEL_LEFT = 6,
    HF_BUTTON_WHEEL_RIGHT = 7,
} HfButton;

struct HfPointerOps {
    gboolean (*get)(HfDesktop *desktop, HfPoint *ret_point, GError **error);
    gboolean (*move)(HfDesktop *desktop, HfPoint point, GError **error);
    /* Written down in the journal while it is down. */
    gboolean (*button)(HfDesktop *desktop, HfButton button, gboolean down, GError **error);
};
