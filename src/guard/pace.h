/* How fast and how often: token buckets by the minute, counts by the day. Minutes are kept by the
 * monotonic clock, so that setting the clock frees nobody; days by the owner's calendar, in the
 * store, so that a restart frees nobody either. */
#pragma once

#include <glib.h>

#include "store/store.h"

typedef struct HfPaces HfPaces;

/* One limit on a call: what it counts for ("global", "client:NAME", ...). 0: any number. */
typedef struct HfPaceLimit {
    const char *what;
    gint64 per_minute, per_day;
} HfPaceLimit;

/* The time, for tests: of the monotonic clock in microseconds, and the wall clock's. */
typedef struct HfPaceClock {
    gint64 (*monotonic_us)(void);
    gint64 (*real_us)(void);
} HfPaceClock;

/* A clock of NULL is the machine's. The store must outlive it. */
HfPaces *hf_paces_new(HfStore *store, const HfPaceClock *clock);
void hf_paces_free(HfPaces *paces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfPaces, hf_paces_free)

/* Counts one call for all of the limits, or for none: RATE_LIMITED says which limit and, in
 * details.retry_after_ms, when there is room again. Exact, however many ask at once. */
gboolean hf_paces_take(HfPaces *paces, const HfPaceLimit *limits, gsize count, GError **error);
