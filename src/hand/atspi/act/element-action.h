/* SPDX-License-Identifier: Apache-2.0 */
/* Acts on an element: by an accessibility call where its program supports it, else by pointer and
 * keys. The outcome is read back, and only what was seen is reported as done. */
#pragma once

#include "hand/atspi/act/element.h"
#include "shared/base/geometry.h"

typedef enum HfAct {
    HF_ACT_PRESS,
    HF_ACT_TOGGLE,
    HF_ACT_CHECK,
    HF_ACT_UNCHECK,
    HF_ACT_SET_VALUE,
    HF_ACT_SELECT,
    HF_ACT_EXPAND,
    HF_ACT_COLLAPSE,
    HF_ACT_SCROLL_INTO_VIEW,
    HF_ACT_INCREMENT,
    HF_ACT_DECREMENT,
    HF_ACT_SHOW_MENU,
    HF_ACT_FOCUS,
    HF_ACT_COUNT,
} HfAct;

/* How it was done. */
typedef enum HfActMethod {
    HF_ACT_METHOD_NONE,      /* it was so already */
    HF_ACT_METHOD_STRUCTURE, /* by an accessibility call */
    HF_ACT_METHOD_PIXELS,    /* by pointer and keys */
} HfActMethod;

/* One action: what is wanted, and its outcome. */
typedef struct HfElementAction {
    HfElement *element; /* borrowed */
    HfAct act;
    const char *value; /* SET_VALUE: text or number; SELECT: the name of an entry; else NULL */
    HfElement *choice; /* SELECT: the entry; owned */
    double number;     /* SET_VALUE: the number; INCREMENT, DECREMENT: what it was before */
    gboolean wanted;   /* TOGGLE, CHECK, EXPAND and their opposites: the state to reach */

    HfActMethod way;
    gboolean confirmed; /* the outcome was seen */
    char *seen;         /* what confirmed it */
    char *before;       /* SET_VALUE: the old value, unless it is secret */
    HfPoint point;      /* where the pointer was used */
    gboolean pointed;
} HfElementAction;

void hf_element_action_clear(HfElementAction *action);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfElementAction, hf_element_action_clear)

const char *hf_act_name(HfAct act);
const char *hf_act_method_name(HfActMethod way);

/* PRECONDITION_FAILED when the element is disabled, read-only or out of view, VERIFY_FAILED when it
 * was tried and the outcome was not seen, UNSUPPORTED when there is no way to do it. */
gboolean hf_element_action_run(HfElementAction *action, GError **error);
