/* SPDX-License-Identifier: Apache-2.0 */
/* The strategy to do an act, for element-action.c. */
#pragma once

#include "hand/atspi/act/element-action.h"

/* TRUE with `ret_done` FALSE when it cannot be done in this way. */
typedef gboolean (*HfActAttempt)(HfElementAction *action, gboolean *ret_done, GError **error);
typedef gboolean (*HfActCheck)(HfElementAction *action, gboolean *ret_holds, GError **error);

typedef struct HfActStrategy {
    HfActCheck is_done; /* NULL: nothing that could be looked at */
    HfActAttempt by_atspi, by_input;
    const char *seen; /* what was seen when it is done */
} HfActStrategy;

/* By what the element is and the value says. FALSE when it cannot be meant. */
gboolean hf_act_strategy_for_set(HfElementAction *action, HfActStrategy *ret_strategy,
                                 GError **error);
gboolean hf_act_strategy_for_select(HfElementAction *action, HfActStrategy *ret_strategy,
                                    GError **error);
extern const HfActStrategy hf_act_strategy_focus, hf_act_strategy_scroll;

/* Shared: a click on it, noted in the action. */
gboolean hf_act_attempt_click(HfElementAction *action, gboolean *ret_done, GError **error);
/* The window and then the element have the keyboard, by an order, else by a click. */
gboolean hf_act_attempt_focus(HfElementAction *action, gboolean *ret_done, GError **error);
gboolean hf_element_action_fail(const HfElementAction *action, int code, const char *what,
                                GError **error);
