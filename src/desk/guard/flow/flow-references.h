/* SPDX-License-Identifier: Apache-2.0 */
/* References in a workflow's values: "${steps.open.result.window.title}". A value that is nothing
 * but one reference becomes what it refers to, with its type; within other text it becomes text.
 * What comes in by a reference is never read for references again. Pure. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* What can be referred to. All borrowed. */
typedef struct HfFlowScope {
    const json_t *steps; /* by name, what is told of each: {ok, result, error, ...} */
    const json_t *vars;
    const json_t *result; /* of the attempt that `until` is asked about; NULL: none */
    /* Loops around, the innermost first. */
    const struct HfFlowItem *items;
} HfFlowScope;

typedef struct HfFlowItem {
    const char *as; /* its name */
    const json_t *value;
    json_t *index; /* an integer */
    gboolean own;  /* the list was written by the caller, and is no text of others */
    const struct HfFlowItem *outer;
} HfFlowItem;

/* Whether there is a reference anywhere in the value. */
gboolean hf_flow_has_reference(const json_t *value);

/* Told of each reference: its root ("steps") and its second part (a step's name; NULL: none). FALSE
 * with an error ends the walk. */
typedef gboolean (*HfFlowReferenceFunc)(const char *root, const char *second, gpointer data,
                                        GError **error);
/* Checks how all references in the value are written. `visit` may be NULL. */
gboolean hf_flow_check_references(const json_t *value, HfFlowReferenceFunc visit, gpointer data,
                                  GError **error);

/* The value with its references replaced (owned). PRECONDITION_FAILED when one leads nowhere,
 * LIMIT_EXCEEDED when it would become too long. `own_text_only`: text must be of the caller's own
 * making, numbers may come from anywhere. */
json_t *hf_flow_substitute(const json_t *value, const HfFlowScope *scope, gboolean own_text_only,
                           GError **error);
/* What a text that is nothing but one reference leads to (borrowed); NULL: nothing, or it is none.
 */
const json_t *hf_flow_find_value(const char *text, const HfFlowScope *scope);
/* Whether a text is nothing but one reference. */
gboolean hf_flow_is_reference(const char *text);
/* Letters, digits, '_' and '-', and none of the words that have a meaning. */
gboolean hf_flow_is_name(const char *name);
