/* SPDX-License-Identifier: Apache-2.0 */
/* How each act is carried out, for element-action.c. */
#pragma once

#include "hand/atspi/act/element-action.h"

/* TRUE with `ret_done` FALSE when it cannot be done this way. */
typedef gboolean (*HfActAttempt)(HfElementAction *action, gboolean *ret_done, GError **error);
typedef gboolean (*HfActCheck)(HfElementAction *action, gboolean *ret_holds, GError **error);

typedef struct HfActStrategy {
    HfActCheck is_done;              /* NULL: the outcome cannot be read back */
    HfActAttempt by_atspi, by_input; /* by an accessibility call; by pointer and keys */
    const char *seen;                /* what confirms it */
} HfActStrategy;

/* Chosen by element and value. FALSE when they do not go together. */
gboolean hf_act_strategy_for_set(HfElementAction *action, HfActStrategy *ret_strategy,
                                 GError **error);
gboolean hf_act_strategy_for_select(HfElementAction *action, HfActStrategy *ret_strategy,
                                    GError **error);
extern const HfActStrategy hf_act_strategy_scroll;

/* Shared: clicks the element, and records that in the action. */
gboolean hf_act_attempt_click(HfElementAction *action, gboolean *ret_done, GError **error);
/* Focuses the window and then the element, by an accessibility call, else by input. */
gboolean hf_act_attempt_focus(HfElementAction *action, gboolean *ret_done, GError **error);
gboolean hf_element_action_fail(const HfElementAction *action, int code, const char *what,
                                GError **error);
