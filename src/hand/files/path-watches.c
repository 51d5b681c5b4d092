/* SPDX-License-Identifier: Apache-2.0 */
/* Each access removes expired watches. */
#include "hand/files/path-watches.h"

#include "hand/files/files-limits.h"
#include "shared/base/error.h"
#include "shared/base/id.h"

typedef struct Entry {
    HfKeptWatch *kept;
    gint64 asked_us; /* when a call last used it */
} Entry;

static GMutex lock;       /* guards the table */
static GHashTable *table; /* id → Entry */

void hf_file_watches_unref(HfKeptWatch *kept)
{
    if (!kept || !g_atomic_int_dec_and_test(&kept->refs))
        return;
    hf_file_watch_free(kept->watch);
    g_mutex_clear(&kept->turn);
    g_free(kept->id);
    g_free(kept->caller);
    g_free(kept);
}

static void watch_entry_free(gpointer data)
{
    Entry *entry = data;
    hf_file_watches_unref(entry->kept);
    g_free(entry);
}

static gboolean is_watch_expired(gpointer id, gpointer value, gpointer now_us)
{
    const Entry *entry = value;
    return g_atomic_int_get(&entry->kept->refs) == 1 &&
           *(gint64 *)now_us - entry->asked_us > HF_LIMIT_WATCH_KEEP_S * (gint64)G_USEC_PER_SEC;
}

/* With the lock held. */
static void remove_expired_watches(void)
{
    gint64 now_us = g_get_monotonic_time();
    if (!table)
        table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, watch_entry_free);
    g_hash_table_foreach_remove(table, is_watch_expired, &now_us);
}

HfKeptWatch *hf_file_watches_add(HfFileWatch *take_watch, const char *caller, GError **error)
{
    HfKeptWatch *kept = g_new0(HfKeptWatch, 1);
    kept->refs = 1;
    kept->id = hf_id_new("w");
    kept->caller = g_strdup(caller);
    kept->watch = take_watch;
    g_mutex_init(&kept->turn);
    g_mutex_lock(&lock);
    remove_expired_watches();
    gboolean room = g_hash_table_size(table) < HF_LIMIT_WATCHES;
    if (room) {
        Entry *entry = g_new(Entry, 1);
        *entry = (Entry){kept, g_get_monotonic_time()};
        g_atomic_int_inc(&kept->refs);
        g_hash_table_insert(table, kept->id, entry);
    }
    g_mutex_unlock(&lock);
    if (room)
        return kept;
    hf_file_watches_unref(kept);
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "too many watches: at most %u", HF_LIMIT_WATCHES);
    hf_error_suggest(error,
                     "end one that you no longer need: file_watch with its watch_id and close");
    return NULL;
}

HfKeptWatch *hf_file_watches_find(const char *id, const char *caller, GError **error)
{
    HfKeptWatch *kept = NULL;
    g_mutex_lock(&lock);
    remove_expired_watches();
    Entry *entry = g_hash_table_lookup(table, id);
    if (entry && g_strcmp0(entry->kept->caller, caller) == 0) {
        kept = entry->kept;
        entry->asked_us = g_get_monotonic_time();
        g_atomic_int_inc(&kept->refs);
    }
    g_mutex_unlock(&lock);
    if (kept)
        return kept;
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "no watch '%s'; it may have expired", id);
    hf_error_suggest(error, "start a new one without watch_id, and read what is there now");
    return NULL;
}

void hf_file_watches_remove(const char *id)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    if (table)
        g_hash_table_remove(table, id);
}

void hf_file_watches_end(void)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    g_clear_pointer(&table, g_hash_table_unref);
}
