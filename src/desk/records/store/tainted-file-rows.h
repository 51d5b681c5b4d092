/* SPDX-License-Identifier: Apache-2.0 */
/* Files with text of others in them (desk/guard/policy/tainted-files.h). */
#pragma once

#include "desk/records/store/store.h"

typedef struct HfTaintedFile {
    char *path;            /* absolute, as the tool reported it */
    guint64 device, inode; /* 0: the desk cannot see it */
    char *caller;          /* key of the caller who got or wrote it; "": the owner */
    char *name;            /* of that caller, for people */
    char *tool;
    gint64 since_ms;
} HfTaintedFile;

void hf_tainted_file_free(HfTaintedFile *file);

/* All (HfTaintedFile), the oldest first; NULL with an error. */
GPtrArray *hf_tainted_file_rows_list(HfStore *store, GError **error);
/* Also drops the oldest rows beyond `most`. */
gboolean hf_tainted_file_row_put(HfStore *store, const HfTaintedFile *file, guint most,
                                 GError **error);
/* Those of one caller, or all (NULL). */
gboolean hf_tainted_file_rows_remove(HfStore *store, const char *caller, GError **error);
