/* Doubles with each wrong token up to a bound, and is forgotten after a quiet minute. */
#include "front/http/delays.h"

#include "base/limits.h"

#define QUIET_US (60 * G_USEC_PER_SEC)

typedef struct Record {
    guint count;
    gint64 last_us;
} Record;

struct HfHttpDelays {
    GHashTable *records; /* address → Record */
};

HfHttpDelays *hf_http_delays_new(void)
{
    HfHttpDelays *delays = g_new0(HfHttpDelays, 1);
    delays->records = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return delays;
}

void hf_http_delays_free(HfHttpDelays *delays)
{
    if (!delays)
        return;
    g_hash_table_unref(delays->records);
    g_free(delays);
}

static gboolean is_old(gpointer address, gpointer record, gpointer now)
{
    return ((Record *)record)->last_us + QUIET_US < *(gint64 *)now;
}

static Record *ensure_record(HfHttpDelays *delays, const char *address, gint64 now_us)
{
    Record *record = g_hash_table_lookup(delays->records, address);
    if (record)
        return record;
    if (g_hash_table_size(delays->records) >= HF_LIMIT_HTTP_DELAY_ADDRESSES)
        g_hash_table_foreach_remove(delays->records, is_old, &now_us);
    if (g_hash_table_size(delays->records) >= HF_LIMIT_HTTP_DELAY_ADDRESSES)
        g_hash_table_remove_all(delays->records);
    record = g_new0(Record, 1);
    g_hash_table_insert(delays->records, g_strdup(address), record);
    return record;
}

guint hf_http_delays_add(HfHttpDelays *delays, const char *address, gint64 now_us, guint *ret_count)
{
    Record *record = ensure_record(delays, address, now_us);
    if (record->last_us + QUIET_US < now_us)
        record->count = 0;
    record->last_us = now_us;
    record->count = MIN(record->count + 1, G_MAXINT);
    *ret_count = record->count;
    guint delay = HF_LIMIT_HTTP_DELAY_MS;
    for (guint i = 1; i < record->count && delay < HF_LIMIT_HTTP_DELAY_MOST_MS; i++)
        delay *= 2;
    return MIN(delay, HF_LIMIT_HTTP_DELAY_MOST_MS);
}
