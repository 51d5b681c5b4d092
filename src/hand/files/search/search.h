/* SPDX-License-Identifier: Apache-2.0 */
/* Searches files by name, and lines in files. */
#pragma once

#include "hand/files/file-place.h"
#include "hand/files/search/line-pattern.h"
#include "shared/base/deadline.h"
#include "shared/text/glob.h"

typedef struct HfSearchOptions {
    const HfPathGlob *names;      /* of files, and of directories without a pattern; NULL: any */
    gboolean whole_path;          /* match the path below the directory instead of the name */
    const HfLinePattern *pattern; /* for lines; NULL: search names only */
    gboolean hidden, ignored;
    guint most; /* hits */
    guint threads;
} HfSearchOptions;

typedef struct HfSearchHit {
    char *path;
    gboolean folder;
    guint64 line, column; /* from 1; 0 in a search by name */
    char *text;           /* of the line, shortened and without secrets; or NULL */
} HfSearchHit;

typedef struct HfSearchResult {
    GPtrArray *hits; /* of HfSearchHit, by path and line */
    gboolean truncated;
    guint64 files, bytes;                      /* that were searched */
    guint64 binary, large, secret, unreadable; /* files that were skipped */
} HfSearchResult;

void hf_search_result_clear(HfSearchResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfSearchResult, hf_search_result_clear)

gboolean hf_search_files(const HfFileWalls *walls, const HfFilePlace *place,
                         const HfSearchOptions *options, const HfDeadline *deadline,
                         HfSearchResult *ret_result, GError **error);
