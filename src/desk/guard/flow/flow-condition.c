/* SPDX-License-Identifier: Apache-2.0 */
/* One table of operators: the form of each, and its function. */
#include "desk/guard/flow/flow-condition.h"

#include <string.h>

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/bounded-regex.h"

/* Step limit of the regex engine: a caller's pattern must not keep the desk busy. */
#define PATIENCE     100000
#define MOST_MEMBERS 32

typedef enum Form {
    FORM_REFERENCE,
    FORM_NAME,
    FORM_PAIR,
    FORM_LIST,
    FORM_ONE,
} Form;

typedef gboolean (*Asks)(const json_t *one, const json_t *other, GError **error);

static gboolean condition_equals(const json_t *one, const json_t *other, GError **error)
{
    if (json_is_number(one) && json_is_number(other))
        return json_number_value(one) == json_number_value(other);
    return json_equal((json_t *)one, (json_t *)other);
}

static gboolean condition_contains(const json_t *one, const json_t *other, GError **error)
{
    if (json_is_string(one) && json_is_string(other))
        return strstr(json_string_value(one), json_string_value(other)) != NULL;
    if (json_is_object(one) && json_is_string(other))
        return json_object_get(one, json_string_value(other)) != NULL;
    hf_json_each (member, one)
        if (condition_equals(member, other, NULL))
            return TRUE;
    return FALSE;
}

static GRegex *new_regex(const char *pattern, GError **error)
{
    if (strlen(pattern) > HF_LIMIT_SELECTOR_TEXT_BYTES) {
        hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "matches: a pattern has at most %d bytes",
                (int)HF_LIMIT_SELECTOR_TEXT_BYTES);
        return NULL;
    }
    GRegex *regex = hf_bounded_regex_new(pattern, PATIENCE, error);
    if (!regex)
        g_prefix_error(error, "matches: ");
    return regex;
}

static gboolean condition_matches(const json_t *one, const json_t *other, GError **error)
{
    if (!json_is_string(one) || !json_is_string(other))
        return FALSE;
    const char *pattern = json_string_value(other);
    g_autoptr(GError) problem = NULL;
    g_autoptr(GRegex) regex = new_regex(pattern, error);
    if (!regex)
        return FALSE;
    gboolean found = g_regex_match_full(regex, json_string_value(one), -1, 0, 0, NULL, &problem);
    if (!problem)
        return found;
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "matches: '%s': %s", pattern, problem->message);
}

static gboolean is_less(const json_t *one, const json_t *other, GError **error)
{
    return json_is_number(one) && json_is_number(other) &&
           json_number_value(one) < json_number_value(other);
}

static gboolean is_greater(const json_t *one, const json_t *other, GError **error)
{
    return is_less(other, one, error);
}

static const struct Word {
    const char *name;
    Form form;
    Asks asks; /* of pairs */
} words[] = {
    {"exists", FORM_REFERENCE, NULL},
    {"ok", FORM_NAME, NULL},
    {"equals", FORM_PAIR, condition_equals},
    {"contains", FORM_PAIR, condition_contains},
    {"matches", FORM_PAIR, condition_matches},
    {"less", FORM_PAIR, is_less},
    {"greater", FORM_PAIR, is_greater},
    {"and", FORM_LIST, NULL},
    {"or", FORM_LIST, NULL},
    {"not", FORM_ONE, NULL},
};

/* The operator of a condition and its operand; NULL when the condition is malformed. */
static const struct Word *operator_of(const json_t *condition, const json_t **ret_value)
{
    if (json_object_size(condition) != 1)
        return NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if ((*ret_value = json_object_get(condition, words[i].name)))
            return &words[i];
    return NULL;
}

/* ---- checking the form ---- */

typedef struct Check {
    HfFlowReferenceFunc visit;
    gpointer data;
    GError **error;
} Check;

static gboolean fail_condition_form(const char *word, const char *expected, GError **error)
{
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: expected %s", word, expected);
}

static gboolean check_condition(const json_t *condition, int depth, const Check *about);

static gboolean check_condition_list(const json_t *list, int depth, const char *word,
                                     const Check *about)
{
    if (json_array_size(list) == 0 || json_array_size(list) > MOST_MEMBERS)
        return fail_condition_form(word, "a list of conditions", about->error);
    hf_json_each (member, list)
        if (!check_condition(member, depth + 1, about))
            return FALSE;
    return TRUE;
}

/* A literal pattern can be checked before anything is done. */
static gboolean check_regex(const json_t *pair, GError **error)
{
    const char *pattern = json_string_value(json_array_get(pair, 1));
    if (!pattern || strstr(pattern, "${"))
        return TRUE;
    g_autoptr(GRegex) regex = new_regex(pattern, error);
    return regex != NULL;
}

static gboolean check_condition_form(const struct Word *word, const json_t *value, int depth,
                                     const Check *about)
{
    const char *text = json_string_value(value);
    switch (word->form) {
    case FORM_REFERENCE:
        return (text && hf_flow_is_reference(text) &&
                hf_flow_check_references(value, about->visit, about->data, about->error)) ||
               (!*about->error &&
                fail_condition_form(word->name, "one reference: \"${...}\"", about->error));
    case FORM_NAME:
        return text && hf_flow_is_name(text)
                   ? !about->visit || about->visit("steps", text, about->data, about->error)
                   : fail_condition_form(word->name, "the name of a step", about->error);
    case FORM_PAIR:
        return json_is_array(value) && json_array_size(value) == 2
                   ? hf_flow_check_references(value, about->visit, about->data, about->error) &&
                         (word->asks != condition_matches || check_regex(value, about->error))
                   : fail_condition_form(word->name, "two values: [A, B]", about->error);
    case FORM_LIST:
        return check_condition_list(value, depth, word->name, about);
    case FORM_ONE:
        return check_condition(value, depth + 1, about);
    }
    return FALSE;
}

static gboolean check_condition(const json_t *condition, int depth, const Check *about)
{
    const json_t *value = NULL;
    const struct Word *word = operator_of(condition, &value);
    if (depth > HF_LIMIT_FLOW_DEPTH)
        return hf_fail(about->error, HF_ERROR_LIMIT_EXCEEDED, "conditions nest at most %d deep",
                       HF_LIMIT_FLOW_DEPTH);
    if (!word)
        return hf_fail(about->error, HF_ERROR_INVALID_PARAMS,
                       "expected one of exists, ok, equals, contains, matches, less, greater, and, "
                       "or, not");
    return check_condition_form(word, value, depth, about);
}

gboolean hf_flow_condition_check(const json_t *condition, HfFlowReferenceFunc visit, gpointer data,
                                 GError **error)
{
    g_autoptr(GError) problem = NULL;
    Check about = {visit, data, &problem};
    if (check_condition(condition, 0, &about))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
}

/* ---- evaluating ---- */

static gboolean evaluate_pair_condition(const struct Word *word, const json_t *pair,
                                        const HfFlowScope *scope, GError **error)
{
    g_autoptr(GError) missing = NULL;
    g_autoptr(json_t) one = hf_flow_substitute(json_array_get(pair, 0), scope, FALSE, &missing);
    g_autoptr(json_t) other =
        one ? hf_flow_substitute(json_array_get(pair, 1), scope, FALSE, &missing) : NULL;
    if (one && other)
        return word->asks(one, other, error);
    if (hf_error_code(missing) != HF_ERROR_PRECONDITION_FAILED)
        g_propagate_error(error, g_steal_pointer(&missing));
    return FALSE;
}

static gboolean evaluate_condition(const json_t *condition, const HfFlowScope *scope,
                                   GError **error);

/* Whether one of them evaluates to `wanted`; stops at the first. */
static gboolean has_one(const json_t *list, gboolean wanted, const HfFlowScope *scope,
                        GError **error)
{
    hf_json_each (member, list) {
        g_autoptr(GError) problem = NULL;
        gboolean holds = evaluate_condition(member, scope, &problem);
        if (problem) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return FALSE;
        }
        if (holds == wanted)
            return TRUE;
    }
    return FALSE;
}

static gboolean evaluate_condition(const json_t *condition, const HfFlowScope *scope,
                                   GError **error)
{
    const json_t *value = NULL, *found;
    const struct Word *word = operator_of(condition, &value);
    g_autoptr(GError) problem = NULL;
    gboolean holds = FALSE;
    g_return_val_if_fail(word, FALSE);
    if (word->form == FORM_PAIR)
        return evaluate_pair_condition(word, value, scope, error);
    if (word->form == FORM_REFERENCE) {
        found = hf_flow_find_value(json_string_value(value), scope);
        return found && !json_is_null(found);
    }
    if (word->form == FORM_NAME)
        return hf_json_bool(json_object_get(scope->steps, json_string_value(value)), "ok", FALSE);
    if (word->form == FORM_ONE)
        holds = evaluate_condition(value, scope, &problem);
    else
        holds = has_one(value, strcmp(word->name, "or") == 0, scope, &problem);
    /* For "and", has_one looked for a condition that does not hold. */
    holds = !problem && holds == (strcmp(word->name, "or") == 0);
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return holds;
}

gboolean hf_flow_condition_holds(const json_t *condition, const HfFlowScope *scope, GError **error)
{
    return evaluate_condition(condition, scope, error);
}
