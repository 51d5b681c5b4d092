/* SPDX-License-Identifier: Apache-2.0 */
/* Rate limits: token buckets per minute, counters per day. Minutes use the monotonic clock, so
 * setting the clock resets nothing. Days follow the local calendar and are counted in the store, so
 * a restart resets nothing. */
#pragma once

#include <glib.h>

#include "desk/records/store/store.h"

typedef struct HfRateLimiter HfRateLimiter;

/* One limit, and what it applies to ("all tasks", "client 'NAME'", ...). 0: unlimited. */
typedef struct HfRateLimit {
    const char *what;
    gint64 per_minute, per_day;
} HfRateLimit;

/* The clocks, which tests replace. */
typedef struct HfRateLimiterClock {
    gint64 (*monotonic_us)(void);
    gint64 (*real_us)(void);
} HfRateLimiterClock;

/* `clock` NULL: the system's. The store must outlive it. */
HfRateLimiter *hf_rate_limiter_new(HfStore *store, const HfRateLimiterClock *clock);
void hf_rate_limiter_free(HfRateLimiter *limiter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRateLimiter, hf_rate_limiter_free)

/* Counts one call against all of the limits, or against none: RATE_LIMITED names the limit and, in
 * details.retry_after_ms, when to try again. Exact under concurrency. */
gboolean hf_rate_limiter_take(HfRateLimiter *limiter, const HfRateLimit *limits, gsize count,
                              GError **error);
