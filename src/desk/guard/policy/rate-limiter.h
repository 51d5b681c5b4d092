/* SPDX-License-Identifier: Apache-2.0 */
/* How fast and how often: token buckets by the minute, counts by the day. Minutes are kept by the
 * monotonic clock, so that setting the clock frees nobody; days by the owner's calendar, in the
 * store, so that a restart frees nobody either. */
#pragma once

#include <glib.h>

#include "desk/records/store/store.h"

typedef struct HfRateLimiter HfRateLimiter;

/* One limit on a call: what it counts for ("global", "client:NAME", ...). 0: any number. */
typedef struct HfRateLimit {
    const char *what;
    gint64 per_minute, per_day;
} HfRateLimit;

/* The time, for tests: of the monotonic clock in microseconds, and the wall clock's. */
typedef struct HfRateLimiterClock {
    gint64 (*monotonic_us)(void);
    gint64 (*real_us)(void);
} HfRateLimiterClock;

/* A clock of NULL is the machine's. The store must outlive it. */
HfRateLimiter *hf_rate_limiter_new(HfStore *store, const HfRateLimiterClock *clock);
void hf_rate_limiter_free(HfRateLimiter *paces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfRateLimiter, hf_rate_limiter_free)

/* Counts one call for all of the limits, or for none: RATE_LIMITED says which limit and, in
 * details.retry_after_ms, when there is room again. Exact, however many ask at once. */
gboolean hf_rate_limiter_take(HfRateLimiter *paces, const HfRateLimit *limits, gsize count,
                              GError **error);
