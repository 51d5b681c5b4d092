/* SPDX-License-Identifier: Apache-2.0 */
/* Sets an element's value: a number, a text, or one of its entries. Never that of a password field.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "hand/atspi/act/action-strategy.h"
#include "hand/atspi/act/element-input.h"
#include "hand/atspi/act/field-text.h"
#include "hand/atspi/bus/atspi-names.h"
#include "hand/atspi/tree/roles.h"
#include "hand/atspi/tree/states.h"
#include "hand/desktop/keyboard.h"
#include "shared/base/error.h"

/* ---- numbers ---- */

static gboolean has_wanted_number(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    double number;
    if (!hf_element_get_number(action->element, "CurrentValue", &number, error))
        return FALSE;
    *ret_holds = fabs(number - action->number) <= 1e-9 * MAX(1, fabs(number));
    return TRUE;
}

static gboolean set_number_value(HfElementAction *action, gboolean *ret_done, GError **error)
{
    *ret_done = hf_element_set(action->element, HF_ATSPI_VALUE, "CurrentValue",
                               g_variant_new_double(action->number), error);
    return *ret_done;
}

static const HfActStrategy to_number = {
    .is_done = has_wanted_number,
    .by_atspi = set_number_value,
    .seen = "its number was read back",
};

static gboolean check_range(HfElementAction *action, GError **error)
{
    double least, most;
    if (!hf_element_get_number(action->element, "MinimumValue", &least, NULL) ||
        !hf_element_get_number(action->element, "MaximumValue", &most, NULL) || least >= most ||
        (action->number >= least && action->number <= most))
        return TRUE;
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "value: %g is not between %g and %g",
                   action->number, least, most);
}

static gboolean parse_number_text(const char *text, double *ret_number)
{
    char *end;
    errno = 0;
    double number = g_ascii_strtod(text, &end);
    if (end == text || *end || errno || !isfinite(number))
        return FALSE;
    *ret_number = number;
    return TRUE;
}

static void note_number(HfElementAction *action)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    double number;
    if (hf_element_get_number(action->element, "CurrentValue", &number, NULL))
        action->before = g_strdup(g_ascii_formatd(text, sizeof text, "%.10g", number));
}

static gboolean choose_number_strategy(HfElementAction *action, HfActStrategy *ret_strategy,
                                       GError **error)
{
    if (!parse_number_text(action->value, &action->number))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "value: '%s' is not a number",
                       action->value);
    note_number(action);
    *ret_strategy = to_number;
    return check_range(action, error);
}

/* ---- texts ---- */

static gboolean has_wanted_text(HfElementAction *action, gboolean *ret_holds, GError **error)
{
    g_autofree char *text = hf_element_dup_text(action->element, error);
    *ret_holds = text && strcmp(text, action->value) == 0;
    return text != NULL;
}

static gboolean set_text_value(HfElementAction *action, gboolean *ret_done, GError **error)
{
    *ret_done = FALSE;
    if (!hf_field_text_is_settable(action->element))
        return TRUE;
    *ret_done = hf_field_text_replace(action->element, action->value, error);
    return *ret_done;
}

/* Selects everything, so that typing replaces it. */
static gboolean type_text(HfElementAction *action, gboolean *ret_done, GError **error)
{
    static const char *const all[] = {"ctrl", "a", NULL}, *const nothing[] = {"Delete", NULL};
    HfElement *element = action->element;
    if (!hf_act_attempt_focus(action, ret_done, error) || !*ret_done)
        return *ret_done;
    if (!hf_element_press_keys(element, all, error))
        return FALSE;
    if (!*action->value)
        return hf_element_press_keys(element, nothing, error);
    HfTyping typing = {.text = action->value};
    HfTyped typed;
    return hf_keyboard_type(element->context, &typing, &typed, element->deadline, error);
}

static const HfActStrategy to_text = {
    .is_done = has_wanted_text,
    .by_atspi = set_text_value,
    .by_input = type_text,
    .seen = "its text was read back",
};

static gboolean choose_text_strategy(HfElementAction *action, HfActStrategy *ret_strategy,
                                     GError **error)
{
    guint64 states = action->element->states;
    if (!hf_states_have(states, HF_STATE_EDITABLE) || hf_states_have(states, HF_STATE_READ_ONLY))
        return hf_element_action_fail(action, HF_ERROR_PRECONDITION_FAILED, "cannot be edited",
                                      error);
    if (!hf_states_have(states, HF_STATE_MULTI_LINE) && strpbrk(action->value, "\r\n"))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "value: the field has one line, where a newline would press enter; remove "
                       "line breaks");
    action->before = hf_element_dup_text(action->element, error);
    *ret_strategy = to_text;
    return action->before != NULL;
}

/* ---- choosing the strategy ---- */

static gboolean refuse_secure(GError **error)
{
    hf_fail(error, HF_ERROR_DESKTOP_CONFIRM_REQUIRED,
            "this is a password field: only the owner may type into it or confirm what goes in");
    hf_error_suggest(error, "ask the owner to type it");
    hf_error_take_details(error, json_pack("{s:b}", "secure", TRUE));
    return FALSE;
}

gboolean hf_act_strategy_for_set(HfElementAction *action, HfActStrategy *ret_strategy,
                                 GError **error)
{
    const HfElement *element = action->element;
    gboolean has_entries = element->role == HF_ROLE_COMBO_BOX || element->role == HF_ROLE_LIST ||
                           element->role == HF_ROLE_LIST_BOX ||
                           element->role == HF_ROLE_PAGE_TAB_LIST;
    if (!action->value)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "value: set_value needs one");
    if (element->role == HF_ROLE_PASSWORD_TEXT)
        return refuse_secure(error);
    if (element->abilities & HF_ABILITY_VALUE)
        return choose_number_strategy(action, ret_strategy, error);
    if (has_entries && !hf_states_have(element->states, HF_STATE_EDITABLE))
        return hf_act_strategy_for_select(action, ret_strategy, error);
    if (element->abilities & HF_ABILITY_TEXT)
        return choose_text_strategy(action, ret_strategy, error);
    return hf_element_action_fail(action, HF_ERROR_UNSUPPORTED, "has no value that can be set",
                                  error);
}
