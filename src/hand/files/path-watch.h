/* SPDX-License-Identifier: Apache-2.0 */
/* A watch on a file or a directory. A thread collects changes in order, also between calls. */
#pragma once

#include "hand/files/file-place.h"
#include "shared/base/deadline.h"

typedef enum HfWatchKind {
    HF_WATCH_CREATE = 1 << 0,
    HF_WATCH_MODIFY = 1 << 1,
    HF_WATCH_DELETE = 1 << 2,
    HF_WATCH_MOVE = 1 << 3,
    HF_WATCH_ALL = (1 << 4) - 1,
} HfWatchKind;

typedef struct HfWatchChange {
    HfWatchKind kind;
    gboolean folder;
    gint64 time_ms;
    char *path, *from; /* `from`: the old path of a move inside the watch; else NULL */
} HfWatchChange;

typedef struct HfFileWatch HfFileWatch;

/* Takes the walls and checks later findings against them. LIMIT_EXCEEDED if there are too many
 * directories, or the system allows no more watches. */
HfFileWatch *hf_file_watch_new(HfFileWalls *take_walls, const HfFilePlace *place,
                               gboolean recursive, GError **error);
void hf_file_watch_free(HfFileWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileWatch, hf_file_watch_free)

/* Sets the walls of a later call by the same caller, so that newly denied paths are not reported.
 */
void hf_file_watch_set_walls(HfFileWatch *watch, HfFileWalls *take_walls);
gboolean hf_file_watch_is_of(const HfFileWatch *watch, const HfFilePlace *place);
guint hf_file_watch_directories(HfFileWatch *watch);

typedef struct HfWatchBatch {
    GPtrArray *changes; /* of HfWatchChange */
    gboolean overflow;  /* changes were lost: look at everything again */
    gboolean more;      /* further changes wait */
    gboolean gone;      /* the watched path is gone; nothing will follow */
} HfWatchBatch;

void hf_file_watch_batch_clear(HfWatchBatch *batch);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfWatchBatch, hf_file_watch_batch_clear)

/* Waits for a change of these kinds, then until `quiet_ms` pass without another one, and takes at
 * most `most`. Reaching the deadline without a change is not an error; a cancelled call is. */
gboolean hf_file_watch_take(HfFileWatch *watch, HfWatchKind kinds, guint quiet_ms, guint most,
                            const HfDeadline *deadline, HfWatchBatch *ret_batch, GError **error);
const char *hf_file_watch_kind_name(HfWatchKind kind);
