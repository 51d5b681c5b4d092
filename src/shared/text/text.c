/* SPDX-License-Identifier: Apache-2.0 */
/* Folds by NFKC and case: "CAFÉ", "café" and "cafe\u0301" with a combining accent are equal. */
#include "shared/text/text.h"

#include <string.h>

char *hf_text_fold(const char *text)
{
    if (g_str_is_ascii(text)) /* nearly all names, at a hundredth of the cost */
        return g_ascii_strdown(text, -1);
    g_autofree char *normal = g_utf8_normalize(text, -1, G_NORMALIZE_ALL_COMPOSE);
    g_autofree char *folded = g_utf8_casefold(normal ? normal : text, -1);
    char *again = g_utf8_normalize(folded, -1, G_NORMALIZE_ALL_COMPOSE);
    return again ? again : g_steal_pointer(&folded);
}

gboolean hf_text_equals_folded(const char *text, const char *folded)
{
    if (!text)
        return FALSE;
    g_autofree char *other = hf_text_fold(text);
    return g_str_equal(other, folded);
}

gboolean hf_text_equal(const char *a, const char *b)
{
    if (!a || !b)
        return FALSE;
    g_autofree char *folded = hf_text_fold(b);
    return hf_text_equals_folded(a, folded);
}

gboolean hf_text_contains_folded(const char *text, const char *folded)
{
    if (!text)
        return FALSE;
    g_autofree char *other = hf_text_fold(text);
    return strstr(other, folded) != NULL;
}

char *hf_text_shorten(const char *text, gsize limit)
{
    gsize length = strlen(text);
    if (length <= limit)
        return g_strdup(text);
    const char *end = g_utf8_find_prev_char(text, text + limit + 1);
    return g_strdup_printf("%.*s...", (int)(end ? end - text : 0), text);
}

guint hf_text_distance(const char *a, const char *b)
{
    gsize length = strlen(b);
    g_autofree guint *row = g_new(guint, length + 1);
    for (gsize j = 0; j <= length; j++)
        row[j] = (guint)j;
    for (gsize i = 0; a[i]; i++) {
        guint diagonal = row[0];
        row[0] = (guint)i + 1;
        for (gsize j = 0; j < length; j++) {
            guint kept = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = MIN(kept, MIN(row[j], diagonal) + 1);
        }
    }
    return row[length];
}
