/* SPDX-License-Identifier: Apache-2.0 */
/* The watches of this hand that are kept between calls, by their ids. One that nobody has asked for
 * a while ends. */
#pragma once

#include "hand/files/path-watch.h"

typedef struct HfKeptWatch {
    gint refs;
    char *id, *caller;
    HfFileWatch *watch;
    GMutex turn; /* one call at a time */
} HfKeptWatch;

/* LIMIT_EXCEEDED when there are too many. */
HfKeptWatch *hf_file_watches_add(HfFileWatch *take_watch, const char *caller, GError **error);
/* The caller's own; PRECONDITION_FAILED when there is none of that id any more. */
HfKeptWatch *hf_file_watches_find(const char *id, const char *caller, GError **error);
void hf_file_watches_unref(HfKeptWatch *kept);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfKeptWatch, hf_file_watches_unref)
void hf_file_watches_remove(const char *id);
/* When the hand ends. */
void hf_file_watches_end(void);
