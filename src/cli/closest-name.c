/* SPDX-License-Identifier: Apache-2.0 */
/* A typing error: one letter inserted, missing or wrong, or two letters swapped. */
#include "cli/closest-name.h"

#include <string.h>

/* Longer words are not typing errors. */
#define MOST_LETTERS 64

static char *fold_name(const char *word)
{
    g_autofree char *lower = g_ascii_strdown(word, -1);
    return g_strdelimit(g_steal_pointer(&lower), "-", '_');
}

/* The Damerau-Levenshtein distance, in three rows. */
static guint spelling_distance(const char *one, const char *other)
{
    guint rows[3][MOST_LETTERS + 1];
    gsize width = strlen(other);
    for (guint j = 0; j <= width; j++)
        rows[0][j] = j;
    for (guint i = 1; one[i - 1]; i++) {
        guint *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (guint j = 1; j <= width; j++) {
            row[j] =
                MIN(MIN(above[j] + 1, row[j - 1] + 1), above[j - 1] + (one[i - 1] != other[j - 1]));
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                row[j] = MIN(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[strlen(one) % 3][width];
}

const char *hf_closest_name(const char *word, const GPtrArray *candidates)
{
    g_autofree char *meant = fold_name(word);
    guint letters = (guint)strlen(meant), best = MAX(1, letters / 3) + 1;
    const char *closest = NULL;
    for (guint i = 0; letters > 1 && letters <= MOST_LETTERS && i < candidates->len; i++) {
        g_autofree char *candidate = fold_name(candidates->pdata[i]);
        guint far = strlen(candidate) <= MOST_LETTERS ? spelling_distance(meant, candidate) : best;
        if (far < best) {
            best = far;
            closest = candidates->pdata[i];
        }
    }
    return closest;
}
