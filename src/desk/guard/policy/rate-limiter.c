/* SPDX-License-Identifier: Apache-2.0 */
/* A bucket holds as many tokens as a minute allows and fills evenly. Daily counts are written
 * before the call goes on, so they survive a power failure. */
#include "desk/guard/policy/rate-limiter.h"

#include "desk/guard/guard-limits.h"
#include "shared/base/error.h"
#include "shared/base/json.h"

#define MINUTE_US (60 * G_USEC_PER_SEC)

typedef struct Bucket {
    double tokens;
    gint64 per_minute; /* its capacity */
    gint64 at_us;      /* when it was last filled */
} Bucket;

struct HfRateLimiter {
    HfStore *store;
    HfRateLimiterClock clock;
    GMutex lock;
    GHashTable *buckets; /* what → Bucket */
};

HfRateLimiter *hf_rate_limiter_new(HfStore *store, const HfRateLimiterClock *clock)
{
    HfRateLimiter *limiter = g_new0(HfRateLimiter, 1);
    limiter->store = store;
    limiter->clock = clock ? *clock : (HfRateLimiterClock){g_get_monotonic_time, g_get_real_time};
    g_mutex_init(&limiter->lock);
    limiter->buckets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return limiter;
}

void hf_rate_limiter_free(HfRateLimiter *limiter)
{
    if (!limiter)
        return;
    g_hash_table_unref(limiter->buckets);
    g_mutex_clear(&limiter->lock);
    g_free(limiter);
}

static void refill_rate_bucket(Bucket *bucket, gint64 per_minute, gint64 now)
{
    double gained = (double)(now - bucket->at_us) * (double)per_minute / (double)MINUTE_US;
    /* A changed limit takes effect at once, and grants no extra tokens. */
    bucket->tokens = MIN((double)per_minute, bucket->tokens + MAX(0, gained));
    bucket->per_minute = per_minute;
    bucket->at_us = now;
}

static gboolean is_full(gpointer what, gpointer data, gpointer now)
{
    Bucket *bucket = data;
    refill_rate_bucket(bucket, bucket->per_minute, *(const gint64 *)now);
    return bucket->tokens >= (double)bucket->per_minute;
}

/* Callers choose the names of targets, so full buckets, which limit nothing, are dropped. */
static Bucket *ensure_bucket(HfRateLimiter *limiter, const HfRateLimit *limit, gint64 now)
{
    Bucket *bucket = g_hash_table_lookup(limiter->buckets, limit->what);
    if (!bucket) {
        if (g_hash_table_size(limiter->buckets) >= HF_LIMIT_RATE_LIMIT_BUCKETS)
            g_hash_table_foreach_remove(limiter->buckets, is_full, &now);
        bucket = g_new0(Bucket, 1);
        bucket->tokens = (double)limit->per_minute;
        bucket->at_us = now;
        g_hash_table_insert(limiter->buckets, g_strdup(limit->what), bucket);
    }
    refill_rate_bucket(bucket, limit->per_minute, now);
    return bucket;
}

static gboolean fail_limited(const HfRateLimit *limit, gint64 most, const char *span,
                             gint64 retry_ms, GError **error)
{
    hf_fail(error, HF_ERROR_RATE_LIMITED,
            "the rate limit of %s is reached: %" G_GINT64_FORMAT " per %s", limit->what, most,
            span);
    hf_error_take_details(error, json_pack("{s:I, s:o, s:I, s:s}", "retry_after_ms",
                                           (json_int_t)retry_ms, "limit", hf_json_text(limit->what),
                                           "allowed", (json_int_t)most, "span", span));
    return FALSE;
}

static gboolean check_minute(HfRateLimiter *limiter, const HfRateLimit *limit, gint64 now,
                             GError **error)
{
    if (limit->per_minute <= 0)
        return TRUE;
    const Bucket *bucket = ensure_bucket(limiter, limit, now);
    if (bucket->tokens >= 1)
        return TRUE;
    double wait_us = (1 - bucket->tokens) * (double)MINUTE_US / (double)limit->per_minute;
    return fail_limited(limit, limit->per_minute, "minute", (gint64)(wait_us / 1000) + 1, error);
}

typedef struct Days {
    const HfRateLimit *limits;
    gsize count;
    gint64 day, left_ms; /* today, and how much of it is left */
} Days;

static gboolean count_day(HfStoreSession *session, const Days *days, const HfRateLimit *limit,
                          GError **error)
{
    gboolean found;
    sqlite3_stmt *row =
        hf_store_query(session, error, "SELECT count FROM daily_counts WHERE day = ? AND what = ?",
                       "it", days->day, limit->what);
    if (!hf_store_next_row(session, row, &found, error))
        return FALSE;
    gint64 done = found ? sqlite3_column_int64(row, 0) : 0;
    if (done >= limit->per_day)
        return fail_limited(limit, limit->per_day, "day", days->left_ms, error);
    return hf_store_run(session, error,
                        "INSERT INTO daily_counts VALUES (?, ?, 1) ON CONFLICT (day, what) DO "
                        "UPDATE SET count = count + 1",
                        "it", days->day, limit->what);
}

static gboolean count_days(HfStoreSession *session, gpointer data, GError **error)
{
    const Days *days = data;
    for (gsize i = 0; i < days->count; i++)
        if (days->limits[i].per_day > 0 && !count_day(session, days, &days->limits[i], error))
            return FALSE;
    return hf_store_run(session, error, "DELETE FROM daily_counts WHERE day < ?", "i",
                        days->day - 1);
}

static gboolean take_days(HfRateLimiter *limiter, const HfRateLimit *limits, gsize count,
                          GError **error)
{
    gboolean any = FALSE;
    for (gsize i = 0; i < count; i++)
        any = any || limits[i].per_day > 0;
    if (!any)
        return TRUE;
    gint64 now = limiter->clock.real_us() / G_USEC_PER_SEC;
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(now);
    int year, month, day;
    g_date_time_get_ymd(time, &year, &month, &day);
    g_autoptr(GDateTime) begin = g_date_time_new_local(year, month, day, 0, 0, 0);
    g_autoptr(GDateTime) end = g_date_time_add_days(begin, 1);
    GDate date;
    g_date_set_dmy(&date, (GDateDay)day, (GDateMonth)month, (GDateYear)year);
    Days days = {limits, count, g_date_get_julian(&date), (g_date_time_to_unix(end) - now) * 1000};
    return hf_store_write(limiter->store, count_days, &days, error);
}

gboolean hf_rate_limiter_take(HfRateLimiter *limiter, const HfRateLimit *limits, gsize count,
                              GError **error)
{
    gboolean free_now = TRUE;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&limiter->lock);
    gint64 now = limiter->clock.monotonic_us();
    for (gsize i = 0; free_now && i < count; i++)
        free_now = check_minute(limiter, &limits[i], now, error);
    gboolean taken = free_now && take_days(limiter, limits, count, error);
    for (gsize i = 0; taken && i < count; i++)
        if (limits[i].per_minute > 0)
            ensure_bucket(limiter, &limits[i], now)->tokens -= 1;
    return taken;
}
