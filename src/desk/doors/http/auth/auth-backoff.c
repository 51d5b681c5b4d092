/* SPDX-License-Identifier: Apache-2.0 */
/* The delay doubles with each wrong token, up to a limit. A minute without wrong tokens resets
 * it. */
#include "desk/doors/http/auth/auth-backoff.h"

#include "desk/doors/http/http-limits.h"

#define QUIET_US (60 * G_USEC_PER_SEC)

typedef struct Record {
    guint count;
    gint64 last_us;
} Record;

struct HfAuthBackoff {
    GHashTable *records; /* address → Record */
};

HfAuthBackoff *hf_auth_backoff_new(void)
{
    HfAuthBackoff *backoff = g_new0(HfAuthBackoff, 1);
    backoff->records = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return backoff;
}

void hf_auth_backoff_free(HfAuthBackoff *backoff)
{
    if (!backoff)
        return;
    g_hash_table_unref(backoff->records);
    g_free(backoff);
}

static gboolean has_backoff_expired(gpointer address, gpointer record, gpointer now)
{
    return ((Record *)record)->last_us + QUIET_US < *(gint64 *)now;
}

static Record *ensure_record(HfAuthBackoff *backoff, const char *address, gint64 now_us)
{
    Record *record = g_hash_table_lookup(backoff->records, address);
    if (record)
        return record;
    if (g_hash_table_size(backoff->records) >= HF_LIMIT_AUTH_BACKOFF_ADDRESSES)
        g_hash_table_foreach_remove(backoff->records, has_backoff_expired, &now_us);
    if (g_hash_table_size(backoff->records) >= HF_LIMIT_AUTH_BACKOFF_ADDRESSES)
        g_hash_table_remove_all(backoff->records);
    record = g_new0(Record, 1);
    g_hash_table_insert(backoff->records, g_strdup(address), record);
    return record;
}

guint hf_auth_backoff_add(HfAuthBackoff *backoff, const char *address, gint64 now_us,
                          guint *ret_count)
{
    Record *record = ensure_record(backoff, address, now_us);
    if (record->last_us + QUIET_US < now_us)
        record->count = 0;
    record->last_us = now_us;
    record->count = MIN(record->count + 1, G_MAXINT);
    *ret_count = record->count;
    guint delay = HF_LIMIT_AUTH_BACKOFF_MS;
    for (guint i = 1; i < record->count && delay < HF_LIMIT_AUTH_BACKOFF_MOST_MS; i++)
        delay *= 2;
    return MIN(delay, HF_LIMIT_AUTH_BACKOFF_MOST_MS);
}
