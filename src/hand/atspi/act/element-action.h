/* SPDX-License-Identifier: Apache-2.0 */
/* Acting on an element: by an order to its program where the program takes it, else by the pointer
 * and keys of the desktop. What was asked for is looked for afterwards, and only what was seen is
 * told as done. */
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

/* By which way it was done. */
typedef enum HfActMethod {
    HF_ACT_METHOD_NONE,      /* it was so already */
    HF_ACT_METHOD_STRUCTURE, /* by an order to the program */
    HF_ACT_METHOD_PIXELS,    /* by pointer and keys */
} HfActMethod;

/* One act: what is wanted, and what has come of it. */
typedef struct HfElementAction {
    HfElement *element; /* borrowed */
    HfAct act;
    const char *value; /* SET_VALUE: text or number; SELECT: the name of an entry; else NULL */
    HfElement *choice; /* SELECT: the entry that is meant; owned */
    double number;     /* SET_VALUE: the number; INCREMENT, DECREMENT: what it was before */
    gboolean wanted;   /* TOGGLE, CHECK, EXPAND and their opposites: how it should be */

    HfActMethod way;
    gboolean confirmed; /* what was asked for was seen */
    char *seen;         /* what that rests on */
    char *before;       /* SET_VALUE: what it held, unless that is secret */
    HfPoint point;      /* where the pointer was used */
    gboolean pointed;
} HfElementAction;

void hf_element_action_clear(HfElementAction *action);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfElementAction, hf_element_action_clear)

const char *hf_act_name(HfAct act);
const char *hf_act_method_name(HfActMethod way);

/* PRECONDITION_FAILED when the element is disabled, read-only or out of sight, VERIFY_FAILED when
 * it was tried and not seen to be done, UNSUPPORTED when there is no way to do it. */
gboolean hf_element_action_run(HfElementAction *action, GError **error);
