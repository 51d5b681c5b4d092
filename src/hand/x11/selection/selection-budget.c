/* SPDX-License-Identifier: Apache-2.0 */
/* A token bucket for each program. A program that empties its bucket is refused until it refills;
 * others are not affected. There are as many buckets as an X server accepts clients; beyond that, a
 * new program gets the bucket that was used longest ago. */
#include "hand/x11/selection/selection-budget.h"

#include "hand/x11/x11-limits.h"

#define CLIENTS 256u

typedef struct Bucket {
    guint32 client;
    guint left;
    gint64 used_us; /* 0: unused */
} Bucket;

struct HfSelectionBudget {
    Bucket buckets[CLIENTS];
};

HfSelectionBudget *hf_selection_budget_new(void)
{
    return g_new0(HfSelectionBudget, 1);
}

void hf_selection_budget_free(HfSelectionBudget *budget)
{
    g_free(budget);
}

static Bucket *find_bucket(HfSelectionBudget *budget, guint32 client)
{
    Bucket *oldest = &budget->buckets[0];
    for (guint i = 0; i < CLIENTS; i++) {
        Bucket *bucket = &budget->buckets[i];
        if (bucket->used_us > 0 && bucket->client == client)
            return bucket;
        if (bucket->used_us < oldest->used_us)
            oldest = bucket;
    }
    *oldest = (Bucket){.client = client};
    return oldest;
}

/* Adds whole units for the time since the last use; the remaining time counts the next time. */
static void refill_client_budget(Bucket *bucket, gint64 now_us)
{
    gint64 per_unit_us = G_USEC_PER_SEC / HF_LIMIT_CLIPBOARD_ASK_RATE;
    gint64 earned = (now_us - bucket->used_us) / per_unit_us;
    if (bucket->used_us == 0 || earned >= HF_LIMIT_CLIPBOARD_ASK_BURST) {
        bucket->left = HF_LIMIT_CLIPBOARD_ASK_BURST;
        bucket->used_us = now_us;
    } else if (earned > 0) {
        bucket->left = (guint)MIN(bucket->left + earned, HF_LIMIT_CLIPBOARD_ASK_BURST);
        bucket->used_us += earned * per_unit_us;
    }
}

gboolean hf_selection_budget_spend(HfSelectionBudget *budget, guint32 client, guint cost,
                                   gint64 now_us)
{
    Bucket *bucket = find_bucket(budget, client);
    refill_client_budget(bucket, now_us);
    if (bucket->left < cost)
        return FALSE;
    bucket->left -= cost;
    return TRUE;
}
