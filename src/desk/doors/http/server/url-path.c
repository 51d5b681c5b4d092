/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a path at its slashes before decoding, so that an encoded slash stays within its part. */
#include "desk/doors/http/server/url-path.h"

#include <string.h>

#include "desk/doors/http/http-limits.h"

#define MOST_QUERY 64

static gboolean is_value(const char *part)
{
    return part[0] == '{';
}

/* Decoded text; NULL when it is not valid UTF-8, contains a NUL, or is empty. */
static char *dup_decoded(const char *text)
{
    g_autofree char *decoded = *text ? g_uri_unescape_string(text, NULL) : NULL;
    return decoded && g_utf8_validate(decoded, -1, NULL) ? g_steal_pointer(&decoded) : NULL;
}

GPtrArray *hf_http_path_match(const char *pattern, const char *path)
{
    /* Most patterns differ before their first {part}. */
    if (strlen(path) > HF_LIMIT_HTTP_PATH_BYTES ||
        strncmp(pattern, path, strcspn(pattern, "{")) != 0)
        return NULL;
    g_auto(GStrv) wanted = g_strsplit(pattern, "/", -1);
    g_auto(GStrv) given = g_strsplit(path, "/", HF_LIMIT_HTTP_PATH_PARTS + 2);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    guint count = g_strv_length(wanted);
    if (count != g_strv_length(given))
        return NULL;
    for (guint i = 0; i < count; i++) {
        char *value = is_value(wanted[i]) ? dup_decoded(given[i]) : NULL;
        if (value)
            g_ptr_array_add(values, value);
        else if (is_value(wanted[i]) || strcmp(wanted[i], given[i]) != 0)
            return NULL;
    }
    return g_steal_pointer(&values);
}

const char *hf_http_path_value(const char *pattern, const GPtrArray *values, const char *name)
{
    gsize length = strlen(name);
    guint index = 0;
    for (const char *at = strchr(pattern, '{'); at; at = strchr(at + 1, '{'), index++)
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '}')
            return index < values->len ? values->pdata[index] : NULL;
    return NULL;
}

static char *dup_query_text(const char *text, gsize length)
{
    g_autofree char *copy = g_strndup(text, length);
    g_strdelimit(copy, "+", ' ');
    g_autofree char *decoded = g_uri_unescape_string(copy, NULL);
    return decoded && g_utf8_validate(decoded, -1, NULL) ? g_steal_pointer(&decoded) : NULL;
}

GHashTable *hf_http_query_parse(const char *query)
{
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_auto(GStrv) pairs = query ? g_strsplit(query, "&", MOST_QUERY) : NULL;
    for (char **pair = pairs; pair && *pair; pair++) {
        gsize split = strcspn(*pair, "=");
        const char *rest = (*pair)[split] ? *pair + split + 1 : "";
        g_autofree char *name = dup_query_text(*pair, split);
        g_autofree char *value = dup_query_text(rest, strlen(rest));
        if (name && *name && value && !g_hash_table_contains(table, name))
            g_hash_table_insert(table, g_steal_pointer(&name), g_steal_pointer(&value));
    }
    return table;
}
