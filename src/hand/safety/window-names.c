/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is cached: a title can change, and a process can execute another program. */
#include "hand/safety/window-names.h"

#include <string.h>
#include <unistd.h>

#include "shared/text/glob.h"

HfWindowNames hf_window_names(const HfWindow *window, GPtrArray *ret_texts)
{
    char link[32], path[1024] = "";
    g_snprintf(link, sizeof link, "/proc/%d/exe", window->pid);
    ssize_t length = window->pid > 0 ? readlink(link, path, sizeof path - 1) : -1;
    char *executable = length > 0 ? g_utf8_make_valid(path, length) : NULL;
    char *process = executable ? g_path_get_basename(executable) : NULL;
    if (executable) {
        g_ptr_array_add(ret_texts, executable);
        g_ptr_array_add(ret_texts, process);
    }
    return (HfWindowNames){
        .title = window->title,
        .others = {process, executable, window->class_name, window->instance, NULL},
        .pid = window->pid};
}

gboolean hf_window_names_fit_text(char *const *globs, const char *text)
{
    for (; text && *text && *globs; globs++)
        if (hf_glob_matches(*globs, text))
            return TRUE;
    return FALSE;
}

gboolean hf_window_names_fit(char *const *globs, const HfWindowNames *names)
{
    for (gsize i = 0; i < G_N_ELEMENTS(names->others); i++)
        if (hf_window_names_fit_text(globs, names->others[i]))
            return TRUE;
    return hf_window_names_fit_text(globs, names->title);
}

static gboolean is_name_byte(char byte)
{
    return (guchar)byte >= 0x80 || g_ascii_isalnum(byte) || strchr("_-.~", byte) != NULL;
}

/* Whether the title contains the text as a whole word or path. A path below it may follow; a parent
 * may not precede it. */
static gboolean title_has_word(const char *title, const char *text)
{
    gsize length = strlen(text);
    for (const char *at = strstr(title, text); at; at = strstr(at + 1, text)) {
        char before = at > title ? at[-1] : ' ', after = at[length] ? at[length] : ' ';
        if (!is_name_byte(before) && before != '/' && !is_name_byte(after))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_window_title_has_directory(const char *title, const char *directory, const char *home)
{
    g_autofree char *path = g_canonicalize_filename(directory, "/");
    g_autofree char *name = g_path_get_basename(path);
    if (!title || g_str_equal(path, "/"))
        return FALSE;
    if (title_has_word(title, path) || title_has_word(title, name))
        return TRUE;
    gsize length = home ? strlen(home) : 0;
    gboolean below = length > 1 && strncmp(path, home, length) == 0 && path[length] == '/';
    g_autofree char *brief = below ? g_strconcat("~", path + length, NULL) : NULL;
    return brief && title_has_word(title, brief);
}
