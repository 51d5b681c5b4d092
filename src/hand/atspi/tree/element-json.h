/* SPDX-License-Identifier: Apache-2.0 */
/* An element as callers see it: as an object, and as one line of a list that costs few tokens. */
#pragma once

#include "hand/atspi/tree/tree.h"
#include "shared/tool/param.h"

/* The members of an element, for the result tables of tools. */
extern const HfParam hf_element_fields[];
/* The same in an outline: each right before those that it holds. */
extern const HfParam hf_outline_fields[];
/* The same with `score` and `reasons`. */
extern const HfParam hf_candidate_fields[];

/* The name of an element: 12 for e12; 0: it has none. */
typedef guint (*HfElementNamer)(gpointer data, int index);

typedef struct HfElementStyle {
    HfElementNamer name; /* NULL: without references */
    gpointer data;
    gboolean values; /* also texts that people have written; never those of secure fields */
    gboolean hidden; /* in lists: also what cannot be seen */
    gsize limit;     /* in lists: bytes of the text at most; 0: any */
} HfElementStyle;

json_t *hf_element_to_json(const HfTree *tree, int index, const HfElementStyle *style);
/* e12 button "Save" 120,44 80x24 focused */
void hf_element_append_line(GString *text, const HfTree *tree, int index,
                            const HfElementStyle *style);

/* Whether a list of what is on the screen should have it: things to use or to read, and not the
 * boxes that they lie in. */
gboolean hf_element_is_informative(const HfTree *tree, int index);
/* The telling elements from `begin` to before `end` (int, their indices), without what one above
 * says already (the label inside of a button). */
GArray *hf_elements_listed(const HfTree *tree, int begin, int end, gboolean hidden);
/* The same, a line each. `ret_listed`: how many; `ret_left_out`: how many more would not fit into
 * the limit. Both may be NULL. */
char *hf_elements_to_text(const HfTree *tree, int begin, int end, const HfElementStyle *style,
                          int *ret_listed, int *ret_left_out);
