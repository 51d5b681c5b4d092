/* SPDX-License-Identifier: Apache-2.0 */
/* Words end where a name could not go on. */
#include "hand/safety/workspace-title.h"

#include <string.h>

static gboolean is_of_name(char byte)
{
    return (guchar)byte >= 0x80 || g_ascii_isalnum(byte) || strchr("_-.~", byte) != NULL;
}

/* Whether the text stands in the title, with nothing before and behind it that would make it
 * another one. What follows may be below it; what is before may not be above it. */
static gboolean has_whole(const char *title, const char *text)
{
    gsize length = strlen(text);
    for (const char *at = strstr(title, text); at; at = strstr(at + 1, text)) {
        char before = at > title ? at[-1] : ' ', behind = at[length] ? at[length] : ' ';
        if (!is_of_name(before) && before != '/' && !is_of_name(behind))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_workspace_in_title(const char *directory, const char *home, const char *title)
{
    g_autofree char *path = g_canonicalize_filename(directory, "/");
    g_autofree char *name = g_path_get_basename(path);
    if (!title || g_str_equal(path, "/"))
        return FALSE;
    if (has_whole(title, path) || has_whole(title, name))
        return TRUE;
    gsize length = home ? strlen(home) : 0;
    gboolean below = length > 1 && strncmp(path, home, length) == 0 && path[length] == '/';
    g_autofree char *brief = below ? g_strconcat("~", path + length, NULL) : NULL;
    return brief && has_whole(title, brief);
}
