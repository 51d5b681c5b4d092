/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to a model that looks at pictures. It is asked where something is that was described,
 * and only when what is known of the screen gives no clear answer
 * (docs/decisions/0018-locating.md).
 */
#pragma once

#include "shared/base/deadline.h"
#include "shared/image/image.h"

typedef struct HfAdvice {
    HfPoint point; /* in pixels of the picture */
    double confidence;
} HfAdvice;

typedef struct HfAdviser HfAdviser;
struct HfAdviser {
    const char *name;
    /* `candidates`: boxes (HfRect) in the picture that may be meant, best first. FALSE, with an
     * error, when it has no answer. */
    gboolean (*advise)(const HfAdviser *adviser, const HfImage *picture, const char *description,
                       const GArray *candidates, const HfDeadline *deadline, HfAdvice *ret_advice,
                       GError **error);
    gpointer data;
};

/* The one that is configured; NULL: none. There is nothing to configure one with as yet. */
const HfAdviser *hf_adviser_find(void);
/* Whether it should be asked: one is configured, and there is no clear answer. `ret_why` says in
 * words why it is not asked. */
gboolean hf_adviser_is_needed(const HfAdviser *adviser, gboolean clear, const char **ret_why);
