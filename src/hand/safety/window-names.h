/* SPDX-License-Identifier: Apache-2.0 */
/* The names by which an owner's lists and grants refer to a window. */
#pragma once

#include "hand/desktop/windows.h"

/* Entries may be NULL; borrowed. */
typedef struct HfWindowNames {
    const char *title;
    const char *others[5]; /* process, executable, class, instance */
    int pid;
    gboolean to_start; /* not started yet: no window and no working directory */
} HfWindowNames;

/* `ret_texts` (elements freed with g_free) owns the names that the window does not. */
HfWindowNames hf_window_names(const HfWindow *window, GPtrArray *ret_texts);
/* Whether one of the patterns matches the text; none matches NULL or "". */
gboolean hf_window_names_fit_text(char *const *globs, const char *text);
/* Whether one of the patterns matches the title or another name. */
gboolean hf_window_names_fit(char *const *globs, const HfWindowNames *names);

/* Whether a title names a directory: by its path (also with ~ for `home`), a path below it, or its
 * last component as a whole word: "main.c - handfast - Editor" names /home/me/src/handfast. The
 * program chooses its title, so this proves nothing. */
gboolean hf_window_title_has_directory(const char *title, const char *directory, const char *home);
