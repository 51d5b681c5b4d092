/* SPDX-License-Identifier: Apache-2.0 */
/* One watch on a file or a directory: what has changed there since it was last asked, kept in
 * order by a thread of its own, also while nobody asks. */
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
    char *path, *from; /* `from`: where it was moved from within the watch; NULL */
} HfWatchChange;

typedef struct HfFileWatch HfFileWatch;

/* Takes the walls, which what is found later is held against. LIMIT_EXCEEDED when there are too
 * many directories, or the system allows no more watches. */
HfFileWatch *hf_file_watch_new(HfFileWalls *take_walls, const HfFilePlace *place,
                               gboolean recursive, GError **error);
void hf_file_watch_free(HfFileWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfFileWatch, hf_file_watch_free)

/* Those of a later call of the same caller: what the owner has denied meanwhile is not told. */
void hf_file_watch_set_walls(HfFileWatch *watch, HfFileWalls *take_walls);
gboolean hf_file_watch_is_of(const HfFileWatch *watch, const HfFilePlace *place);
guint hf_file_watch_directories(HfFileWatch *watch);

typedef struct HfWatchBatch {
    GPtrArray *changes; /* of HfWatchChange */
    gboolean overflow;  /* some were lost: look at everything again */
    gboolean more;      /* others wait */
    gboolean gone;      /* what was watched is no more; nothing will follow */
} HfWatchBatch;

void hf_file_watch_batch_clear(HfWatchBatch *news);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfWatchBatch, hf_file_watch_batch_clear)

/* Waits until there is a change of such a kind, then until `quiet_ms` have passed without another,
 * and takes at most `most`. Nothing at the deadline is no error; being called off is. */
gboolean hf_file_watch_take(HfFileWatch *watch, HfWatchKind kinds, guint quiet_ms, guint most,
                            const HfDeadline *deadline, HfWatchBatch *ret_news, GError **error);
const char *hf_file_watch_kind_name(HfWatchKind kind);
