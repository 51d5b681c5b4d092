/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a workflow, as JSON:
 *   {"exists": "${...}"}          it refers to something that is not null
 *   {"ok": "NAME"}                the step of that name was done
 *   {"equals": [A, B]}            the same value; 1 and 1.0 are the same
 *   {"contains": [A, B]}          text in text, a member in a list, a name in an object
 *   {"matches": [TEXT, REGEX]}    a Perl-compatible regular expression is found in it
 *   {"less": [A, B]}, {"greater": [A, B]}    numbers
 *   {"and": [...]}, {"or": [...]}, {"not": {...}}
 * A reference to nothing equals nothing and matches nothing. Pure. */
#pragma once

#include "desk/guard/flow/flow-references.h"

/* Checks its form. INVALID_PARAMS says what is wrong. */
gboolean hf_flow_condition_check(const json_t *condition, HfFlowReferenceFunc visit, gpointer data,
                                 GError **error);
/* Whether it holds. FALSE with an error when that cannot be decided. */
gboolean hf_flow_condition_holds(const json_t *condition, const HfFlowScope *scope, GError **error);
