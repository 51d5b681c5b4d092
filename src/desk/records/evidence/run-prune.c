/* SPDX-License-Identifier: Apache-2.0 */
/* The age of a run is that of its last change. */
#include "desk/records/evidence/run-prune.h"

#include <sys/stat.h>
#include <unistd.h>

#include "desk/records/evidence/run-folder.h"
#include "shared/base/remove-tree.h"

typedef struct Kept {
    char *path;
    gint64 changed_ms;
    guint64 bytes;
} Kept;

static void kept_clear(gpointer data)
{
    g_free(((Kept *)data)->path);
}

static guint64 measure_run_tree(const char *path, int depth, GHashTable *seen, gint64 *ret_changed)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return 0;
    if (ret_changed)
        *ret_changed = MAX(*ret_changed, (gint64)info.st_mtime * 1000);
    if (!S_ISDIR(info.st_mode))
        return g_hash_table_add(seen, g_memdup2(&(guint64){info.st_ino}, sizeof(guint64)))
                   ? (guint64)info.st_blocks * 512
                   : 0;
    guint64 bytes = (guint64)info.st_blocks * 512;
    g_autoptr(GDir) directory = depth > 0 ? g_dir_open(path, 0, NULL) : NULL;
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        bytes += measure_run_tree(below, depth - 1, seen, ret_changed);
    }
    return bytes;
}

static guint64 measure_run(const char *path, gint64 *ret_changed)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    return measure_run_tree(path, 3, seen, ret_changed);
}

guint64 hf_run_measure(const char *path)
{
    return measure_run(path, NULL);
}

static void list_day(const char *day, GArray *runs)
{
    g_autoptr(GDir) directory = g_dir_open(day, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        Kept kept = {g_build_filename(day, name, NULL), 0, 0};
        kept.bytes = measure_run(kept.path, &kept.changed_ms);
        g_array_append_val(runs, kept);
    }
}

static int oldest_first(gconstpointer a, gconstpointer b)
{
    gint64 left = ((const Kept *)a)->changed_ms, right = ((const Kept *)b)->changed_ms;
    return left < right ? -1 : left > right;
}

static GArray *list_all(const char *root)
{
    GArray *runs = g_array_new(FALSE, FALSE, sizeof(Kept));
    g_array_set_clear_func(runs, kept_clear);
    g_autoptr(GDir) directory = g_dir_open(root, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *day = g_build_filename(root, name, NULL);
        if (hf_run_is_day(name))
            list_day(day, runs);
    }
    g_array_sort(runs, oldest_first);
    return runs;
}

guint hf_runs_prune(const HfRunPrune *prune, guint64 *ret_bytes)
{
    g_autoptr(GArray) runs = list_all(prune->root);
    guint64 total = 0;
    guint removed = 0;
    for (guint i = 0; i < runs->len; i++)
        total += g_array_index(runs, Kept, i).bytes;
    gint64 oldest = prune->now_ms - (gint64)prune->max_age_days * 24 * 3600 * 1000;
    for (guint i = 0; i < runs->len && (!prune->most || removed < prune->most); i++) {
        const Kept *run = &g_array_index(runs, Kept, i);
        gboolean surplus = run->changed_ms < oldest || total > prune->max_bytes;
        if (!surplus || (prune->is_running && prune->is_running(run->path, prune->data)))
            continue;
        hf_remove_tree(run->path);
        g_autofree char *day = g_path_get_dirname(run->path);
        rmdir(day); /* succeeds for the last run of its day */
        total -= MIN(total, run->bytes);
        removed++;
    }
    if (ret_bytes)
        *ret_bytes = total;
    return removed;
}
