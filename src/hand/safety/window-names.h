/* SPDX-License-Identifier: Apache-2.0 */
/* What a window is called: the names by which an owner's lists mean it. */
#pragma once

#include "hand/desktop/windows.h"

/* Entries may be NULL; borrowed. */
typedef struct HfWindowNames {
    const char *title;
    const char *others[5]; /* process, executable, class, instance */
    int pid;
    gboolean to_start; /* it has no window and no directory yet */
} HfWindowNames;

/* `ret_texts` (of g_malloc'ed text) keeps what they borrow besides the window's own. */
HfWindowNames hf_window_names(const HfWindow *window, GPtrArray *ret_texts);
/* Whether one of the patterns fits the text; NULL and "" fit none. */
gboolean hf_window_names_fit_text(char *const *globs, const char *text);
/* Whether one of the patterns fits one of the names, the title included. */
gboolean hf_window_names_fit(char *const *globs, const HfWindowNames *names);
