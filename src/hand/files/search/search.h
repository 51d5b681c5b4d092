/* SPDX-License-Identifier: Apache-2.0 */
/* Files by name, and lines in files. */
#pragma once

#include "hand/files/file-place.h"
#include "hand/files/search/line-pattern.h"
#include "shared/base/deadline.h"
#include "shared/text/glob.h"

typedef struct HfSearchOptions {
    const HfPathGlob *names; /* files, and directories unless lines are looked for; NULL: any */
    gboolean whole_path;     /* the names are paths from the directory on */
    const HfLinePattern *pattern; /* lines; NULL: names alone */
    gboolean hidden, ignored;
    guint most; /* results */
    guint threads;
} HfSearchOptions;

typedef struct HfSearchHit {
    char *path;
    gboolean folder;
    guint64 line, column; /* from 1 on; 0: only the name was looked for */
    char *text;           /* of the line, without secrets and not longer than is told; NULL */
} HfSearchHit;

typedef struct HfSearchResult {
    GPtrArray *hits; /* of HfSearchHit, by path and line */
    gboolean truncated;
    guint64 files, bytes;                      /* that were looked at */
    guint64 binary, large, secret, unreadable; /* files that were passed over */
} HfSearchResult;

void hf_search_result_clear(HfSearchResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSearchResult, hf_search_result_clear)

gboolean hf_search_files(const HfFileWalls *walls, const HfFilePlace *place,
                         const HfSearchOptions *options, const HfDeadline *deadline,
                         HfSearchResult *ret_result, GError **error);
