/* SPDX-License-Identifier: Apache-2.0 */
/* Known by the folders that the files lie in: each has a time that changes with its list of files.
 */
#include "hand/apps/catalog-cache.h"

#include <sys/stat.h>

#include "hand/apps/apps-limits.h"
#include "shared/base/hash.h"

/* The library hears of changes a moment after they were made: what was read within this time of one
 * may lack it. */
#define HEARD_US (2 * G_USEC_PER_SEC)

/* How the folders are. */
typedef struct Folders {
    guint64 hash;
    gint64 changed_us; /* the last of them, wall clock */
} Folders;

static GMutex lock; /* guards what follows */
static GPtrArray *kept;
static guint64 kept_hash;
static gint64 kept_until_us;

static void note_folder(Folders *folders, const char *data)
{
    g_autofree char *path = g_build_filename(data, "applications", NULL);
    struct stat info = {0};
    gboolean there = stat(path, &info) == 0;
    gint64 changed_us = (gint64)info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000;
    folders->hash = hf_hash_mix(folders->hash, there);
    folders->hash = hf_hash_mix(folders->hash, info.st_ino);
    folders->hash = hf_hash_mix(folders->hash, (guint64)info.st_mtim.tv_sec);
    folders->hash = hf_hash_mix(folders->hash, (guint64)info.st_mtim.tv_nsec);
    folders->changed_us = MAX(folders->changed_us, changed_us);
}

static Folders look_at_folders(void)
{
    Folders folders = {0};
    const char *const *system = g_get_system_data_dirs();
    note_folder(&folders, g_get_user_data_dir());
    for (gsize i = 0; system[i]; i++)
        note_folder(&folders, system[i]);
    return folders;
}

/* With the lock. */
static void cache_catalog(GPtrArray *catalog, const Folders *folders)
{
    gboolean settled = g_get_real_time() - folders->changed_us > HEARD_US;
    g_clear_pointer(&kept, g_ptr_array_unref);
    if (!settled)
        return;
    kept = g_ptr_array_ref(catalog);
    kept_hash = folders->hash;
    kept_until_us = g_get_monotonic_time() + HF_LIMIT_CATALOG_MS * (gint64)1000;
}

GPtrArray *hf_catalog_cache_ref(void)
{
    Folders folders = look_at_folders();
    g_mutex_lock(&lock);
    gboolean right = kept && kept_hash == folders.hash && g_get_monotonic_time() < kept_until_us;
    GPtrArray *catalog = right ? g_ptr_array_ref(kept) : hf_catalog_load();
    if (!right)
        cache_catalog(catalog, &folders);
    g_mutex_unlock(&lock);
    return catalog;
}
