/* SPDX-License-Identifier: Apache-2.0 */
/* The watches that this hand keeps between calls, by id. A watch that nobody asks for expires. */
#pragma once

#include "hand/files/path-watch.h"

typedef struct HfKeptWatch {
    gint refs;
    char *id, *caller;
    HfFileWatch *watch;
    GMutex turn; /* one call at a time */
} HfKeptWatch;

/* LIMIT_EXCEEDED if there are too many. */
HfKeptWatch *hf_file_watches_add(HfFileWatch *take_watch, const char *caller, GError **error);
/* Only the caller's watches; PRECONDITION_FAILED if there is none with that id. */
HfKeptWatch *hf_file_watches_find(const char *id, const char *caller, GError **error);
void hf_file_watches_unref(HfKeptWatch *kept);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfKeptWatch, hf_file_watches_unref)
void hf_file_watches_remove(const char *id);
/* The hand exits. */
void hf_file_watches_end(void);
