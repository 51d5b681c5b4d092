/* SPDX-License-Identifier: Apache-2.0 */
/* Rows first, then the pictures that no row names any more; a crash in between leaves pictures,
 * which the next look finds. Nothing but files of our own naming is touched. */
#include "desk/guard/approvals/approvals-prune.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/guard/guard-limits.h"
#include "desk/records/store/approval-rows.h"
#include "shared/base/error.h"

#define DAY_MS ((gint64)24 * 3600 * 1000)
/* A picture is written before its row. */
#define NEW_MS ((gint64)3600 * 1000)

/* Whether the file is old, and its question is gone. */
static gboolean is_stale(HfStore *store, const char *path, const char *id, gint64 now_ms)
{
    struct stat info;
    g_autoptr(GError) problem = NULL;
    if (lstat(path, &info) != 0 || (gint64)info.st_mtime * 1000 > now_ms - NEW_MS)
        return FALSE;
    g_autoptr(json_t) row = hf_approval_row_find(store, id, &problem);
    return !row && hf_error_code(problem) == HF_ERROR_PRECONDITION_FAILED;
}

static void prune_pictures(HfStore *store, const char *directory, gint64 now_ms)
{
    g_autoptr(GDir) files = g_dir_open(directory, 0, NULL);
    const char *name;
    while (files && (name = g_dir_read_name(files))) {
        if (!g_str_has_prefix(name, "a_") || !g_str_has_suffix(name, ".jpg"))
            continue;
        g_autofree char *path = g_build_filename(directory, name, NULL);
        g_autofree char *id = g_strndup(name, strlen(name) - strlen(".jpg"));
        if (is_stale(store, path, id, now_ms))
            unlink(path);
    }
}

gboolean hf_approvals_prune_all(HfStore *store, const char *directory, gint64 now_ms, int keep_days,
                                GError **error)
{
    if (!hf_approval_rows_prune(store, now_ms - keep_days * DAY_MS, HF_LIMIT_APPROVALS_KEPT,
                                error) ||
        !hf_memory_rows_prune(store, now_ms, error))
        return FALSE;
    prune_pictures(store, directory, now_ms);
    return TRUE;
}
