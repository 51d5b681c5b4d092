/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of weighing where things lie share. For ties.c, lies.c and spots.c alone. */
#pragma once

#include "hand/locate/pick.h"

/* What has a good part of the best score competes for the nearest place. */
#define COMPETES 0.6
/* What does not lie where it should. */
#define NOT_AT 0.12
/* What is only painted may be counted wrong. */
#define PAINTED 0.74

static inline double best_score(const HfScene *scene, const HfMark *marks)
{
    double best = 0;
    for (guint i = 0; i < scene->things->len; i++)
        best = MAX(best, marks[i].score);
    return best;
}

static inline gboolean lies_in(HfRect inner, HfRect outer)
{
    return hf_rect_contains(outer, hf_rect_middle(inner)) &&
           (gint64)inner.width * inner.height < (gint64)outer.width * outer.height;
}

static inline gboolean overlaps(int a, int a_length, int b, int b_length)
{
    int common = MIN(a + a_length, b + b_length) - MAX(a, b);
    return common * 2 >= MIN(a_length, b_length);
}
