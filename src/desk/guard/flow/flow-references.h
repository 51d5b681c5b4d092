/* SPDX-License-Identifier: Apache-2.0 */
/* References in a workflow's values: "${steps.open.result.window.title}". A value that is exactly
 * one reference becomes what it refers to, with its type; within other text it becomes text.
 * Substituted text is never searched for references again. Pure. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* What can be referred to. All borrowed. */
typedef struct HfFlowScope {
    const json_t *steps; /* by name, the entry of each: {ok, result, error, ...} */
    const json_t *vars;
    const json_t *result; /* of the attempt that `until` checks; NULL: none */
    /* The enclosing loops, the innermost first. */
    const struct HfFlowItem *items;
} HfFlowScope;

typedef struct HfFlowItem {
    const char *as; /* its name */
    const json_t *value;
    json_t *index; /* an integer */
    gboolean own;  /* the caller wrote the list, so it is trusted text */
    const struct HfFlowItem *outer;
} HfFlowItem;

/* Whether there is a reference anywhere in the value. */
gboolean hf_flow_has_reference(const json_t *value);

/* Called for each reference with its root ("steps") and second part (a step's name; NULL: none).
 * FALSE with an error ends the walk. */
typedef gboolean (*HfFlowReferenceFunc)(const char *root, const char *second, gpointer data,
                                        GError **error);
/* Checks the form of all references in the value. `visit` may be NULL. */
gboolean hf_flow_check_references(const json_t *value, HfFlowReferenceFunc visit, gpointer data,
                                  GError **error);

/* The value with its references replaced (owned). PRECONDITION_FAILED when one refers to nothing,
 * LIMIT_EXCEEDED when it would become too long. `own_text_only`: text must come from the caller;
 * numbers may come from anywhere. */
json_t *hf_flow_substitute(const json_t *value, const HfFlowScope *scope, gboolean own_text_only,
                           GError **error);
/* What a text that is exactly one reference refers to (borrowed); NULL: nothing, or no such text.
 */
const json_t *hf_flow_find_value(const char *text, const HfFlowScope *scope);
/* Whether a text is exactly one reference. */
gboolean hf_flow_is_reference(const char *text);
/* Letters, digits, '_' and '-', and no reserved word. */
gboolean hf_flow_is_name(const char *name);
