/* SPDX-License-Identifier: Apache-2.0 */
/* An element as callers see it: as an object, and as one line of a list that saves tokens. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "shared/tool/param.h"

/* The members of an element, for the result tables of tools. */
extern const HfParam hf_element_fields[];
/* The same for an outline, where each element precedes its content. */
extern const HfParam hf_outline_fields[];
/* The same with `score` and `reasons`. */
extern const HfParam hf_candidate_fields[];

/* The reference of an element: 12 for e12; 0: none. */
typedef guint (*HfElementNamer)(gpointer data, int index);

typedef struct HfElementStyle {
    HfElementNamer name; /* NULL: without references */
    gpointer data;
    gboolean values; /* with the texts of fields; never those of password fields */
    gboolean hidden; /* lists: with hidden elements */
    gsize limit;     /* lists: the most bytes of text; 0: any */
} HfElementStyle;

json_t *hf_element_to_json(const HfTree *tree, int index, const HfElementStyle *style);
/* e12 button "Save" 120,44 80x24 focused */
void hf_element_append_line(GString *text, const HfTree *tree, int index,
                            const HfElementStyle *style);

/* Whether it belongs in a list of what is on the screen: things to use or to read, not the boxes
 * around them. */
gboolean hf_element_is_informative(const HfTree *tree, int index);
/* The indices (int) of the informative elements from `begin` to before `end`, without those that
 * repeat their container (the label inside a button). */
GArray *hf_elements_listed(const HfTree *tree, int begin, int end, gboolean hidden);
/* The same, one line each. `ret_left_out`: how many exceeded the limit. Both results may be NULL.
 */
char *hf_elements_to_text(const HfTree *tree, int begin, int end, const HfElementStyle *style,
                          int *ret_listed, int *ret_left_out);
