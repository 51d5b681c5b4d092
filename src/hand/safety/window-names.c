/* SPDX-License-Identifier: Apache-2.0 */
/* Asked anew each time: a title may have changed, and a process another program, since. */
#include "hand/safety/window-names.h"

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
